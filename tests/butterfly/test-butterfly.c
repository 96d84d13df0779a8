/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed matrices against the recurrence and against sums in quadruple precision; the adjoint;
 * what a damaged one is told to be. ARMILLA_TEST_LARGE=1 adds orders of lmax 4096. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "codelets/butterfly/butterfly-pack.h"
#include "tests/butterfly/butterfly-block.h"

static void
apply (ButterflyBlock *b)
{
  armilla_butterfly_synthesis_cpu (&b->shape, b->words, b->offsets, b->delta.prepared, b->tile,
                                   b->scratch);
}

static void
apply_adjoint (ButterflyBlock *b, const double *tile)
{
  memset (b->prepared, 0,
          sizeof (double) * (gsize) armilla_delta_prepared_size (&b->delta.shape));
  armilla_butterfly_adjoint_cpu (&b->shape, b->words, b->offsets, tile, b->prepared, b->scratch);
}

/* Both directions against the recurrence. Returns the greater of the distances. */
static double
compare_with_recurrence (ButterflyBlock *b)
{
  DeltaBlock *d = &b->delta;
  const gint64 n = armilla_delta_tile_size (&d->shape), n_alm = 2 * d->n_alm * d->shape.n_fields;
  g_autofree double *expected = g_new (double, n_alm);
  double there, back;

  apply (b);
  armilla_delta_synthesis_cpu (&d->shape, d->basis, d->prepared, d->pairs, NULL, d->tile,
                               d->scratch);
  there = butterfly_distance (b->tile, d->tile, n);
  delta_random (d->tile, n, 77);
  memset (b->prepared, 0, sizeof (double) * (gsize) armilla_delta_prepared_size (&d->shape));
  armilla_delta_adjoint_cpu (&d->shape, d->basis, d->tile, d->pairs, NULL, FALSE, b->prepared,
                             d->scratch);
  one_tile_delta_finish (&d->shape, d->basis, b->prepared, expected);
  apply_adjoint (b, d->tile);
  one_tile_delta_finish (&d->shape, d->basis, b->prepared, d->alm);
  back = butterfly_distance (d->alm, expected, n_alm);
  return MAX (there, back);
}

/* Of three orders. */
static double
find_distance (gint64 lmax, gint64 m_first, gint64 nside, double tolerance)
{
  g_auto (ButterflyBlock) b = { 0 };
  double distance;

  butterfly_block_init (&b, lmax, m_first, m_first + 2, 2, nside, tolerance,
                        armilla_isa_detect ());
  distance = compare_with_recurrence (&b);
  g_test_message ("lmax %" G_GINT64_FORMAT " m %" G_GINT64_FORMAT " nside %" G_GINT64_FORMAT
                  " tolerance %g: %.2g, %.3g elements an order", lmax, m_first, nside, tolerance,
                  distance, (double) b.shape.elements / 3);
  return distance;
}

static void
check_tolerance (gint64 lmax, gint64 m_first, gint64 nside, double tolerance)
{
  /* What is promised of the table as a whole holds here for three orders. */
  g_assert_cmpfloat (find_distance (lmax, m_first, nside, tolerance), <=, 10 * tolerance);
}

static void
test_tolerance (void)
{
  const double tolerances[] = { 1e-4, 1e-7, 1e-10, 1e-13 };

  for (gsize t = 0; t < G_N_ELEMENTS (tolerances); t++)
    for (int healpix = 0; healpix <= 1; healpix++)
      {
        for (gint64 m = 0; m <= 250; m += 50)
          check_tolerance (256, m, healpix ? 128 : 0, tolerances[t]);
        for (gint64 m = 1; m <= 1001; m += 500)
          check_tolerance (1024, m, healpix ? 512 : 0, tolerances[t]);
        if (healpix == 0)
          check_tolerance (2048, 100, 0, tolerances[t]);
      }
}

/* Orders of lmax 4096 stand for a table, which takes 10 GB: each for as many a_lm as there are
 * nearby. The first ones alone may be farther off. */
