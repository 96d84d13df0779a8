/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Masks, sums and other resolutions of maps through the graph, against all pairs of pixels and
 * against the quad-tree of NESTED pixel numbers. */
#include "tasks/harmonic/harmonic.h"
#include "tasks/pixels/pixels.h"
#include "tests/lib/graph-helpers.h"
#include "tests/lib/runtime-helpers.h"

#include <math.h>

/* A map with values of its own; the caller keeps @values until the graph is done. */
static ArmillaMap *
filled (ArmillaGraph *graph, ArmillaGrid *grid, int n_fields, WholeMap *whole)
{
  ArmillaMap *map = armilla_map_new (grid, n_fields);

  whole->n_pixels = grid->n_pixels;
  g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (map), whole_map_fill, whole, NULL, NULL));
  return map;
}

static ArmillaGraph *
new_graph (void)
{
  ArmillaTilingOptions tiling = { .ring_block = 3 };
  g_autoptr (GError) error = NULL;
  ArmillaGraph *graph = armilla_graph_new (runtime, &tiling, &error);

  g_assert_no_error (error);
  return graph;
}

static double *
finish (ArmillaGraph *graph, ArmillaMap *map)
{
  g_autoptr (GError) error = NULL;
  WholeMap out = { .n_pixels = armilla_map_grid (map)->n_pixels };

  out.values = g_new0 (double, armilla_map_n_fields (map) * out.n_pixels);
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (map), whole_map_take, NULL, &out, NULL, NULL));
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  return out.values;
}

/* What the page of healpy's ud_grade shows. */
static void
test_published_grade (void)
{
  static const double expected[] = { 5.5,   7.25,  9,     10.75, 21.75, 21.75,
                                     23.75, 25.75, 36.5,  38.25, 40,    41.75 };
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaGrid) fine = armilla_grid_new_healpix (2, NULL);
  g_autoptr (ArmillaGrid) coarse = armilla_grid_new_healpix (1, NULL);
  double values[48];
  WholeMap whole = { .values = values };
  g_autoptr (ArmillaMap) map = filled (graph, fine, 1, &whole);
  g_autoptr (ArmillaMap) out = armilla_map_new (coarse, 1);
  g_autofree double *result = NULL;

  for (int i = 0; i < 48; i++)
    values[i] = i;
  g_assert_true (armilla_graph_ud_grade (graph, map, FALSE, 0, out, NULL));
  result = finish (graph, out);
  for (int i = 0; i < 12; i++)
    g_assert_cmpfloat (result[i], ==, expected[i]);
}

static double
expected_grade (const double *values, gint64 from, gint64 to, gint64 pixel, gboolean pessimistic,
                double power)
{
  gint64 nest = armilla_healpix_ring_to_nest (to, pixel), seen = 0;
  gint64 n = from > to ? (from / to) * (from / to) : 1;
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    {
      gint64 source = from > to ? nest * n + i : nest / ((to / from) * (to / from));
      double value = values[armilla_healpix_nest_to_ring (from, source)];

      seen += !armilla_is_unseen (value);
      sum += armilla_is_unseen (value) ? 0 : value;
    }
  if (seen == 0 || (pessimistic && seen < n))
    return ARMILLA_UNSEEN;
  return sum / (double) seen * pow ((double) to / (double) from, power);
}

