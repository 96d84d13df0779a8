/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/rings/ring-codelets.h"
#include "tasks/harmonic/harmonic-state.h"
#include "tasks/harmonic/transform.h"

/* recurrence tasks per worker in the ring blocks in flight: computation overlaps with transfers */
#define TASKS_PER_WORKER 4

static ArmillaRedistributeArgs
redistribute_args (const ArmillaTransform *t, int m_block, const ArmillaRingBlock *rings)
{
  return (ArmillaRedistributeArgs) { .fault = armilla_graph_fault (t->graph),
                                     .shape = { .mmax = t->orders->layout.mmax,
                                                .m_first = t->orders->m_first[m_block],
                                                .m_last = t->orders->m_last[m_block],
                                                .n_fields = t->n_fields,
                                                .n_pairs = rings->n_pairs } };
}

static gboolean
make_scratch (ArmillaTransform *t, GError **error)
{
  gint64 n_pairs = t->resample  ? armilla_transform_resample_pairs (t)
                   : t->theta ? t->theta->max_pairs
                              : t->rings->max_pairs;
  gint64 delta = armilla_transform_recurrence_scratch (t, n_pairs);

  if (t->theta)
    delta = MAX (delta, t->theta->scratch);
  if (t->resample)
    delta = MAX (delta, armilla_transform_resample_scratch (t));
  return armilla_tile_new (t->graph, 0, delta, &t->delta_scratch, error);
}

/* Shape of a transform: its arguments. */
typedef struct {
  ArmillaTransforms which;
  ArmillaAlmLayout layout;
  ArmillaGrid *grid;
  const int *spins;
  int n_fields, n_skies;
  gboolean resamples;                /* whether the recurrence works on other rings */
  const ArmillaPointsKernel *kernel; /* of points; NULL: none */
} Shape;

static gboolean
begin (ArmillaTransform *t, ArmillaGraph *graph, const Shape *shape, GError **error)
{
  const gint64 lmax = shape->layout.lmax;
  const int n_fields = shape->n_fields;

  *t = (ArmillaTransform) { .graph = graph, .which = shape->which,
                            .n_fields = n_fields * shape->n_skies,
                            .n_skies = shape->n_skies,
                            .legendre = armilla_legendre_options (graph, graph->label) };
  if (!armilla_alm_layout_check (shape->layout, error))
    return FALSE;
  t->rings = armilla_graph_ring_blocks (graph, shape->grid, n_fields, error);
  if (!t->rings)
    return FALSE;
  t->orders = armilla_graph_order_blocks (graph, shape->layout, n_fields);
  t->isa = armilla_graph_isa (graph, shape->which, lmax, n_fields);
  t->spins = g_memdup2 (shape->spins, sizeof (int) * (gsize) n_fields);
  if (!armilla_transform_recurrence_begin (t, error)
      || (shape->resamples && !armilla_transform_resample_begin (t, shape->kernel, error)))
    return FALSE;
  if (!shape->resamples
      && !armilla_graph_theta_grid (graph, shape->which, t->rings, lmax, n_fields, t->n_groups,
                                    &t->theta, error))
    return FALSE;
  if (t->theta)
    {
      t->grid_tiles = g_new0 (ArmillaTile, t->theta->n_blocks * t->orders->n);
      t->ring_block_done = g_new0 (gboolean, t->theta->n);
      t->fresh = g_new0 (int, t->orders->n);
    }
  t->plans = armilla_graph_ring_plans (graph, t->rings, shape->layout.mmax, shape->spins, n_fields,
                                       shape->n_skies, error);
  return t->plans && make_scratch (t, error) && armilla_transform_butterfly_begin (t, error);
}

/* Creates the data that the tasks of a transform share: coefficients, a_lm in the recurrence's
 * basis, scratch. Tile sizes and choices are those of one realisation, so that the bits of a
 * synthesis do not depend on the others. n_skies must be 1 if GPUs compute, and
 * armilla_fields_check () must hold for spins. @exact: an analysis by resampling in theta, or
 * the adjoint of one, without ring weights; see armilla_analysis_resamples ().
 * armilla_transform_end () must follow, even on failure. */
gboolean
armilla_transform_begin (ArmillaTransform *t, ArmillaGraph *graph, ArmillaTransforms which,
                         ArmillaAlmLayout layout, ArmillaGrid *grid, const int *spins,
                         int n_fields, int n_skies, gboolean exact, GError **error)
{
  const Shape shape = { which, layout, grid, spins, n_fields, n_skies, exact, NULL };

  return begin (t, graph, &shape, error);
}

/* Does the same for a map from which values at points are interpolated with @kernel, or its
 * adjoint: the grid is Clenshaw-Curtis, with more rings than the a_lm need, and the map is that of
 * the a_lm divided by the transform of the kernel. */
gboolean
armilla_transform_begin_points (ArmillaTransform *t, ArmillaGraph *graph, ArmillaTransforms which,
                                ArmillaAlmLayout layout, ArmillaGrid *grid,
                                const ArmillaPointsKernel *kernel, const int *spins, int n_fields,
                                GError **error)
{
  const Shape shape = { which, layout, grid, spins, n_fields, 1, TRUE, kernel };

  return begin (t, graph, &shape, error);
}