static void
test_large (void)
{
  for (int digits = 4; digits <= 13; digits += 3)
    for (int healpix = 0; healpix <= 1; healpix++)
      {
        const double tolerance = pow (10, -digits);
        double squares = 0, weights = 0;

        for (gint64 m = 1; m <= 3501; m += 500)
          {
            const double distance = find_distance (4096, m, healpix ? 2048 : 0, tolerance);

            squares += (double) (4096 - m) * distance * distance;
            weights += (double) (4096 - m);
          }
        g_test_message ("nside %d tolerance %g: all %.2g", healpix ? 2048 : 0, tolerance,
                        sqrt (squares / weights));
        g_assert_cmpfloat (sqrt (squares / weights), <=, 10 * tolerance);
      }
}

/* Rings from the pole to the equator, in quadruple precision. */
static void
test_direct_sum (void)
{
  const gint64 nside = 150, lmax = 300, m = 7;
  g_auto (ButterflyBlock) b = { 0 };
  double error = 0, norm = 0;

  butterfly_block_init (&b, lmax, m, m + 1, 1, nside, 1e-12, armilla_isa_detect ());
  apply (&b);
  for (gint64 ring = 1; ring <= 2 * nside; ring += ring < 6 ? 1 : 49)
    {
      Quad cosine, sine, even[2], odd[2];

      delta_healpix_ring (nside, ring, &cosine, &sine);
      delta_direct_sum (lmax, m, b.delta.alm, cosine, sine, even, odd);
      for (int i = 0; i < 4; i++)
        {
          const double *got = b.tile + 4 * (2 * (ring - 1) + i / 2) + i % 2;
          const double expected = (double) (i < 2 ? even[i % 2] + odd[i % 2]
                                                  : even[i % 2] - odd[i % 2]);

          error += (*got - expected) * (*got - expected);
          norm += expected * expected;
        }
    }
  /* Ten times the tolerance; 300 roundings in the recurrence are far below. */
  g_assert_cmpfloat (sqrt (error / norm), <=, 1e-11);
}

static double
dot (const double *x, const double *y, gint64 n)
{
  long double s = 0;

  for (gint64 i = 0; i < n; i++)
    s += (long double) x[i] * y[i];
  return (double) s;
}

static void
test_adjoint (void)
{
  const double tolerances[] = { 1e-2, 1e-10 };

  for (gsize t = 0; t < G_N_ELEMENTS (tolerances); t++)
    {
      g_auto (ButterflyBlock) b = { 0 };
      gint64 n, n_prepared;
      double ax, ay, difference;
      g_autofree double *y = NULL;

      butterfly_block_init (&b, 512, 40, 43, 3, 0, tolerances[t], armilla_isa_detect ());
      n = armilla_delta_tile_size (&b.delta.shape);
      n_prepared = armilla_delta_prepared_size (&b.delta.shape);
      y = g_new (double, n);
      delta_random (y, n, 5);
      apply (&b);
      apply_adjoint (&b, y);
      ax = sqrt (dot (b.tile, b.tile, n));
      ay = sqrt (dot (y, y, n));
      difference = dot (b.tile, y, n) - dot (b.delta.prepared, b.prepared, n_prepared);
      /* However coarse the table is: the factors are the same, so that only the order of sums of
       * up to some hundred terms differs, and y is not along A x: 1e-14 is 45 roundings of |Ax||y|,
       * all in one direction. */
      g_assert_cmpfloat (fabs (difference), <=, 1e-14 * ax * ay);
    }
}

/* Fields beyond a batch, and alone: the same bits. */
static void
test_fields (void)
{
  g_auto (ButterflyBlock) all = { 0 }, one = { 0 };
  const gint64 steps = 4 * ((96 - 5) / 2 + 1), n_pairs = 49;

  butterfly_block_init (&all, 96, 5, 5, 19, 0, 1e-8, armilla_isa_detect ());
  butterfly_block_init (&one, 96, 5, 5, 1, 0, 1e-8, armilla_isa_detect ());
  apply (&all);
  apply_adjoint (&all, all.tile);
  for (gint64 f = 0; f < 19; f++)
    {
      memcpy (one.delta.prepared, all.delta.prepared + f * steps, sizeof (double) * steps);
      apply (&one);
      g_assert_cmpmem (one.tile, sizeof (double) * 4 * n_pairs, all.tile + 4 * n_pairs * f,
                       sizeof (double) * 4 * n_pairs);
      apply_adjoint (&one, one.tile);
      g_assert_cmpmem (one.prepared, sizeof (double) * steps, all.prepared + f * steps,
                       sizeof (double) * steps);
    }
}

