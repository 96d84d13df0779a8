/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates how long transforms take by recurrence and by table, in seconds of one worker, so that
 * figures are comparable for any number of workers. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "codelets/butterfly/butterfly-codelets.h"
#include "codelets/butterfly/butterfly-cpu.h"
#include "codelets/legendre/delta-codelets.h"
#include "core/grids/grid.h"
#include "tasks/harmonic/legendre.h"

/* number of orders that are compressed to estimate the cost of a table */
#define SAMPLES 6
/* Numbers of orders and fields of a speed measurement, of its repetitions, and of further
 * repetitions if a call takes less than the given seconds, since short calls are disturbed more. */
#define ORDERS 4
#define FIELDS ARMILLA_BUTTERFLY_GROUP
#define REPEATS 3
#define MAX_REPEATS 50
#define SECONDS 0.1
/* maximum bytes written between two measurements to evict the caches */
#define STREAM (64 << 20)

static double
now (void)
{
  return (double) g_get_monotonic_time () * 1e-6;
}

/* Returns [ARMILLA_PAIR_ROWS][pairs of the grid], from the poles to the equator. */
double *
armilla_legendre_pairs (const ArmillaGrid *grid)
{
  double *pairs = g_new (double, ARMILLA_PAIR_ROWS * MAX (grid->n_pairs, 1));

  armilla_grid_fill_pairs (grid, 0, grid->n_pairs, pairs);
  return pairs;
}

/* Compressed orders of a block, or one order, in sequence. */
typedef struct {
  double *words;
  gint64 offsets[ORDERS];
  double seconds; /* seconds that compression took */
} Orders;

static void
orders_clear (Orders *orders)
{
  g_free (orders->words);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Orders, orders_clear)

static gboolean
compress_order (Orders *orders, ArmillaButterflyBlock *block, gint64 m, const double *pairs,
                double tolerance, GError **error)
{
  g_autofree double *scratch = NULL, *words = NULL;
  ArmillaButterflyShape shape;
  const gint64 *head;
  const char *wrong;
  double start;

  armilla_butterfly_shape_init (&shape, block->lmax, m, block->n_pairs, tolerance);
  shape.isa = block->isa;
  words = g_new (double, armilla_butterfly_max_words (&shape));
  scratch = g_new (double, armilla_butterfly_compress_scratch (&shape));
  start = now ();
  wrong = armilla_butterfly_compress_cpu (&shape, pairs, words, scratch);
  if (wrong)
    return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                         "LAPACK's %s failed for order %" G_GINT64_FORMAT "; was it built with "
                         "32-bit integers?", wrong, m);
  orders->seconds += now () - start;
  head = (const gint64 *) words;
  orders->offsets[m - block->m_first] = block->n_words;
  orders->words = g_renew (double, orders->words,
                           block->n_words + armilla_butterfly_pad (head[ARMILLA_BUTTERFLY_WORDS]));
  memcpy (orders->words + block->n_words, words,
          sizeof (double) * (gsize) head[ARMILLA_BUTTERFLY_WORDS]);
  block->n_words += armilla_butterfly_pad (head[ARMILLA_BUTTERFLY_WORDS]);
  block->width = MAX (block->width, head[ARMILLA_BUTTERFLY_WIDTH]);
  block->elements += head[ARMILLA_BUTTERFLY_ELEMENTS];
  return TRUE;
}

/* Data of a block of orders for both methods. */
typedef struct {
  ArmillaButterflyBlock block;
  ArmillaDeltaShape shape;
  const Orders *orders;
  const double *pairs;
  double *basis, *prepared, *tile, *scratch;
} Ways;

enum { TABLE, TABLE_ADJOINT, RECURRENCE, RECURRENCE_ADJOINT, N_WAYS };

