/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "tasks/graph-private.h"
gint64 armilla_graph_ring_scratch (ArmillaGraph *graph, ArmillaRingBlocks *rings, gint64 mmax, int n_fields)
{ (void)graph;(void)mmax;(void)n_fields; return armilla_ring_scratch_size (rings->longest); }
gboolean armilla_graph_make_cuda_plans (ArmillaGraph *graph, ArmillaRingBlocks *rings, gint64 mmax, int n_fields, GError **error)
{ (void)graph;(void)rings;(void)mmax;(void)n_fields;(void)error; return TRUE; }
