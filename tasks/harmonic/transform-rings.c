/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks that transform one ring block: between the modes of its rings and its pixels, by the
 * codelets in codelets/rings/ring-codelets.c and the CPU kernels in codelets/rings/ring-fft.c; and
 * between modes and a_lm, by transform-recurrence.c and its alternatives. */
#include "config.h"

#include "codelets/rings/ring-codelets.h"
#include "tasks/graph/in-thread.h"
#include "tasks/harmonic/transform.h"

/* Number of workers from which on the transform of a ring block is divided into several tasks
 * (parts): fewer ring blocks are in flight than there are workers. A part has at least MIN_PART
 * operations, 0.2 ms of a core. */
#define MANY_CORES 3
#define MIN_PART 1e6 /* operations */
/* minimum operations of a part, and maximum number of parts per thread, if tasks run without StarPU
 * (in-thread.c), where a task has almost no overhead */
#define SHORT_PART 5e4
#define PARTS_PER_MEMBER 4

/* Arguments of all tasks of one ring block. */
typedef struct {
  ArmillaTransform *transform;
  const ArmillaRingBlock *rings;
  ArmillaCodelet *codelet;
  ArmillaRingArgs args;
  ArmillaUse *uses;
  int n_uses;
  int n_parts;
} Rings;

static ArmillaRingArgs
ring_args (const ArmillaTransform *t, const ArmillaRingBlock *rings, int n_tiles, int flags)
{
  return (ArmillaRingArgs) { .fault = armilla_graph_fault (t->graph),
                             .plans = armilla_graph_fft_plans (t->graph),
                             .cuda_plans = armilla_graph_worker_plans (t->graph),
                             .cuda_block = t->plans->first_block + (rings - t->rings->block),
                             .flags = flags,
                             .n_skies = t->n_skies,
                             .place = t->plans->place,
                             .in_place = t->in_place,
                             .n_tiles = n_tiles > 1 ? n_tiles : 0,
                             .first_orders = t->orders->m_first,
                             .shape = { .mmax = t->orders->layout.mmax,
                                        .n_fields = t->n_fields,
                                        .n_slots = 2 * rings->n_pairs,
                                        .n_pixels = rings->n_pixels } };
}

/* Returns whether the tiles that parts write stay in one memory. To StarPU the parts only read the
 * tiles: it would not know which copy is valid after it has copied one. */
static gboolean
tiles_stay (const ArmillaGraph *graph, gboolean own)
{
  return (own || graph->view.n_ranks == 1) && !graph->view.gpus
         && (graph->taker.kind || starpu_memory_nodes_get_count () == 1);
}

/* Returns the number of parts, which does not change the results. @own: whether the rank of the
 * ring block owns all tiles that the parts write. */
static int
count_parts (const ArmillaTransform *t, const ArmillaRingBlock *rings,
             const ArmillaRingShape *shape, gboolean own)
{
  const ArmillaInThread *in_thread = t->graph->in_thread;
  const int n_members = in_thread ? armilla_in_thread_members (in_thread) : 0;
  const int n_workers = in_thread ? n_members : t->graph->view.max_workers;
  double max_parts;

  if (t->graph->bundling)
    return 1;
  if (in_thread ? n_members == 1 : n_workers < MANY_CORES || !tiles_stay (t->graph, own))
    return 1;
  max_parts = armilla_ring_cost (shape, rings->slots).flops / (in_thread ? SHORT_PART : MIN_PART);
  return (int) CLAMP (MIN (max_parts, (double) rings->n_pairs), 1,
                      in_thread ? PARTS_PER_MEMBER * n_workers : n_workers);
}

static gboolean
submit_gate (const Rings *self, const ArmillaUse *written, int n,
             enum starpu_data_access_mode mode, GError **error)
{
  ArmillaTransform *t = self->transform;
  const ArmillaRingGateArgs args = { .fault = armilla_graph_fault (t->graph) };
  g_autofree ArmillaUse *uses = g_memdup2 (written, sizeof *uses * (gsize) n);

