/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution ring by ring (Elsner and Wandelt 2011). For each ring block of the result: transforms
 * the input blocks within the kernel's reach unless they are transformed already, samples the
 * kernel, sums products, and transforms the sum back. */
#include "config.h"

#include "codelets/convolution/convolve-codelets.h"
#include "codelets/rings/ring-codelets.h"
#include "tasks/convolution/convolve-plan.h"
#include "tasks/harmonic/analysis-private.h"

enum { PRIORITY_ADJOINT = 0, PRIORITY_GRIDDING = 1, PRIORITY_REDUCTION = 2, PRIORITY_PIXELS = 3 };

/* State of a convolution during submission. */
typedef struct {
  ArmillaGraph *graph;
  const ArmillaConvolvePlan *plan;
  const ArmillaTile *in, *out;
  /* [ring block]: modes of the input; the handle is NULL unless the tile is in use */
  ArmillaTile *modes;
  int begun;          /* number of input blocks whose transform is submitted */
  int done;           /* number of input blocks that are no longer needed */
} Convolution;

static ArmillaRingArgs
ring_args (const Convolution *c, int b, int flags)
{
  const ArmillaRingBlock *block = &c->plan->rings->block[b];

  return (ArmillaRingArgs) { .fault = armilla_graph_fault (c->graph),
                             .plans = armilla_graph_fft_plans (c->graph),
                             .cuda_plans = armilla_graph_worker_plans (c->graph),
                             .cuda_block = c->plan->first_block + b,
                             .flags = flags,
                             .n_skies = 1,
                             .shape = { .mmax = c->plan->mmax[b],
                                        .n_fields = c->plan->n_fields,
                                        .n_slots = 2 * block->n_pairs,
                                        .n_pixels = block->n_pixels } };
}

static gboolean
borrow_modes (const Convolution *c, int b, ArmillaTile *modes, GError **error)
{
  const ArmillaRingBlock *block = &c->plan->rings->block[b];

  *modes = (ArmillaTile) { 0 };
  return armilla_tile_borrow (c->graph, block->owner,
                              4 * block->n_pairs * c->plan->n_fields * (c->plan->mmax[b] + 1),
                              modes, error);
}

/* Submits the transforms of input blocks up to @last. */
static gboolean
begin_blocks (Convolution *c, int last, GError **error)
{
  gboolean ok = TRUE;

  for (; ok && c->begun <= last; c->begun++)
    {
      const ArmillaRingBlock *block = &c->plan->rings->block[c->begun];
      ArmillaTile *modes = &c->modes[c->begun];
      ArmillaRingArgs args
        = ring_args (c, c->begun, ARMILLA_RING_WEIGHTED | ARMILLA_RING_UNSEEN_IS_ZERO);

      if (!borrow_modes (c, c->begun, modes, error))
        return FALSE;
      ArmillaUse uses[] = { { block->slots_handle, STARPU_R },
                            { c->in[c->begun].handle, STARPU_R },
                            { modes->handle, STARPU_W },
                            { c->plan->scratch.handle, STARPU_SCRATCH } };

      ok = armilla_submit (c->graph, &armilla_ring_adjoint_cl, block->owner, &args, sizeof args,
                           uses, G_N_ELEMENTS (uses), PRIORITY_ADJOINT, error);
    }
  return ok;
}

static void
end_blocks (Convolution *c, int before)
{
  for (; c->done < before && c->done < c->begun; c->done++)
    armilla_tile_return (c->graph, &c->modes[c->done]);
}

