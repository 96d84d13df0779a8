/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that a run has read and written. */
#pragma once

#include <armilla/runtime.h>

#include "core/files/name-pattern.h"
#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/* Files that a node reads by one property. */
typedef struct {
  const char *property;     /* name of the property */
  ArmillaNamePattern names; /* names of the files */
} ArmillaTallyRead;

/* Files that a node has read and written, in all realisations. */
typedef struct {
  /* descriptions of its outputs in the first pass, one line each; NULL for outputs that are not
   * computed */
  char *shapes[ARMILLA_STAGE_MAX_PORTS];
  GArray *reads;              /* files that it has read */
  double pixels;              /* pixels of the maps that it has read, counting all fields */
  gint64 objects;             /* number of objects in the catalogues that it has read */
  double seconds;             /* time spent on files, summed over all ranks */
  ArmillaNamePattern written; /* pattern of the names of the files that it has written */
  GPtrArray *first;           /* first of these names */
  double bytes;               /* total size of those files */
} ArmillaTallyNode;

/* Files that all nodes have read and written. */
typedef struct {
  const ArmillaWorkflow *workflow;
  /* whether this rank counts the files that nodes read; of ranks that share a graph only one
   * does */
  gboolean counts;
  ArmillaTallyNode *nodes;         /* [node] */
  GHashTable *numbers;             /* number of each node by its name */
} ArmillaTally;

ArmillaTally *armilla_tally_new (const ArmillaWorkflow *workflow, gboolean counts);
void armilla_tally_node (ArmillaTally *self, const ArmillaNode *node, gint64 pass,
                         ArmillaData *const *outputs);
gboolean armilla_tally_gather (ArmillaTally *self, ArmillaRuntime *runtime, ArmillaGraph *graph,
                               GError **error);
char *armilla_tally_kind (const ArmillaTally *self, int number);
char *armilla_tally_size (double bytes);
char *armilla_tally_text (const ArmillaTally *self);
char *armilla_tally_json (const ArmillaTally *self);
void armilla_tally_free (ArmillaTally *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTally, armilla_tally_free)

/* Returns the names of files that a property of @node names, created at the first call; for
 * tally-gather.c. */
ArmillaNamePattern *armilla_tally_reads (ArmillaTallyNode *node, const char *property);

G_END_DECLS
