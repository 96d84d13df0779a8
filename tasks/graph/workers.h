/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the kinds of workers that shorten a graph, on ranks with cores and GPUs. */
#pragma once

#include <armilla/codelet.h>
#include <armilla/graph.h>

#include "tasks/graph/observer.h"

G_BEGIN_DECLS

/* State of a graph when its next task is submitted, counting tasks that both kinds of workers can
 * run. */
typedef struct {
  /* expected time of the tasks so far on one worker of each kind */
  double seconds[ARMILLA_KINDS];
  int workers[ARMILLA_KINDS]; /* number of workers of each kind; a GPU counts as one */
  gint64 n_kept;              /* number of tasks that were withheld from the slower kind */
  gint64 n;                   /* number of tasks */
} ArmillaWorth;

gint32 armilla_worth_add (ArmillaWorth *self, const double seconds[ARMILLA_KINDS]);
char *armilla_worth_describe (const ArmillaWorth *self);

void armilla_graph_watch_rates (ArmillaGraph *graph);

G_END_DECLS