/* Any two resolutions, several fields, pixels that are UNSEEN by families and alone. */
static void
test_grade (void)
{
  static const struct { gint64 from, to; gboolean pessimistic; double power; } cases[] = {
    { 16, 16, FALSE, 0 }, { 16, 1, FALSE, 0 }, { 16, 4, TRUE, 0 }, { 16, 8, FALSE, -2 },
    { 2, 16, FALSE, 0 },  { 8, 16, TRUE, 2 },  { 1, 8, FALSE, 0 },
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ArmillaGraph) graph = new_graph ();
      g_autoptr (ArmillaGrid) from = armilla_grid_new_healpix (cases[i].from, NULL);
      g_autoptr (ArmillaGrid) to = armilla_grid_new_healpix (cases[i].to, NULL);
      g_autofree double *values = random_map_array (rand, 2 * from->n_pixels), *result = NULL;
      WholeMap whole = { .values = values };
      g_autoptr (ArmillaMap) map = filled (graph, from, 2, &whole);
      g_autoptr (ArmillaMap) out = armilla_map_new (to, 2);

      for (gint64 p = 0; p < from->n_pixels; p += 7)
        values[p] = ARMILLA_UNSEEN;
      for (gint64 p = 0; p < from->n_pixels / 12; p++) /* a whole base pixel */
        values[from->n_pixels + armilla_healpix_nest_to_ring (cases[i].from, p)] = ARMILLA_UNSEEN;
      g_assert_true (armilla_graph_ud_grade (graph, map, cases[i].pessimistic, cases[i].power, out,
                                             NULL));
      result = finish (graph, out);
      for (int f = 0; f < 2; f++)
        for (gint64 p = 0; p < to->n_pixels; p++)
          {
            double want = expected_grade (values + f * from->n_pixels, cases[i].from, cases[i].to,
                                          p, cases[i].pessimistic, cases[i].power);

            /* 256 numbers below 1, summed in two orders: 256 roundings of 1.1e-16 of at most 256
             * at the very worst, over the 2 seen at least. */
            if (armilla_is_unseen (want))
              g_assert_cmpfloat (result[f * to->n_pixels + p], ==, want);
            else
              g_assert_cmpfloat_with_epsilon (result[f * to->n_pixels + p], want, 1e-13);
          }
    }
}

