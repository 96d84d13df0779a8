/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/* key of a node that stands for several copies */
#define ARMILLA_EACH "each"
/* maximum number of nodes of a workflow */
#define ARMILLA_MAX_NODES 4096

/* Copies of a node with the key `each`. */
typedef struct {
  GPtrArray *names;  /* (element-type utf8): names that have values */
  GPtrArray *values; /* (element-type GStrv): values of each copy, in the order of names */
} ArmillaCopies;

ArmillaCopies *armilla_copies_new (const ArmillaWorkflow *workflow, const ArmillaGroup *node,
                                   ArmillaProblems *problems);
char *armilla_copies_name (const ArmillaCopies *self, guint copy, const char *node);
char *armilla_copies_replace (const ArmillaCopies *self, guint copy, const char *text);
void armilla_copies_free (ArmillaCopies *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaCopies, armilla_copies_free)

G_END_DECLS
