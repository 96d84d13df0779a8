/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/stage.h>

#include "workflows/run/opened.h"
#include "workflows/run/realisation.h"

G_BEGIN_DECLS

/* State of a node from preparation until its outputs are released. */
typedef struct {
  ArmillaStage *stage; /* stage from preparation until it is built; otherwise NULL */
  /* outputs; dropped when the last node that reads them was built */
  ArmillaData *outputs[ARMILLA_STAGE_MAX_PORTS];
  int n_users[ARMILLA_STAGE_MAX_PORTS]; /* [output]: number of inputs that have not read it yet */
  guint32 used;                         /* bit mask of the connected outputs */
  /* text about the workflow for its file, see armilla_workflow_history(); may be NULL */
  char *history;
  gboolean prepared;                    /* whether the shapes of the outputs are known */
  gboolean borrowed;                    /* whether the outputs belong to the realisation @once */
} ArmillaInstance;

struct _ArmillaRealisation {
  const ArmillaWorkflow *workflow;
  ArmillaStageContext context;
  gint64 pass;
  ArmillaNodePasses kind; /* kind of pass */
  double memories; /* see armilla_memory_check() */
  gint64 bound;    /* maximum bytes per process; 0: no limit */
  ArmillaGraph *graph; /* NULL: not created yet */
  ArmillaResume *resume; /* NULL: all passes are computed */
  int phase; /* number of the last phase whose nodes are prepared */
  ArmillaCollecting *collecting; /* NULL: not created yet */
  gboolean tries;  /* whether the pass is only prepared, never built */
  /* whether it is the shared pass: it prepares and builds only nodes that are equal in all
   * passes */
  gboolean makes_once;
  gboolean built;      /* whether its tasks are submitted */
  /* shared pass, which prepares and builds nodes that are equal in all passes; NULL: none */
  ArmillaRealisation *once;
  ArmillaOpened *opened; /* (owned): opened stages, if this is the shared pass; otherwise NULL */
  /* values that stages keep (see ArmillaStageContext), common to all passes with a shared pass */
  GHashTable *kept;
  /* MiB that the nodes so far need, if the memory limit is too small for them; 0 otherwise */
  double advised;
  char *text_sum;  /* checksum of the workflow's text; NULL: not computed yet */
  GError *shortage; /* memory error of the node that needs most so far; NULL: all nodes fit */
  ArmillaInstance *instances; /* [node] */
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
