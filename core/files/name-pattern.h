/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common prefix and suffix of many file names. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* Common prefix and suffix of many names, in the memory of one name. */
typedef struct {
  gint64 n;        /* number of names added */
  char *first;     /* (owned): one of the names; may be NULL */
  gsize prefix;    /* number of bytes at the beginning of first that all names share */
  gsize suffix;    /* number of bytes at the end of first that all names share */
  gsize shortest;  /* length of the shortest name, bytes */
  gboolean differ; /* whether any two names differ */
} ArmillaNamePattern;

void armilla_name_pattern_add (ArmillaNamePattern *self, const char *name);
void armilla_name_pattern_merge (ArmillaNamePattern *self, const ArmillaNamePattern *other);
char *armilla_name_pattern_text (const ArmillaNamePattern *self);
void armilla_name_pattern_clear (ArmillaNamePattern *self);

G_END_DECLS
