/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/text/points.h"

G_BEGIN_DECLS

typedef struct {
  char *text;        /* (owned): the value with its variables replaced; escapes are not */
  gboolean by_index; /* whether the value depends on ${index} */
  guint32 by_keys;   /* bit k: whether the value depends on swept key number k */
  /* after a failure: whether the error is in the value of a variable, and was reported */
  gboolean nested;
} ArmillaExpansion;

void armilla_expand_variables (GHashTable *variables, const ArmillaSweepPoints *points,
                               const ArmillaGroup *group, ArmillaProblems *problems);
gboolean armilla_expand (GHashTable *variables, const ArmillaSweepPoints *points, const char *value,
                         gint64 index, gint64 point, ArmillaExpansion *result, GError **error);
char *armilla_expand_expression (GHashTable *variables, const ArmillaSweepPoints *points,
                                 const char *value, gint64 index, gint64 point);
char *armilla_unescape (const char *value, GError **error);
char **armilla_split (const char *value, GError **error);
char *armilla_replace_references (const char *text,
                                  char *(*value) (gpointer user, const char *name),
                                  gpointer user);
void armilla_collect_variables (const char *value, GHashTable *names);

G_END_DECLS
