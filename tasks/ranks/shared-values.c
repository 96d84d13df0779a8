/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that all ranks of a graph agree on. */
#include "config.h"

#include <string.h>

#include "tasks/graph/graph-private.h"
#include "tasks/runtime/share.h"

/* Like armilla_runtime_agree (), among the ranks that share the graph. */
gboolean
armilla_graph_agree (ArmillaGraph *graph, GError *local, GError **error)
{
  if (graph->view.mpi)
    return armilla_runtime_agree (graph->runtime, local, error);
  if (!local)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

/* Returns the number of the graph's ranks on this machine, which share its memory. */
int
armilla_graph_n_local_ranks (ArmillaGraph *graph)
{
  return graph->view.n_ranks > 1 ? armilla_runtime_n_local_ranks (graph->runtime) : 1;
}

gboolean
armilla_graph_share_values (ArmillaGraph *graph, double *values, gint64 n,
                            ArmillaHostPiece make, gpointer user, GError **error)
{
  const gsize size = (gsize) n * sizeof *values;
  g_autoptr (GByteArray) bytes = NULL;
  ArmillaPiece piece = { .last = n - 1, .n = n, .values = values, .n_values = n };
  GError *local = NULL;

  if (graph->taker.kind)
    {
      memset (values, 0, size);
      return TRUE;
    }
  if (graph->view.rank == 0)
    make (user, &piece, &local);
  if (!armilla_graph_agree (graph, local, error))
    return FALSE;
  if (graph->view.n_ranks == 1)
    return TRUE;
  bytes = g_byte_array_new_take (g_memdup2 (values, size), size);
  if (!armilla_runtime_share (graph->runtime, bytes, error))
    return FALSE;
  memcpy (values, bytes->data, size);
  return TRUE;
}