static void
test_grade_shapes (void)
{
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaGrid) three = armilla_grid_new_healpix (3, NULL);
  g_autoptr (ArmillaGrid) four = armilla_grid_new_healpix (4, NULL);
  g_autoptr (ArmillaMap) a = armilla_map_new (three, 1), b = armilla_map_new (four, 1);
  g_autoptr (ArmillaMap) c = armilla_map_new (four, 2);
  g_autoptr (GError) error = NULL;

  g_assert_false (armilla_graph_ud_grade (graph, a, FALSE, 0, b, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
  g_assert_false (armilla_graph_ud_grade (graph, b, FALSE, 0, c, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
}

/* Angle to the nearest pixel of weight 0, from all pairs. */
static double
nearest (ArmillaGrid *grid, const double *weights, gint64 pixel)
{
  double v[3], best = 2;

  armilla_grid_pixel_vector (grid, pixel, v);
  for (gint64 q = 0; q < grid->n_pixels; q++)
    {
      double w[3], chord;

      if (weights[q] != 0)
        continue;
      armilla_grid_pixel_vector (grid, q, w);
      chord = sqrt ((v[0] - w[0]) * (v[0] - w[0]) + (v[1] - w[1]) * (v[1] - w[1])
                    + (v[2] - w[2]) * (v[2] - w[2]));
      best = MIN (best, chord);
    }
  return 2 * asin (MIN (1, best / 2));
}

static double
expected_taper (ArmillaMaskTaper taper, double distance, double reach)
{
  double x = sqrt ((1 - cos (distance)) / (1 - cos (reach)));

  if (x >= 1)
    return 1;
  return taper == ARMILLA_MASK_TAPER_C1 ? x - sin (2 * G_PI * x) / (2 * G_PI)
                                        : (1 - cos (G_PI * x)) / 2;
}

static void
check_apodised (ArmillaGrid *grid, double reach, ArmillaMaskTaper taper, GRand *rand)
{
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autofree double *values = g_new (double, 2 * grid->n_pixels), *result = NULL;
  WholeMap whole = { .values = values };
  g_autoptr (ArmillaMap) mask = filled (graph, grid, 2, &whole);
  g_autoptr (ArmillaMap) out = armilla_map_new (grid, 2);
  ArmillaMaskOptions options = { .apodise = reach, .taper = taper };

  /* field 0: holes here and there, one of them at a pole; field 1: half a sky */
  for (gint64 p = 0; p < grid->n_pixels; p++)
    {
      double v[3];

      armilla_grid_pixel_vector (grid, p, v);
      values[p] = p == 1 || g_rand_int_range (rand, 0, 150) == 0 ? 0 : 0.5;
      values[grid->n_pixels + p] = v[0] + 0.3 * v[2] > 0.1 ? 1 : p % 2 ? ARMILLA_UNSEEN : 0;
    }
  g_assert_true (armilla_graph_mask (graph, NULL, mask, &options, out, NULL));
  result = finish (graph, out);
  for (gint64 i = 0; i < 2 * grid->n_pixels; i++)
    if (armilla_is_unseen (values[i]))
      values[i] = 0;
  for (int f = 0; f < 2; f++)
    for (gint64 p = 0; p < grid->n_pixels; p++)
      {
        const double *weights = values + f * grid->n_pixels;
        double want = weights[p] == 0 ? 0
                                      : weights[p]
                                          * expected_taper (
                                            taper, nearest (grid, weights, p), reach);

        /* Both cosines round to 1e-16, of 1 - cos (reach) > 5e-3 here; the slope of the tapers in
         * x is at most 2, and x >= 0.05 halves the root's error. */
        g_assert_cmpfloat_with_epsilon (result[f * grid->n_pixels + p], want, 1e-12);
      }
}

static void
test_apodise (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (ArmillaGrid) healpix = armilla_grid_new_healpix (8, NULL);
  g_autoptr (ArmillaGrid) odd = armilla_grid_new_healpix (5, NULL);
  g_autoptr (ArmillaGrid) gauss = armilla_grid_new_gauss_legendre (17, 30, NULL);
  g_autoptr (ArmillaGrid) poles
    = armilla_grid_new_equiangular (ARMILLA_GRID_CLENSHAW_CURTIS, 12, 25, NULL);

  check_apodised (healpix, 0.2, ARMILLA_MASK_TAPER_C1, rand);
  check_apodised (healpix, 0.9, ARMILLA_MASK_TAPER_C2, rand);
  check_apodised (odd, 0.5, ARMILLA_MASK_TAPER_C1, rand);
  check_apodised (gauss, 0.4, ARMILLA_MASK_TAPER_C2, rand);
  check_apodised (poles, 0.5, ARMILLA_MASK_TAPER_C1, rand);
  check_apodised (poles, 3.1, ARMILLA_MASK_TAPER_C1, rand);
}

static void
test_mask (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (8, NULL);
  gint64 n = grid->n_pixels;
  g_autofree double *values = random_map_array (rand, 2 * n);
  g_autofree double *weights = random_map_array (rand, n);

  for (gint64 p = 0; p < n; p += 5)
    weights[p] = p % 2 ? 0 : ARMILLA_UNSEEN;
  for (gint64 p = 0; p < n; p += 3)
    values[n + p] = ARMILLA_UNSEEN;
  for (int flags = 0; flags < 8; flags++)
    {
      g_autoptr (ArmillaGraph) graph = new_graph ();
      WholeMap whole = { .values = values }, whole_mask = { .values = weights };
      g_autoptr (ArmillaMap) map = filled (graph, grid, 2, &whole);
      g_autoptr (ArmillaMap) mask = filled (graph, grid, 1, &whole_mask);
      g_autoptr (ArmillaMap) out = armilla_map_new (grid, 2);
      g_autofree double *result = NULL;
      gboolean own = flags & 4; /* the map is its own mask */
      ArmillaMaskOptions options
        = { .from_unseen = (flags & 1) || own, .outside_unseen = flags & 2 };

      g_assert_true (armilla_graph_mask (graph, map, own ? map : mask, &options, out, NULL));
      result = finish (graph, out);
      for (gint64 i = 0; i < 2 * n; i++)
        {
          double m = own ? values[i] : weights[i % n];
          double w = armilla_is_unseen (m) ? 0 : options.from_unseen ? 1 : m;
          double want = w == 0 ? (options.outside_unseen ? ARMILLA_UNSEEN : 0)
                               : armilla_is_unseen (values[i]) ? ARMILLA_UNSEEN : values[i] * w;

          g_assert_cmpfloat (result[i], ==, want);
        }
    }
}

static void
test_combine_maps (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (8, NULL);
  g_autoptr (ArmillaGrid) other = armilla_grid_new_healpix (4, NULL);
  gint64 n = 2 * grid->n_pixels;
  g_autofree double *a = random_map_array (rand, n), *b = random_map_array (rand, n);
  g_autofree double *c = random_map_array (rand, n), *result = NULL;
  WholeMap whole[] = { { .values = a }, { .values = b }, { .values = c } };
  ArmillaMap *maps[3];
  gconstpointer inputs = maps;
  const double factors[] = { 1, -2.5, 0 };
  g_autoptr (ArmillaMap) out = armilla_map_new (grid, 2), wrong = armilla_map_new (other, 2);
  g_autoptr (GError) error = NULL;

  a[5] = b[6] = c[7] = a[8] = c[8] = ARMILLA_UNSEEN;
  for (int i = 0; i < 3; i++)
    maps[i] = filled (graph, grid, 2, &whole[i]);
  g_assert_true (armilla_graph_combine (graph, inputs, factors, 3, ARMILLA_DATA (out), NULL));
  g_assert_false (armilla_graph_combine (graph, inputs, factors, 3, ARMILLA_DATA (wrong), &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  result = finish (graph, out);
  for (gint64 i = 0; i < n; i++)
    if (i >= 5 && i <= 8)
      g_assert_cmpfloat (result[i], ==, ARMILLA_UNSEEN);
    else
      g_assert_cmpfloat (result[i], ==, -2.5 * b[i] + a[i]);
  for (int i = 0; i < 3; i++)
    g_object_unref (maps[i]);
}

static void
test_combine_alm (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (ArmillaGraph) graph = new_graph ();
  ArmillaAlmLayout layout = { 20, 15 };
  gint64 n = 2 * armilla_alm_count (layout);
  g_autofree double *a = random_alm_array (rand, layout, 2);
  g_autofree double *b = random_alm_array (rand, layout, 2), *result = g_new0 (double, 2 * n);
  WholeAlm whole[] = { { a, layout }, { b, layout } }, taken = { result, layout };
  ArmillaAlm *alms[2];
  gconstpointer inputs = alms;
  const double factors[] = { 0.5, -1 };
  g_autoptr (ArmillaAlm) out = armilla_alm_new (layout, 2);
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 2; i++)
    {
      alms[i] = armilla_alm_new (layout, 2);
      g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (alms[i]), whole_alm_fill, &whole[i],
                                         NULL, NULL));
    }
  g_assert_true (armilla_graph_combine (graph, inputs, factors, 2, ARMILLA_DATA (out), NULL));
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (out), whole_alm_take, NULL, &taken, NULL, NULL));
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < 2 * n; i++)
    g_assert_cmpfloat (result[i], ==, -b[i] + 0.5 * a[i]);
  for (int i = 0; i < 2; i++)
    g_object_unref (alms[i]);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/arithmetic/grade/published", test_published_grade);
  g_test_add_func ("/arithmetic/grade/quad-tree", test_grade);
  g_test_add_func ("/arithmetic/grade/shapes", test_grade_shapes);
  g_test_add_func ("/arithmetic/mask/apodise", test_apodise);
  g_test_add_func ("/arithmetic/mask/apply", test_mask);
  g_test_add_func ("/arithmetic/combine/maps", test_combine_maps);
  g_test_add_func ("/arithmetic/combine/alm", test_combine_alm);
  return run_tests ();
}
