/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>
#include <glib.h>

#include "core/base/suggest.h"

G_BEGIN_DECLS

/* A position in a workflow. */
typedef struct {
  const char *source; /* name of the file, or the command-line option with the text */
  int line;           /* line, from 1; 0 when source is an option */
  int column;         /* column in characters, from 1; 0 when source is an option */
  /* node at this position, if the value of another node is taken from here; may be NULL */
  const char *node;
  const char *key;    /* key at this position; NULL if node is NULL */
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
