/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/stage.h>

#include "workflows/run/opened.h"
#include "workflows/run/realisation.h"

G_BEGIN_DECLS

/* State of a node from preparation until its outputs are released. */
typedef struct {
  ArmillaStage *stage;                  /* the stage, until it is built; may be NULL */
  /* outputs, each until its last reader is built */
  ArmillaData *outputs[ARMILLA_STAGE_MAX_PORTS];
  int n_users[ARMILLA_STAGE_MAX_PORTS]; /* [output]: number of inputs that have not read the output
                                         * yet */
  guint32 used;                         /* bit i: output number i is connected */
  /* text about the workflow for its file, see armilla_workflow_history(); may be NULL */
  char *history;
  gboolean prepared;                    /* the shapes of the outputs are known */
  gboolean borrowed;                    /* the outputs belong to the realisation @once */
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
  int phase; /* last phase whose nodes are prepared */
  ArmillaCollecting *collecting; /* NULL: not created yet */
  gboolean tries;  /* whether the pass is only prepared, never built */
  gboolean makes_once; /* whether it prepares and builds only nodes that are equal in all passes */
  gboolean built;      /* whether its tasks are submitted */
  ArmillaRealisation *once; /* pass that prepares and builds these nodes for all others; NULL:
                             * none */
  ArmillaOpened *opened; /* (owned): opened stages, if other passes refer to this one by @once;
                          * otherwise NULL */
  GHashTable *kept; /* values that stages keep: those of @once if it is set; see
                     * ArmillaStageContext */
  double advised;  /* MiB needed by the nodes so far if a memory limit is set and too small */
  char *text_sum;  /* checksum of the workflow's text; NULL: not computed yet */
  GError *shortage; /* memory error of the node that needs the most; NULL: all nodes fit */
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
