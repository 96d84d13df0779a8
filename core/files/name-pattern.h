/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What many file names have in common. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

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

G_END_DECLS
