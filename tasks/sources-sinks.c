/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where data enter and leave the graph: one step on the host a tile. */
#include "config.h"

#include "tasks/balance.h"
#include "tasks/data-private.h"
#include "tasks/jobs.h"

/* What the steps of one source or sink share. */
typedef struct {
  ArmillaLabel *label; /* of the source or sink, whoever submits its steps */
  gint refs;
  gint left; /* steps not done yet */
  ArmillaRingBlocks *rings;
  ArmillaOrderBlocks *orders;
  int n_fields;
  ArmillaHostMap on_map;
  ArmillaHostAlm on_alm;
  ArmillaHostAlmAll on_alm_all;
  ArmillaHostCl on_cl;
  ArmillaHostDone done;
  gpointer user;
  GDestroyNotify destroy;
  int rank;
} Shared;

typedef struct {
  Shared *shared;
  int block;   /* its number; or how many blocks there are */
  int *blocks; /* (owned): their numbers */
} Step;

static void
shared_unref (Shared *shared)
{
  if (!g_atomic_int_dec_and_test (&shared->refs))
    return;
  if (shared->destroy)
    shared->destroy (shared->user);
  g_free (shared);
}

static void
step_free (gpointer data)
{
  Step *step = data;

  g_free (step->blocks);
  shared_unref (step->shared);
  g_free (step);
}

static gboolean
step_done (Shared *shared, GError **error)
{
  if (!g_atomic_int_dec_and_test (&shared->left) || !shared->done)
    return TRUE;
  return shared->done (shared->user, error);
}

/* Calls on_map for every run of pixels that is contiguous both in the tile and in the map. */
static gboolean
map_field (Shared *shared, const ArmillaRingBlock *block, int field, double *pixels,
           GError **error)
{
  gint64 start = 0, n = 0, number = 0; /* the run so far: place in the tile, length, first pixel */

  for (gint64 i = 0; i < 2 * block->n_pairs; i++)
    {
      /* northern rings in the order of the pairs, southern ones in reverse */
      gint64 slot = i < block->n_pairs ? 2 * i : 2 * (2 * block->n_pairs - 1 - i) + 1;
      const ArmillaRingSlot *ring = &block->slots[slot];

      if (ring->n_phi == 0)
        continue;
      if (n > 0 && (number + n != block->first_pixel[slot] || start + n != ring->offset))
        {
          if (!shared->on_map (shared->user, field, number, n, pixels + start, error))
            return FALSE;
          n = 0;
        }
      if (n == 0)
        {
          start = ring->offset;
          number = block->first_pixel[slot];
        }
      n += ring->n_phi;
    }
  return n == 0 || shared->on_map (shared->user, field, number, n, pixels + start, error);
}

static gboolean
run_map_step (gpointer data, double *const *buffers, GError **error)
{
  Step *step = data;
  Shared *shared = step->shared;
  const ArmillaRingBlock *block = &shared->rings->block[step->block];

  for (int f = 0; f < shared->n_fields; f++)
    if (!map_field (shared, block, f, buffers[0] + f * block->n_pixels, error))
      return FALSE;
  return step_done (shared, error);
}

static gboolean
run_alm_step (gpointer data, double *const *buffers, GError **error)
{
  Step *step = data;
  Shared *shared = step->shared;
  gint64 count = armilla_order_block_count (shared->orders, step->block);

  for (int f = 0; f < shared->n_fields; f++)
    if (!shared->on_alm (shared->user, f, shared->orders->m_first[step->block],
                         shared->orders->m_last[step->block], buffers[0] + 2 * f * count, error))
      return FALSE;
  return step_done (shared, error);
}

static gboolean
run_alm_all_step (gpointer data, double *const *buffers, GError **error)
{
  Step *step = data;
  Shared *shared = step->shared;
  ArmillaOrderBlocks *orders = shared->orders;
  g_autofree double **values = g_new0 (double *, orders->n);

  for (int i = 0; i < step->block; i++)
    values[step->blocks[i]] = buffers[i];
  return shared->on_alm_all (shared->user, orders->n, orders->m_first, orders->m_last, values,
                             error);
}

