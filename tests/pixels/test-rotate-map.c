/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rotation of maps in the space of pixels: turns that take pixels into pixels, and fields that are
 * known everywhere. */
#include "core/grids/grid.h"
#include "tasks/pixels/pixels.h"
#include "tests/lib/transform-helpers.h"

static const int spins[4] = { 0, 2, 2, 0 };
static const int vectors[2] = { 1, 1 };

static double *
rotate (ArmillaGrid *from, ArmillaGrid *to, const double *pixels, int n_fields, const int *of,
        const double angles[3])
{
  ArmillaTilingOptions tiling = { .ring_block = 5 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, &tiling, &error);
  g_autoptr (ArmillaMap) in = armilla_map_new (from, n_fields);
  g_autoptr (ArmillaMap) out = armilla_map_new (to, n_fields);
  WholeMap whole = { (double *) pixels, from->n_pixels };
  WholeMap result = { g_new (double, to->n_pixels * n_fields), to->n_pixels };

  g_assert_no_error (error);
  for (gint64 i = 0; i < to->n_pixels * n_fields; i++)
    result.values[i] = NAN;
  armilla_map_set_spins (in, of);
  armilla_map_set_spins (out, of);
  armilla_graph_fill (graph, ARMILLA_DATA (in), whole_map_fill, &whole, NULL, &error);
  g_assert_true (armilla_graph_rotate_map (graph, in, angles[0], angles[1], angles[2], out,
                                           &error));
  armilla_graph_drain (graph, ARMILLA_DATA (out), whole_map_take, NULL, &result, NULL, &error);
  armilla_data_release (ARMILLA_DATA (in));
  armilla_data_release (ARMILLA_DATA (out));
  g_assert_true (armilla_graph_wait (graph, &error));
  return result.values;
}

/* A pixel comes from within 1e-15 of a pixel, which is 1e-15 times n_phi / 2 pi of the way to the
 * next: below 1e-13 times the difference of two pixels here. */
static void
test_identity (void)
{
  static const Case cases[] = { { "healpix", 8, 0, 0, 0 },        { "healpix", 1, 0, 0, 0 },
                                { "gauss", 9, 13, 0, 0 },         { "fejer1", 12, 7, 0, 0 },
                                { "clenshaw-curtis", 9, 6, 0, 0 }, { "driscoll-healy", 8, 5, 0, 0 },
                                { "gauss", 1, 1, 0, 0 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (41);

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (ArmillaGrid) grid
        = make_grid (cases[c].kind, cases[c].n_theta, cases[c].n_phi);
      g_autofree double *map = random_map_array (rand, 4 * grid->n_pixels);
      g_autofree double *out
        = rotate (grid, grid, map, 4, spins, (const double[]) { 0.3, 0, -0.3 });

      /* Pixels on a pole are all the same place. */
      for (gint64 p = 0; p < 4 * grid->n_pixels; p++)
        if (grid->rings[armilla_grid_ring_of (grid, p % grid->n_pixels)].sin_theta > 0)
          g_assert_cmpfloat_with_epsilon (out[p], map[p], 1e-12);
    }
}

/* A quarter about z takes pixels of HEALPix into each other, and so does half a turn about y, which
 * exchanges the poles: directions to the north turn by pi. */
static void
test_symmetries (void)
{
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 8, 0);
  g_autoptr (GRand) rand = g_rand_new_with_seed (42);
  gint64 n = grid->n_pixels;
  g_autofree double *map = random_map_array (rand, 4 * n);
  g_autofree double *quarter
    = rotate (grid, grid, map, 4, spins, (const double[]) { G_PI / 2, 0, 0 });
  g_autofree double *half = rotate (grid, grid, map, 4, spins, (const double[]) { 0, G_PI, 0 });
  g_autofree double *vector = rotate (grid, grid, map, 2, vectors, (const double[]) { 0, G_PI, 0 });

  for (gint64 p = 0; p < n; p++)
    {
      const ArmillaRing *ring = &grid->rings[armilla_grid_ring_of (grid, p)];
      gint64 j = p - ring->offset, nphi = ring->n_phi;
      gint64 before = ring->offset + (j + nphi - nphi / 4) % nphi, turned;
      double v[3];

      armilla_grid_pixel_vector (grid, p, v);
      v[0] = -v[0];
      v[2] = -v[2];
      turned = armilla_healpix_vector_to_pixel (grid->nside, v);
      for (int f = 0; f < 4; f++)
        {
          g_assert_cmpfloat_with_epsilon (quarter[f * n + p], map[f * n + before], 1e-12);
          g_assert_cmpfloat_with_epsilon (half[f * n + p], map[f * n + turned], 1e-12);
        }
      for (int f = 0; f < 2; f++)
        g_assert_cmpfloat_with_epsilon (vector[f * n + p], -map[f * n + turned], 1e-12);
    }
}

/* Field 0: (a v)^2. Fields 1 and 2: the s-th power of (a e_theta) + i (a e_phi), what is left of a
 * vector when it is seen along v; an angle from the south towards the east, as COSMO has it. */
static void
fill_fields (const ArmillaGrid *grid, const double a[3], int s, double *fields)
{
  gint64 n = grid->n_pixels;

  for (gint64 p = 0; p < n; p++)
    {
      double v[3], rho, x, y, re = 1, im = 0;

      armilla_grid_pixel_vector (grid, p, v);
      rho = hypot (v[0], v[1]);
      x = v[2] * (a[0] * v[0] + a[1] * v[1]) / rho - a[2] * rho;
      y = (a[1] * v[0] - a[0] * v[1]) / rho;
      for (int k = 0; k < s; k++)
        {
          double old = re;

          re = re * x - im * y;
          im = old * y + im * x;
        }
      fields[p] = pow (a[0] * v[0] + a[1] * v[1] + a[2] * v[2], 2);
      fields[n + p] = re;
      fields[2 * n + p] = im;
    }
}

