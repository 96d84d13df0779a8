/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/* Key of a node that is there several times. */
#define ARMILLA_EACH "each"
/* More nodes than these a workflow may not have. */
#define ARMILLA_MAX_NODES 4096

/* The copies that `each` of a node asks for. */
typedef struct {
  GPtrArray *names;  /* (element-type utf8): names of what differs between the copies */
  GPtrArray *values; /* (element-type GStrv): of each copy the values, in the order of names */
} ArmillaCopies;

ArmillaCopies *armilla_copies_new (const ArmillaWorkflow *workflow, const ArmillaGroup *node,
                                   ArmillaProblems *problems);
char *armilla_copies_name (const ArmillaCopies *self, guint copy, const char *node);
char *armilla_copies_replace (const ArmillaCopies *self, guint copy, const char *text);
void armilla_copies_free (ArmillaCopies *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaCopies, armilla_copies_free)

G_END_DECLS
