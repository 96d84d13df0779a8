/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/* What a resumed run does with a node. */
typedef enum {
  ARMILLA_NODE_RUN,     /* prepare, build */
  /* prepare, build, and replace its file, which an earlier run has written with another key */
  ARMILLA_NODE_REPLACE,
  ARMILLA_NODE_SKIP,    /* nothing: its file exists, or no later node needs it */
  ARMILLA_NODE_SHAPE,   /* prepare only: later nodes need the shapes of its outputs */
  ARMILLA_NODE_RESTORE  /* prepare, and read its outputs from checkpoints */
} ArmillaNodeState;

/* The journal of a run, and the remaining work. */
typedef struct _ArmillaResume ArmillaResume;

ArmillaResume *armilla_resume_new (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
                                   gboolean overwrite, GError **error);
const guint8 *armilla_resume_states (const ArmillaResume *self, gint64 index);
gboolean armilla_resume_done (const ArmillaResume *self, gint64 index);
char *armilla_resume_describe (const ArmillaResume *self);
gboolean armilla_resume_begin (ArmillaResume *self, gint64 index, GError **error);
gboolean armilla_resume_note (gpointer self, ArmillaOutput *output, GError **error);
gboolean armilla_resume_due (ArmillaResume *self);
char *armilla_resume_part (const ArmillaResume *self, gint64 index, int node, int port);
void armilla_resume_expect_part (ArmillaResume *self, gint64 index, int node, int port);
char *armilla_resume_output (const ArmillaWorkflow *workflow, const ArmillaNode *node,
                             gint64 pass);
char *armilla_resume_lot (const ArmillaResume *self, gint64 lot, int node);
void armilla_resume_expect_lot (ArmillaResume *self, gint64 lot, int node);
gboolean armilla_resume_end (ArmillaResume *self, GError **error);
void armilla_resume_free (ArmillaResume *self);

/* In checkpoint.c: write and read checkpoints of outputs. */
gboolean armilla_resume_keep (ArmillaResume *resume, ArmillaGraph *graph, gint64 index, int node,
                              ArmillaData *const *outputs, int n_outputs, GError **error);
gboolean armilla_resume_restore (ArmillaResume *resume, ArmillaGraph *graph, gint64 index,
                                 int node, ArmillaData *const *outputs, int n_outputs,
                                 GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaResume, armilla_resume_free)

G_END_DECLS