/* The field that turns with a. Away from the poles, before and after, the second derivatives are
 * below 25, and linear interpolation is off by an eighth of them times the square of the distance
 * of pixels, 1.1 / nside, in either direction. */
static void
test_fields (void)
{
  const double angles[3] = { 0.7, 1.1, -2.3 }, a[3] = { 0.3, -0.5, 0.81 };
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 64, 0);
  g_autoptr (ArmillaGrid) other = make_grid ("gauss", 20, 33);
  gint64 n = other->n_pixels;
  double b[3], c[3], bound = 2 * 25.0 / 8 * pow (1.1 / 64, 2), pole[3];

  /* Rz, Ry, Rz */
  b[0] = cos (angles[0]) * a[0] - sin (angles[0]) * a[1];
  b[1] = sin (angles[0]) * a[0] + cos (angles[0]) * a[1];
  b[2] = cos (angles[1]) * a[2] - sin (angles[1]) * b[0];
  b[0] = cos (angles[1]) * b[0] + sin (angles[1]) * a[2];
  c[0] = cos (angles[2]) * b[0] - sin (angles[2]) * b[1];
  c[1] = sin (angles[2]) * b[0] + cos (angles[2]) * b[1];
  c[2] = b[2];
  pole[0] = sin (angles[1]) * cos (angles[2]);
  pole[1] = sin (angles[1]) * sin (angles[2]);
  pole[2] = cos (angles[1]);
  for (int s = 1; s <= 3; s++)
    {
      const int of[3] = { 0, s, s };
      g_autofree double *map = g_new (double, 3 * grid->n_pixels);
      g_autofree double *expected = g_new (double, 3 * n);
      g_autofree double *out = NULL;

      fill_fields (grid, a, s, map);
      fill_fields (other, c, s, expected);
      out = rotate (grid, other, map, 3, of, angles);
      for (gint64 p = 0; p < n; p++)
        {
          double v[3];

          armilla_grid_pixel_vector (other, p, v);
          g_assert_cmpfloat_with_epsilon (out[p], expected[p], bound);
          if (fabs (v[0] * pole[0] + v[1] * pole[1] + v[2] * pole[2]) > 0.8)
            continue;
          g_assert_cmpfloat_with_epsilon (out[n + p], expected[n + p], bound);
          g_assert_cmpfloat_with_epsilon (out[2 * n + p], expected[2 * n + p], bound);
        }
    }
}

/* What is UNSEEN does not count; where it has more than half of the weight, nothing is left. */
static void
test_unseen (void)
{
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 16, 0), part = NULL;
  const double angles[3] = { 0, 0.9, 0.2 };
  gint64 n = grid->n_pixels, seen = 0;
  g_autofree double *map = g_new (double, 3 * n), *out = NULL, *some = NULL, *weight = NULL;

  for (gint64 p = 0; p < n; p++)
    {
      map[p] = 7;
      map[n + p] = 3;
      map[2 * n + p] = 4;
    }
  part = armilla_grid_select_theta (grid, 0.5, 2.5, NULL);
  some = rotate (part, grid, map, 3, spins, angles);
  for (gint64 p = 0; p < n; p++)
    if (armilla_grid_ring_of (part, p) < 0)
      map[p] = map[n + p] = map[2 * n + p] = ARMILLA_UNSEEN;
  out = rotate (grid, grid, map, 3, spins, angles);
  g_assert_cmpmem (some, 3 * n * sizeof *some, out, 3 * n * sizeof *out);
  for (gint64 p = 0; p < n; p++)
    map[p] = armilla_grid_ring_of (part, p) >= 0;
  weight = rotate (grid, grid, map, 1, NULL, angles); /* of what is seen */
  for (gint64 p = 0; p < n; p++)
    {
      if (fabs (weight[p] - 0.5) < 1e-9)
        continue;
      seen += weight[p] > 0.5;
      g_assert_true (armilla_is_unseen (out[p]) == (weight[p] < 0.5));
      g_assert_true (armilla_is_unseen (out[n + p]) == (weight[p] < 0.5));
      if (weight[p] < 0.5)
        continue;
      g_assert_cmpfloat_with_epsilon (out[p], 7, 1e-13);
      g_assert_cmpfloat_with_epsilon (hypot (out[n + p], out[2 * n + p]), 5, 1e-13);
    }
  /* (cos 0.5 + cos 0.64) / 2 = 0.84 of the sky */
  g_assert_cmpfloat_with_epsilon ((double) seen / (double) n, 0.84, 0.01);
}

static void
test_wrong (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 1, 0);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 3), out = armilla_map_new (grid, 3);
  g_autoptr (ArmillaMap) two = armilla_map_new (grid, 2);

  g_assert_false (armilla_graph_rotate_map (graph, map, 0, 0, 0, two, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (armilla_graph_rotate_map (graph, map, 0, -1, 0, out, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
  armilla_map_set_spins (map, spins);
  g_assert_false (armilla_graph_rotate_map (graph, map, 0, 0, 0, out, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/rotate-map/identity", test_identity);
  g_test_add_func ("/rotate-map/symmetries", test_symmetries);
  g_test_add_func ("/rotate-map/fields", test_fields);
  g_test_add_func ("/rotate-map/unseen", test_unseen);
  g_test_add_func ("/rotate-map/wrong", test_wrong);
  return run_tests ();
}
