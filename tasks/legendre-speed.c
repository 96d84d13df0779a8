/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long transforms take by recurrence and by a table. Seconds are those of one worker, so that
 * they compare whatever the number of workers. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "codelets/cost.h"
#include "codelets/delta-math.h"
#include "tasks/legendre.h"

/* Orders that stand for all when a table is estimated. */
#define SAMPLES 6
#define FIELDS 8
/* What a read from memory is measured with: more than caches hold. */
#define STREAM (64 << 20)

static double
now (void)
{
  return (double) g_get_monotonic_time () * 1e-6;
}

/**
 * armilla_legendre_pairs:
 * @grid: a grid
 *
 * Returns: (transfer full): [ARMILLA_PAIR_ROWS][pairs of the grid], from the poles to the equator
 */
double *
armilla_legendre_pairs (const ArmillaGrid *grid)
{
  const gint64 n = grid->n_pairs;
  double *pairs = g_new (double, ARMILLA_PAIR_ROWS * MAX (n, 1));

  for (gint64 p = 0; p < n; p++)
    {
      const ArmillaRingPair pair = grid->pairs[p];
      const ArmillaRing *ring = &grid->rings[pair.north >= 0 ? pair.north : pair.south];
      const double sign = pair.north >= 0 ? 1 : -1;

      pairs[ARMILLA_PAIR_COS * n + p] = sign * ring->cos_theta;
      pairs[ARMILLA_PAIR_COS_LO * n + p] = sign * ring->cos_lo;
      pairs[ARMILLA_PAIR_SIN * n + p] = ring->sin_theta;
      pairs[ARMILLA_PAIR_SIN_LO * n + p] = ring->sin_lo;
    }
  return pairs;
}

/* One order, compressed. Returns (transfer full): its words. @seconds: (out): how long it took */
static double *
compress_order (gint64 lmax, gint64 m, const double *pairs, gint64 n_pairs, double tolerance,
                ArmillaIsa isa, double *seconds)
{
  g_autofree double *scratch = NULL;
  ArmillaButterflyShape shape;
  double *words, start;

  armilla_butterfly_shape_init (&shape, lmax, m, n_pairs, tolerance);
  shape.isa = (int32_t) isa;
  words = g_new (double, armilla_butterfly_most_words (&shape));
  scratch = g_new (double, armilla_butterfly_compress_scratch (&shape));
  start = now ();
  armilla_butterfly_compress_cpu (&shape, pairs, words, scratch);
  *seconds = now () - start;
  return words;
}

/* The shortest of three times of a synthesis by recurrence of one order. */
static double
time_recurrence (const ArmillaDeltaShape *shape, const double *pairs)
{
  g_autofree double *table = g_new (double, armilla_delta_table_size (shape));
  g_autofree double *prepared = g_new0 (double, armilla_delta_prepared_size (shape));
  g_autofree double *tile = g_new0 (double, armilla_delta_tile_size (shape));
  g_autofree double *scratch = g_new0 (double, armilla_delta_scratch_size (shape));
  double best = INFINITY;

  armilla_delta_table_cpu (shape, table);
  for (int i = 0; i < 3; i++)
    {
      const double start = now ();

      armilla_delta_synthesis_cpu (shape, table, prepared, pairs, tile, scratch);
      best = MIN (best, now () - start);
    }
  return best;
}

/* Of an order whose matrices are not in the caches, as in a transform. */
static double
time_butterfly (const ArmillaButterflyBlock *block, const double *words)
{
  const ArmillaDeltaShape shape = { .lmax = block->lmax, .m_first = block->m_first,
                                    .m_last = block->m_last, .n_fields = block->n_fields,
                                    .n_pairs = block->n_pairs };
  g_autofree double *prepared = g_new0 (double, armilla_delta_prepared_size (&shape));
  g_autofree double *tile = g_new0 (double, armilla_delta_tile_size (&shape));
  g_autofree double *scratch = g_new0 (double, armilla_butterfly_apply_scratch (block));
  g_autofree char *other = g_malloc (STREAM);
  const gint64 offset = 0;
  double best = INFINITY;

  for (int i = 0; i < 3; i++)
    {
      double start;

      memset (other, i, STREAM);
      start = now ();
      armilla_butterfly_synthesis_cpu (block, words, &offset, prepared, tile, scratch);
      best = MIN (best, now () - start);
    }
  return best;
}