/* Frees the data of armilla_transform_begin () after the tasks have ended. */
void
armilla_transform_end (ArmillaTransform *t)
{
  armilla_transform_theta_clear (t);
  armilla_transform_butterfly_clear (t);
  armilla_transform_resample_clear (t);
  armilla_transform_recurrence_end (t);
  armilla_tile_drop (&t->delta_scratch);
  g_clear_pointer (&t->spins, g_free);
  g_clear_pointer (&t->sources, g_free);
}

/* Returns the number of ring blocks in flight that gives every worker of every rank tasks. An
 * adjoint's recurrence processes them in order, so each rank needs a ring transform in progress, or
 * ranks wait for each other. */
static gint64
wanted_epochs (const ArmillaTransform *t)
{
  const ArmillaView *view = &t->graph->view;
  gint64 wanted;

  if (view->n_ranks == 1 || view->gpus)
    return 0;
  wanted = TASKS_PER_WORKER * (gint64) view->max_workers * view->n_ranks / t->orders->n;
  return armilla_transform_is_synthesis (t) ? wanted : MAX (wanted, view->n_ranks);
}

/* Begins the epoch of a ring block, sized for the Delta tiles, modes and pixels of the largest
 * block. */
void
armilla_transform_next_epoch (const ArmillaTransform *t)
{
  gint64 modes = 4 * t->rings->max_pairs * (t->orders->layout.mmax + 1);

  armilla_graph_part_begins (t->graph, t->rings->n);
  armilla_graph_next_epoch_of (t->graph,
                               (gint64) sizeof (double) * t->n_fields
                                 * (2 * modes + t->rings->max_pixels),
                               wanted_epochs (t));
}

/* Returns whether ring transforms read the tiles of the m-blocks directly. GPUs need contiguous
 * modes: tiles are copied, unless there is one m-block, whose tile has the layout of the modes. */
static gboolean
in_pieces (const ArmillaTransform *t)
{
  return t->orders->n > 1 && !t->graph->view.gpus;
}

/* Returns the number of tiles that hold the modes of a ring block. */
static int
n_pieces (const ArmillaTransform *t)
{
  return in_pieces (t) ? t->orders->n : 1;
}

static void
return_modes (ArmillaTransform *t, ArmillaTile *modes)
{
  for (int b = 0; b < n_pieces (t); b++)
    if (in_pieces (t))
      armilla_tile_return_sent (t->graph, &modes[b]);
    else
      armilla_tile_return (t->graph, &modes[b]);
  g_free (modes);
}

/* Borrows the modes of a ring block: one tile per m-block, or one of all orders, owned by the rank
 * that writes it. return_modes() must follow even if @ok becomes FALSE. */
static ArmillaTile *
borrow_modes (ArmillaTransform *t, const ArmillaRingBlock *rings, gboolean by_rings, gboolean *ok,
              GError **error)
{
  const gint64 an_order = 4 * t->rings->max_pairs * t->n_fields;
  ArmillaTile *modes = g_new0 (ArmillaTile, n_pieces (t));

  *ok = in_pieces (t)
        || armilla_tile_borrow (t->graph, rings->owner, an_order * (t->orders->layout.mmax + 1),
                                modes, error);
  for (int b = 0; *ok && in_pieces (t) && b < t->orders->n; b++)
    *ok = armilla_tile_borrow_to_send (t->graph,
                                       by_rings ? rings->owner : t->orders->owner[b],
                                       an_order
                                         * (t->orders->m_last[b] - t->orders->m_first[b] + 1),
                                       &modes[b], error);
  return modes;
}

/* Returns the orders that a tile of an m-block can hold. Tiles are reused by m-blocks of similar
 * size and sent whole, so one sized for the largest m-block would be too large for the others (the
 * last given m-block has many times the orders of the first). */
static gint64
tile_orders (const ArmillaTransform *t, int m_block)
{
  gint64 n = t->orders->m_last[m_block] - t->orders->m_first[m_block] + 1, room = 1;

  while (room < n)
    room += room + room / 2 >= n ? room / 2 : room;
  return MIN (MAX (room, n), t->orders->max_orders);
}

static gboolean
borrow_tile (ArmillaTransform *t, int m_block, ArmillaTile *tile, GError **error)
{
  *tile = (ArmillaTile) { 0 };
  return armilla_tile_borrow_in_turn (t->graph, t->orders->owner[m_block],
                                      4 * t->rings->max_pairs * t->n_fields
                                        * tile_orders (t, m_block),
                                      tile, error);
}

/* Submits Delta of @n m-blocks from @first on for one ring block, a tile each. Each step is
 * submitted for all m-blocks before the next step, so that successive tasks are independent. */
