/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses between convolution by rings and through a_lm by predicted time. Operation counts come
 * from the cost functions of the kernels or, for the kernel on the rings, from their geometry;
 * rates of a worker and the cost of an empty task are measured. */
#include "config.h"

#include <math.h>

#include "codelets/legendre/delta-codelets.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/convolution/convolve-plan.h"

/* Operations per second of one core or one GPU. */
typedef struct {
  double transform;    /* ring FFTs and their copies */
  double recurrence;   /* Legendre functions */
  double tables;       /* coefficients of the Legendre functions, once per graph */
  double coefficients; /* transforms of kernel samples to modes */
  double products;     /* products of modes of the kernel and of the map */
  double copying;      /* bytes copied */
  double values;       /* pixel pairs of direct sums: evaluation of the kernel */
  double terms;        /* pixel pairs of direct sums: addition to the sums of a field */
  double task;         /* duration of a nearly empty task, s */
} Rates;

/* Rates of one core of a Xeon (Sapphire Rapids, AVX-512), nside 256 to 2048; tables and task were
 * measured on an EPYC, nside 32 to 512; see doc/measurements/performance.md. */
static const Rates cpu_rates = { 2.2e9, 3.2e10, 2.5e9, 6e10, 1.6e10, 8e9, 1.4e9, 2.2e10,
                                 2e-5 };
/* Rates of a GPU, estimated from the times of transforms on an H200. The rate of terms includes
 * evaluating the kernel, so the rate of values is infinite. */
static const Rates gpu_rates = { 1e12, 1.7e13, 1e12, 8e12, 1.5e12, 2e12, HUGE_VAL, 2e10, 3e-5 };

/* fixed cost of the transform of a ring, as operations */
#define RING_FLOPS 1000
/* number of tasks per ring block in a convolution by rings (besides the tasks that sample the
 * kernel), and in one through a_lm */
#define RING_TASKS 3
#define RING_TASKS_HARMONIC 4
/* tasks per m-block and direction, in addition to one per ring block */
#define ORDER_TASKS 4

/* Returns the rates. A CPU with shorter vectors (2 or 4 doubles instead of 8) is slower. */
static Rates
rates_of (const ArmillaGraph *graph)
{
  static const double narrower[] = { 4, 1.8, 1 };
  Rates rates = graph->view.gpus ? gpu_rates : cpu_rates;

  if (!graph->view.gpus)
    {
      rates.recurrence /= narrower[graph->view.isa];
      rates.coefficients /= narrower[graph->view.isa];
      rates.terms /= narrower[graph->view.isa];
    }
  return rates;
}

static double
workers_of (const ArmillaGraph *graph)
{
  return MAX (1, graph->view.gpus ? graph->view.gpus : graph->view.max_workers)
         * (double) graph->view.n_ranks;
}

/* Returns the time of @n equal pieces on @workers workers, as a fraction of their time on one. */
static double
share (double workers, double n)
{
  return ceil (n / workers) / MAX (n, 1);
}

/* Returns the operations of the ring transforms of all fields, one way. */
static double
transform_flops (const ArmillaGrid *grid, double band, int n_fields)
{
  double flops = 0;

  for (gint64 r = 0; r < grid->n_rings; r++)
    {
      const double n = (double) grid->rings[r].n_phi;

      flops += 2.5 * n * log2 (n + 1) + 6 * MIN (band, 0.5 * n) + RING_FLOPS;
    }
  return flops * n_fields;
}

/* Returns the number of m-blocks of a_lm; see armilla_graph_order_blocks(). */
static double
count_order_blocks (ArmillaGraph *graph, gint64 lmax, int n_fields)
{
  static const double alone[] = { 1 };
  const ArmillaAlmLayout layout = { lmax, lmax };
  ArmillaOrderBlocks *blocks
    = armilla_order_blocks_new (layout, n_fields, armilla_graph_m_blocks (graph, layout, n_fields),
                                1, alone);
  const double n = blocks->n;

  armilla_order_blocks_free (blocks);
  return n;
}

