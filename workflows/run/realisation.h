/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"
#include "workflows/resume/resume.h"
#include "workflows/run/collecting.h"

G_BEGIN_DECLS

/* One pass of a run: the state of each node, and the data that nodes exchange. */
typedef struct _ArmillaRealisation ArmillaRealisation;

/* What a pass needs to know of the run. */
typedef struct {
  gboolean overwrite;    /* whether existing outputs may be replaced */
  int n_ranks;           /* number of ranks of the run */
  int rank;              /* number of this rank */
  /* number of machines like this one that share the data; see armilla_memory_check() */
  double memories;
  gint64 pass;           /* number of the pass */
  ArmillaResume *resume; /* results of an earlier, interrupted run; NULL: none */
  gint64 bound;          /* maximum bytes per process; 0: no limit */
  ArmillaGraph *graph;   /* graph that receives the tasks; NULL if not created yet */
  /* store of collected data; NULL if not created yet */
  ArmillaCollecting *collecting;
  /* shared pass, see armilla_realisation_prepare_once(); may be NULL */
  ArmillaRealisation *once;
  gboolean tries;        /* whether the pass is only prepared, never built */
} ArmillaRunContext;

/* Called after each node was prepared or built. @outputs: NULL for an output that no node reads and
 * the stage does not compute */
typedef void (*ArmillaNodeVisitor) (gpointer user, const ArmillaNode *node, gint64 pass,
                                    ArmillaData *const *outputs);

void armilla_workflow_expect (const ArmillaWorkflow *workflow, ArmillaGraph *graph);
ArmillaRealisation *armilla_realisation_prepare (const ArmillaWorkflow *workflow,
                                                 const ArmillaRunContext *context,
                                                 GError **error);
ArmillaRealisation *armilla_realisation_prepare_once (const ArmillaWorkflow *workflow,
                                                      const ArmillaRunContext *context,
                                                      GError **error);
void armilla_realisation_keep_same (ArmillaRealisation *self);
gboolean armilla_node_has_table (const ArmillaNode *node);
gboolean armilla_realisation_prepare_phase (ArmillaRealisation *self, int phase, GError **error);
gboolean armilla_realisation_build (ArmillaRealisation *self, ArmillaGraph *graph,
                                    ArmillaNodeVisitor visit, gpointer user, GError **error);
void armilla_realisation_visit (ArmillaRealisation *self, ArmillaNodeVisitor visit, gpointer user);
void armilla_realisation_free (ArmillaRealisation *self);
GPtrArray *armilla_realisations_new (void);
gboolean armilla_realisations_submit (GPtrArray *batch, ArmillaGraph *graph,
                                      ArmillaNodeVisitor visit, gpointer user, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaRealisation, armilla_realisation_free)

/* in history.c */
char *armilla_workflow_history (const ArmillaWorkflow *workflow, int number, gint64 pass,
                                char **sum);

/* in memory.c */
gboolean armilla_memory_check (ArmillaData *const *inputs, int n_inputs,
                               ArmillaData *const *outputs, int n_outputs, double held,
                               double memories, GError **error);
double armilla_memory_held (ArmillaData *const *inputs, int n_inputs, ArmillaData *const *outputs,
                            int n_outputs);

/* in tries.c */
ArmillaRealisation *armilla_tries_once (const ArmillaWorkflow *workflow,
                                        const ArmillaRunContext *context, const GArray *left,
                                        GError **error);
gboolean armilla_tries_all (const ArmillaWorkflow *workflow, const ArmillaRunContext *context,
                            GError **error);

G_END_DECLS