static gboolean
submit_delta (ArmillaTransform *t, int first, int n, const ArmillaRingBlock *rings,
              const ArmillaTile *tiles, GError **error)
{
  const int ring_block = (int) (rings - t->rings->block), end = first + n;
  const gboolean on_grid = t->theta && armilla_transform_is_synthesis (t);
  gboolean ok = TRUE;

  for (int b = first; t->resample && ok && b < end; b++)
    ok = armilla_transform_resample (t, b, rings, &tiles[b - first], error);
  if (t->resample)
    return ok;
  for (int b = first; ok && b < end; b++)
    if (armilla_transform_butterfly_has (t, b))
      ok = armilla_transform_butterfly (t, b, rings, &tiles[b - first], error);
    else if (t->theta)
      ok = armilla_transform_theta_begin (t, b, ring_block, error);
  for (int i = 0; on_grid && i < t->n_groups; i++)
    for (int b = first; ok && b < end; b++)
      ok = armilla_transform_butterfly_has (t, b)
           || armilla_transform_theta_grid (t, i, b, ring_block, error);
  for (int i = 0; i < t->n_groups; i++)
    for (int b = first; ok && b < end; b++)
      if (armilla_transform_butterfly_has (t, b))
        continue;
      else if (t->theta)
        ok = armilla_transform_theta (t, i, b, ring_block, &tiles[b - first], error);
      else
        ok = armilla_transform_delta (t, i, b, rings, &tiles[b - first], error);
  return ok;
}

/* Submits Delta of one m-block and ring block, and its copy to or from the ring block's modes. */
static gboolean
submit_tile (ArmillaTransform *t, int m_block, const ArmillaRingBlock *rings,
             const ArmillaTile *modes, GError **error)
{
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  ArmillaRedistributeArgs move = redistribute_args (t, m_block, rings);
  ArmillaTile tile;
  gboolean ok;

  if (t->orders->n == 1) /* a tile of all orders has the layout of the modes */
    return submit_delta (t, m_block, 1, rings, modes, error);
  if (!borrow_tile (t, m_block, &tile, error))
    return FALSE;
  ArmillaUse forward[] = { { rings->slots_handle, STARPU_R },
                           { tile.handle, STARPU_R },
                           { modes->handle, m_block == 0 ? STARPU_W : STARPU_RW } };
  ArmillaUse backward[] = { { rings->slots_handle, STARPU_R },
                            { modes->handle, STARPU_R },
                            { tile.handle, STARPU_W } };
  ok = (!synthesis || submit_delta (t, m_block, 1, rings, &tile, error))
       && armilla_submit (t->graph,
                          synthesis ? &armilla_redistribute_forward_cl
                                    : &armilla_redistribute_backward_cl,
                          rings->owner, &move, sizeof move, synthesis ? forward : backward, 3,
                          PRIORITY_REDISTRIBUTE, error)
       && (synthesis || submit_delta (t, m_block, 1, rings, &tile, error));
  armilla_tile_return_in_turn (t->graph, &tile);
  return ok;
}

/* Submits all Delta tiles of a ring block and their copies to or from its modes. */
static gboolean
submit_tiles (ArmillaTransform *t, int ring_block, const ArmillaTile *modes, GError **error)
{
  const ArmillaRingBlock *rings = &t->rings->block[ring_block];
  gboolean ok = !in_pieces (t) || submit_delta (t, 0, t->orders->n, rings, modes, error);

  for (int b = 0; ok && !in_pieces (t) && b < t->orders->n; b++)
    ok = submit_tile (t, b, rings, modes, error);
  return ok && (!t->theta || armilla_transform_theta_end (t, ring_block, error))
         && armilla_transform_butterfly_end (t, error) && armilla_transform_resample_end (t, error);
}

/* Submits the synthesis of one ring block, which writes the map tile of each realisation, or its
 * adjoint, which is added to the sum: submit_tiles () for the recurrence (transform-recurrence.c),
 * armilla_transform_submit_rings () for the ring transforms. Must be called once per ring block, in
 * order or in reverse. */
gboolean
armilla_transform_rings (ArmillaTransform *t, int ring_block, const ArmillaTile *const *map,
                         int flags, GError **error)
{
  const ArmillaRingBlock *rings = &t->rings->block[ring_block];
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  gboolean ok;
  ArmillaTile *modes = borrow_modes (t, rings, !synthesis, &ok, error);

  ok = ok
       && (synthesis
           || armilla_transform_submit_rings (t, rings, modes, n_pieces (t), map, flags, error))
       && submit_tiles (t, ring_block, modes, error)
       && (!synthesis
           || armilla_transform_submit_rings (t, rings, modes, n_pieces (t), map, flags, error));
  return_modes (t, modes);
  return ok;
}

/* Submits the synthesis of one ring block by @forward and its weighted adjoint, which is added to
 * the sum, without storing pixels. Must be called once per ring block, in order or in reverse. */
gboolean
armilla_transform_normal (ArmillaTransform *t, ArmillaTransform *forward, int ring_block,
                          GError **error)
{
  const ArmillaRingBlock *rings = &t->rings->block[ring_block];
  gboolean ok;
  ArmillaTile *modes = borrow_modes (t, rings, FALSE, &ok, error);

  ok = ok && submit_tiles (forward, ring_block, modes, error)
       && armilla_transform_submit_normal (t, rings, modes, n_pieces (t), error)
       && submit_tiles (t, ring_block, modes, error);
  return_modes (t, modes);
  return ok;
}
