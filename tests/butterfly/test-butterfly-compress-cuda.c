/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels that compress matrices, against the CPU's (by LAPACK), against the matrices
 * themselves and against sums in quadruple precision; with ARMILLA_BUTTERFLY_TIMES in the
 * environment also how long whole tables take to make and to apply. */
#include "config.h"

#include <armilla/grid.h>
#include <math.h>
#include <string.h>

#include "tests/butterfly/butterfly-block.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
# include "codelets/butterfly/butterfly.h"
# include "codelets/legendre/delta-recurrence.h"

/* GAUSS: Gauss-Legendre rings of lmax + 1; SCATTERED: any rings in any order; SAME: one ring again
 * and again, so that all ranks are 1; FEW: three rings again and again; POLES: nothing but poles, a
 * matrix of zeros for m > 0; LATE_POLES: poles behind the equator, so that whole blocks are 0 */
typedef enum { GAUSS, SCATTERED, SAME, FEW, POLES, LATE_POLES, N_KINDS } Kind;

static void
set_ring (double *pairs, gint64 n, gint64 p, Kind kind, GRand *rand)
{
  static const double few[] = { 0.9, 0.5, 0.1 };
  double cosine = 1;

  if (kind == SCATTERED || (kind == LATE_POLES && p < n / 2))
    cosine = g_rand_double (rand);
  else if (kind == SAME || kind == FEW)
    cosine = few[kind == SAME ? 1 : p % 3];
  delta_set_pair (pairs, n, p, cosine,
                  cosine == 1 ? 0 : delta_sqrt ((1 - (Quad) cosine) * (1 + (Quad) cosine)));
}

/* Returns: (transfer full): pairs of the kind */
static double *
make_pairs (gint64 lmax, gint64 *n, Kind kind)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) (lmax + 100 * kind));
  g_autoptr (ArmillaGrid) grid = NULL;
  double *pairs;

  if (kind == GAUSS)
    {
      grid = armilla_grid_new_gauss_legendre (lmax + 1, 4, NULL);
      *n = grid->n_pairs;
    }
  pairs = g_new (double, ARMILLA_PAIR_ROWS * *n);
  for (gint64 p = 0; p < *n; p++)
    {
      const ArmillaRing *ring = grid ? &grid->rings[grid->pairs[p].north] : NULL;

      if (ring)
        delta_set_pair (pairs, *n, p, (Quad) ring->cos_theta + ring->cos_lo,
                        (Quad) ring->sin_theta + ring->sin_lo);
      else
        set_ring (pairs, *n, p, kind, rand);
    }
  return pairs;
}

/* Returns: (transfer full): the words; all that the kernels may write was poisoned */
static double *
compress_on_device (const ArmillaButterflyShape *shape, const double *pairs)
{
  const gint64 n = armilla_butterfly_most_words (shape);
  const gint64 n_scratch = armilla_butterfly_compress_device_scratch (shape);
  double *on_device = doubles_to_device (pairs, ARMILLA_PAIR_ROWS * shape->n_pairs);
  double *words = device_new (sizeof (double) * (gsize) n);
  double *scratch = device_new (sizeof (double) * (gsize) n_scratch), *got;

  assert_cuda (armilla_butterfly_compress_launch (shape, on_device, words, scratch, NULL));
  got = from_device (words, n);
  device_free (on_device);
  device_free (words);
  device_free (scratch);
  return got;
}

/* Returns: (transfer full): the words */
static double *
compress_on_host (const ArmillaButterflyShape *shape, const double *pairs)
{
  double *words = g_new (double, armilla_butterfly_most_words (shape));
  g_autofree double *scratch = g_new (double, armilla_butterfly_compress_scratch (shape));

  g_assert_null (armilla_butterfly_compress_cpu (shape, pairs, words, scratch));
  return words;
}

/* Number i of a node's T. */
static double
node_number (const ArmillaButterfly *b, const ArmillaButterflyNode *node, gint64 i)
{
  const gint32 high = armilla_butterfly_high_bytes (node->bytes), low = node->bytes - high;
  const double *t = b->words + node->matrix;
  const void *plane
    = t + armilla_butterfly_plane (node->rank * armilla_butterfly_terms (node), high);
  double x, y = 0;

  if (high == 8)
    return t[i];
  x = high == 2 ? ((const gint16 *) t)[i] : ((const gint32 *) t)[i];
  if (low > 0)
    y = low == 1 ? ((const guint8 *) plane)[i] : ((const guint16 *) plane)[i];
  return node->step * (x * (1 << (8 * low)) + y);
}

