/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms through a grid of equidistant rings. A block of the map's rings meets up to three
 * blocks of the grid, its own and its neighbours; so a tile of the grid lives for up to three ring
 * blocks, four where a block of the grid spans two of the map, whether they come from the poles or
 * from the equator. */
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

/* Whether every ring block that meets a block of the grid has been submitted. */
static gboolean
grid_block_is_done (const ArmillaTransform *t, int g)
{
  for (int b = 0; b < t->theta->n; b++)
    if (t->theta->block[b].lo <= g && g <= t->theta->block[b].hi && !t->ring_block_done[b])
      return FALSE;
  return TRUE;
}

/* After the last ring block the next pass begins. */
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

/* The tile of a block of the grid that is met for the first time: of a synthesis, with Delta. */
static gboolean
begin_grid_tile (ArmillaTransform *t, int g, int m_block, GError **error)
{
  ArmillaTile *tile = grid_tile (t, g, m_block);

  return borrow_grid_tile (t, m_block, tile, error)
         && (!armilla_transform_is_synthesis (t)
             || armilla_transform_delta (t, m_block, &t->theta->pairs[g], tile, error));
}

/* Submits the tasks that make Delta on a ring block: the recurrence on grid blocks that are met
 * for the first time, and the interpolation; for an adjoint, those that add to the tiles of the
 * grid. Ring blocks come in order or in reverse. */
gboolean
armilla_transform_theta (ArmillaTransform *t, int m_block, int ring_block, const ArmillaTile *tile,
                         GError **error)
{
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  const ArmillaThetaBlock *block = &t->theta->block[ring_block];
  const int n = block->hi - block->lo + 1;
  int fresh = 0;
  ArmillaUse uses[3 + ARMILLA_THETA_TILES] = { { block->weights_handle, STARPU_R },
                                               { tile->handle, STARPU_R },
                                               { t->delta_scratch.handle, STARPU_SCRATCH } };

  for (int i = 0; i < n; i++)
    {
      const ArmillaTile *grid = grid_tile (t, block->lo + i, m_block);

      if (!grid->handle)
        {
          fresh |= 1 << i;
          if (!begin_grid_tile (t, block->lo + i, m_block, error))
            return FALSE;
        }
      uses[3 + i].handle = grid->handle;
    }
  for (int i = 0; i < t->n_groups; i++)
    {
      ArmillaThetaArgs args = theta_args (t, &t->groups[i], m_block, ring_block);

      args.fresh = synthesis ? 0 : fresh;
      if (synthesis)
        uses[1].mode = i == 0 ? STARPU_W : STARPU_RW;
      for (int g = 0; g < n; g++)
        uses[3 + g].mode = synthesis                    ? STARPU_R
                           : i == 0 && fresh & (1 << g) ? STARPU_W
                                                        : STARPU_RW;
      if (!armilla_submit (t->graph,
                           synthesis ? &armilla_theta_synthesis_cl : &armilla_theta_adjoint_cl,
                           synthesis ? tile->owner : t->orders->owner[m_block], &args, sizeof args,
                           uses, 3 + (int) args.shape.n_tiles, PRIORITY_THETA, error))
        return FALSE;
    }
  return TRUE;
}

/* Frees the tiles of the grid that no later ring block meets; for an adjoint, after submitting
 * the recurrence's adjoint on them. */
gboolean
armilla_transform_theta_end (ArmillaTransform *t, int ring_block, GError **error)
{
  gboolean ok = TRUE;

  t->ring_block_done[ring_block] = TRUE;
  for (int g = 0; g < t->theta->n_blocks; g++)
    for (int b = 0; ok && b < t->orders->n && grid_block_is_done (t, g); b++)
      {
        ArmillaTile *grid = grid_tile (t, g, b);

        if (grid->handle && !armilla_transform_is_synthesis (t))
          ok = armilla_transform_delta (t, b, &t->theta->pairs[g], grid, error);
        armilla_tile_return (t->graph, grid);
      }
  begin_again_after_all (t);
  return ok;
}

/* Frees what a failed transform still holds of the grid. */
void
armilla_transform_theta_clear (ArmillaTransform *t)
{
  if (t->grid_tiles)
    for (int i = 0; i < t->theta->n_blocks * t->orders->n; i++)
      armilla_tile_return (t->graph, &t->grid_tiles[i]);
  g_clear_pointer (&t->grid_tiles, g_free);
  g_clear_pointer (&t->ring_block_done, g_free);
}
