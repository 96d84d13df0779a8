/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms through a grid of equidistant rings. A ring block of the map reads up to three grid
 * blocks: its own and its neighbours. A grid tile therefore lives for up to three ring blocks, or
 * four if a grid block spans two map blocks, in either order of the ring blocks. */
#include "config.h"

#include "codelets/theta/theta-codelets.h"
#include "tasks/harmonic/transform.h"

static ArmillaTile *
grid_tile (ArmillaTransform *t, int block, int m_block)
{
  return &t->grid_tiles[block * t->orders->n + m_block];
}

static gboolean
borrow_grid_tile (ArmillaTransform *t, int m_block, ArmillaTile *tile, GError **error)
{
  return armilla_tile_borrow (t->graph, t->orders->owner[m_block],
                              4 * t->theta->max_pairs * t->n_fields * t->orders->max_orders, tile,
                              error);
}

/* Returns whether every ring block that reads a grid block has been submitted. */
static gboolean
grid_block_is_done (const ArmillaTransform *t, int g)
{
  for (int b = 0; b < t->theta->n; b++)
    if (t->theta->block[b].lo <= g && g <= t->theta->block[b].hi && !t->ring_block_done[b])
      return FALSE;
  return TRUE;
}

/* Resets the state after the last ring block of a pass. */
static void
begin_again_after_all (ArmillaTransform *t)
{
  for (int b = 0; b < t->theta->n; b++)
    if (!t->ring_block_done[b])
      return;
  memset (t->ring_block_done, 0, sizeof (gboolean) * (gsize) t->theta->n);
}

static ArmillaThetaArgs
theta_args (const ArmillaTransform *t, const ArmillaFieldGroup *group, int m_block, int ring_block)
{
  ArmillaThetaArgs args = { .fault = armilla_graph_fault (t->graph),
                            .first_field = group->first,
                            .shape = t->theta->block[ring_block].shape };

  args.shape.n_fields = group->n;
  args.shape.spin = group->spin;
  args.shape.m_first = t->orders->m_first[m_block];
  args.shape.n_orders = t->orders->m_last[m_block] - t->orders->m_first[m_block] + 1;
  args.shape.isa = t->isa;
  args.shape.lmax = t->orders->layout.lmax;
  return args;
}

/* Borrows the tiles of grid blocks that no ring block of this pass has used before. Ring blocks are
 * submitted in order or in reverse. */
gboolean
armilla_transform_theta_begin (ArmillaTransform *t, int m_block, int ring_block, GError **error)
{
  const ArmillaThetaBlock *block = &t->theta->block[ring_block];

  t->fresh[m_block] = 0;
  for (int g = block->lo; g <= block->hi; g++)
    {
      ArmillaTile *tile = grid_tile (t, g, m_block);

      if (tile->handle)
        continue;
      if (!borrow_grid_tile (t, m_block, tile, error))
        return FALSE;
      t->fresh[m_block] |= 1 << (g - block->lo);
    }
  return TRUE;
}

/* Submits the recurrence of a group of fields on the grid blocks that
 * armilla_transform_theta_begin() has borrowed. */
gboolean
armilla_transform_theta_grid (ArmillaTransform *t, int i_group, int m_block, int ring_block,
                              GError **error)
{
  const ArmillaThetaBlock *block = &t->theta->block[ring_block];
  gboolean ok = TRUE;

  for (int g = block->lo; ok && g <= block->hi; g++)
    if (t->fresh[m_block] & (1 << (g - block->lo)))
      ok = armilla_transform_delta (t, i_group, m_block, &t->theta->pairs[g],
                                    grid_tile (t, g, m_block), error);
  return ok;
}

/* Submits the interpolation of a group of fields from the grid to a ring block; or its adjoint,
 * which is added to the tiles of the grid. The first group must be submitted first. */
gboolean
armilla_transform_theta (ArmillaTransform *t, int i_group, int m_block, int ring_block,
                         const ArmillaTile *tile, GError **error)
{
  const gboolean synthesis = armilla_transform_is_synthesis (t), first = i_group == 0;
  const ArmillaThetaBlock *block = &t->theta->block[ring_block];
  const int n = block->hi - block->lo + 1, fresh = t->fresh[m_block];
  ArmillaThetaArgs args = theta_args (t, &t->groups[i_group], m_block, ring_block);
  ArmillaUse uses[3 + ARMILLA_THETA_TILES] = {
    { block->weights_handle, STARPU_R },
    { tile->handle, !synthesis ? STARPU_R : first ? STARPU_W : STARPU_RW },
    { t->delta_scratch.handle, STARPU_SCRATCH }
  };

  for (int g = 0; g < n; g++)
    uses[3 + g] = (ArmillaUse) { grid_tile (t, block->lo + g, m_block)->handle,
                                 synthesis                   ? STARPU_R
                                 : first && fresh & (1 << g) ? STARPU_W
                                                             : STARPU_RW };
  args.fresh = synthesis ? 0 : fresh;
  return armilla_submit (t->graph,
                         synthesis ? &armilla_theta_synthesis_cl : &armilla_theta_adjoint_cl,
                         synthesis ? tile->owner : t->orders->owner[m_block], &args, sizeof args,
                         uses, 3 + (int) args.shape.n_tiles, PRIORITY_THETA, error);
}

/* Submits the adjoint recurrence of all m-blocks on a block of the grid. */
static gboolean
finish_grid_block (ArmillaTransform *t, int g, GError **error)
{
  gboolean ok = TRUE;

  for (int i = 0; i < t->n_groups; i++)
    for (int b = 0; ok && b < t->orders->n; b++)
      if (grid_tile (t, g, b)->handle)
        ok = armilla_transform_delta (t, i, b, &t->theta->pairs[g], grid_tile (t, g, b), error);
  return ok;
}

/* Frees the grid tiles that no later ring block uses; for an adjoint, submits the adjoint
 * recurrence on them before. */
gboolean
armilla_transform_theta_end (ArmillaTransform *t, int ring_block, GError **error)
{
  gboolean ok = TRUE;

  t->ring_block_done[ring_block] = TRUE;
  for (int g = 0; ok && g < t->theta->n_blocks; g++)
    if (grid_block_is_done (t, g))
      {
        ok = armilla_transform_is_synthesis (t) || finish_grid_block (t, g, error);
        for (int b = 0; b < t->orders->n; b++)
          armilla_tile_return (t->graph, grid_tile (t, g, b));
      }
  begin_again_after_all (t);
  return ok;
}

/* Frees the grid tiles of a failed transform. */
void
armilla_transform_theta_clear (ArmillaTransform *t)
{
  if (t->grid_tiles)
    for (int i = 0; i < t->theta->n_blocks * t->orders->n; i++)
      armilla_tile_return (t->graph, &t->grid_tiles[i]);
  g_clear_pointer (&t->grid_tiles, g_free);
  g_clear_pointer (&t->ring_block_done, g_free);
  g_clear_pointer (&t->fresh, g_free);
}