/* out[index][column] of a node from in[index][column]. */
static void
expand_node (const ArmillaButterfly *b, const ArmillaButterflyNode *node, gint64 n_columns,
             const double *in, double *out)
{
  const gint32 *order = (const gint32 *) (b->words + node->order);
  const gint64 kept = node->dense ? 0 : node->rank;

  for (gint64 i = 0; i < node->rank; i++)
    {
      double *to = out + (node->out + i) * n_columns;

      memset (to, 0, sizeof (double) * (gsize) n_columns);
      if (kept)
        memcpy (to, in + (node->in + order[i]) * n_columns, sizeof (double) * (gsize) n_columns);
      for (gint64 j = kept; j < node->n_in; j++)
        {
          const double t = node_number (b, node, (j - kept) * node->rank + i);
          const double *from = in + (node->in + order[j]) * n_columns;

          for (gint64 c = 0; c < n_columns; c++)
            to[c] += t * from[c];
        }
    }
}

/* Returns: (transfer full): the matrix [pair][k] that compressed words stand for */
static double *
expand (const double *words)
{
  const ArmillaButterfly b = armilla_butterfly_open (words);
  const gint64 n = b.head[ARMILLA_BUTTERFLY_COLUMNS], width = b.head[ARMILLA_BUTTERFLY_WIDTH];
  const gint64 first = b.head[ARMILLA_BUTTERFLY_FIRST], rows = b.head[ARMILLA_BUTTERFLY_ROWS];
  double *in = g_new0 (double, width * n), *out = g_new0 (double, width * n);
  double *matrix = g_new0 (double, (first + rows) * n);

  for (gint64 k = 0; k < n; k++)
    in[k * n + k] = 1;
  for (gint64 s = 0; s < b.head[ARMILLA_BUTTERFLY_STAGES]; s++)
    {
      double *turned = in;

      for (gint64 i = 0; i < b.stage[s].n_nodes; i++)
        expand_node (&b, &b.node[b.stage[s].first_node + i], n, in, out);
      in = out;
      out = turned;
    }
  memcpy (matrix + first * n, in, sizeof (double) * (gsize) (rows * n));
  g_free (in);
  g_free (out);
  return matrix;
}

/* Returns: (transfer full): the matrix [pair][k] by the recurrence */
static double *
make_matrix (const ArmillaButterflyShape *shape, const double *pairs)
{
  const ArmillaDeltaShape order = { .lmax = shape->lmax, .m_first = shape->m,
                                    .m_last = shape->m };
  const gint64 n = armilla_delta_steps (shape->lmax, shape->m);
  const gint64 ld = armilla_butterfly_pad (shape->n_pairs);
  g_autofree double *table = g_new (double, armilla_delta_table_size (&order));
  g_autofree double *columns = g_new (double, ld * n);
  double *matrix = g_new (double, shape->n_pairs * n);

  armilla_delta_table_cpu (&order, table);
  armilla_butterfly_matrix (shape, table, pairs, columns);
  for (gint64 p = 0; p < shape->n_pairs; p++)
    for (gint64 k = 0; k < n; k++)
      matrix[p * n + k] = columns[k * ld + p];
  return matrix;
}