static void
go (const Ways *w, int way)
{
  if (way == TABLE)
    armilla_butterfly_synthesis_cpu (&w->block, w->orders->words, w->orders->offsets, w->prepared,
                                     w->tile, w->scratch);
  else if (way == TABLE_ADJOINT)
    armilla_butterfly_adjoint_cpu (&w->block, w->orders->words, w->orders->offsets, w->tile,
                                   w->prepared, w->scratch);
  else if (way == RECURRENCE)
    armilla_delta_synthesis_cpu (&w->shape, w->basis, w->prepared, w->pairs, NULL, w->tile,
                                 w->scratch);
  else
    armilla_delta_adjoint_cpu (&w->shape, w->basis, w->tile, w->pairs, NULL, FALSE, w->prepared,
                               w->scratch);
}

/* Measures the seconds that a block of orders takes with the given fields: by recurrence in its
 * faster direction, by table in its slower direction. The matrices are evicted from the caches
 * before, as other orders do in a transform. */
static void
time_block (const ArmillaButterflyBlock *block, const Orders *orders, gint64 n_fields,
            const double *pairs, double *recurrence, double *table)
{
  Ways w = { .block = *block, .orders = orders, .pairs = pairs,
             .shape = { .lmax = block->lmax, .m_first = block->m_first, .m_last = block->m_last,
                        .n_fields = n_fields, .n_pairs = block->n_pairs, .isa = block->isa } };
  g_autofree double *basis = g_new (double, armilla_delta_basis_size (block->lmax));
  g_autofree double *prepared = g_new0 (double, armilla_delta_prepared_size (&w.shape));
  g_autofree double *tile = g_new0 (double, armilla_delta_tile_size (&w.shape));
  g_autofree double *scratch = NULL;
  /* as many bytes as the other orders of a transform read between two uses of this block */
  const gsize n = (gsize) MIN (STREAM, 8 * block->n_words * (block->lmax / ORDERS + 1));
  g_autofree char *other = g_malloc (n);
  const double end = now () + SECONDS;
  double best[N_WAYS] = { INFINITY, INFINITY, INFINITY, INFINITY };

  w.block.n_fields = n_fields;
  scratch = g_new0 (double, MAX (armilla_delta_scratch_size (&w.shape),
                                 armilla_butterfly_apply_scratch (&w.block)));
  w.basis = basis;
  w.prepared = prepared;
  w.tile = tile;
  w.scratch = scratch;
  armilla_delta_basis_cpu (block->lmax, basis);
  for (int i = 0; i < N_WAYS * REPEATS || (i < N_WAYS * MAX_REPEATS && now () < end); i++)
    {
      double start;

      memset (other, i, n);
      start = now ();
      go (&w, i % N_WAYS);
      best[i % N_WAYS] = MIN (best[i % N_WAYS], now () - start);
    }
  *recurrence = MIN (best[RECURRENCE], best[RECURRENCE_ADJOINT]);
  *table = MAX (best[TABLE], best[TABLE_ADJOINT]);
}

/* Times the CPU kernels on some middle orders in both directions, with one and with several fields;
 * takes a second at lmax 4096. ARMILLA_ERROR_NUMERIC if LAPACK fails. */
gboolean
armilla_legendre_measure (ArmillaLegendreSpeed *speed, gint64 lmax, const double *pairs,
                          gint64 n_pairs, double tolerance, ArmillaIsa isa, GError **error)
{
  const gint64 m = lmax / 4;
  ArmillaButterflyBlock block = { .lmax = lmax, .m_first = m, .m_last = MIN (m + ORDERS - 1, lmax),
                                  .n_pairs = n_pairs, .isa = (int32_t) isa };
  const ArmillaDeltaShape delta = { .lmax = lmax, .m_first = m, .m_last = block.m_last,
                                    .n_fields = 1, .n_pairs = n_pairs };
  g_auto (Orders) orders = { 0 };
  double steps = MAX (1, armilla_delta_needed_steps (&delta, pairs)), elements, flops = 0;
  double recurrence[2], table[2];

  for (gint64 i = m; i <= block.m_last; i++)
    {
      ArmillaButterflyShape shape;

      armilla_butterfly_shape_init (&shape, lmax, i, n_pairs, tolerance);
      flops += armilla_butterfly_compress_cost (&shape).flops;
      if (!compress_order (&orders, &block, i, pairs, tolerance, error))
        return FALSE;
    }
  time_block (&block, &orders, 1, pairs, &recurrence[0], &table[0]);
  time_block (&block, &orders, FIELDS, pairs, &recurrence[1], &table[1]);
  elements = (double) MAX (1, block.elements);
  speed->compress = orders.seconds / MAX (1, flops);
  speed->element = MAX (0, table[1] - table[0]) / ((FIELDS - 1) * elements);
  speed->byte = MAX (0, table[0] - speed->element * elements) / (8 * (double) block.n_words);
  speed->step_field = MAX (0, recurrence[1] - recurrence[0]) / ((FIELDS - 1) * steps);
  speed->step = MAX (0, recurrence[0] / steps - speed->step_field);
  return TRUE;
}