static gboolean
run_cl_step (gpointer data, double *const *buffers, GError **error)
{
  Step *step = data;

  return step->shared->on_cl (step->shared->user, buffers[0], error)
         && step_done (step->shared, error);
}

static Shared *
shared_new (ArmillaGraph *graph, int n_steps, int n_fields, ArmillaHostDone done, gpointer user,
            GDestroyNotify destroy)
{
  Shared *shared = g_new0 (Shared, 1);

  shared->label = graph->label;
  shared->refs = 1;
  shared->left = n_steps;
  shared->n_fields = n_fields;
  shared->done = done;
  shared->user = user;
  shared->destroy = destroy;
  shared->rank = graph->runtime->rank;
  return shared;
}

static Step *
step_new (Shared *shared, int block)
{
  Step *step = g_new0 (Step, 1);

  step->shared = shared;
  step->block = block;
  g_atomic_int_inc (&shared->refs);
  return step;
}

/* @step: (transfer full) */
static gboolean
add_step (ArmillaGraph *graph, int rank, const ArmillaTile *tiles, int n_tiles,
          enum starpu_data_access_mode mode, ArmillaHostStep run, Step *step, GError **error)
{
  g_autofree enum starpu_data_access_mode *modes
    = g_new (enum starpu_data_access_mode, n_tiles);
  ArmillaLabel *label = graph->label;
  gboolean ok;

  for (int i = 0; i < n_tiles; i++)
    modes[i] = mode;
  graph->label = step->shared->label;
  ok = armilla_host_step (graph, rank, tiles, modes, n_tiles, run, step, step_free, error);
  graph->label = label;
  return ok;
}

static void
shared_free (gpointer data)
{
  shared_unref (data);
}

static gboolean
fill_map_tile (ArmillaGraph *graph, gpointer user, int ring_block, const ArmillaTile *tile,
               GError **error)
{
  Shared *shared = user;

  return add_step (graph, shared->rings->block[ring_block].owner, tile, 1, STARPU_W, run_map_step,
                   step_new (shared, ring_block), error);
}

/* One step for every tile of what the job writes. Where memory is bounded and nobody waits for the
 * tiles, they come when they are needed, and come again: from the input it costs no more than from
 * the disk. */
static gboolean
run_fill_map (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (job->out);
  Shared *shared = job->user;
  const ArmillaTile *tiles = armilla_map_tiles (map, graph, error);
  gboolean ok = tiles != NULL;

  if (ok && graph->runtime->bound && !armilla_map_has_sinks (map))
    {
      g_atomic_int_inc (&shared->refs);
      armilla_map_set_source (map, fill_map_tile, shared, shared_free);
      return TRUE;
    }
  for (int b = 0; ok && b < shared->rings->n; b++)
    ok = fill_map_tile (graph, shared, b, &tiles[b], error)
         && armilla_map_tile_comes (map, graph, b, error);
  return ok;
}

static gboolean
take_map_tile (ArmillaGraph *graph, gpointer user, int ring_block, const ArmillaTile *tile,
               GError **error)
{
  return add_step (graph, 0, tile, 1, STARPU_R, run_map_step,
                   step_new (user, ring_block), error);
}

static gboolean
run_drain_map (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (job->in[0]);
  Shared *shared = job->user;
  const ArmillaTile *tiles = armilla_map_lazy_tiles (map, graph, error);
  gboolean ok = tiles != NULL;

  for (int b = 0; ok && b < shared->rings->n; b++)
    ok = armilla_map_tile_begin (map, graph, b, error)
         && take_map_tile (graph, shared, b, &tiles[b], error)
         && armilla_map_tile_end (map, graph, b, error);
  return ok;
}

/* Both directions: one step an m-block, for the a_lm that the job has. */
static gboolean
run_alm_steps (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  gboolean fill = job->out != NULL;
  Shared *shared = job->user;
  ArmillaOrderBlocks *orders = shared->orders;
  const ArmillaTile *tiles
    = armilla_alm_tiles (ARMILLA_ALM (fill ? job->out : job->in[0]), graph, error);
  gboolean ok = tiles != NULL;

  for (int b = 0; ok && b < orders->n; b++)
    ok = add_step (graph, fill ? orders->owner[b] : 0, &tiles[b], 1, fill ? STARPU_W : STARPU_R,
                   run_alm_step, step_new (shared, b), error);
  return ok;
}

