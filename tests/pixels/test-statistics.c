/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of maps against sums over whole maps in extended precision, by definition. */
#include "tasks/pixels/statistics.h"
#include "tests/lib/transform-helpers.h"

#define BINS 7
#define UNSEEN (-1.6375e30)

/* What a table would be made of. */
typedef struct {
  ArmillaStatistics found[3];
  double counters[3][BINS + 2];
  int n_fields;
  gint64 bins;
  gint freed;
} Kept;

static gboolean
keep (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  Kept *kept = user;

  (void) error;
  for (int f = 0; f < kept->n_fields; f++)
    {
      armilla_statistics_read (in[0].words, f, kept->bins, &kept->found[f]);
      for (int b = 0; kept->bins > 0 && b < BINS + 2; b++)
        kept->counters[f][b] = kept->found[f].counters[b];
    }
  out->table = armilla_table_new ("KEPT", 1);
  return TRUE;
}

static void
free_hold (gpointer user)
{
  ((Kept *) user)->freed++;
}

static gboolean
run (ArmillaGrid *grid, gint64 ring_block, double *pixels, int n_fields, double *mask, int n_masks,
     Kept *kept, GError **error)
{
  const ArmillaTilingOptions tiling = { .ring_block = ring_block };
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, &tiling, error);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, n_fields);
  g_autoptr (ArmillaMap) hidden = n_masks > 0 ? armilla_map_new (grid, n_masks) : NULL;
  g_autoptr (ArmillaTableData) table = armilla_table_data_new ();
  const ArmillaStatisticsTable made = { keep, kept, free_hold, table };
  WholeMap whole = { pixels, grid->n_pixels }, other = { mask, grid->n_pixels };

  kept->n_fields = n_fields;
  kept->bins = BINS;
  return graph
         && armilla_graph_fill (graph, ARMILLA_DATA (map), whole_map_fill, &whole, NULL, error)
         && (n_masks == 0
             || armilla_graph_fill (graph, ARMILLA_DATA (hidden), whole_map_fill, &other, NULL,
                                    error))
         && armilla_graph_map_statistics (graph, map, hidden, BINS, -0.5, 0.8, &made, 1, error)
         && armilla_graph_wait (graph, error);
}

static void
assert_near (double found, long double wanted, double tolerance)
{
  g_assert_cmpfloat (fabs (found - (double) wanted), <=, tolerance);
}

/* By definition, of the pixels of @x for which @mask, if there is one, is neither 0 nor UNSEEN. */
static void
compare (const Kept *kept, int field, const double *x, const double *mask, gint64 n, double spread)
{
  const ArmillaStatistics *found = &kept->found[field];
  long double sum = 0, power[3] = { 0 }, mean;
  double min = INFINITY, max = -INFINITY;
  gint64 seen = 0, counters[BINS + 2] = { 0 };

#define EACH(i)                                                                                    \
  for (gint64 i = 0; i < n; i++)                                                                   \
    if (x[i] > -1e30 && (!mask || (mask[i] != 0 && mask[i] > -1e30)))

  EACH (i)
    {
      int b = 0;

      seen++;
      sum += x[i];
      min = MIN (min, x[i]);
      max = MAX (max, x[i]);
      while (b <= BINS && x[i] >= armilla_statistics_edge (BINS, -0.5, 0.8, b))
        b++;
      counters[b == BINS + 1 && x[i] == 0.8 ? BINS : b]++;
    }
  mean = sum / seen;
  EACH (i)
    for (int p = 0; p < 3; p++)
      power[p] += powl (x[i] - mean, p + 2) / seen;
#undef EACH
  g_assert_cmpint (found->n, ==, seen);
  g_assert_cmpfloat (found->min, ==, min);
  g_assert_cmpfloat (found->max, ==, max);
  assert_near (found->mean, mean, 1e-15 * fabs ((double) mean) + 1e-15 * spread);
  assert_near (found->variance / (spread * spread),
               power[0] * seen / (seen - 1) / (spread * spread), 1e-9);
  assert_near (found->skewness, power[1] / powl (power[0], 1.5L), 1e-9);
  assert_near (found->kurtosis, power[2] / (power[0] * power[0]) - 3, 1e-9);
  for (int b = 0; b < BINS + 2; b++)
    g_assert_cmpfloat (kept->counters[field][b], ==, (double) counters[b]);
}

/* Three fields: one around 0, one with a mean of 1e5 times its spread, one with UNSEEN pixels and
 * values on the edges of bins. */
