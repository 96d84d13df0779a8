/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"
#include "workflows/resume/resume.h"
#include "workflows/run/collecting.h"

G_BEGIN_DECLS

/* A pass through a workflow: an object for each node, and the data that flow between them. */
typedef struct _ArmillaRealisation ArmillaRealisation;

/* What a run tells the stages. */
typedef struct {
  gboolean overwrite;    /* existing outputs may be replaced */
  int n_ranks;           /* ranks of the run */
  int rank;              /* this rank */
  double memories;       /* see armilla_memory_check() */
  gint64 pass;           /* number of the pass */
  ArmillaResume *resume; /* what an earlier run has left to do; may be NULL */
  gint64 bound;          /* bytes that each process may take, 0: all that there are */
  ArmillaGraph *graph;   /* where tasks will go, once that is known; may be NULL */
  /* where what is collected is kept, once that is known; may be NULL */
  ArmillaCollecting *collecting;
  /* what is the same in all passes, see armilla_realisation_prepare_once(); may be NULL */
  ArmillaRealisation *once;
  gboolean tries;        /* the pass is only prepared, never built */
} ArmillaRunContext;

/**
 * ArmillaNodeVisitor:
 * @user: what the caller gave
 * @node: the node that was prepared or built
 * @pass: number of the pass
 * @outputs: its outputs; %NULL for an output that no node reads and the stage does not compute
 *
 * Called after each node.
 */
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

/* history.c */
char *armilla_workflow_history (const ArmillaWorkflow *workflow, int number, gint64 pass,
                                char **sum);

/* memory.c */
gboolean armilla_memory_check (ArmillaData *const *inputs, int n_inputs,
                               ArmillaData *const *outputs, int n_outputs, double held,
                               double memories, GError **error);
double armilla_memory_held (ArmillaData *const *inputs, int n_inputs, ArmillaData *const *outputs,
                            int n_outputs);

/* tries.c */
ArmillaRealisation *armilla_tries_once (const ArmillaWorkflow *workflow,
                                        const ArmillaRunContext *context, const GArray *left,
                                        GError **error);
gboolean armilla_tries_all (const ArmillaWorkflow *workflow, const ArmillaRunContext *context,
                            GError **error);

G_END_DECLS
