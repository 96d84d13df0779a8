/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies Delta of an m-block between the tile of all rings of the map and those of ring blocks. */
#include "config.h"

#include "codelets/rings/ring-codelets.h"
#include "tasks/harmonic/transform.h"

/* Describes where the rows of a ring block are in the tile of all rings, to the codelets that copy
 * between tiles and modes: a tile is like modes with the orders of its m-block only. */
static ArmillaRedistributeArgs
part_args (const ArmillaTransform *t, int m_block, const ArmillaRingBlock *rings)
{
  const gint64 last = t->orders->m_last[m_block] - t->orders->m_first[m_block];
  gint64 first = 0;

  for (const ArmillaRingBlock *before = t->rings->block; before < rings; before++)
    first += before->n_pairs;
  return (ArmillaRedistributeArgs) { .fault = armilla_graph_fault (t->graph),
                                     .shape = { .mmax = last, .m_first = 0, .m_last = last,
                                                .n_fields = t->n_fields,
                                                .n_pairs = rings->n_pairs,
                                                .tile_pairs = t->rings->grid->n_pairs,
                                                .tile_first = first } };
}

gboolean
armilla_transform_copy_whole (ArmillaTransform *t, int m_block, const ArmillaRingBlock *rings,
                              const ArmillaTile *tile, const ArmillaTile *whole, gboolean fresh,
                              GError **error)
{
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  ArmillaRedistributeArgs args = part_args (t, m_block, rings);
  ArmillaUse out[] = { { rings->slots_handle, STARPU_R },
                       { whole->handle, STARPU_R },
                       { tile->handle, STARPU_W } };
  ArmillaUse in[] = { { rings->slots_handle, STARPU_R },
                      { tile->handle, STARPU_R },
                      { whole->handle, fresh ? STARPU_W : STARPU_RW } };

  return armilla_submit (t->graph,
                         synthesis ? &armilla_redistribute_forward_cl
                                   : &armilla_redistribute_backward_cl,
                         whole->owner, &args, sizeof args, synthesis ? out : in, 3, PRIORITY_THETA,
                         error);
}