static double *
make_fields (GRand *rand, gint64 n)
{
  double *x = random_map_array (rand, 3 * n);

  for (gint64 i = 0; i < n; i++)
    {
      x[n + i] = 1e5 + x[n + i];
      if (i % 5 == 0)
        x[2 * n + i] = UNSEEN;
      else if (i % 5 == 1)
        x[2 * n + i] = armilla_statistics_edge (BINS, -0.5, 0.8, i % (BINS + 1));
    }
  return x;
}

static void
test_values (void)
{
  static const struct
  {
    const char *kind;
    gint64 n_theta, n_phi, ring_block;
    int n_masks;
  } cases[] = { { "healpix", 64, 0, 0, 0 }, { "healpix", 64, 0, 7, 1 }, { "healpix", 32, 0, 3, 3 },
                { "healpix", 1, 0, 0, 0 }, { "gauss", 33, 66, 5, 1 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (ArmillaGrid) grid
        = make_grid (cases[c].kind, cases[c].n_theta, cases[c].n_phi);
      const gint64 n = grid->n_pixels;
      g_autofree double *x = make_fields (rand, n), *mask = random_map_array (rand, 3 * n);
      g_autoptr (GError) error = NULL;
      Kept kept = { .freed = 0 };

      for (gint64 i = 0; i < 3 * n; i += 3)
        mask[i] = i % 2 ? 0 : UNSEEN;
      run (grid, cases[c].ring_block, x, 3, mask, cases[c].n_masks, &kept, &error);
      g_assert_no_error (error);
      g_assert_cmpint (kept.freed, ==, 1);
      for (int f = 0; f < 3; f++)
        compare (&kept, f, x + f * n,
                 cases[c].n_masks == 0 ? NULL : mask + (cases[c].n_masks > 1 ? f * n : 0), n, 0.5);
    }
}

/* What cannot be known is NaN: of nothing, of one pixel, of pixels that are all equal. */
static void
test_few (void)
{
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 4, 0);
  const gint64 n = grid->n_pixels;
  g_autofree double *x = g_new (double, 3 * n);
  g_autoptr (GError) error = NULL;
  Kept kept = { .freed = 0 };

  for (gint64 i = 0; i < n; i++)
    {
      x[i] = UNSEEN;
      x[n + i] = i == 77 ? 3.5 : UNSEEN;
      x[2 * n + i] = 0.1;
    }
  run (grid, 2, x, 3, NULL, 0, &kept, &error);
  g_assert_no_error (error);
  g_assert_cmpint (kept.found[0].n, ==, 0);
  g_assert_true (isnan (kept.found[0].mean) && isnan (kept.found[0].min));
  g_assert_true (isnan (kept.found[0].max) && isnan (kept.found[0].variance));
  g_assert_cmpint (kept.found[1].n, ==, 1);
  g_assert_cmpfloat (kept.found[1].mean, ==, 3.5);
  g_assert_cmpfloat (kept.found[1].max, ==, 3.5);
  g_assert_true (isnan (kept.found[1].variance) && isnan (kept.found[1].skewness));
  g_assert_cmpfloat (kept.counters[1][BINS + 1], ==, 1);
  g_assert_cmpfloat (kept.found[2].mean, ==, 0.1);
  g_assert_cmpfloat (kept.found[2].variance, <, 1e-30);
  g_assert_cmpfloat (kept.counters[2][1 + 3], ==, (double) n);
}

static void
test_shapes (void)
{
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 4, 0), other = make_grid ("gauss", 8, 16);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 3), two = armilla_map_new (grid, 2);
  g_autoptr (ArmillaMap) elsewhere = armilla_map_new (other, 1);
  g_autoptr (ArmillaTableData) table = armilla_table_data_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  Kept kept = { .freed = 0 };
  const ArmillaStatisticsTable made = { keep, &kept, free_hold, table };

  g_assert_false (armilla_graph_map_statistics (graph, map, two, 0, 0, 0, &made, 1, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (armilla_graph_map_statistics (graph, map, elsewhere, 0, 0, 0, &made, 1, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_assert_true (armilla_graph_wait (graph, NULL));
  g_assert_cmpint (kept.freed, ==, 2);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/statistics/values", test_values);
  g_test_add_func ("/statistics/few", test_few);
  g_test_add_func ("/statistics/shapes", test_shapes);
  return run_tests ();
}
