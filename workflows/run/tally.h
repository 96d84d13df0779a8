/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run has read and written. */
#pragma once

#include <armilla/runtime.h>

#include "core/files/name-pattern.h"
#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/* What a node reads. */
typedef struct {
  const char *property;     /* name of the property that names the file */
  ArmillaNamePattern names; /* of the files */
} ArmillaTallyRead;

/* What a node has read and written, in all realisations. */
typedef struct {
  /* what its outputs are, in one line each, the first time; NULL for those that were not made */
  char *shapes[ARMILLA_STAGE_MAX_PORTS];
  GArray *reads;              /* the files that it has read */
  double pixels;              /* of the maps that it has read, all fields of them */
  gint64 objects;             /* of the catalogues that it has read */
  double seconds;             /* that it has spent with files, on all ranks together */
  ArmillaNamePattern written; /* names of the files that it has written */
  GPtrArray *first;           /* the first of those */
  double bytes;               /* their size */
} ArmillaTallyNode;

/* What all nodes have read and written. */
typedef struct {
  const ArmillaWorkflow *workflow; /* what is run */
  /* whether this rank counts what nodes read; of ranks that share a graph one does */
  gboolean counts;
  ArmillaTallyNode *nodes;         /* by number of the node */
  GHashTable *numbers;             /* numbers of the nodes, by their names */
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

/* For tally-gather.c: the files that a property of @node names; none yet, perhaps. */
ArmillaNamePattern *armilla_tally_reads (ArmillaTallyNode *node, const char *property);

G_END_DECLS