/* Returns the seconds that one worker needs for one direction. */
double
armilla_legendre_seconds_by_recurrence (const ArmillaLegendreSpeed *speed,
                                        const ArmillaDeltaShape *shape, const double *pairs)
{
  return armilla_delta_needed_steps (shape, pairs)
         * (speed->step + speed->step_field * (double) shape->n_fields);
}

/* Returns the seconds that one worker needs for one direction. The table is read and unpacked once
 * per sixteen fields; kernels process 1, 2, 4 or 8 fields at a time. */
double
armilla_legendre_seconds_by_table (const ArmillaLegendreSpeed *speed, double n_fields,
                                   double elements, double words)
{
  const double group = n_fields > 4 ? FIELDS : n_fields > 2 ? 4 : n_fields;

  return group * ceil (n_fields / group) * elements * speed->element
         + 8 * words * speed->byte * ceil (n_fields / (FIELDS * ARMILLA_BUTTERFLY_GROUPS));
}

/* Estimates the cost of a table by compressing a few orders on a core of this machine.
 * ARMILLA_ERROR_NUMERIC if LAPACK fails. */
gboolean
armilla_legendre_estimate (ArmillaLegendreEstimate *estimate, ArmillaAlmLayout layout,
                           const double *pairs, gint64 n_pairs, double tolerance, ArmillaIsa isa,
                           GError **error)
{
  const double share = (double) (layout.mmax + 1) / SAMPLES;

  *estimate = (ArmillaLegendreEstimate) { 0 };
  if (!armilla_legendre_measure (&estimate->speed, layout.lmax, pairs, n_pairs, tolerance, isa,
                                 error))
    return FALSE;
  for (int i = 0; i < SAMPLES; i++)
    {
      const gint64 m = (2 * i + 1) * layout.mmax / (2 * SAMPLES);
      ArmillaButterflyBlock block = { .lmax = layout.lmax, .m_first = m, .m_last = m,
                                      .n_pairs = n_pairs, .isa = (int32_t) isa };
      g_auto (Orders) orders = { 0 };

      if (!compress_order (&orders, &block, m, pairs, tolerance, error))
        return FALSE;
      estimate->elements += share * (double) block.elements;
      estimate->words += share * (double) block.n_words;
      estimate->compress += share * orders.seconds;
    }
  return TRUE;
}

/* Returns, as text, the number of transforms after which the time to create a table is regained:
 * Carlson and Sundar's eq. 16. The terms that their eq. 17 adds are already in the recurrence time;
 * see doc/butterfly.md. */
char *
armilla_legendre_break_even (double compress, double recurrence, double butterfly, int n_fields)
{
  if (butterfly >= recurrence)
    return g_strdup_printf ("with %d map%s at a time it is never faster (%.3g s per transform by "
                            "table, %.3g s by recurrence, on one worker)", n_fields,
                            n_fields == 1 ? "" : "s", butterfly, recurrence);
  return g_strdup_printf ("it saves time from %.0f transforms of %d map%s on (%.3g s to create it, "
                          "%.3g s per transform by table, %.3g s by recurrence, on one worker)",
                          ceil (compress / (recurrence - butterfly)), n_fields,
                          n_fields == 1 ? "" : "s", compress, butterfly, recurrence);
}
