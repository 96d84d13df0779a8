/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>
#include <glib.h>

G_BEGIN_DECLS

/* Where a piece of a workflow stands. */
typedef struct {
  const char *source; /* file name, or the command-line option that the text came from */
  int line;           /* line, from 1; 0 when source is an option */
  int column;         /* column in characters, from 1; 0 when source is an option */
  /* node that stands there, where another one got its value from there; may be NULL */
  const char *node;
  const char *key;    /* key that stands there, likewise; may be NULL */
} ArmillaPlace;

/* What is wrong with a workflow: all of it, so that a user does not mend one mistake a run. */
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

/* suggest.c: names that may be meant */
const char *armilla_suggest (const char *name, const char *const *candidates);
char *armilla_suggest_text (const char *name, const char *what, const char *const *candidates);

G_END_DECLS
