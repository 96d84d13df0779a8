/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/butterfly/butterfly-block.h"

#include <armilla/grid.h>
#include <math.h>
#include <string.h>

static void
set_gauss (double *pairs, gint64 n, gint64 n_rings)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_gauss_legendre (n_rings, 4, NULL);

  g_assert_nonnull (grid);
  g_assert_cmpint (grid->n_pairs, ==, n);
  for (gint64 p = 0; p < n; p++)
    {
      const ArmillaRing *ring = &grid->rings[grid->pairs[p].north];

      delta_set_pair (pairs, n, p, (Quad) ring->cos_theta + ring->cos_lo,
                      (Quad) ring->sin_theta + ring->sin_lo);
    }
}

static void
compress (ButterflyBlock *b, double tolerance)
{
  const gint64 n_orders = b->shape.m_last - b->shape.m_first + 1;
  g_autofree double **orders = g_new0 (double *, n_orders);

  b->offsets = g_new (gint64, n_orders);
  for (gint64 i = 0; i < n_orders; i++)
    {
      const gint64 m = b->shape.m_first + i;
      g_autofree double *scratch = NULL;
      ArmillaButterflyShape shape;
      const gint64 *head;

      armilla_butterfly_shape_init (&shape, b->shape.lmax, m, b->shape.n_pairs, tolerance);
      shape.isa = b->shape.isa;
      orders[i] = g_new (double, armilla_butterfly_max_words (&shape));
      scratch = g_new (double, armilla_butterfly_compress_scratch (&shape));
      delta_fill_nan (orders[i], armilla_butterfly_max_words (&shape));
      delta_fill_nan (scratch, armilla_butterfly_compress_scratch (&shape));
      g_assert_null (armilla_butterfly_compress_cpu (&shape, b->delta.pairs, orders[i], scratch));
      head = (const gint64 *) orders[i];
      g_assert_cmpint (head[ARMILLA_BUTTERFLY_WORDS], <=, armilla_butterfly_max_words (&shape));
      b->offsets[i] = b->shape.n_words;
      b->shape.n_words += armilla_butterfly_pad (head[ARMILLA_BUTTERFLY_WORDS]);
      b->shape.width = MAX (b->shape.width, head[ARMILLA_BUTTERFLY_WIDTH]);
      b->shape.elements += head[ARMILLA_BUTTERFLY_ELEMENTS];
    }
  b->words = g_new0 (double, b->shape.n_words);
  for (gint64 i = 0; i < n_orders; i++)
    {
      const gint64 n = ((const gint64 *) orders[i])[ARMILLA_BUTTERFLY_WORDS];

      memcpy (b->words + b->offsets[i], orders[i], sizeof (double) * (gsize) n);
      g_free (orders[i]);
    }
}

void
butterfly_block_init (ButterflyBlock *b, gint64 lmax, gint64 m_first, gint64 m_last,
                      gint64 n_fields, gint64 nside, double tolerance, ArmillaIsa isa)
{
  const gint64 n_pairs = nside > 0 ? 2 * nside : lmax / 2 + 1;
  const ArmillaDeltaShape shape = { .lmax = lmax, .m_first = m_first, .m_last = m_last,
                                    .n_fields = n_fields, .n_pairs = n_pairs,
                                    .isa = (int32_t) isa };
  gint64 n;

  *b = (ButterflyBlock) { .shape = { .lmax = lmax, .m_first = m_first, .m_last = m_last,
                                     .n_fields = n_fields, .n_pairs = n_pairs,
                                     .isa = (int32_t) isa } };
  delta_block_init (&b->delta, &shape);
  if (nside > 0)
    delta_set_healpix (b->delta.pairs, n_pairs, nside, 1);
  else
    set_gauss (b->delta.pairs, n_pairs, lmax + 1);
  armilla_delta_table_cpu (&shape, b->delta.table);
  delta_random (b->delta.alm, 2 * n_fields * b->delta.n_alm, (guint32) (lmax + m_first));
  one_tile_delta_prepare (&shape, b->delta.basis, b->delta.alm, b->delta.prepared);
  compress (b, tolerance);
  n = armilla_butterfly_apply_scratch (&b->shape);
  b->scratch = g_new (double, n);
  delta_fill_nan (b->scratch, n);
  b->tile = g_new (double, armilla_delta_tile_size (&shape));
  delta_fill_nan (b->tile, armilla_delta_tile_size (&shape));
  b->prepared = g_new0 (double, armilla_delta_prepared_size (&shape));
}

void
butterfly_block_clear (ButterflyBlock *b)
{
  delta_block_clear (&b->delta);
  g_free (b->words);
  g_free (b->offsets);
  g_free (b->scratch);
  g_free (b->tile);
  g_free (b->prepared);
}

double
butterfly_distance (const double *a, const double *b, gint64 n)
{
  long double d = 0, norm = 0;

  for (gint64 i = 0; i < n; i++)
    {
      d += ((long double) a[i] - b[i]) * ((long double) a[i] - b[i]);
      norm += (long double) b[i] * b[i];
    }
  return (double) sqrtl (norm > 0 ? d / norm : d);
}
