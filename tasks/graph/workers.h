/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the kinds of workers that shorten a graph, on ranks with cores and GPUs. */
#pragma once

#include <armilla/codelet.h>
#include <armilla/graph.h>

#include "tasks/graph/observer.h"

G_BEGIN_DECLS

/* What is known of a graph when its next task is submitted. */
typedef struct {
  /* expected time of the graph's tasks so far on one worker of each kind, of those that both kinds
   * can do */
  double seconds[ARMILLA_KINDS];
  int workers[ARMILLA_KINDS]; /* how many workers of each kind there are; GPUs count once each */
  gint64 n_kept;              /* how many of those tasks were kept from a kind that does not pay */
  gint64 n;                   /* how many of those tasks there were */
} ArmillaWorth;

gint32 armilla_worth_add (ArmillaWorth *self, const double seconds[ARMILLA_KINDS]);
char *armilla_worth_describe (const ArmillaWorth *self);

void armilla_graph_watch_rates (ArmillaGraph *graph);

G_END_DECLS
