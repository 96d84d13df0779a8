/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>
#include <glib.h>

#include "core/base/suggest.h"

G_BEGIN_DECLS

/* Place of a part of a workflow. */
typedef struct {
  const char *source; /* file name, or the command-line option that the text came from */
  int line;           /* line, from 1; 0 when source is an option */
  int column;         /* column in characters, from 1; 0 when source is an option */
  /* node at that place, if another node takes its value from there; may be NULL */
  const char *node;
  const char *key;    /* key at that place, under the same condition; may be NULL */
} ArmillaPlace;

/* All problems of a workflow, which are reported together. */
typedef struct _ArmillaProblems ArmillaProblems;

ArmillaProblems *armilla_problems_new (void);
void armilla_problems_free (ArmillaProblems *self);

void armilla_problems_add (ArmillaProblems *self, ArmillaPlace place, const char *node,
                           const char *key, const char *format, ...) G_GNUC_PRINTF (5, 6);
void armilla_problems_mean (ArmillaProblems *self, const char *node, const char *key);
gboolean armilla_problems_meant (const ArmillaProblems *self, ArmillaPlace place,
                                 const char *node, const char *key);
guint armilla_problems_count (const ArmillaProblems *self);
gboolean armilla_problems_full (const ArmillaProblems *self);
char *armilla_problems_circle (const GPtrArray *names);
char *armilla_problems_text (ArmillaProblems *self);
char *armilla_place_prefix (ArmillaPlace place, const char *node, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaProblems, armilla_problems_free)

G_END_DECLS
