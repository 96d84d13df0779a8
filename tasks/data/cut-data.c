/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/data-private.h"

/* documented in armilla/runtime.h */
gboolean
armilla_graph_cut (ArmillaGraph *graph, ArmillaData *data, GError **error)
{
  if (ARMILLA_IS_MAP (data))
    return armilla_graph_ring_blocks (graph, armilla_map_grid (ARMILLA_MAP (data)),
                                      armilla_map_n_fields (ARMILLA_MAP (data)), error)
           != NULL;
  if (!ARMILLA_IS_ALM (data))
    return TRUE;
  if (!armilla_alm_layout_check (armilla_alm_layout (ARMILLA_ALM (data)), error))
    return FALSE;
  armilla_graph_order_blocks (graph, armilla_alm_layout (ARMILLA_ALM (data)),
                              armilla_alm_n_fields (ARMILLA_ALM (data)));
  return TRUE;
}
