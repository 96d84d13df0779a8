/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that appear under their names when they are whole, or not at all. One thread at a time for
 * an output; any threads may use different ones. */
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

ArmillaOutput *armilla_output_new (const char *path, gboolean overwrite, GError **error);
void armilla_output_set_passing (ArmillaOutput *output);
const char *armilla_output_path (ArmillaOutput *output);
const char *armilla_output_temporary (ArmillaOutput *output);
gboolean armilla_output_pack (ArmillaOutput *output, GError **error);
gboolean armilla_output_finish (ArmillaOutput *output, GError **error);
gboolean armilla_output_commit (ArmillaOutput *output, GError **error);
void armilla_output_commit_all (ArmillaOutput *const *outputs, guint n, GError **errors);
void armilla_output_free (ArmillaOutput *output);

/* Several processes write to one temporary file. */
GBytes *armilla_output_offer (ArmillaOutput *output, gboolean named, GError **error);
ArmillaOutput *armilla_output_join (const char *path, GBytes *ticket, GError **error);
gboolean armilla_output_is_joined (const ArmillaOutput *output);

/**
 * ArmillaNamePattern:
 * @n: how many names were added
 * @first: (owned) (nullable): one of them
 * @prefix: bytes at the beginning of @first that all names share
 * @suffix: bytes at its end that all share
 * @shortest: bytes of the shortest name
 * @differ: whether any two names differ
 *
 * What many names have in common, in the memory of one.
 */
typedef struct {
  gint64 n;
  char *first;
  gsize prefix, suffix, shortest;
  gboolean differ;
} ArmillaNamePattern;

void armilla_name_pattern_add (ArmillaNamePattern *self, const char *name);
void armilla_name_pattern_merge (ArmillaNamePattern *self, const ArmillaNamePattern *other);
char *armilla_name_pattern_text (const ArmillaNamePattern *self);
void armilla_name_pattern_clear (ArmillaNamePattern *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaOutput, armilla_output_free)

G_END_DECLS