/* All m-blocks of the rank; as many as may be held at once where memory is bounded. */
static gboolean
run_fill_alm_at_once (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  Shared *shared = job->user;
  const ArmillaTile *tiles = armilla_alm_tiles (ARMILLA_ALM (job->out), graph, error);
  int n = shared->orders->n;
  g_autofree ArmillaTile *own = g_new (ArmillaTile, n);
  g_autofree int *blocks = g_new (int, n);
  gint64 most = G_MAXINT64;
  gboolean ok = tiles != NULL;

  if (graph->runtime->bound)
    most = armilla_bound_for_steps (graph->runtime->bound) / (gint64) sizeof (double);
  for (int first = 0, end = 0; ok && first < n; first = end)
    {
      int n_own = 0;

      for (gint64 sum = 0; end < n && (n_own == 0 || sum + tiles[end].n <= most); end++)
        {
          armilla_balance_written (graph, tiles[end].handle, STARPU_W);
          if (tiles[end].owner != shared->rank)
            continue;
          blocks[n_own] = end;
          own[n_own++] = tiles[end];
          sum += tiles[end].n;
        }
      if (n_own > 0)
        {
          Step *step = step_new (shared, n_own);

          step->blocks = g_memdup2 (blocks, sizeof (int) * (gsize) n_own);
          ok = add_step (graph, shared->rank, own, n_own, STARPU_W, run_alm_all_step, step, error);
        }
    }
  return ok;
}

static gboolean
run_cl_steps (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  gboolean fill = job->out != NULL;
  const ArmillaTile *tile
    = armilla_cl_tile (ARMILLA_CL (fill ? job->out : job->in[0]), graph, error);

  return tile
         && add_step (graph, 0, tile, 1, fill ? STARPU_W : STARPU_R, run_cl_step,
                      step_new (job->user, 0), error);
}

static void
defer (ArmillaGraph *graph, gboolean (*run) (ArmillaGraph *, ArmillaJob *, GError **),
       gpointer in, gpointer out, Shared *shared)
{
  ArmillaJob job
    = { .run = run, .in = { in }, .out = out, .user = shared, .destroy = shared_free };

  armilla_graph_defer (graph, &job);
}

static Shared *
alm_shared (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostDone done, gpointer user,
            GDestroyNotify destroy, GError **error)
{
  Shared *shared = shared_new (graph, 0, armilla_alm_n_fields (alm), done, user, destroy);

  if (!armilla_alm_layout_check (armilla_alm_layout (alm), error))
    {
      shared_unref (shared);
      return NULL;
    }
  shared->orders = armilla_alm_order_blocks (alm, graph);
  shared->left = shared->orders->n;
  return shared;
}

/**
 * armilla_graph_fill_map:
 * @graph: a graph
 * @map: a map without a source
 * @fill: called for every run of contiguous pixels, on the rank that owns them, from several I/O
 *   threads at once
 * @user: for @fill
 * @destroy: (nullable): frees @user when nothing needs it any more
 * @error: return location
 *
 * Makes @fill the source of a map.
 *
 * Returns: whether the grid could be cut into blocks
 */
gboolean
armilla_graph_fill_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap fill, gpointer user,
                        GDestroyNotify destroy, GError **error)
{
  Shared *shared
    = shared_new (graph, 0, armilla_map_n_fields (map), NULL, user, destroy);

  shared->on_map = fill;
  shared->rings = armilla_map_ring_blocks (map, graph, error);
  if (!shared->rings)
    {
      shared_unref (shared);
      return FALSE;
    }
  shared->left = shared->rings->n;
  defer (graph, run_fill_map, NULL, map, shared);
  return TRUE;
}

/**
 * armilla_graph_fill_alm:
 * @graph: a graph
 * @alm: a_lm without a source
 * @fill: called for every field of every m-block, from several I/O threads at once
 * @user: for @fill
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Makes @fill the source of a_lm.
 *
 * Returns: whether the layout can be used
 */