static double
time_byte (void)
{
  g_autofree char *from = g_malloc (STREAM);
  volatile guint64 sum;
  double best = INFINITY;

  memset (from, 1, STREAM);
  for (int i = 0; i < 3; i++)
    {
      const double start = now ();

      sum = armilla_legendre_checksum (from, STREAM);
      best = MIN (best, now () - start);
    }
  (void) sum;
  return best / STREAM;
}

/**
 * armilla_legendre_measure:
 * @speed: (out): how fast this machine is
 * @lmax: highest degree
 * @pairs: [ARMILLA_PAIR_ROWS][n_pairs]
 * @n_pairs: ring pairs of the grid
 * @tolerance: of the table
 * @isa: instruction set
 *
 * Times the CPU kernels on an order in the middle; takes a fraction of a second.
 */
void
armilla_legendre_measure (ArmillaLegendreSpeed *speed, gint64 lmax, const double *pairs,
                          gint64 n_pairs, double tolerance, ArmillaIsa isa)
{
  const gint64 m = lmax / 4;
  ArmillaButterflyBlock block = { .lmax = lmax, .m_first = m, .m_last = m, .n_fields = FIELDS,
                                  .n_pairs = n_pairs, .isa = (int32_t) isa };
  ArmillaDeltaShape delta = { .lmax = lmax, .m_first = m, .m_last = MIN (m + 3, lmax),
                              .n_fields = 1, .n_pairs = n_pairs, .isa = (int32_t) isa };
  g_autofree double *words = NULL;
  ArmillaButterflyShape shape;
  const gint64 *head;
  double steps, one, several;

  armilla_butterfly_shape_init (&shape, lmax, m, n_pairs, tolerance);
  words = compress_order (lmax, m, pairs, n_pairs, tolerance, isa, &speed->compress);
  speed->compress /= MAX (1, armilla_butterfly_compress_cost (&shape).flops);
  head = (const gint64 *) words;
  block.n_words = head[ARMILLA_BUTTERFLY_WORDS];
  block.width = head[ARMILLA_BUTTERFLY_WIDTH];
  block.elements = MAX (1, head[ARMILLA_BUTTERFLY_ELEMENTS]);
  speed->element = time_butterfly (&block, words) / (double) (FIELDS * block.elements);
  speed->byte = time_byte ();
  one = time_recurrence (&delta, pairs);
  steps = MAX (1, armilla_delta_needed_steps (&delta, pairs));
  delta.n_fields = FIELDS;
  several = time_recurrence (&delta, pairs);
  speed->step_field = MAX (0, several - one) / ((FIELDS - 1) * steps);
  speed->step = MAX (0, one / steps - speed->step_field);
}

/**
 * armilla_legendre_speed_of_gpus:
 *
 * Returns: how fast an H200 is, measured there: 4.1e12 steps of two degrees a second by recurrence
 *   with one field (two FMA of six); a table of 53.6e6 words (lmax 2047) takes 18.5 ms with 64
 *   fields and 0.58 ms with one
 */
const ArmillaLegendreSpeed *
armilla_legendre_speed_of_gpus (void)
{
  static const ArmillaLegendreSpeed h200 = { .step = 1.6e-13, .step_field = 3.2e-13,
                                          .element = 5.4e-12, .byte = 1.4e-12, .compress = 1e-10 };

  return &h200;
}

/**
 * armilla_legendre_seconds_by_recurrence:
 * @speed: how fast a worker is
 * @shape: orders and fields
 * @pairs: [ARMILLA_PAIR_ROWS][n_pairs]
 *
 * Returns: seconds of a worker for one way
 */
double
armilla_legendre_seconds_by_recurrence (const ArmillaLegendreSpeed *speed,
                                        const ArmillaDeltaShape *shape, const double *pairs)
{
  return armilla_delta_needed_steps (shape, pairs)
         * (speed->step + speed->step_field * (double) shape->n_fields);
}

