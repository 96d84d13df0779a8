/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph-private.h"

G_BEGIN_DECLS

#define ARMILLA_JOB_INPUTS 8

typedef struct _ArmillaJob ArmillaJob;

/**
 * ArmillaJob:
 * @run: submits the tasks
 * @in: (nullable): what they read
 * @out: (nullable): what they write
 * @count: a number of iterations or the like
 * @flag: a choice
 * @real: an angle or a tolerance
 * @seed: seed and realisation
 * @user: anything else
 * @destroy: (nullable): frees @user
 *
 * One thing that a stage asked for.
 */
struct _ArmillaJob {
  ArmillaLabel *label; /* who asked for it; armilla_graph_defer() sets it */
  gboolean (*run) (ArmillaGraph *graph, ArmillaJob *job, GError **error);
  ArmillaData *in[ARMILLA_JOB_INPUTS];
  ArmillaData *out;
  int count;
  gboolean flag;
  double real;
  guint64 seed[2];
  gpointer user;
  GDestroyNotify destroy;
};

void armilla_graph_defer (ArmillaGraph *graph, const ArmillaJob *job);
void armilla_job_done_with (ArmillaJob *job, int input);
void armilla_graph_drop_jobs (ArmillaGraph *graph);

G_END_DECLS
