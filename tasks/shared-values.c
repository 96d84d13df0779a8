/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that rank 0 makes for all. */
#include "config.h"

#include <string.h>

#include "tasks/graph-private.h"

/* documented in armilla/graph.h */
gboolean
armilla_graph_share_values (ArmillaGraph *graph, double *values, gint64 n, ArmillaHostCl make,
                            gpointer user, GError **error)
{
  const gsize size = (gsize) n * sizeof *values;
  g_autoptr (GByteArray) bytes = NULL;
  GError *local = NULL;

  if (graph->forecast)
    {
      memset (values, 0, size);
      return TRUE;
    }
  if (graph->runtime->rank == 0)
    make (user, values, &local);
  if (!armilla_runtime_agree (graph->runtime, local, error))
    return FALSE;
  if (graph->runtime->n_ranks == 1)
    return TRUE;
  bytes = g_byte_array_new_take (g_memdup2 (values, size), size);
  if (!armilla_runtime_share (graph->runtime, bytes, error))
    return FALSE;
  memcpy (values, bytes->data, size);
  return TRUE;
}
