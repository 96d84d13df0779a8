/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common pattern of many file names. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* What many names have in common, in the memory of one. */
typedef struct {
  gint64 n;        /* how many names were added */
  char *first;     /* (owned): one of them; may be NULL */
  gsize prefix;    /* bytes at the beginning of first that all names share */
  gsize suffix;    /* bytes at its end that all share */
  gsize shortest;  /* bytes of the shortest name */
  gboolean differ; /* whether any two names differ */
} ArmillaNamePattern;

void armilla_name_pattern_add (ArmillaNamePattern *self, const char *name);
void armilla_name_pattern_merge (ArmillaNamePattern *self, const ArmillaNamePattern *other);
char *armilla_name_pattern_text (const ArmillaNamePattern *self);
void armilla_name_pattern_clear (ArmillaNamePattern *self);

G_END_DECLS