/* The smallest degrees and grids, the last orders, a ring at the pole and one at the equator. */
static void
test_small (void)
{
  for (gint64 lmax = 0; lmax <= 40; lmax += lmax < 6 ? 1 : 17)
    for (gint64 m = 0; m <= lmax; m += m < lmax - 4 ? 4 : 1)
      {
        g_auto (ButterflyBlock) b = { 0 };

        butterfly_block_init (&b, lmax, m, m, 1, 0, 1e-12, armilla_isa_detect ());
        g_assert_cmpfloat (compare_with_recurrence (&b), <=, 1e-11);
      }
}

static void
test_poles (void)
{
  for (gint64 m = 0; m <= 4; m += 2)
    {
      ArmillaButterflyShape shape;
      const ArmillaDeltaShape one = { .lmax = 20, .m_first = m, .m_last = m };
      g_autofree double *table = g_new (double, armilla_delta_table_size (&one));
      double pairs[ARMILLA_PAIR_ROWS * 2], matrix[11 * 8];

      delta_set_pair (pairs, 2, 0, 1, 0);
      delta_set_pair (pairs, 2, 1, 0, 1);
      armilla_butterfly_shape_init (&shape, 20, m, 2, 1e-10);
      armilla_delta_table_cpu (&one, table);
      armilla_butterfly_matrix (&shape, table, pairs, matrix);
      for (gint64 k = 0; 2 * k + m <= 20; k++)
        {
          const double l = (double) (2 * k + m);

          /* P_l0 (1) = sqrt ((2l + 1) / 4 pi), P_lm (1) = 0; 20 steps of rounding. */
          g_assert_cmpfloat_with_epsilon (matrix[8 * k], m ? 0 : sqrt ((2 * l + 1) / (4 * G_PI)),
                                          1e-14);
          g_assert_cmpfloat (fabs (matrix[8 * k + 1]), >, 0.2); /* even l - m: not 0 there */
          for (int i = 2; i < 8; i++)
            g_assert_cmpfloat (matrix[8 * k + i], ==, 0);
        }
    }
}

/* Rows that vanish are not there, and results on them are 0. */
static void
test_vanishing_rows (void)
{
  g_auto (ButterflyBlock) b = { 0 };
  gint64 first;

  butterfly_block_init (&b, 512, 300, 300, 1, 0, 1e-10, armilla_isa_detect ());
  first = ((const gint64 *) b.words)[ARMILLA_BUTTERFLY_FIRST];
  /* The turning point of lmax is at sin theta = 300 / 512, pair 102 of 257; P_lm falls within
   * some tens of rings beyond it. */
  g_assert_cmpint (first, >, 60);
  g_assert_cmpint (first, <, 102);
  apply (&b);
  for (gint64 i = 0; i < 4 * first; i++)
    g_assert_cmpfloat (b.tile[i], ==, 0);
}

static gint64
count_elements (const double *words)
{
  const ArmillaButterfly b = armilla_butterfly_open (words);
  gint64 n = 0;

  for (gint64 i = 0; i < b.head[ARMILLA_BUTTERFLY_NODES]; i++)
    n += b.node[i].rank * armilla_butterfly_terms (&b.node[i]);
  return n;
}

/* Multiplications: as many as the header says; fewer for coarser tables; and they grow far slower
 * than the matrix. */
