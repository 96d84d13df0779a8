/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run has read and written. */
#pragma once

#include <armilla/runtime.h>

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/**
 * ArmillaTallyRead:
 * @property: name of the property that names the file
 * @names: of the files
 *
 * What a node reads.
 */
typedef struct {
  const char *property;
  ArmillaNamePattern names;
} ArmillaTallyRead;

/**
 * ArmillaTallyNode:
 * @shapes: (array length=ARMILLA_STAGE_MAX_PORTS): what its outputs are, in one line each, the
 *   first time; %NULL for those that were not made
 * @reads: (element-type ArmillaTallyRead): the files that it has read
 * @pixels: of the maps that it has read, all fields of them
 * @objects: of the catalogues that it has read
 * @seconds: that it has spent with files, on all ranks together
 * @written: names of the files that it has written
 * @first: (element-type utf8): the first of those
 * @bytes: their size
 *
 * What a node has read and written, in all realisations.
 */
typedef struct {
  char *shapes[ARMILLA_STAGE_MAX_PORTS];
  GArray *reads;
  double pixels;
  gint64 objects;
  double seconds;
  ArmillaNamePattern written;
  GPtrArray *first;
  double bytes;
} ArmillaTallyNode;

/**
 * ArmillaTally:
 * @workflow: what is run
 * @counts: whether this rank counts what nodes read; of ranks that share a graph one does
 * @nodes: (array): by number of the node
 * @numbers: numbers of the nodes, by their names
 *
 * What all nodes have read and written.
 */
typedef struct {
  const ArmillaWorkflow *workflow;
  gboolean counts;
  ArmillaTallyNode *nodes;
  GHashTable *numbers;
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

G_END_DECLS
