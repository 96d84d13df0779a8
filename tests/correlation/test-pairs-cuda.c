/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels of pairs against the CPU's: the same words. With ARMILLA_PAIR_TIMES
 * set, how fast they are, too. */
#include "config.h"

#include "tests/correlation/pair-kernel-helpers.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
# include "codelets/correlation/pair-histogram.h"
# include "codelets/correlation/triple-histogram.h"

# define ALL_SUMS                                                                                  \
    (1 << ARMILLA_SUM_WEIGHT | 1 << ARMILLA_SUM_SEPARATION | 1 << ARMILLA_SUM_XI_PLUS              \
     | 1 << ARMILLA_SUM_XI_MINUS)

/* What a launch needs, on the device. */
typedef struct {
  const PairCase *pairs;
  ArmillaPairInput input;
  int64_t *words, *scratch;
} OnDevice;

static OnDevice
on_device_new (const PairCase *p)
{
  OnDevice d = { .pairs = p };

  d.input.edges = to_device (p->edges, sizeof (double) * 2 * (gsize) (p->shape.n_bins + 2));
  d.input.items
    = to_device (p->items, sizeof (int64_t) * ARMILLA_ITEM_WORDS * (gsize) p->shape.n_items);
  for (int side = 0; side < 2; side++)
    {
      const ArmillaCells *c = p->cells[side];

      d.input.points[side] = doubles_to_device (c->points, c->n_rows * c->n_slots);
      d.input.nodes[side] = doubles_to_device (c->nodes, ARMILLA_NODE_ROWS * c->node_stride);
    }
  d.words = device_new (sizeof (int64_t) * (gsize) p->n_words);
  d.scratch = device_new (sizeof (int64_t)
                          * (gsize) armilla_pair_histogram_device_scratch (&p->shape));
  return d;
}

static void
on_device_clear (OnDevice *d)
{
  device_free ((double *) d->input.edges);
  device_free ((int64_t *) d->input.items);
  for (int side = 0; side < 2; side++)
    {
      device_free ((double *) d->input.points[side]);
      device_free ((double *) d->input.nodes[side]);
    }
  device_free (d->words);
  device_free (d->scratch);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OnDevice, on_device_clear)

static void
launch (OnDevice *d)
{
  assert_cuda (armilla_pair_histogram_launch (&d->pairs->shape, &d->input, d->words, d->scratch,
                                              NULL));
}

static void
check (const ArmillaCatalogue *a, const ArmillaCatalogue *b, const ArmillaBins *bins,
       int n_patches, int sums, gboolean brute, double max_pairs)
{
  g_auto (PairCase) p = pair_case_new (a, b, bins, n_patches, sums, brute, max_pairs);
  g_auto (OnDevice) d = on_device_new (&p);
  g_autofree int64_t *expected = pair_case_cpu (&p);
  g_autofree double *got = NULL;

  launch (&d);
  got = from_device (d.words, p.n_words);
  g_assert_cmpmem (got, 8 * (gsize) p.n_words, expected, 8 * (gsize) p.n_words);
}

static ArmillaBins *
bins_of (int which)
{
  if (which == 0)
    return armilla_bins_new_linear (0, G_PI, 7, NULL);
  if (which == 1)
    return armilla_bins_new_logarithmic (0.01 * DEGREE, 10 * DEGREE, 20, NULL);
  return armilla_bins_new_logarithmic (0.1 * DEGREE, 100 * DEGREE, 200, NULL);
}