static void
test_flops (void)
{
  gint64 n[2][2];

  for (int size = 0; size < 2; size++)
    for (int t = 0; t < 2; t++)
      {
        g_auto (ButterflyBlock) b = { 0 };

        butterfly_block_init (&b, 512 << size, 10 << size, 10 << size, 1, 0, t ? 1e-5 : 1e-10,
                              armilla_isa_detect ());
        n[size][t] = count_elements (b.words);
        g_assert_cmpint (n[size][t], ==, b.shape.elements);
      }
  g_assert_cmpint (n[0][1], <, n[0][0]);
  g_assert_cmpint (n[1][0] * 10, <, 513 * 508 * 6); /* 60 % of the matrix of 1024 */
  /* The matrix grows by 4; L log L would grow by 2.2. */
  g_assert_cmpfloat ((double) n[1][0] / (double) n[0][0], <, 3);
}

/* All sizes of numbers, on all instruction sets, with groups of fields that are full and not. */
static void
test_isa (void)
{
  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    for (int digits = 2; digits <= 14; digits++)
      {
        g_auto (ButterflyBlock) b = { 0 };

        butterfly_block_init (&b, 200, 3, 9, digits % 6 * 4 + 1, 0, pow (10, -digits), isa);
        g_assert_cmpfloat (compare_with_recurrence (&b), <=, 10 * pow (10, -digits));
      }
}

/* Bytes that numbers take on the average, and that all sizes there are come to be used. */
static void
test_bytes (void)
{
  gint64 seen[9] = { 0 };
  double last = 0;

  for (int digits = 2; digits <= 14; digits += 3)
    {
      g_auto (ButterflyBlock) b = { 0 };
      ArmillaButterfly open;
      double bytes = 0;

      butterfly_block_init (&b, 512, 20, 20, 1, 0, pow (10, -digits), armilla_isa_detect ());
      open = armilla_butterfly_open (b.words);
      for (gint64 i = 0; i < open.head[ARMILLA_BUTTERFLY_NODES]; i++)
        {
          const gint64 n = open.node[i].rank * armilla_butterfly_terms (&open.node[i]);

          seen[open.node[i].bytes] += n;
          bytes += (double) (n * open.node[i].bytes);
        }
      bytes /= (double) b.shape.elements;
      g_test_message ("tolerance 1e-%d: %.2f bytes", digits, bytes);
      g_assert_cmpfloat (bytes, >, last);
      /* 2^-8b rounds numbers of about 1 to the tolerance; sums of some tens of such, and what is
       * left over for the other errors, may cost a byte more; b is whole, and beyond 6 it is 8. */
      g_assert_cmpfloat (bytes, <, digits < 14 ? digits / log10 (256) + 2 : 8);
      last = bytes;
    }
  for (int bytes = 2; bytes <= 8; bytes++)
    g_assert_cmpint (seen[bytes] > 0, ==, bytes != 7);
}

static void
test_pack (void)
{
  enum { N = 77 };
  double values[N], words[N + 2];

  delta_random (values, N, 9);
  for (int i = 0; i < N; i++)
    values[i] = fmod (values[i], 1);
  values[5] = 1 - DBL_EPSILON;
  values[6] = -values[5];
  for (int bytes = 2; bytes <= 6; bytes++)
    {
      ArmillaButterflyNode node = { 0 };
      const gint32 high = armilla_butterfly_high_bytes (bytes), low = bytes - high;
      const void *plane = words + armilla_butterfly_plane (N, high);

      armilla_butterfly_choose_bytes (&node, values[5], pow (2.1 / pow (256, bytes), 2));
      g_assert_cmpint (node.bytes, ==, bytes);
      delta_fill_nan (words, N + 2);
      armilla_butterfly_pack_begin (&node, words, N);
      for (int i = N - 1; i >= 0; i--)
        armilla_butterfly_pack (&node, words, N, i, values[i]);
      g_assert_true (isnan (words[armilla_butterfly_matrix_words (N, bytes)]));
      for (int i = 0; i < N; i++)
        {
          const double x = high == 2 ? ((const gint16 *) words)[i] : ((const gint32 *) words)[i];
          const double y = low == 0   ? 0
                           : low == 1 ? ((const guint8 *) plane)[i]
                                      : ((const guint16 *) plane)[i];

          /* Half a step; a whole one for the greatest. */
          g_assert_cmpfloat (fabs (node.step * (x * (1 << (8 * low)) + y) - values[i]), <=,
                             node.step * (i == 5 ? 1 : 0.5));
        }
    }
}