/**
 * armilla_legendre_seconds_by_table:
 * @speed: how fast a worker is
 * @n_fields: fields that are transformed at once
 * @elements: multiplications for one vector
 * @words: doubles of the table
 *
 * Returns: seconds of a worker for one way: those of arithmetic, or those of memory where they are
 *   more; a CPU reads the table once for eight fields
 */
double
armilla_legendre_seconds_by_table (const ArmillaLegendreSpeed *speed, double n_fields,
                                   double elements, double words)
{
  return MAX (n_fields * elements * speed->element,
              8 * words * speed->byte * ceil (n_fields / FIELDS));
}

/**
 * armilla_legendre_estimate:
 * @estimate: (out): the estimate
 * @layout: layout of the a_lm
 * @pairs: [ARMILLA_PAIR_ROWS][n_pairs]
 * @n_pairs: ring pairs of the grid
 * @tolerance: of the table
 * @n_fields: fields that are transformed at once
 * @isa: instruction set
 *
 * Compresses a few orders, which stand for all.
 */
void
armilla_legendre_estimate (ArmillaLegendreEstimate *estimate, ArmillaAlmLayout layout,
                           const double *pairs, gint64 n_pairs, double tolerance, int n_fields,
                           ArmillaIsa isa)
{
  const ArmillaDeltaShape all = { .lmax = layout.lmax, .m_first = 0, .m_last = layout.mmax,
                                  .n_fields = n_fields, .n_pairs = n_pairs };
  const double share = (double) (layout.mmax + 1) / SAMPLES;
  double elements = 0, words = 0;

  *estimate = (ArmillaLegendreEstimate) { 0 };
  armilla_legendre_measure (&estimate->speed, layout.lmax, pairs, n_pairs, tolerance, isa);
  for (int i = 0; i < SAMPLES; i++)
    {
      const gint64 m = (2 * i + 1) * layout.mmax / (2 * SAMPLES);
      double seconds;
      g_autofree double *order = compress_order (layout.lmax, m, pairs, n_pairs, tolerance, isa,
                                                 &seconds);
      const gint64 *head = (const gint64 *) order;

      elements += share * (double) head[ARMILLA_BUTTERFLY_ELEMENTS];
      words += share * (double) head[ARMILLA_BUTTERFLY_WORDS];
      estimate->compress += share * seconds;
    }
  estimate->bytes = 8 * words;
  estimate->recurrence = armilla_legendre_seconds_by_recurrence (&estimate->speed, &all, pairs);
  estimate->butterfly = armilla_legendre_seconds_by_table (&estimate->speed, n_fields, elements,
                                                           words);
}

/**
 * armilla_legendre_break_even:
 * @compress: seconds to make the table
 * @recurrence: seconds of a transform by recurrence
 * @butterfly: seconds of a transform by the table
 * @n_fields: fields of a transform
 *
 * The number of transforms from which on a table pays, n = t_C / (t_M - t_B) (Carlson and Sundar
 * 2018, eq. 16). Our recurrence makes its matrices anew in each transform, so that the time for it
 * is part of t_M already and what eq. 17 takes off for it (k - 1 = 0 of n) is nothing.
 *
 * Returns: (transfer full): it, in words
 */
char *
armilla_legendre_break_even (double compress, double recurrence, double butterfly, int n_fields)
{
  if (butterfly >= recurrence)
    return g_strdup_printf ("with %d map%s at a time it never pays (%.3g s a transform by table, "
                            "%.3g s by recurrence, on one worker)", n_fields,
                            n_fields == 1 ? "" : "s", butterfly, recurrence);
  return g_strdup_printf ("it pays from %.0f transforms of %d map%s on (%.3g s to make, %.3g s a "
                          "transform by table, %.3g s by recurrence, on one worker)",
                          ceil (compress / (recurrence - butterfly)), n_fields,
                          n_fields == 1 ? "" : "s", compress, butterfly, recurrence);
}