  for (int i = 0; i < n; i++)
    uses[i].mode = mode;
  return armilla_submit (t->graph, &armilla_ring_gate_cl, self->rings->owner, &args, sizeof args,
                         uses, n, PRIORITY_RING, error);
}

static gboolean
submit_part (Rings *self, int part, GError **error)
{
  const gint64 n = self->rings->n_pairs;

  if (self->n_parts > 1)
    {
      self->args.shape.first_slot = 2 * (n * part / self->n_parts);
      self->args.shape.end_slot = 2 * (n * (part + 1) / self->n_parts);
    }
  return armilla_submit (self->transform->graph, self->codelet, self->rings->owner, &self->args,
                         sizeof self->args, self->uses, self->n_uses, PRIORITY_RING, error);
}

/* Submits all parts. They write disjoint parts of tiles at the same time, which StarPU does not
 * support; so they are submitted as if they only read these tiles, followed by an empty task (a
 * gate) that writes them, for which later tasks wait. Another gate precedes the parts unless they
 * also read such a tile. */
static gboolean
submit (Rings *self, GError **error)
{
  g_autofree ArmillaUse *written = g_new (ArmillaUse, self->n_uses);
  gboolean begun = FALSE, ok = TRUE;
  int n = 0;

  for (int i = 0; i < self->n_uses && self->n_parts > 1; i++)
    if (self->uses[i].mode != STARPU_W && self->uses[i].mode != STARPU_RW)
      continue;
    else if (self->transform->graph->in_thread)
      self->uses[i].mode |= ARMILLA_IN_THREAD_APART;
    else
      {
        begun = self->uses[i].mode == STARPU_RW;
        written[n++] = self->uses[i];
        self->uses[i].mode = STARPU_R;
      }
  if (n > 0 && !begun)
    ok = submit_gate (self, written, n, STARPU_W, error);
  for (int part = 0; ok && part < self->n_parts; part++)
    ok = submit_part (self, part, error);
  return ok && (n == 0 || submit_gate (self, written, n, STARPU_RW, error));
}

/* Returns whether the rank of the ring block owns all tiles that its transform writes. */
static gboolean
owns_all (const ArmillaTransform *t, const ArmillaRingBlock *rings, const ArmillaTile *modes, int n,
          const ArmillaTile *const *map)
{
  gboolean all = TRUE;

  if (armilla_transform_is_synthesis (t))
    for (int sky = 0; !t->in_place && sky < t->n_skies; sky++)
      all &= map[sky]->owner == rings->owner;
  else
    for (int b = 0; b < n; b++)
      all &= modes[b].owner == rings->owner;
  return all;
}

/* Submits the ring transform of a ring block between its modes, in one tile or one per m-block, and
 * the map tile of each realisation. flags: ArmillaRingFlags of the adjoint. */
static gboolean
submit_rings (ArmillaTransform *t, const ArmillaRingBlock *rings, const ArmillaTile *modes, int n,
              const ArmillaTile *const *map, int flags, GError **error)
{
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  const enum starpu_data_access_mode mode = synthesis ? STARPU_R : STARPU_W;
  const enum starpu_data_access_mode map_mode = synthesis ? STARPU_W : STARPU_R;
  const int n_uses = 3 + n + t->n_skies - 1;
  g_autofree ArmillaUse *uses = g_new (ArmillaUse, n_uses);
  Rings self = { .transform = t, .rings = rings, .uses = uses, .n_uses = n_uses,
                 .codelet = synthesis ? &armilla_ring_synthesis_cl : &armilla_ring_adjoint_cl,
                 .args = ring_args (t, rings, n, flags) };

  self.n_parts = count_parts (t, rings, &self.args.shape,
                              owns_all (t, rings, modes, n, map));
  uses[0] = (ArmillaUse) { rings->slots_handle, STARPU_R };
  uses[synthesis ? 1 : 2] = (ArmillaUse) { modes[0].handle, mode };
  uses[synthesis ? 2 : 1] = t->in_place ? (ArmillaUse) { rings->first_pixel_handle, STARPU_R }
                                        : (ArmillaUse) { map[0]->handle, map_mode };
  uses[3] = (ArmillaUse) { t->plans->scratch.handle, STARPU_SCRATCH };
  for (int b = 1; b < n; b++)
    uses[3 + b] = (ArmillaUse) { modes[b].handle, mode };
  for (int sky = 1; sky < t->n_skies; sky++)
    uses[2 + n + sky] = (ArmillaUse) { map[sky]->handle, map_mode };
  return submit (&self, error);
}

