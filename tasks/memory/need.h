/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that data need, and the bound on it. */
#pragma once

#include <armilla/data.h>
#include <armilla/runtime.h>

G_BEGIN_DECLS

gint64 armilla_runtime_memory (ArmillaRuntime *runtime);
char *armilla_runtime_spilled (ArmillaRuntime *runtime);

/* Where a rank has GPUs and no CPU workers, its GPUs must hold any task whole. Returns whether
 * they hold those of a transform between what the node has, as far as is known before tasks are
 * made; ARMILLA_ERROR_MEMORY otherwise, which says what would do. @inputs: what a node reads;
 * any may be NULL. */
gboolean armilla_graph_fits_gpu (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                                 ArmillaData *const *outputs, int n_outputs, GError **error);

/* Returns whether @held and the tiles of the node's tasks have place within the memory that the
 * runtime was given, where it was; ARMILLA_ERROR_MEMORY otherwise, which says what would do.
 * @inputs: what a node reads; any may be NULL. */
gboolean armilla_graph_fits (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                             ArmillaData *const *outputs, int n_outputs, double held,
                             GError **error);

/* As armilla_graph_fits(), for one node after the other of a run: it fails only if the node
 * needs more than those before it, so that the last error gives what is enough for all of them.
 * Returns whether there is place, or @advised is enough for this node, too. @inputs: what a node
 * reads; any may be NULL; @advised: MiB that nodes before this one need, 0 at first. */
gboolean armilla_graph_fits_better (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                                    ArmillaData *const *outputs, int n_outputs, double held,
                                    double *advised, GError **error);

G_END_DECLS
