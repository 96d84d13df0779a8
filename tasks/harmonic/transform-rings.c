/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks that transform a ring block between the modes of its rings and its pixels. Their codelets
 * are in codelets/rings/ring-codelets.c, the CPU kernels in codelets/rings/ring-fft.c. */
#include "config.h"

#include "codelets/rings/ring-codelets.h"
#include "tasks/graph/in-thread.h"
#include "tasks/harmonic/transform.h"

/* Number of cores from which on a ring block is divided into parts, since fewer ring blocks than
 * cores are in flight. A part must take a core at least 0.2 ms. */
#define MANY_CORES 3
#define MIN_PART 1e6 /* operations */
/* minimum size of a part without StarPU, where a part has almost no overhead */
#define SHORT_PART 5e4
#define PARTS_PER_MEMBER 4

/* Data that all tasks of one ring block share. */
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

/* Returns whether the written tiles stay on one rank and in one memory. StarPU treats parts as
 * readers: if it moved or copied a tile meanwhile, their results would be lost. */
static gboolean
tiles_stay (const ArmillaGraph *graph, gboolean own)
{
  return (own || graph->view.n_ranks == 1) && !graph->view.gpus
         && (graph->taker.kind || starpu_memory_nodes_get_count () == 1);
}

/* Returns the number of tasks. own: whether the rank of the ring block owns all tiles that they
 * write. The computed numbers do not depend on the result. */
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

/* Submits all parts, followed by a gate task that writes. To StarPU the parts only read, even the
 * tiles of @uses that they write. A gate precedes them unless they also read such a tile. */
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
gboolean
armilla_transform_submit_rings (ArmillaTransform *t, const ArmillaRingBlock *rings,
                                const ArmillaTile *modes, int n, const ArmillaTile *const *map,
                                int flags, GError **error)
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

/* Submits the task that replaces modes by the weighted adjoint of their synthesis on the rings. */
gboolean
armilla_transform_submit_normal (ArmillaTransform *t, const ArmillaRingBlock *rings,
                                 const ArmillaTile *modes, int n, GError **error)
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