/* Submits the task that synthesises the pixels of a ring block from its modes and replaces the
 * modes by the weighted adjoint, without storing pixels in tiles. */
static gboolean
submit_normal (ArmillaTransform *t, const ArmillaRingBlock *rings, const ArmillaTile *modes, int n,
               GError **error)
{
  g_autofree ArmillaUse *uses = g_new (ArmillaUse, 2 + n);
  Rings self = { .transform = t, .rings = rings, .uses = uses, .n_uses = 2 + n,
                 .codelet = &armilla_ring_normal_cl, .args = ring_args (t, rings, n, 0) };

  self.n_parts = count_parts (t, rings, &self.args.shape, FALSE);
  uses[0] = (ArmillaUse) { rings->slots_handle, STARPU_R };
  uses[1] = (ArmillaUse) { modes[0].handle, STARPU_RW };
  uses[2] = (ArmillaUse) { t->plans->scratch.handle, STARPU_SCRATCH };
  for (int b = 1; b < n; b++)
    uses[2 + b] = (ArmillaUse) { modes[b].handle, STARPU_RW };
  return submit (&self, error);
}

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

/* Returns whether ring transforms read the tiles of all m-blocks. GPUs need contiguous modes, so
 * there the tiles are copied, unless there is one m-block only. */
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

/* Borrows tiles for the modes of a ring block: one per m-block, or one for all orders, owned by the
 * rank that writes it. return_modes() must follow even if @ok becomes FALSE. */
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

/* Returns the number of orders for which a tile of an m-block has room, rounded up so that m-blocks
 * of similar size can reuse it. Not that of the largest m-block: tiles are sent as a whole, and the
 * user's last m-block may have many times the orders of the first. */
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

/* Submits Delta of @n m-blocks from @first on for one ring block, in a tile each. A step is
 * submitted for all m-blocks before the next step, so that successive tasks do not depend on each
 * other. */
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

/* Submits Delta of one m-block and ring block, and the copy between its tile and the ring block's
 * modes. */
static gboolean
submit_tile (ArmillaTransform *t, int m_block, const ArmillaRingBlock *rings,
             const ArmillaTile *modes, GError **error)
{
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  ArmillaRedistributeArgs move = redistribute_args (t, m_block, rings);
  ArmillaTile tile;
  gboolean ok;

  if (t->orders->n == 1) /* the tile has the layout of the modes */
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

/* Submits Delta of all m-blocks for one ring block, and the copies between their tiles and its
 * modes. */
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
 * submit_rings () for the ring transforms. Must be called once per ring block, in order or in
 * reverse. */
gboolean
armilla_transform_rings (ArmillaTransform *t, int ring_block, const ArmillaTile *const *map,
                         int flags, GError **error)
{
  const ArmillaRingBlock *rings = &t->rings->block[ring_block];
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  gboolean ok;
  ArmillaTile *modes = borrow_modes (t, rings, !synthesis, &ok, error);

  ok = ok
       && (synthesis || submit_rings (t, rings, modes, n_pieces (t), map, flags, error))
       && submit_tiles (t, ring_block, modes, error)
       && (!synthesis || submit_rings (t, rings, modes, n_pieces (t), map, flags, error));
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
       && submit_normal (t, rings, modes, n_pieces (t), error)
       && submit_tiles (t, ring_block, modes, error);
  return_modes (t, modes);
  return ok;
}