static void
check_case (gint64 lmax, gint64 m, gint64 n_pairs, Kind kind, double tolerance)
{
  g_autofree double *pairs = make_pairs (lmax, &n_pairs, kind);
  const gint64 n = n_pairs * armilla_delta_steps (lmax, m);
  g_autofree double *got = NULL, *again = NULL, *host = NULL, *matrix = NULL;
  g_autofree double *from_got = NULL, *from_host = NULL;
  const gint64 *head, *host_head;
  ArmillaButterflyShape shape;

  armilla_butterfly_shape_init (&shape, lmax, m, n_pairs, tolerance);
  got = compress_on_device (&shape, pairs);
  again = compress_on_device (&shape, pairs);
  host = compress_on_host (&shape, pairs);
  head = (const gint64 *) got;
  host_head = (const gint64 *) host;
  g_assert_cmpstr (armilla_butterfly_check (got, armilla_butterfly_most_words (&shape) - 1, lmax,
                                            m, n_pairs), ==, NULL);
  assert_same_bits (got, again, head[ARMILLA_BUTTERFLY_WORDS]);
  /* Behind the words: the seconds that it took. */
  g_assert_cmpfloat (got[head[ARMILLA_BUTTERFLY_WORDS]], >, 0);
  g_assert_cmpfloat (got[head[ARMILLA_BUTTERFLY_WORDS]], <, 60);
  matrix = make_matrix (&shape, pairs);
  from_got = expand (got);
  from_host = expand (host);
  g_test_message ("lmax %d m %d pairs %d kind %d tolerance %g: %d multiplications, %d on the CPU; "
                  "off by %.2g, %.2g, %.2g from each other", (int) lmax, (int) m, (int) n_pairs,
                  kind, tolerance, (int) head[ARMILLA_BUTTERFLY_ELEMENTS],
                  (int) host_head[ARMILLA_BUTTERFLY_ELEMENTS],
                  butterfly_distance (from_got, matrix, n),
                  butterfly_distance (from_host, matrix, n),
                  butterfly_distance (from_got, from_host, n));
  /* What is promised of tables. */
  g_assert_cmpfloat (butterfly_distance (from_got, matrix, n), <=, 10 * tolerance);
  g_assert_cmpfloat (butterfly_distance (from_host, matrix, n), <=, 10 * tolerance);
  /* The same pivots but where two columns are as good, and the same rule for ranks: as large. */
  g_assert_cmpint (head[ARMILLA_BUTTERFLY_FIRST], ==, host_head[ARMILLA_BUTTERFLY_FIRST]);
  g_assert_cmpint (head[ARMILLA_BUTTERFLY_STAGES], ==, host_head[ARMILLA_BUTTERFLY_STAGES]);
  g_assert_cmpfloat (fabs ((double) (head[ARMILLA_BUTTERFLY_ELEMENTS]
                                     - host_head[ARMILLA_BUTTERFLY_ELEMENTS])), <=,
                     0.02 * (double) host_head[ARMILLA_BUTTERFLY_ELEMENTS] + 100);
}

static void
test_tolerances (void)
{
  for (int digits = 4; digits <= 13; digits += 3)
    {
      check_case (200, 3, 0, GAUSS, pow (10, -digits));
      check_case (333, 140, 0, GAUSS, pow (10, -digits));
      check_case (150, 7, 90, SCATTERED, pow (10, -digits));
    }
  check_case (512, 20, 0, GAUSS, 1e-10);
}

/* Few rows and columns, and numbers of them that fit nothing. */
static void
test_sizes (void)
{
  static const gint64 n_pairs[] = { 1, 7, 31, 32, 33, 65, 129 };

  for (gsize i = 0; i < G_N_ELEMENTS (n_pairs); i++)
    for (gint64 lmax = 0; lmax <= 131; lmax = 2 * lmax + 3)
      check_case (lmax, lmax / 3, n_pairs[i], SCATTERED, 1e-8);
  check_case (131, 131, 40, SCATTERED, 1e-8);
  check_case (131, 130, 0, GAUSS, 1e-8);
}

static void
test_degenerate (void)
{
  for (Kind kind = SAME; kind < N_KINDS; kind++)
    for (gint64 m = 0; m <= 5; m += 5)
      for (int digits = 4; digits <= 13; digits += 9)
        check_case (180, m, 140, kind, pow (10, -digits));
}

/* What the GPU compressed, applied, against sums in quadruple precision. */
static void
test_direct_sum (void)
{
  const gint64 nside = 64, lmax = 128, m = 4;
  g_auto (ButterflyBlock) b = { 0 };
  g_autofree double *words = NULL;
  ArmillaButterflyShape shape;
  double error = 0, norm = 0;

  butterfly_block_init (&b, lmax, m, m, 1, nside, 1e-12, armilla_isa_detect ());
  armilla_butterfly_shape_init (&shape, lmax, m, b.shape.n_pairs, 1e-12);
  words = compress_on_device (&shape, b.delta.pairs);
  b.shape.width = MAX (b.shape.width, ((const gint64 *) words)[ARMILLA_BUTTERFLY_WIDTH]);
  g_free (b.scratch);
  b.scratch = g_new (double, armilla_butterfly_apply_scratch (&b.shape));
  b.offsets[0] = 0;
  armilla_butterfly_synthesis_cpu (&b.shape, words, b.offsets, b.delta.prepared, b.tile, b.scratch);
  for (gint64 ring = 1; ring <= 2 * nside; ring += ring < 6 ? 1 : 23)
    {
      Quad cosine, sine, even[2], odd[2];

      delta_healpix_ring (nside, ring, &cosine, &sine);
      delta_direct_sum (lmax, m, b.delta.alm, cosine, sine, even, odd);
      for (int i = 0; i < 4; i++)
        {
          const double got = b.tile[2 * (2 * (ring - 1) + i / 2) + i % 2];
          const double expected = (double) (i < 2 ? even[i % 2] + odd[i % 2]
                                                  : even[i % 2] - odd[i % 2]);

          error += (got - expected) * (got - expected);
          norm += expected * expected;
        }
    }
  /* Ten times the tolerance; some hundred roundings are far below. */
  g_assert_cmpfloat (sqrt (error / norm), <=, 1e-11);
}