static gboolean
add_piece (const Convolution *c, int b, const ArmillaConvolvePiece *piece,
           const ArmillaTile *modes, GError **error)
{
  const ArmillaConvolvePlan *plan = c->plan;
  const ArmillaRingBlock *to = &plan->rings->block[b], *from = &plan->rings->block[piece->in_block];
  ArmillaConvolveArgs sample = { .fault = armilla_graph_fault (c->graph),
                                 .gridding = piece->gridding };
  ArmillaConvolveArgs reduce = { .fault = armilla_graph_fault (c->graph),
                                 .reduction = piece->reduction };
  ArmillaTile values = { 0 };
  gboolean ok = armilla_tile_borrow (c->graph, to->owner, piece->gridding.n_values, &values, error);

  reduce.reduction.n_fields = plan->n_fields;
  reduce.reduction.isa = (gint32) c->graph->view.isa;
  if (!ok)
    return FALSE;
  ArmillaUse sampling[] = { { piece->groups_handle, STARPU_R }, { plan->cosines_handle, STARPU_R },
                            { plan->terms_handle, STARPU_R },   { to->pairs_handle, STARPU_R },
                            { from->pairs_handle, STARPU_R },   { values.handle, STARPU_W } };
  /* Only the first piece of a block overwrites its modes: a piece may have some of the block's
   * pairs. */
  ArmillaUse reducing[] = { { piece->groups_handle, STARPU_R },
                            { piece->first_handle, STARPU_R },
                            { plan->cosines_handle, STARPU_R },
                            { values.handle, STARPU_R },
                            { c->modes[piece->in_block].handle, STARPU_R },
                            { modes->handle,
                              piece->fresh && piece->reduction.out_first == 0 ? STARPU_W
                                                                              : STARPU_RW } };

  ok = armilla_submit (c->graph, &armilla_kernel_gridding_cl, to->owner, &sample, sizeof sample,
                       sampling, G_N_ELEMENTS (sampling), PRIORITY_GRIDDING, error)
       && armilla_submit (c->graph, &armilla_theta_reduction_cl, to->owner, &reduce, sizeof reduce,
                          reducing, G_N_ELEMENTS (reducing), PRIORITY_REDUCTION, error);
  armilla_tile_return (c->graph, &values);
  return ok;
}