/* Predicts the time through a_lm: ring transforms by ring block, Legendre functions by m-block. */
static double
harmonic_seconds (ArmillaGraph *graph, ArmillaRingBlocks *rings, gint64 lmax, int n_fields,
                  const Rates *rates, double workers)
{
  const ArmillaGrid *grid = rings->grid;
  const ArmillaDeltaShape all = { .lmax = lmax, .m_last = lmax, .n_fields = n_fields };
  const double blocks = (double) rings->n;
  const double order_blocks = count_order_blocks (graph, lmax, n_fields);
  /* Transforms may compute only 5/4 (lmax + 1) rings by the recurrence and interpolate the others
   * in theta, which takes 0.15 of the time of the recurrence on all rings. */
  const double fewer = 1.25 * (double) (lmax + 1) / (double) grid->n_rings + 0.15;
  double recurrence = 0, modes = 0, by_order, by_ring;

  for (int b = 0; b < rings->n; b++)
    {
      ArmillaDeltaShape shape = all;

      shape.n_pairs = rings->block[b].n_pairs;
      recurrence += armilla_delta_synthesis_cost (&shape, rings->block[b].pairs).flops;
      modes += 32.0 * (double) rings->block[b].n_pairs * (double) (lmax + 1) * n_fields;
    }
  if (!graph->view.gpus && graph->tiling.interpolation != ARMILLA_INTERPOLATION_NEVER)
    recurrence *= MIN (1, fewer);
  by_order = 2 * recurrence / rates->recurrence
             + armilla_delta_table_cost (&all).flops / rates->tables
             + order_blocks * (2 * blocks + ORDER_TASKS) * rates->task;
  by_ring = 2 * transform_flops (grid, (double) lmax, n_fields) / rates->transform
            + 4 * modes / rates->copying + blocks * RING_TASKS_HARMONIC * rates->task;
  return by_order * share (workers, order_blocks) + by_ring * share (workers, blocks);
}

/* Returns the colatitudes of the ring pairs, beginning at the pole. */
static double *
pair_angles (const ArmillaRingBlocks *rings)
{
  double *theta = g_new (double, MAX (rings->grid->n_pairs, 1));
  gint64 n = 0;

  for (int b = 0; b < rings->n; b++)
    for (gint64 p = 0; p < rings->block[b].n_pairs; p++)
      {
        const double *pairs = rings->block[b].pairs;
        const gint64 n_pairs = rings->block[b].n_pairs;

        theta[n++] = atan2 (pairs[ARMILLA_PAIR_SIN * n_pairs + p],
                            pairs[ARMILLA_PAIR_COS * n_pairs + p]);
      }
  return theta;
}

/* Returns the number of products (output pixel, input pixel) if the rings that do not match their
 * neighbours are summed directly: all rings of a grid of rings, and HEALPix rings within @cut of a
 * polar cap. */
static double
direct_terms (const ArmillaGrid *grid, const double *theta, double cut)
{
  const double s = sin (0.5 * cut), pixels = (double) grid->n_pixels * s * s;
  double terms = 0;

  for (gint64 p = 0; p < grid->n_pairs; p++)
    {
      const gint64 r = grid->pairs[p].north >= 0 ? grid->pairs[p].north : grid->pairs[p].south;
      const gint64 edge = MIN (grid->nside, grid->n_pairs) - 1;

      if (grid->kind == ARMILLA_GRID_RINGS
          || (grid->kind == ARMILLA_GRID_HEALPIX && theta[p] <= theta[edge] + cut))
        terms += 2 * (double) grid->rings[r].n_phi * pixels;
    }
  return terms;
}

/* Counts the pairs (output block, input block) of ring blocks that the kernel connects. A block
 * contains a range of rings and its mirror image in the other hemisphere. */
static double
count_pieces (const ArmillaRingBlocks *rings, const double *theta, double cut)
{
  const double *a = theta, *b;
  double pieces = 0;

  for (int i = 0; i < rings->n; a += rings->block[i++].n_pairs)
    {
      const double a_last = a[rings->block[i].n_pairs - 1];

      b = theta;
      for (int k = 0; k < rings->n; b += rings->block[k++].n_pairs)
        {
          const double b_last = b[rings->block[k].n_pairs - 1];

          pieces += (a[0] - b_last <= cut && b[0] - a_last <= cut) || G_PI - a_last - b_last <= cut;
        }
    }
  return pieces;
}

