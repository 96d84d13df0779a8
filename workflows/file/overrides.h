/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/text/scanner.h"

G_BEGIN_DECLS

/* Node that is not in the file; it replaces the node of the same name. */
typedef struct {
  char *name;
  char *stage;
  /* where the node comes from, for messages; equal to name if that need not be mentioned */
  char *source;
  GPtrArray *keys;
  GPtrArray *values; /* (element-type utf8): the value of each key */
} ArmillaAddedNode;

ArmillaAddedNode *armilla_added_node_new (const char *name, const char *stage, const char *source);
void armilla_added_node_set (ArmillaAddedNode *self, const char *key, const char *value);
void armilla_added_node_unref (ArmillaAddedNode *self);

/* Changes to a workflow that the command line or the calling program requests. */
typedef struct {
  char **set;       /* node.key=value; may be NULL */
  char **define;    /* variable=value; may be NULL */
  GPtrArray *added; /* nodes; may be NULL */
} ArmillaOverrides;

void armilla_overrides_apply_within (const ArmillaOverrides *self, ArmillaDocument *document,
                                     GString *text, ArmillaProblems *problems);
void armilla_overrides_apply (const ArmillaOverrides *self, ArmillaDocument *document,
                              GString *text, ArmillaProblems *problems);

G_END_DECLS