static void
test_skies (void)
{
  static const int sums[] = { 0, 1 << ARMILLA_SUM_WEIGHT, ALL_SUMS };

  for (int sky = 0; sky < SKY_KINDS; sky++)
    for (int which = 0; which < 3; which++)
      for (gsize s = 0; s < G_N_ELEMENTS (sums); s++)
        {
          g_autoptr (ArmillaBins) bins = bins_of (which);
          const ArmillaCatalogueParts parts = ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR;
          g_autoptr (ArmillaCatalogue) a = sky_new (sky, 1100, 1, parts);
          g_autoptr (ArmillaCatalogue) b = sky_new (sky, 701, 2, parts);
          g_autoptr (ArmillaCatalogue) lenses = sky_lenses (sky, 1100, 1);

          check (lenses, b, bins, 0, sums[s], FALSE, 1 << 18);
          check (a, NULL, bins, 0, sums[s], FALSE, 1 << 16);
          check (a, b, bins, 0, sums[s], FALSE, 1 << 18);
          check (a, NULL, bins, 0, sums[s], TRUE, 1 << 30);
        }
}

static void
test_sizes (void)
{
  static const gint64 sizes[] = { 0, 1, 2, 16, 17, 31, 32, 33, 48, 513, 529 };
  g_autoptr (ArmillaBins) bins = bins_of (0);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (ArmillaCatalogue) a = sky_new (SKY_UNIFORM, sizes[i], 3, 0);
      g_autoptr (ArmillaCatalogue) b
        = sky_new (SKY_UNIFORM, sizes[(i + 3) % G_N_ELEMENTS (sizes)], 4, 0);

      check (a, NULL, bins, 0, 1 << ARMILLA_SUM_WEIGHT, FALSE, 1e9);
      check (a, b, bins, 0, 0, FALSE, 1e9);
      check (a, b, bins, 0, 0, TRUE, 100);
    }
}

/* Rows for patches; so many bins that tallies do not fit shared memory. */
static void
test_patches (void)
{
  g_autoptr (ArmillaBins) many = armilla_bins_new_linear (0, G_PI / 2, 3000, NULL);
  g_autoptr (ArmillaBins) few = bins_of (1);
  g_autoptr (ArmillaCatalogue) a
    = sky_new (SKY_UNIFORM, 1000, 5, ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_PATCH);
  g_autoptr (ArmillaCatalogue) b = sky_new (SKY_POLAR, 600, 6, ARMILLA_CATALOGUE_PATCH);

  sky_patches (a, 5);
  sky_patches (b, 5);
  check (a, NULL, few, 5, 1 << ARMILLA_SUM_WEIGHT, FALSE, 1 << 14);
  check (a, b, few, 5, 1 << ARMILLA_SUM_WEIGHT, FALSE, 1 << 14);
  check (a, NULL, many, 5, 1 << ARMILLA_SUM_WEIGHT, FALSE, 1 << 14);
  check (a, b, many, 0, 0, FALSE, 1 << 20);
}

static void
test_merge (void)
{
  const gint64 rows = 3, entries = 7, sums = 2, n = 8 + rows * entries * (1 + 3 * sums);
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autofree int64_t *part = g_new (int64_t, n);
  g_autofree int64_t *sum = g_new (int64_t, n);

  for (gint64 i = 0; i < n; i++)
    {
      /* Carries through all words. */
      part[i] = i % 3 ? -1 : (int64_t) g_rand_int (rand) << 31;
      sum[i] = i % 2 ? -1 : (int64_t) g_rand_int (rand) << 30;
    }
  for (int first = 1; first >= 0; first--)
    {
      Device *from = to_device (part, 8 * (gsize) n), *to = to_device (sum, 8 * (gsize) n);
      g_autofree double *got = NULL;

      assert_cuda (armilla_histogram_merge_launch (rows, entries, sums, first, from, to, NULL));
      armilla_histogram_merge_cpu (rows, entries, sums, first, part, sum);
      got = from_device (to, n);
      g_assert_cmpmem (got, 8 * (gsize) n, sum, 8 * (gsize) n);
      device_free (from);
      device_free (to);
    }
}