static double
ring_seconds (const ArmillaRingBlocks *rings, ArmillaKernel *kernel,
              const ArmillaRingConvolution *options, int n_fields, const Rates *rates,
              double workers)
{
  const ArmillaGrid *grid = rings->grid;
  const double band = (double) armilla_kernel_band_limit (
    kernel, 0.1 * options->accuracy, 2 * armilla_convolve_degrees (grid));
  g_autofree double *theta = pair_angles (rings);
  const gint64 n = grid->n_pairs;
  double coefficients = 0, products = 0, bytes = 0, seconds;
  gint64 first = 0, last = 0;

  for (gint64 p = 0; p < n; p++)
    {
      const ArmillaRing *ring
        = &grid->rings[grid->pairs[p].north >= 0 ? grid->pairs[p].north : grid->pairs[p].south];
      const double s = ring->sin_theta, nyquist = 0.5 * (double) ring->n_phi;
      double orders = band * s + 5 * cbrt (band * s + 1) + 3, samples, rows;

      while (theta[p] - theta[first] > options->cut)
        first++;
      while (last + 1 < n && theta[last + 1] - theta[p] <= options->cut)
        last++;
      rows = (double) (last + 1 - first);
      if (theta[p] + options->cut > G_PI - theta[n - 1]) /* reaches across the equator */
        rows = 2 * options->cut / MAX (theta[n - 1] - theta[0], 1e-9) * (double) (n - 1) + 1;
      /* on average a disc cuts pi / 4 of its width out of a ring */
      orders = orders >= 0.66 * nyquist && ring->n_phi >= 4 * s * (double) n ? nyquist : orders;
      samples = MIN (0.25 * G_PI * options->cut / MAX (s, 1e-9) * 2 * orders / (2 * G_PI) * 2 + 1,
                     1.2 * orders + 1);
      coefficients += rows * orders * samples;
      products += rows * orders;
      bytes += 4 * 32 * orders * n_fields;
    }
  if (options->exact)
    {
      const double pairs = direct_terms (grid, theta, options->cut);

      coefficients += 0.5 * rates->coefficients
                      * (pairs / rates->values + pairs * n_fields / rates->terms);
    }
  seconds = 2 * coefficients / rates->coefficients + 8 * products * n_fields / rates->products
            + 2 * transform_flops (grid, band, n_fields) / rates->transform + bytes / rates->copying
            + (2 * count_pieces (rings, theta, options->cut) + (double) rings->n * RING_TASKS)
                * rates->task;
  return seconds * share (workers, rings->n);
}

/* Predicts the times of both methods on the workers of the graph from the built-in rates; the time
 * by rings is 0 if the cut is 0. They include the coefficients of the Legendre functions, but not
 * the kernel's table and the plan. */
ArmillaConvolvePrediction
armilla_convolve_predict (ArmillaGraph *graph, ArmillaRingBlocks *rings, ArmillaKernel *kernel,
                          const ArmillaConvolution *what, int n_fields)
{
  const Rates rates = rates_of (graph);
  const double workers = workers_of (graph);
  ArmillaConvolvePrediction seconds = { 0, 0 };

  seconds.harmonic = harmonic_seconds (graph, rings, what->lmax, n_fields, &rates, workers);
  if (what->ring.cut > 0)
    seconds.ring = ring_seconds (rings, kernel, &what->ring, n_fields, &rates, workers);
  return seconds;
}

/* Returns the ratio of measured and predicted time that `armilla tune` found on this machine. */
static double
tuned (const ArmillaGraph *graph, const ArmillaRingBlocks *rings, ArmillaTuneName name)
{
  const gint64 percent = armilla_graph_tuned (graph, ARMILLA_TRANSFORMS_NONE,
                                              rings->grid->n_pairs, 1, name);

  return percent > 0 ? 0.01 * (double) percent : 1;
}

static char *
describe_error (const ArmillaConvolveError *error, double accuracy)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "an error %s %.2g",
                          error->of_rest > ARMILLA_CONVOLVE_MIN_REPORTED * accuracy ? "of"
                                                                                   : "below",
                          error->of_rest);
  if (error->of_mean > 0)
    g_string_append_printf (text, " and of %.2g times the mean of the map",
                            MAX (error->of_mean, 1e-15));
  if (error->of_rest > accuracy)
    g_string_append_printf (text, ", more than the requested accuracy of %.2g", accuracy);
  return g_string_free (text, FALSE);
}

