/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that appear under their names when they are whole, or not at all. One thread at a time uses
 * an output. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaOutput:
 *
 * A file that appears whole or not at all: written without a name, or under a temporary one, in the
 * folder of the final one, then flushed and given its name.
 */
typedef struct _ArmillaOutput ArmillaOutput;

/**
 * armilla_output_new:
 * @path: final name of the file; if it ends in ".gz", the file is compressed when it
 *   is committed
 * @overwrite: whether a file of that name may be replaced (a symbolic link is replaced, not
 *   followed)
 * @error: return location
 *
 * Makes an empty file in the folder of @path, so that a folder that cannot be written to is known
 * before anything is computed. It has no name in the folder yet, where the file system can do that,
 * and a temporary one elsewhere.
 *
 * Returns: (transfer full): an output; NULL with %ARMILLA_ERROR_IO
 */
ArmillaOutput *armilla_output_new (const char *path, gboolean overwrite, GError **error);

/**
 * armilla_output_path:
 * @output: an output
 *
 * Returns: the final name
 */
const char *armilla_output_path (ArmillaOutput *output);

/**
 * armilla_output_temporary:
 * @output: an output that is not committed
 *
 * Returns: (transfer none): what opens the file that holds the data now, in this process (it cannot
 *   be renamed)
 */
const char *armilla_output_temporary (ArmillaOutput *output);

/**
 * armilla_output_commit:
 * @output: an output
 * @error: return location
 *
 * Finishes the output if that was not done, and gives the file its final name. Without overwrite, a
 * file that got this name in the meantime stays as it is. After a failure the temporary file is
 * still there; armilla_output_free() removes it.
 *
 * Returns: whether the file is there under its final name; %ARMILLA_ERROR_IO otherwise
 */
gboolean armilla_output_commit (ArmillaOutput *output, GError **error);

/**
 * armilla_output_free:
 * @output: (transfer full) (nullable): an output
 *
 * Frees it, and removes the temporary file if it was not committed, unless another process made it.
 */
void armilla_output_free (ArmillaOutput *output);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaOutput, armilla_output_free)

G_END_DECLS