/* Triangles within a, or of two of a and one of b. */
static void
check_triangles (const ArmillaCatalogue *a, const ArmillaCatalogue *b, const ArmillaBins *bins,
                 int equal)
{
  g_auto (TripleCase) t = triple_case_new (a, b, bins, equal);
  g_autofree int64_t *expected = triple_case_cpu (&t);
  g_autofree double *got = NULL;
  ArmillaTripleInput input = { .edges = doubles_to_device (t.edges, 2 * (t.shape.n_bins + 2)) };
  Device *words = device_new (8 * (gsize) t.n_words);
  Device *scratch
    = device_new (8 * (gsize) armilla_triple_histogram_device_scratch (&t.shape));

  for (int side = 0; side < 2; side++)
    {
      const ArmillaCells *c = t.cells[side];

      input.points[side] = doubles_to_device (c->points, c->n_rows * c->n_slots);
      input.nodes[side] = doubles_to_device (c->nodes, ARMILLA_NODE_ROWS * c->node_stride);
    }
  assert_cuda (armilla_triple_histogram_launch (&t.shape, &input, words, scratch, NULL));
  got = from_device (words, t.n_words);
  g_assert_cmpmem (got, 8 * (gsize) t.n_words, expected, 8 * (gsize) t.n_words);
  for (int side = 0; side < 2; side++)
    {
      device_free ((double *) input.points[side]);
      device_free ((double *) input.nodes[side]);
    }
  device_free ((double *) input.edges);
  device_free (words);
  device_free (scratch);
}

static void
test_triangles (void)
{
  g_autoptr (ArmillaBins) few = armilla_bins_new_linear (0, G_PI, 7, NULL);
  /* 5456 triples of bins: too many for shared memory */
  g_autoptr (ArmillaBins) many
    = armilla_bins_new_logarithmic (0.1 * DEGREE, 100 * DEGREE, 31, NULL);

  for (int sky = 0; sky < SKY_KINDS; sky++)
    for (int equal = 0; equal < 2; equal++)
      {
        g_autoptr (ArmillaCatalogue) a = sky_new (sky, 150, 1, 0);
        g_autoptr (ArmillaCatalogue) b = sky_new (sky, 67, 2, 0);

        check_triangles (a, NULL, few, equal);
        check_triangles (a, b, few, equal);
        check_triangles (a, NULL, many, equal);
        check_triangles (b, a, many, equal);
      }
}

static void
time_triangles (void)
{
  g_autoptr (ArmillaBins) bins = armilla_bins_new_linear (0, DEGREE, 10, NULL);
  g_autoptr (ArmillaCatalogue) a = sky_square (20000, 10);
  g_auto (TripleCase) t = triple_case_new (a, NULL, bins, FALSE);
  g_autofree int64_t *words = g_new (int64_t, t.n_words);
  ArmillaTripleInput input = { .edges = doubles_to_device (t.edges, 2 * (t.shape.n_bins + 2)) };
  Device *out = device_new (8 * (gsize) t.n_words);
  Device *scratch
    = device_new (8 * (gsize) armilla_triple_histogram_device_scratch (&t.shape));
  double best = INFINITY, triangles = 0;

  for (int side = 0; side < 2; side++)
    {
      const ArmillaCells *c = t.cells[side];

      input.points[side] = doubles_to_device (c->points, c->n_rows * c->n_slots);
      input.nodes[side] = doubles_to_device (c->nodes, ARMILLA_NODE_ROWS * c->node_stride);
    }
  for (int i = 0; i < 3; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      assert_cuda (armilla_triple_histogram_launch (&t.shape, &input, out, scratch, NULL));
      assert_cuda (cudaDeviceSynchronize ());
      best = MIN (best, 1e-6 * (double) (g_get_monotonic_time () - start));
    }
  assert_cuda (cudaMemcpy (words, out, 8 * (gsize) t.n_words, cudaMemcpyDeviceToHost));
  for (gint64 i = ARMILLA_HISTOGRAM_HEADER; i < t.n_words; i++)
    triangles += (double) words[i];
  g_test_message ("2e4 in 10 x 10 deg to 1 deg %20.4f s, %.6g triangles, %.3g triangles/s", best,
                  triangles, triangles / best);
}

