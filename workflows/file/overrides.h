/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/text/scanner.h"

G_BEGIN_DECLS

/* A node that stands in no file. It takes the place of one of the same name. */
typedef struct {
  char *name;        /* its name */
  char *stage;       /* its stage */
  char *source; /* where it comes from, for messages; if it is name, messages do not repeat that */
  GPtrArray *keys;   /* (element-type utf8): its keys */
  GPtrArray *values; /* (element-type utf8): a value for each key */
} ArmillaAddedNode;

ArmillaAddedNode *armilla_added_node_new (const char *name, const char *stage, const char *source);
void armilla_added_node_set (ArmillaAddedNode *self, const char *key, const char *value);
void armilla_added_node_unref (ArmillaAddedNode *self);

/* What the command line, or a program, changes in a workflow. */
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