/* A whole table in the memory of the device, and what it is applied to. */
typedef struct {
  ArmillaButterflyBlock block;
  double *words, *pairs, *prepared, *tile, *scratch, *table;
  gint64 *offsets;
  double seconds, wall; /* of the kernels that made it; of all that was done for it */
} Whole;

/* Compresses all orders, one after the other. */
static void
make_whole (Whole *w, const double *pairs, double tolerance)
{
  const gint64 lmax = w->block.lmax, n_orders = lmax + 1;
  /* 1.3 times what tables of 1e-10 take at lmax 512 and grow by. */
  const gint64 most = (gint64) (9e6 * pow ((double) n_orders / 512, 2.6)) + 1000000;
  g_autofree gint64 *offsets = g_new (gint64, n_orders);
  ArmillaButterflyShape shape;
  double *order, *scratch;
  gint64 start;

  w->words = device_new (sizeof (double) * (gsize) most);
  w->pairs = doubles_to_device (pairs, ARMILLA_PAIR_ROWS * w->block.n_pairs);
  armilla_butterfly_shape_init (&shape, lmax, 0, w->block.n_pairs, tolerance);
  order = device_new (sizeof (double) * (gsize) armilla_butterfly_most_words (&shape));
  scratch = device_new (sizeof (double)
                        * (gsize) armilla_butterfly_compress_device_scratch (&shape));
  assert_cuda (cudaDeviceSynchronize ());
  start = g_get_monotonic_time ();
  for (gint64 m = 0; m <= lmax; m++)
    {
      gint64 head[ARMILLA_BUTTERFLY_HEADER], n;
      double seconds;

      armilla_butterfly_shape_init (&shape, lmax, m, w->block.n_pairs, tolerance);
      assert_cuda (armilla_butterfly_compress_launch (&shape, w->pairs, order, scratch, NULL));
      assert_cuda (cudaMemcpy (head, order, sizeof head, cudaMemcpyDeviceToHost));
      n = head[ARMILLA_BUTTERFLY_WORDS];
      assert_cuda (cudaMemcpy (&seconds, order + n, sizeof seconds, cudaMemcpyDeviceToHost));
      offsets[m] = w->block.n_words;
      w->block.n_words += armilla_butterfly_pad (n);
      g_assert_cmpint (w->block.n_words, <=, most);
      assert_cuda (cudaMemcpy (w->words + offsets[m], order, sizeof (double) * (gsize) n,
                               cudaMemcpyDeviceToDevice));
      w->block.width = MAX (w->block.width, head[ARMILLA_BUTTERFLY_WIDTH]);
      w->block.elements += head[ARMILLA_BUTTERFLY_ELEMENTS];
      w->seconds += seconds;
    }
  assert_cuda (cudaDeviceSynchronize ());
  w->wall = 1e-6 * (double) (g_get_monotonic_time () - start);
  w->offsets = to_device (offsets, sizeof (gint64) * (gsize) n_orders);
  device_free (order);
  device_free (scratch);
}

static double
milliseconds (cudaEvent_t from, cudaEvent_t to)
{
  float t;

  assert_cuda (cudaEventSynchronize (to));
  assert_cuda (cudaEventElapsedTime (&t, from, to));
  return t;
}