/* Kernels believe what they read, so what does not fit together is found beforehand. */
static void
test_check (void)
{
  g_auto (ButterflyBlock) b = { 0 };
  gint64 n, *head, *node;
  ArmillaButterfly open;

  butterfly_block_init (&b, 200, 3, 3, 1, 0, 1e-8, armilla_isa_detect ());
  head = (gint64 *) b.words;
  n = head[ARMILLA_BUTTERFLY_WORDS];
  open = armilla_butterfly_open (b.words);
  node = (gint64 *) &open.node[open.stage[1].first_node];
  g_assert_null (armilla_butterfly_check (b.words, n, 200, 3, 101));
  g_assert_nonnull (armilla_butterfly_check (b.words, n - 1, 200, 3, 101));
  g_assert_nonnull (armilla_butterfly_check (b.words, 3, 200, 3, 101));
  g_assert_nonnull (armilla_butterfly_check (b.words, n, 200, 4, 101));
  g_assert_nonnull (armilla_butterfly_check (b.words, n, 202, 3, 101));
  g_assert_nonnull (armilla_butterfly_check (b.words, n, 200, 3, 102));
  for (int word = 0; word < ARMILLA_BUTTERFLY_ELEMENTS; word++)
    {
      const gint64 was = head[word];

      head[word] = G_MAXINT64 / 3;
      g_assert_nonnull (armilla_butterfly_check (b.words, n, 200, 3, 101));
      head[word] = word == ARMILLA_BUTTERFLY_WIDTH ? 1 : -5;
      g_assert_nonnull (armilla_butterfly_check (b.words, n, 200, 3, 101));
      head[word] = was;
    }
  for (int word = 0; word < 6; word++) /* of a node */
    {
      const gint64 was = node[word];

      node[word] = was + 100000;
      g_assert_nonnull (armilla_butterfly_check (b.words, n, 200, 3, 101));
      node[word] = -8;
      g_assert_nonnull (armilla_butterfly_check (b.words, n, 200, 3, 101));
      node[word] = was;
    }
  for (int bytes = 0; bytes < 10; bytes++)
    if (bytes < 2 || bytes == 7 || bytes == 9)
      {
        const gint32 was = ((ArmillaButterflyNode *) node)->bytes;

        ((ArmillaButterflyNode *) node)->bytes = bytes;
        g_assert_nonnull (armilla_butterfly_check (b.words, n, 200, 3, 101));
        ((ArmillaButterflyNode *) node)->bytes = was;
      }
  g_assert_null (armilla_butterfly_check (b.words, n, 200, 3, 101));
  ((gint32 *) (b.words + node[4]))[0] = 1 << 30; /* a permutation */
  g_assert_nonnull (armilla_butterfly_check (b.words, n, 200, 3, 101));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/butterfly/tolerance", test_tolerance);
  g_test_add_func ("/butterfly/direct-sum", test_direct_sum);
  g_test_add_func ("/butterfly/adjoint", test_adjoint);
  g_test_add_func ("/butterfly/fields", test_fields);
  g_test_add_func ("/butterfly/small", test_small);
  g_test_add_func ("/butterfly/poles", test_poles);
  g_test_add_func ("/butterfly/vanishing-rows", test_vanishing_rows);
  g_test_add_func ("/butterfly/flops", test_flops);
  g_test_add_func ("/butterfly/isa", test_isa);
  g_test_add_func ("/butterfly/bytes", test_bytes);
  g_test_add_func ("/butterfly/pack", test_pack);
  g_test_add_func ("/butterfly/check", test_check);
  if (g_strcmp0 (g_getenv ("ARMILLA_TEST_LARGE"), "1") == 0)
    g_test_add_func ("/butterfly/large", test_large);
  return g_test_run ();
}