/* Submits the direct sums over pixels for the ring pairs of block @b that are summed so. */
static gboolean
sum_polar_rings (const Convolution *c, int b, GError **error)
{
  const ArmillaConvolvePlan *plan = c->plan;
  const ArmillaRingBlock *to = &plan->rings->block[b];
  const gint64 n = plan->polar_pairs - b * plan->rings->max_pairs;

  for (int i = plan->first_in[b]; n > 0 && i <= plan->last_in[b]; i++)
    {
      const ArmillaRingBlock *from = &plan->rings->block[i];
      ArmillaConvolveArgs args = { .fault = armilla_graph_fault (c->graph),
                                   .polar = { .n_fields = plan->n_fields,
                                              .n_rings = MIN (n, to->n_pairs),
                                              .n_out = to->n_pairs,
                                              .n_out_pixels = to->n_pixels,
                                              .n_in = from->n_pairs,
                                              .n_in_pixels = from->n_pixels,
                                              .n_intervals = plan->table->n,
                                              .scale = plan->table->scale,
                                              .chord2 = plan->table->chord2,
                                              .fresh = i == plan->first_in[b],
                                              .isa = (gint32) c->graph->view.isa } };
      ArmillaUse uses[] = { { to->slots_handle, STARPU_R },   { to->pairs_handle, STARPU_R },
                            { from->slots_handle, STARPU_R }, { from->pairs_handle, STARPU_R },
                            { plan->terms_handle, STARPU_R }, { c->in[i].handle, STARPU_R },
                            { c->out[b].handle, STARPU_RW },
                            { plan->scratch.handle, STARPU_SCRATCH } };

      if (!armilla_submit (c->graph, &armilla_polar_sum_cl, to->owner, &args, sizeof args, uses,
                           G_N_ELEMENTS (uses), PRIORITY_PIXELS, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
put_unseen_back (const Convolution *c, int b, GError **error)
{
  const ArmillaRingBlock *block = &c->plan->rings->block[b];
  ArmillaConvolveArgs args = { .fault = armilla_graph_fault (c->graph),
                               .n = c->plan->n_fields * block->n_pixels };
  ArmillaUse uses[] = { { c->in[b].handle, STARPU_R }, { c->out[b].handle, STARPU_RW } };

  return armilla_submit (c->graph, &armilla_unseen_back_cl, block->owner, &args, sizeof args, uses,
                         G_N_ELEMENTS (uses), PRIORITY_PIXELS, error);
}

static gboolean
convolve_block (Convolution *c, int b, GError **error)
{
  const ArmillaConvolvePlan *plan = c->plan;
  const ArmillaRingBlock *block = &plan->rings->block[b];
  ArmillaRingArgs args = ring_args (c, b, 0);
  ArmillaTile modes;
  gboolean ok = begin_blocks (c, plan->last_in[b], error) && borrow_modes (c, b, &modes, error);

  if (!ok)
    return FALSE;
  for (guint i = 0; ok && i < plan->pieces[b]->len; i++)
    ok = add_piece (c, b, &g_array_index (plan->pieces[b], ArmillaConvolvePiece, i), &modes, error);
  ArmillaUse uses[] = { { block->slots_handle, STARPU_R },
                        { modes.handle, STARPU_R },
                        { c->out[b].handle, STARPU_W },
                        { plan->scratch.handle, STARPU_SCRATCH } };
  ok = ok
       && armilla_submit (c->graph, &armilla_ring_synthesis_cl, block->owner, &args, sizeof args,
                          uses, G_N_ELEMENTS (uses), PRIORITY_PIXELS, error)
       && sum_polar_rings (c, b, error) && put_unseen_back (c, b, error);
  armilla_tile_return (c->graph, &modes);
  return ok;
}

/* Returns the first input block that an output block from @b on needs; earlier ones may be
 * freed. */
static int
first_needed (const ArmillaConvolvePlan *plan, int b)
{
  int first = plan->rings->n;

  for (; b < plan->rings->n; b++)
    first = MIN (first, plan->first_in[b]);
  return first;
}

typedef struct {
  ArmillaKernel *kernel;
  ArmillaRingConvolution options;
} Wish;

static void
wish_free (gpointer data)
{
  Wish *wish = data;

  armilla_kernel_unref (wish->kernel);
  g_free (wish);
}

static gboolean
run_convolve (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (job->in[0]), *out = ARMILLA_MAP (job->out);
  const Wish *wish = job->user;
  ArmillaRingBlocks *rings = armilla_map_ring_blocks (map, graph, error);
  Convolution c = { .graph = graph };
  gboolean ok;

  if (!rings)
    return FALSE;
  c.plan = armilla_graph_convolve_plan (graph, rings, wish->kernel, &wish->options,
                                        armilla_map_n_fields (map), error);
  ok = c.plan && (c.in = armilla_map_tiles (map, graph, error))
       && (c.out = armilla_map_tiles (out, graph, error));
  c.modes = g_new0 (ArmillaTile, rings->n);
  for (int b = 0; ok && b < rings->n; b++)
    {
      armilla_graph_part_begins (graph, rings->n);
      armilla_graph_next_epoch (graph);
      ok = convolve_block (&c, b, error)
           && armilla_data_tile_pass (ARMILLA_DATA (out), graph, b, error);
      end_blocks (&c, first_needed (c.plan, b + 1));
    }
  end_blocks (&c, rings->n);
  g_free (c.modes);
  return ok;
}

/* Requests the sum over pixels q of w_q K (p, q) f(q), w being the quadrature weights of the grid
 * of @map (Elsner and Wandelt 2011, eq. 6), ring by ring through Fourier modes. The fields share
 * the kernel's samples and modes. Returns whether it is possible; ARMILLA_ERROR_SHAPE or
 * ARMILLA_ERROR_VALUE otherwise. @out: a map of F fields on the same pixels; written. */
gboolean
armilla_graph_convolve_rings (ArmillaGraph *graph, ArmillaMap *map, ArmillaKernel *kernel,
                              const ArmillaRingConvolution *options, ArmillaMap *out,
                              GError **error)
{
  ArmillaJob job = { .run = run_convolve,
                     .in = { ARMILLA_DATA (map) },
                     .out = ARMILLA_DATA (out),
                     .destroy = wish_free };
  const int n_fields = armilla_map_n_fields (map);
  ArmillaRingBlocks *rings;
  Wish *wish;

  if (!armilla_check_fields (n_fields, armilla_map_n_fields (out), error)
      || !armilla_data_same_shape (ARMILLA_DATA (map), "map", ARMILLA_DATA (out), "out", error)
      || !armilla_convolve_check_spins (armilla_map_spins (map), n_fields, error)
      || !(rings = armilla_map_ring_blocks (map, graph, error))
      || !armilla_graph_convolve_plan (graph, rings, kernel, options, n_fields, error))
    return FALSE;
  wish = g_new (Wish, 1);
  *wish = (Wish) { armilla_kernel_ref (kernel), *options };
  job.user = wish;
  armilla_graph_defer (graph, &job);
  return TRUE;
}