gboolean
armilla_graph_fill_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlm fill, gpointer user,
                        GDestroyNotify destroy, GError **error)
{
  Shared *shared = alm_shared (graph, alm, NULL, user, destroy, error);

  if (!shared)
    return FALSE;
  shared->on_alm = fill;
  defer (graph, run_alm_steps, NULL, alm, shared);
  return TRUE;
}

/**
 * armilla_graph_fill_alm_at_once:
 * @graph: a graph
 * @alm: a_lm without a source
 * @fill: called once a rank, with all m-blocks that the rank owns
 * @user: for @fill
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * As armilla_graph_fill_alm(), for sources whose order is not that of the m-blocks, such as a file.
 *
 * Returns: whether the layout can be used
 */
gboolean
armilla_graph_fill_alm_at_once (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlmAll fill,
                                gpointer user, GDestroyNotify destroy, GError **error)
{
  Shared *shared = alm_shared (graph, alm, NULL, user, destroy, error);

  if (!shared)
    return FALSE;
  shared->on_alm_all = fill;
  defer (graph, run_fill_alm_at_once, NULL, alm, shared);
  return TRUE;
}

/**
 * armilla_graph_fill_cl:
 * @graph: a graph
 * @cl: spectra without a source
 * @fill: called once, on rank 0
 * @user: for @fill
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Makes @fill the source of spectra.
 *
 * Returns: %TRUE
 */
gboolean
armilla_graph_fill_cl (ArmillaGraph *graph, ArmillaCl *cl, ArmillaHostCl fill, gpointer user,
                       GDestroyNotify destroy, GError **error)
{
  Shared *shared = shared_new (graph, 1, armilla_cl_n_fields (cl), NULL, user, destroy);

  (void) error;
  shared->on_cl = fill;
  defer (graph, run_cl_steps, NULL, cl, shared);
  return TRUE;
}

/**
 * armilla_graph_drain_map:
 * @graph: a graph
 * @map: a map
 * @take: called on rank 0 for every run of contiguous pixels, in any order, from several I/O
 *   threads at once
 * @done: (nullable): called on rank 0 after the last @take, unless the run has failed
 * @user: for both
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Brings a map to rank 0, each tile as soon as it exists.
 *
 * Returns: whether the grid could be cut into blocks
 */
gboolean
armilla_graph_drain_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap take,
                         ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                         GError **error)
{
  Shared *shared = shared_new (graph, 0, armilla_map_n_fields (map), done, user, destroy);

  shared->on_map = take;
  shared->rings = armilla_map_ring_blocks (map, graph, error);
  if (!shared->rings)
    {
      shared_unref (shared);
      return FALSE;
    }
  shared->left = shared->rings->n;
  if (armilla_map_has_come (map))
    defer (graph, run_drain_map, map, NULL, shared);
  else
    armilla_map_add_sink (map, take_map_tile, shared, shared_free);
  return TRUE;
}

/**
 * armilla_graph_drain_alm:
 * @graph: a graph
 * @alm: a_lm
 * @take: called on rank 0 for every field of every m-block, in any order
 * @done: (nullable): called on rank 0 after the last @take, unless the run has failed
 * @user: for both
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Brings a_lm to rank 0, m-block by m-block.
 *
 * Returns: whether the layout can be used
 */
gboolean
armilla_graph_drain_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlm take,
                         ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                         GError **error)
{
  Shared *shared = alm_shared (graph, alm, done, user, destroy, error);

  if (!shared)
    return FALSE;
  shared->on_alm = take;
  defer (graph, run_alm_steps, alm, NULL, shared);
  return TRUE;
}

/**
 * armilla_graph_drain_cl:
 * @graph: a graph
 * @cl: spectra
 * @take: called once, on rank 0
 * @done: (nullable): called after it, unless the run has failed
 * @user: for both
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Brings spectra to rank 0.
 *
 * Returns: %TRUE
 */
gboolean
armilla_graph_drain_cl (ArmillaGraph *graph, ArmillaCl *cl, ArmillaHostCl take,
                        ArmillaHostDone done, gpointer user, GDestroyNotify destroy, GError **error)
{
  Shared *shared = shared_new (graph, 1, armilla_cl_n_fields (cl), done, user, destroy);

  (void) error;
  shared->on_cl = take;
  defer (graph, run_cl_steps, cl, NULL, shared);
  return TRUE;
}
