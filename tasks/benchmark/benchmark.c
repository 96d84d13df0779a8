/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/convolution/convolve-codelets.h"
#include "codelets/legendre/delta-codelets.h"
#include "codelets/rings/ring-codelets.h"
#include "codelets/legendre/spin-codelets.h"
#include "tasks/benchmark/benchmark.h"
#include "tasks/convolution/convolve-plan.h"
#include "tasks/data/data-private.h"

#include <armilla/harmonic.h>

struct _ArmillaBenchmark {
  ArmillaGraph *graph;
  ArmillaBenchmarkCase what;
  ArmillaAlm *alm; /* input of the synthesis */
  int n_fields;
  int *spins;      /* spins of the fields of all maps; fields of equal spin are adjacent */
  ArmillaMap *map; /* input of the analysis and of the convolution */
  double first;    /* duration of the first transform, s */
};

/* Returns a pseudo-random number in (-1, 1) that depends on @i only (splitmix64). */
static double
noise (guint64 i)
{
  i = (i + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  i = (i ^ (i >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  i = (i ^ (i >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (double) ((i ^ (i >> 31)) >> 11) * 0x1p-52 - 1 + 0x1p-53;
}

static gboolean
fill_alm (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaAlmLayout *layout = user;
  const gint64 first = armilla_alm_index (layout->lmax, piece->first, piece->first);
  const gint64 n = armilla_alm_index (layout->lmax, layout->lmax, piece->last) - first + 1;
  const guint64 offset = (guint64) (piece->field * armilla_alm_count (*layout) + first);

  (void) error;
  for (gint64 i = 0; i < n; i++)
    {
      piece->values[2 * i] = noise (2 * (offset + (guint64) i));
      piece->values[2 * i + 1] =
          first + i > layout->lmax ? noise (2 * (offset + (guint64) i) + 1) : 0;
    }
  return TRUE;
}

static gboolean
fill_map (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaGrid *grid = user;

  (void) error;
  for (gint64 i = 0; i < piece->n; i++)
    piece->values[i] = noise ((guint64) (piece->field * grid->n_pixels + piece->first + i));
  return TRUE;
}

static gboolean
forget_map (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) piece, (void) user;
  (void) error;
  return TRUE;
}

static gboolean
forget_alm (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) piece, (void) user;
  (void) error;
  return TRUE;
}

static void
list_fields (ArmillaBenchmark *self)
{
  const ArmillaBenchmarkCase *what = &self->what;

  self->spins = g_new (int, 2 * MAX (what->n_spins, 1) * what->batch);
  for (int i = 0; i < MAX (what->n_spins, 1); i++)
    for (int copy = 0; copy < what->batch; copy++)
      for (int part = 0; part < (what->spins[i] > 0 ? 2 : 1); part++)
        self->spins[self->n_fields++] = what->spins[i];
}

static ArmillaMap *
new_map (ArmillaBenchmark *self)
{
  ArmillaMap *map = armilla_map_new (self->what.grid, self->n_fields);

  armilla_map_set_spins (map, self->spins);
  return map;
}

static ArmillaAlm *
new_alm (ArmillaBenchmark *self)
{
  ArmillaAlm *alm = armilla_alm_new (self->what.layout, self->n_fields);

  armilla_alm_set_spins (alm, self->spins);
  return alm;
}

static gboolean
from_map (const ArmillaBenchmarkCase *what)
{
  return what->analysis || what->kernel;
}

/* Returns the kinds of transforms that the graph will compute. */
static ArmillaTransforms
transforms (const ArmillaBenchmarkCase *what)
{
  if (what->kernel)
    return what->convolution.cut > 0 ? ARMILLA_TRANSFORMS_NONE : ARMILLA_TRANSFORMS_BOTH;
  return what->analysis ? ARMILLA_TRANSFORMS_ANALYSIS : ARMILLA_TRANSFORMS_SYNTHESIS;
}

static gboolean
fill_input (ArmillaBenchmark *self, GError **error)
{
  ArmillaBenchmarkCase *what = &self->what;

  if (from_map (what))
    {
      self->map = new_map (self);
      return armilla_graph_fill (self->graph, ARMILLA_DATA (self->map), fill_map, what->grid, NULL,
                                 error);
    }
  self->alm = new_alm (self);
  return armilla_graph_fill (self->graph, ARMILLA_DATA (self->alm), fill_alm, &what->layout, NULL,
                             error);
}

/* Creates the table before data are divided into tiles, which depends on it. */
static gboolean
ready_table (ArmillaBenchmark *self, GError **error)
{
  const ArmillaBenchmarkCase *what = &self->what;

  armilla_graph_set_legendre (self->graph, &what->legendre);
  return what->legendre.kind != ARMILLA_LEGENDRE_BUTTERFLY
         || armilla_graph_precompute (self->graph, what->layout, what->grid, self->n_fields, error);
}

/* Creates the input (noise), and computes the transform once to create tables and plans. Returns
 * the benchmark; NULL on error, with the error of the graph, the same on all ranks. */
ArmillaBenchmark *
armilla_benchmark_new (ArmillaRuntime *runtime, const ArmillaBenchmarkCase *what, GError **error)
{
  g_autoptr (ArmillaBenchmark) self = g_new0 (ArmillaBenchmark, 1);

  self->what = *what;
  armilla_grid_ref (self->what.grid);
  list_fields (self);
  if (self->what.kernel)
    armilla_kernel_ref (self->what.kernel);
  self->graph = armilla_graph_new (runtime, &what->tiling, error);
  if (self->graph == NULL)
    return NULL;
  armilla_graph_expect_transforms (self->graph, transforms (what));
  if (!ready_table (self, error) || !fill_input (self, error)
      || !armilla_graph_wait (self->graph, error)
      || !armilla_benchmark_call (self, &self->first, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Copies the output into host memory by a host step that declares a write access, but writes
 * nothing. */
static gboolean
bring_home (ArmillaBenchmark *self, GError **error)
{
  const enum starpu_data_access_mode mode = STARPU_RW;
  const ArmillaTile *tiles;
  int n;

  if (from_map (&self->what))
    {
      tiles = armilla_map_tiles (self->map, self->graph, error);
      n = tiles ? armilla_map_ring_blocks (self->map, self->graph, error)->n : 0;
    }
  else
    {
      tiles = armilla_alm_tiles (self->alm, self->graph, error);
      n = tiles ? armilla_alm_order_blocks (self->alm, self->graph)->n : 0;
    }
  for (int i = 0; i < n; i++)
    if (!armilla_host_step (self->graph, tiles[i].owner, &tiles[i], &mode, 1, NULL, NULL, NULL,
                            error))
      return FALSE;
  return tiles && armilla_graph_wait (self->graph, error);
}

/* Releases tiles as soon as they are read, as a workflow does after the last consumer. */
static gboolean
release (const ArmillaBenchmarkCase *what, ArmillaData *out)
{
  if (!what->resident)
    armilla_data_release (out);
  return TRUE;
}

/* Requests the synthesis or the convolution that is timed. */
static gboolean
start (ArmillaBenchmark *self, ArmillaMap *out, GError **error)
{
  const ArmillaBenchmarkCase *what = &self->what;

  if (!what->kernel)
    return armilla_graph_synthesis (self->graph, self->alm, out, error);
  return what->convolution.cut > 0
           ? armilla_graph_convolve_rings (self->graph, self->map, what->kernel, &what->convolution,
                                           out, error)
           : armilla_graph_convolve_harmonic (self->graph, self->map, what->kernel,
                                              what->layout.lmax, out, error);
}

static gboolean
ask (ArmillaBenchmark *self, GError **error)
{
  const ArmillaBenchmarkCase *what = &self->what;

  if (what->analysis && !what->kernel)
    {
      g_autoptr (ArmillaAlm) out = new_alm (self);

      return armilla_graph_analysis (self->graph, self->map, out, 0, error)
             && (what->resident
                 || armilla_graph_drain (self->graph, ARMILLA_DATA (out), forget_alm, NULL, NULL,
                                         NULL, error))
             && release (what, ARMILLA_DATA (out));
    }
  g_autoptr (ArmillaMap) out = new_map (self);

  return start (self, out, error)
         && (what->resident
             || armilla_graph_drain (self->graph, ARMILLA_DATA (out), forget_map, NULL, NULL, NULL,
                                     error))
         && release (what, ARMILLA_DATA (out));
}

/* Computes the transform once more. Collective. Returns whether it succeeded on all ranks. */
gboolean
armilla_benchmark_call (ArmillaBenchmark *self, double *seconds, GError **error)
{
  double start;

  if (!self->what.resident && !bring_home (self, error))
    return FALSE;
  start = starpu_timing_now (); /* in a simulation, StarPU's clock counts simulated time */
  if (!ask (self, error) || !armilla_graph_wait (self->graph, error))
    return FALSE;
  *seconds = 1e-6 * (starpu_timing_now () - start);
  return TRUE;
}

/* Returns the seconds of the first transform, which created tables and plans. */
double
armilla_benchmark_first_seconds (ArmillaBenchmark *self)
{
  return self->first;
}

/* Returns the graph that its calls submit to; the graph is idle between two calls. */
ArmillaGraph *
armilla_benchmark_graph (ArmillaBenchmark *self)
{
  return self->graph;
}

/* Returns the flops of adjacent fields of one spin on one m-block, all rings. */
static double
group_flops (const ArmillaRingBlocks *rings, const ArmillaOrderBlocks *orders, int o, int spin,
             int n_fields)
{
  ArmillaDeltaShape delta = { .lmax = orders->layout.lmax,
                              .m_first = orders->m_first[o],
                              .m_last = orders->m_last[o],
                              .n_fields = n_fields };
  ArmillaSpinShape pair = { .lmax = delta.lmax,
                            .m_first = delta.m_first,
                            .m_last = delta.m_last,
                            .n_maps = n_fields / 2,
                            .spin = spin };
  double flops = spin == 0 ? armilla_delta_prepare_cost (&delta).flops
                           : armilla_spin_prepare_cost (&pair).flops;

  for (int r = 0; r < rings->n; r++)
    {
      delta.n_pairs = pair.n_pairs = rings->block[r].n_pairs;
      flops += spin == 0 ? armilla_delta_synthesis_cost (&delta, rings->block[r].pairs).flops
                         : armilla_spin_synthesis_cost (&pair, rings->block[r].pairs).flops;
    }
  return flops;
}

/* Returns the flops of a convolution by rings. */
static double
plan_flops (ArmillaBenchmark *self)
{
  ArmillaRingBlocks *rings
    = armilla_graph_ring_blocks (self->graph, self->what.grid, self->n_fields, NULL);
  const ArmillaConvolvePlan *plan
    = rings ? armilla_graph_convolve_plan (self->graph, rings, self->what.kernel,
                                           &self->what.convolution, self->what.batch, NULL)
            : NULL;
  double flops = 0;

  for (int b = 0; plan && b < rings->n; b++)
    {
      const ArmillaRingBlock *block = &rings->block[b];
      const ArmillaRingShape shape = { .mmax = plan->mmax[b],
                                       .n_fields = self->what.batch,
                                       .n_slots = 2 * block->n_pairs,
                                       .n_pixels = block->n_pixels };

      flops += 2 * armilla_ring_cost (&shape, block->slots).flops;
      for (guint i = 0; i < plan->pieces[b]->len; i++)
        {
          const ArmillaConvolvePiece *piece
            = &g_array_index (plan->pieces[b], ArmillaConvolvePiece, i);
          ArmillaReductionShape reduction = piece->reduction;

          reduction.n_fields = self->what.batch;
          flops += armilla_kernel_gridding_cost (&piece->gridding).flops
                   + armilla_theta_reduction_cost (&reduction).flops;
        }
    }
  return flops;
}

/* Returns the floating-point operations of one call, as the kernels count their work. A transform:
 * the recurrence for the (l, m, ring) with a non-negligible P_lm, the FFTs of the rings, and the
 * conversion of a_lm to the basis of the recurrence. A convolution: samples and modes of the
 * kernel, and products. 0 if the grid cannot be divided into ring blocks. */
double
armilla_benchmark_flops (ArmillaBenchmark *self)
{
  const gboolean by_rings = self->what.kernel && self->what.convolution.cut > 0;
  const ArmillaRingBlocks *rings
    = by_rings ? NULL
               : armilla_graph_ring_blocks (self->graph, self->what.grid, self->n_fields, NULL);
  const ArmillaOrderBlocks *orders
    = armilla_graph_order_blocks (self->graph, self->what.layout, self->n_fields);
  double flops = 0;

  for (int o = 0; rings && o < orders->n; o++)
    for (int first = 0, end = 0; first < self->n_fields; first = end)
      {
        while (end < self->n_fields && self->spins[end] == self->spins[first])
          end++;
        flops += group_flops (rings, orders, o, self->spins[first], end - first);
      }
  for (int r = 0; rings && r < rings->n; r++)
    {
      const ArmillaRingBlock *block = &rings->block[r];
      const ArmillaRingShape shape = { .mmax = orders->layout.mmax,
                                       .n_fields = self->n_fields,
                                       .n_slots = 2 * block->n_pairs,
                                       .n_pixels = block->n_pixels };

      flops += armilla_ring_cost (&shape, block->slots).flops;
    }
  return by_rings ? plan_flops (self) : self->what.kernel ? 2 * flops : flops;
}

/* Returns the minimum traffic in bytes: the a_lm and the map, or the two maps of a convolution. */
double
armilla_benchmark_bytes (ArmillaBenchmark *self)
{
  const ArmillaBenchmarkCase *what = &self->what;

  if (what->kernel)
    return 16.0 * (double) what->grid->n_covered * what->batch;
  return (16.0 * (double) armilla_alm_count (what->layout) + 8.0 * (double) what->grid->n_covered)
         * self->n_fields;
}

void
armilla_benchmark_free (ArmillaBenchmark *self)
{
  g_clear_object (&self->alm);
  g_clear_object (&self->map);
  g_clear_pointer (&self->graph, armilla_graph_free);
  g_clear_pointer (&self->what.grid, armilla_grid_unref);
  g_free (self->spins);
  g_clear_pointer (&self->what.kernel, armilla_kernel_unref);
  g_free (self);
}