static void
time_case (const char *what, gint64 n_a, gint64 n_b, const ArmillaBins *bins, int sums,
           gboolean brute)
{
  const ArmillaCatalogueParts parts = sums ? ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR
                                           : 0;
  g_autoptr (ArmillaCatalogue) a = sky_new (SKY_UNIFORM, n_a, 1, parts);
  g_autoptr (ArmillaCatalogue) b = n_b > 0 ? sky_new (SKY_UNIFORM, n_b, 2, parts) : NULL;
  const double tests = b ? (double) n_a * (double) n_b : (double) n_a * (double) (n_a - 1) / 2;
  g_auto (PairCase) p = pair_case_new (a, b, bins, 0, sums, brute, brute ? 1e8 : 1 << 20);
  g_auto (OnDevice) d = on_device_new (&p);
  g_autofree int64_t *words = g_new (int64_t, p.n_words);
  const ArmillaHistogramShape shape = { ARMILLA_HISTOGRAM_PAIRS, bins->n, 0, sums, 0, 0 };
  double best = INFINITY;
  gint64 pairs = 0;

  for (int i = 0; i < 3; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      launch (&d);
      assert_cuda (cudaDeviceSynchronize ());
      best = MIN (best, 1e-6 * (double) (g_get_monotonic_time () - start));
    }
  assert_cuda (cudaMemcpy (words, d.words, 8 * (gsize) p.n_words, cudaMemcpyDeviceToHost));
  for (int k = 0; k < bins->n; k++)
    pairs += armilla_histogram_count (&shape, words, 0, k);
  g_test_message ("%-40s %8.4f s, %.3g tests/s, %" G_GINT64_FORMAT " pairs in bins, %.3g pairs/s",
                  what, best, tests / best, pairs, (double) pairs / best);
}

static void
test_times (void)
{
  g_autoptr (ArmillaBins) twenty = bins_of (1);
  g_autoptr (ArmillaBins) many
    = armilla_bins_new_logarithmic (0.01 * DEGREE, 10 * DEGREE, 200, NULL);
  g_autoptr (ArmillaBins) whole = armilla_bins_new_linear (0, G_PI, 20, NULL);
  g_autoptr (ArmillaBins) fine = armilla_bins_new_linear (0, G_PI, 200, NULL);

  time_case ("1e6 x 1e6, every pair, 20 bins to 10 deg", 1000000, 1000000, twenty, 0, TRUE);
  time_case ("1e6 x 1e6, every pair, 200 bins to 10 deg", 1000000, 1000000, many, 0, TRUE);
  time_case ("1e6 x 1e6, every pair, 20 bins to 180 deg", 1000000, 1000000, whole, 0, TRUE);
  time_case ("1e6 x 1e6, every pair, 200 bins to 180", 1000000, 1000000, fine, 0, TRUE);
  time_case ("1e6, cells, 20 bins to 10 deg", 1000000, 0, twenty, 0, FALSE);
  time_case ("1e6, cells, 200 bins to 10 deg", 1000000, 0, many, 0, FALSE);
  time_case ("1e6, cells, 20 bins to 180 deg", 1000000, 0, whole, 0, FALSE);
  time_case ("1e6, cells, 20 bins to 10 deg, weights", 1000000, 0, twenty,
             1 << ARMILLA_SUM_WEIGHT, FALSE);
  time_case ("1e5, cells, 20 bins to 10 deg, shears", 100000, 0, twenty,
             1 << ARMILLA_SUM_WEIGHT | 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS,
             FALSE);
  time_triangles ();
}

static void
add_tests (void)
{
  g_test_add_func ("/pairs-cuda/skies", test_skies);
  g_test_add_func ("/pairs-cuda/sizes", test_sizes);
  g_test_add_func ("/pairs-cuda/patches", test_patches);
  g_test_add_func ("/pairs-cuda/merge", test_merge);
  g_test_add_func ("/pairs-cuda/triangles", test_triangles);
  if (g_getenv ("ARMILLA_PAIR_TIMES"))
    g_test_add_func ("/pairs-cuda/times", test_times);
}
#endif

MAIN_ON_DEVICE (add_tests)
