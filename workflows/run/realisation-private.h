/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/stage.h>

#include "workflows/run/opened.h"
#include "workflows/run/realisation.h"

G_BEGIN_DECLS

/* A node while it is alive. */
typedef struct {
  ArmillaStage *stage;                  /* the stage, until it is built; may be NULL */
  /* what it gives, each as long as anybody will read it */
  ArmillaData *outputs[ARMILLA_STAGE_MAX_PORTS];
  int n_users[ARMILLA_STAGE_MAX_PORTS]; /* by output, inputs that still wait for it */
  guint32 used;                         /* bit i: output number i is connected */
  /* what its file says of the workflow, see armilla_workflow_history(); may be NULL */
  char *history;
  gboolean prepared;                    /* the outputs are described */
  gboolean borrowed;                    /* the outputs are those of once of the realisation */
} ArmillaInstance;

struct _ArmillaRealisation {
  const ArmillaWorkflow *workflow;
  ArmillaStageContext context;
  gint64 pass;
  ArmillaNodePasses kind; /* a realisation, or after the last one */
  double memories; /* see armilla_memory_check() */
  gint64 bound;    /* of each process, 0: none */
  ArmillaGraph *graph; /* NULL: not known yet */
  ArmillaResume *resume; /* NULL: everything is to be done */
  int phase; /* the last one whose nodes are prepared */
  ArmillaCollecting *collecting; /* NULL: not known yet */
  gboolean tries;  /* it is never built */
  gboolean makes_once; /* it prepares what is the same in all passes, and builds nothing else */
  gboolean built;      /* what it makes once is submitted */
  ArmillaRealisation *once; /* the pass that does this for all others; NULL: none does */
  ArmillaOpened *opened; /* (owned): of the pass that others name as @once, else NULL */
  GHashTable *kept; /* those of @once where that is there, see ArmillaStageContext */
  double advised;  /* MiB that the nodes so far need, where the memory is bounded and too small */
  char *text_sum;  /* checksum of the workflow's text; NULL: not known yet */
  GError *shortage; /* of the node that needs most; NULL: none needs more than there is */
  ArmillaInstance *instances; /* by number of the node */
};

ArmillaNodeState armilla_realisation_state (const ArmillaRealisation *self, int number);
gboolean armilla_realisation_builds (const ArmillaRealisation *self, int number);
gboolean armilla_realisation_reads (const ArmillaRealisation *self, int number);
ArmillaData **armilla_realisation_outputs (ArmillaRealisation *self, int number);
void armilla_realisation_inputs (ArmillaRealisation *self, const ArmillaNode *node,
                                 ArmillaData **inputs, const char **sources);
gboolean armilla_realisation_fail (const ArmillaRealisation *self, const ArmillaNode *node,
                                   GError **local, GError **error);

G_END_DECLS
