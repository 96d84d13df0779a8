/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that data need, and its bound. */
#pragma once

#include <armilla/data.h>
#include <armilla/runtime.h>

G_BEGIN_DECLS

gint64 armilla_runtime_memory (ArmillaRuntime *runtime);
char *armilla_runtime_spilled (ArmillaRuntime *runtime);

/* On a rank with GPUs and no CPU workers, the GPUs must be able to hold any task. Returns whether
 * they can hold those of a transform between the data of the node, as far as is known before
 * submission; ARMILLA_ERROR_MEMORY with the remedy otherwise. @inputs: inputs of a node; any may be
 * NULL. */
gboolean armilla_graph_fits_gpu (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                                 ArmillaData *const *outputs, int n_outputs, GError **error);

/* Returns whether @held and the tiles of the node's tasks fit into the memory that the runtime was
 * given, if any, or @advised is enough for them; ARMILLA_ERROR_MEMORY otherwise, with the remedy.
 * If it is called for all nodes in sequence, it fails only for nodes that need more than all
 * earlier ones, so the last error gives a limit that suffices for all. @inputs: inputs of a node;
 * any may be NULL; @advised: MiB that earlier nodes need, 0 at first; updated. */
gboolean armilla_graph_fits_better (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                                    ArmillaData *const *outputs, int n_outputs, double held,
                                    double *advised, GError **error);

G_END_DECLS
