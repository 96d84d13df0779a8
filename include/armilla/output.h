/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files that get their final names only when they are complete. One thread at a time may use
 * an output. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaOutput:
 *
 * A file that appears complete or not at all: it is written without a name, or with a temporary
 * one, in the destination folder, then flushed and renamed.
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
 * Creates an empty file in the folder of @path, so that an unwritable folder is found before
 * anything is computed. The file has no name yet if the file system supports that, otherwise a
 * temporary one.
 *
 * Returns: (transfer full): an output; %NULL with %ARMILLA_ERROR_IO
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
 * Returns: (transfer none): path by which this process can open the temporary file (it must not be
 *   renamed)
 */
const char *armilla_output_temporary (ArmillaOutput *output);

/**
 * armilla_output_commit:
 * @output: an output
 * @error: return location
 *
 * Finishes the output if necessary, and gives the file its final name. Without overwrite, a file
 * that got this name in the meantime is kept. After a failure the temporary file still exists;
 * armilla_output_free() removes it.
 *
 * Returns: whether the file has its final name; %ARMILLA_ERROR_IO otherwise
 */
gboolean armilla_output_commit (ArmillaOutput *output, GError **error);

/**
 * armilla_output_free:
 * @output: (transfer full) (nullable): an output
 *
 * Frees the output, and removes the temporary file if it was not committed, unless another process
 * created it.
 */
void armilla_output_free (ArmillaOutput *output);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaOutput, armilla_output_free)

G_END_DECLS