/* The fastest of three times both ways, by the table and by the recurrence. */
static void
time_apply (Whole *w, gint64 n_fields)
{
  const ArmillaDeltaShape s = { .lmax = w->block.lmax, .m_last = w->block.lmax,
                                .n_fields = n_fields, .n_pairs = w->block.n_pairs };
  double best[4] = { INFINITY, INFINITY, INFINITY, INFINITY };
  cudaEvent_t event[5];

  w->block.n_fields = n_fields;
  w->prepared = device_new (sizeof (double) * (gsize) armilla_delta_prepared_size (&s));
  w->tile = device_new (sizeof (double) * (gsize) armilla_delta_tile_size (&s));
  w->scratch = device_new (sizeof (double) * (gsize) armilla_butterfly_device_scratch (&w->block));
  w->table = device_new (sizeof (double) * (gsize) armilla_delta_table_size (&s));
  assert_cuda (armilla_delta_table_launch (&s, w->table, NULL));
  for (int i = 0; i < 5; i++)
    assert_cuda (cudaEventCreate (event + i));
  for (int repeat = 0; repeat < 3; repeat++)
    {
      assert_cuda (cudaMemset (w->prepared, 0x3b,
                               sizeof (double) * (gsize) armilla_delta_prepared_size (&s)));
      assert_cuda (cudaEventRecord (event[0], NULL));
      assert_cuda (armilla_butterfly_synthesis_launch (&w->block, w->words, w->offsets,
                                                       w->prepared, w->tile, w->scratch, NULL));
      assert_cuda (cudaEventRecord (event[1], NULL));
      assert_cuda (armilla_butterfly_adjoint_launch (&w->block, w->words, w->offsets, w->tile,
                                                     w->prepared, w->scratch, NULL));
      assert_cuda (cudaEventRecord (event[2], NULL));
      assert_cuda (armilla_delta_synthesis_launch (&s, w->table, w->prepared, w->pairs, w->tile,
                                                   NULL));
      assert_cuda (cudaEventRecord (event[3], NULL));
      assert_cuda (armilla_delta_adjoint_launch (&s, w->table, w->tile, w->pairs, w->prepared,
                                                 NULL));
      assert_cuda (cudaEventRecord (event[4], NULL));
      for (int i = 0; i < 4; i++)
        best[i] = MIN (best[i], milliseconds (event[i], event[i + 1]));
    }
  g_test_message ("  %d maps: by table %.2f, %.2f ms, by recurrence %.2f, %.2f ms (synthesis, "
                  "adjoint; all orders, all pairs)", (int) n_fields, best[0], best[1], best[2],
                  best[3]);
  for (int i = 0; i < 5; i++)
    assert_cuda (cudaEventDestroy (event[i]));
  device_free (w->prepared);
  device_free (w->tile);
  device_free (w->scratch);
  device_free (w->table);
}

/* Whole tables: how long they take to make, on a core as well by some of the orders, and to
 * apply. */
static void
measure (gint64 lmax, int n_host)
{
  gint64 n_pairs = 0;
  g_autofree double *pairs = make_pairs (lmax, &n_pairs, GAUSS);
  Whole w = { .block = { .lmax = lmax, .m_last = lmax, .n_pairs = n_pairs } };
  double on_host = 0;

  make_whole (&w, pairs, 1e-10);
  for (int i = 0; i < n_host; i++)
    {
      g_autofree double *words = NULL;
      ArmillaButterflyShape shape;
      gint64 start;

      armilla_butterfly_shape_init (&shape, lmax, (2 * i + 1) * (lmax + 1) / (2 * n_host), n_pairs,
                                    1e-10);
      start = g_get_monotonic_time ();
      words = compress_on_host (&shape, pairs);
      on_host += 1e-6 * (double) (g_get_monotonic_time () - start) * (double) (lmax + 1) / n_host;
    }
  g_test_message ("lmax %d tolerance 1e-10: a table of %.3f GB, made in %.2f s on the GPU (%.2f s "
                  "with what is between the orders), about %.1f s on a core", (int) lmax,
                  8e-9 * (double) w.block.n_words, w.seconds, w.wall, on_host);
  for (gint64 n_fields = 1; n_fields <= 64; n_fields *= 8)
    time_apply (&w, n_fields);
  device_free (w.words);
  device_free (w.pairs);
  device_free (w.offsets);
}

static void
test_times (void)
{
  measure (511, 16);
  measure (1023, 16);
  measure (2047, 16);
  measure (4095, 8);
}

static void
add_tests (void)
{
  g_test_add_func ("/butterfly-compress-cuda/tolerances", test_tolerances);
  g_test_add_func ("/butterfly-compress-cuda/sizes", test_sizes);
  g_test_add_func ("/butterfly-compress-cuda/degenerate", test_degenerate);
  g_test_add_func ("/butterfly-compress-cuda/direct-sum", test_direct_sum);
  if (g_getenv ("ARMILLA_BUTTERFLY_TIMES"))
    g_test_add_func ("/butterfly-compress-cuda/times", test_times);
}
#endif

MAIN_ON_DEVICE (add_tests)