static gboolean
by_rings (ArmillaGraph *graph, ArmillaMap *map, ArmillaKernel *kernel,
          const ArmillaConvolution *what, ArmillaMap *out, double seconds, const char *why,
          GError **error)
{
  g_autofree char *errs = describe_error (&what->by_rings, what->ring.accuracy);

  if (!armilla_graph_convolve_rings (graph, map, kernel, &what->ring, out, error))
    return FALSE;
  armilla_graph_add_choice (graph, seconds,
                            "convolved ring by ring (%s)%s; the kernel is cut off at %.4g arcmin; "
                            "%s",
                            why,
                            what->ring.exact ? ", pixel by pixel where rings do not match" : "",
                            what->ring.cut * 10800 / G_PI, errs);
  return TRUE;
}

static gboolean
by_degrees (ArmillaGraph *graph, ArmillaMap *map, ArmillaKernel *kernel,
            const ArmillaConvolution *what, ArmillaMap *out, double seconds, const char *why,
            GError **error)
{
  g_autofree char *errs = describe_error (&what->by_degrees, what->ring.accuracy);

  if (!armilla_graph_convolve_harmonic (graph, map, kernel, what->lmax, out, error))
    return FALSE;
  armilla_graph_add_choice (graph, seconds,
                            "convolved through a_lm (%s); lmax is %" G_GINT64_FORMAT "; %s", why,
                            what->lmax, errs);
  return TRUE;
}

/* Returns whether to convolve by rings: the faster method of those that reach the accuracy. If none
 * does, e.g. because the user set the cut, the one with the smaller error. */
static gboolean
rings_are_better (const ArmillaConvolution *what, double ring, double harmonic, char **why)
{
  const double accuracy = what->ring.accuracy;
  const double of_ring = what->by_rings.of_rest, of_harmonic = what->by_degrees.of_rest;

  if (MAX (of_ring, of_harmonic) <= accuracy)
    {
      *why = g_strdup_printf ("predicted: %.3g s by rings, %.3g s through a_lm", ring, harmonic);
      return ring <= harmonic;
    }
  *why = g_strdup_printf ("%s would have an error of %.2g; predicted: %.3g s by rings, %.3g s "
                          "through a_lm",
                          of_ring <= of_harmonic ? "method = harmonic" : "method = ring",
                          MAX (of_ring, of_harmonic), ring, harmonic);
  return of_ring <= of_harmonic;
}

/* Requests a convolution by armilla_graph_convolve_rings() or armilla_graph_convolve_harmonic(),
 * and records the choice, its reason and the predicted time. The choice depends on the shapes, the
 * instruction set and the kinds of workers, so it is the same on all ranks. Returns whether the
 * convolution is possible; ARMILLA_ERROR_SHAPE or ARMILLA_ERROR_VALUE otherwise. */
gboolean
armilla_graph_convolve (ArmillaGraph *graph, ArmillaMap *map, ArmillaKernel *kernel,
                        const ArmillaConvolution *what, ArmillaMap *out, GError **error)
{
  ArmillaRingBlocks *rings = armilla_map_ring_blocks (map, graph, error);
  g_autoptr (GError) local = NULL;
  ArmillaConvolvePrediction seconds;
  double ring, harmonic;
  g_autofree char *why = NULL;

  if (!rings)
    return FALSE;
  seconds = armilla_convolve_predict (graph, rings, kernel, what, armilla_map_n_fields (map));
  ring = seconds.ring * tuned (graph, rings, ARMILLA_TUNE_CONVOLVE_RING);
  harmonic = seconds.harmonic * tuned (graph, rings, ARMILLA_TUNE_CONVOLVE_HARMONIC);
  if (what->method == ARMILLA_CONVOLVE_HARMONIC)
    return by_degrees (graph, map, kernel, what, out, harmonic, "as requested", error);
  if (what->method == ARMILLA_CONVOLVE_RING)
    return by_rings (graph, map, kernel, what, out, ring, "as requested", error);
  if (rings_are_better (what, ring, harmonic, &why)
      && by_rings (graph, map, kernel, what, out, ring, why, &local))
    return TRUE;
  /* Convolution by rings was refused: its tables are too large, or the grid is not symmetric about
   * the equator. */
  if (local)
    {
      g_free (why);
      why = g_strdup ("the grid or the kernel does not allow convolution by rings");
    }
  return by_degrees (graph, map, kernel, what, out, harmonic, why, error);
}
