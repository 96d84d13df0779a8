/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring lists, ring weights, comparison, description, and what the constructors refuse. */
#include "core/grids/grid.h"
#include "tests/lib/grid-helpers.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static ArmillaRing
make_ring (double theta, gint64 n_phi, gint64 offset)
{
  return (ArmillaRing){ .cos_theta = cos (theta),
                        .sin_theta = sin (theta),
                        .weight = 1,
                        .n_phi = n_phi,
                        .offset = offset,
                        .phi0_den = 1 };
}

static void
assert_pairs (const ArmillaGrid *grid, gint64 n, const ArmillaRingPair *pairs)
{
  g_assert_cmpint (grid->n_pairs, ==, n);
  for (gint64 p = 0; p < n; p++)
    {
      g_assert_cmpint (grid->pairs[p].north, ==, pairs[p].north);
      g_assert_cmpint (grid->pairs[p].south, ==, pairs[p].south);
    }
}

/* The rings of a HEALPix grid, in any order, make the same grid. */
static void
test_shuffled (void)
{
  g_autoptr (ArmillaGrid) source = healpix (8);
  g_autofree ArmillaRing *rings = g_new (ArmillaRing, source->n_rings);
  g_autoptr (ArmillaGrid) grid = NULL;
  g_autofree char *text = NULL;

  for (gint64 i = 0; i < source->n_rings; i++)
    rings[i * 13 % source->n_rings] = source->rings[i]; /* 31 rings */
  grid = from_rings (rings, source->n_rings);
  g_assert_cmpint (grid->kind, ==, ARMILLA_GRID_RINGS);
  g_assert_cmpint (grid->nside, ==, 0);
  g_assert_cmpint (grid->n_pixels, ==, 768);
  for (gint64 i = 0; i < grid->n_rings; i++)
    {
      g_assert_true (grid->rings[i].cos_theta == source->rings[i].cos_theta);
      g_assert_cmpint (grid->rings[i].offset, ==, source->rings[i].offset);
    }
  assert_pairs (grid, source->n_pairs, source->pairs);
  g_assert_false (armilla_grid_equal (grid, source)); /* that one is HEALPix */
  text = armilla_grid_describe (grid);
  g_assert_cmpstr (text, ==, "31 rings, 768 pixels");
}

/* Pixel numbers that do not follow the rings from north to south. */
static void
test_own_order (void)
{
  const ArmillaRing rings[3]
      = { make_ring (2.0, 4, 0), make_ring (0.5, 3, 4), make_ring (1.0, 5, 7) };
  static const double theta[12] = { 2, 2, 2, 2, 0.5, 0.5, 0.5, 1, 1, 1, 1, 1 };
  static const ArmillaRingPair pairs[3] = { { 0, -1 }, { 1, -1 }, { -1, 2 } };
  g_autoptr (ArmillaGrid) grid = from_rings (rings, 3);

  g_assert_true (grid->rings[0].cos_theta == cos (0.5));
  g_assert_true (grid->rings[1].cos_theta == cos (1.0));
  g_assert_true (grid->rings[2].cos_theta == cos (2.0));
  assert_pairs (grid, 3, pairs);
  for (gint64 i = 0; i < 12; i++)
    {
      double v[3];

      armilla_grid_pixel_vector (grid, i, v);
      g_assert_true (v[2] == cos (theta[i]));
    }
}

/* Mirror images whose rounding differs, rings that nearly mirror each other, two on the equator and
 * two with the same latitude. */
static void
test_pairs (void)
{
  ArmillaRing rings[7] = {
    make_ring (0.3, 4, 0),  make_ring (0.3, 4, 4),  make_ring (1.0, 4, 8),  make_ring (1.2, 4, 12),
    make_ring (1.2, 4, 16), make_ring (1.2, 4, 20), make_ring (0.3, 4, 24),
  };
  static const ArmillaRingPair pairs[5] = { { 0, 6 }, { 1, -1 }, { 2, 5 }, { 3, -1 }, { 4, -1 } };
  g_autoptr (ArmillaGrid) grid = NULL;

  rings[2].cos_theta = nextafter (rings[2].cos_theta, 1);
  rings[3].cos_theta = -cos (1.0);
  rings[3].sin_theta = sin (1.0);
  rings[4].cos_theta = rings[5].cos_theta = 0;
  rings[4].sin_theta = rings[5].sin_theta = 1;
  rings[6].cos_theta = -rings[6].cos_theta;
  grid = from_rings (rings, 7);
  assert_pairs (grid, 5, pairs);
}

/* Rings without a partner in either hemisphere, and rings that only their sine or their low parts
 * put in order. */
static void
test_order (void)
{
  ArmillaRing rings[6] = {
    make_ring (1.5, 4, 0),  make_ring (1e-9, 4, 4), make_ring (1e-10, 4, 8),
    make_ring (1.0, 4, 12), make_ring (1.0, 4, 16), make_ring (3.0, 4, 20),
  };
  static const gint64 offsets[6] = { 8, 4, 16, 12, 0, 20 };
  static const ArmillaRingPair pairs[6]
      = { { 0, -1 }, { 1, -1 }, { -1, 5 }, { 2, -1 }, { 3, -1 }, { 4, -1 } };
  g_autoptr (ArmillaGrid) grid = NULL;

  g_assert_true (rings[1].cos_theta == 1 && rings[2].cos_theta == 1);
  rings[4].cos_lo = 1e-17;
  grid = from_rings (rings, 6);
  for (int i = 0; i < 6; i++)
    g_assert_cmpint (grid->rings[i].offset, ==, offsets[i]);
  assert_pairs (grid, 6, pairs);
}

/* Off by 1e-15 is no mirror image; with low parts, nor is 1e-20. */
static void
test_not_pairs (void)
{
  ArmillaRing rings[2] = { make_ring (1.0, 4, 0), make_ring (1.0, 4, 4) };
  static const ArmillaRingPair apart[2] = { { 0, -1 }, { -1, 1 } };
  static const ArmillaRingPair together[1] = { { 0, 1 } };
  g_autoptr (ArmillaGrid) far = NULL, near = NULL, exact = NULL;

  rings[1].cos_theta = -cos (1.0 + 1e-15);
  rings[1].sin_theta = sin (1.0 + 1e-15);
  far = from_rings (rings, 2);
  g_assert_cmpint (far->n_pairs, ==, 2);
  rings[1].cos_theta = -rings[0].cos_theta;
  rings[1].sin_theta = rings[0].sin_theta;
  rings[0].cos_lo = 1e-17;
  rings[1].cos_lo = -1.001e-17;
  near = from_rings (rings, 2);
  assert_pairs (near, 2, apart);
  rings[1].cos_lo = -1e-17;
  exact = from_rings (rings, 2);
  assert_pairs (exact, 1, together);
}

/* Azimuths come out as reduced fractions in [0, 2) pi, or as they were given in radian. */
static void
test_azimuths (void)
{
  static const gint64 given[][2] = { { 0, 7 }, { 2, 8 }, { -1, 4 }, { 9, 4 }, { 16, 8 } };
  static const gint64 want[][2] = { { 0, 1 }, { 1, 4 }, { 7, 4 }, { 1, 4 }, { 0, 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (given); i++)
    {
      ArmillaRing ring = make_ring (1, 8, 0);
      g_autoptr (ArmillaGrid) grid = NULL;
      double v[3], phi = G_PI * (double) given[i][0] / (double) given[i][1];

      ring.phi0_num = given[i][0];
      ring.phi0_den = given[i][1];
      ring.phi0 = NAN; /* does not count */
      grid = from_rings (&ring, 1);
      g_assert_cmpint (grid->rings[0].phi0_num, ==, want[i][0]);
      g_assert_cmpint (grid->rings[0].phi0_den, ==, want[i][1]);
      g_assert_cmpfloat_with_epsilon (cos (grid->rings[0].phi0), cos (phi), 1e-15);
      armilla_grid_pixel_vector (grid, 3, v);
      g_assert_cmpfloat_with_epsilon (v[0], sin (1) * cos (phi + 2 * G_PI * 3 / 8), 2e-15);
      g_assert_cmpfloat_with_epsilon (v[1], sin (1) * sin (phi + 2 * G_PI * 3 / 8), 2e-15);
    }
  for (gint64 den = 0; den <= 3; den += 3) /* radian; a fraction that does not fit the pixels */
    {
      ArmillaRing ring = make_ring (1, 8, 0);
      g_autoptr (ArmillaGrid) grid = NULL;
      double v[3], phi = den == 0 ? 0.1 : G_PI / 3;

      ring.phi0 = 0.1;
      ring.phi0_num = 1;
      ring.phi0_den = den;
      grid = from_rings (&ring, 1);
      armilla_grid_pixel_vector (grid, 1, v);
      g_assert_cmpfloat_with_epsilon (v[0], sin (1) * cos (phi + G_PI / 4), 1e-15);
      g_assert_cmpfloat_with_epsilon (v[1], sin (1) * sin (phi + G_PI / 4), 1e-15);
    }
}

static void
refuse (const ArmillaRing *rings, gint64 n, const char *say)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (armilla_grid_new_rings (rings, n, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  if (strstr (error->message, say) == NULL)
    g_error ("\"%s\" is not in: %s", say, error->message);
}

static void
test_bad_rings (void)
{
  const ArmillaRing good[2] = { make_ring (1, 4, 0), make_ring (2, 4, 4) };
  ArmillaRing r[2];

#define REFUSE(change, say)                                                                        \
  do                                                                                               \
    {                                                                                              \
      memcpy (r, good, sizeof r);                                                                  \
      change;                                                                                      \
      refuse (r, 2, say);                                                                          \
    }                                                                                              \
  while (0)

  refuse (good, 0, "number of rings is 0");
  refuse (good, -1, "number of rings is -1");
  REFUSE (r[1].cos_theta = NAN, "ring 1 (from 0): the cosine or sine");
  REFUSE (r[0].sin_lo = INFINITY, "ring 0 (from 0): the cosine or sine");
  REFUSE (r[1].sin_theta = -r[1].sin_theta, "must not be negative");
  REFUSE (r[1].cos_theta = 0.5, "cos^2 + sin^2");
  REFUSE (r[1].cos_lo = 1e-10, "rounding error");
  REFUSE (r[0].weight = INFINITY, "weight");
  REFUSE (r[0].n_phi = 0, "it has 0 pixels");
  REFUSE (r[0].n_phi = -4, "it has -4 pixels");
  REFUSE (r[0].n_phi = G_MAXINT64, "pixels; it must have");
  REFUSE (r[0].offset = -1, "first pixel is -1");
  REFUSE (r[0].offset = G_MAXINT64, "first pixel is");
  REFUSE (r[1].offset = 3, "ring 1 (from 0): its first pixel, 3, belongs to ring 0 already");
  REFUSE (r[1].offset = 6, "pixels 4 to 5 belong to no ring");
  REFUSE (r[0].offset = 8, "pixels 0 to 3 belong to no ring");
  REFUSE (r[0].phi0_den = -1, "phi0_den is -1");
  REFUSE ((r[0].phi0_den = 0, r[0].phi0 = NAN), "azimuth");
#undef REFUSE
}

static void
test_ring_weights (void)
{
  g_autoptr (ArmillaGrid) grid = healpix (2);
  g_autoptr (ArmillaGrid) weighted = NULL, same = NULL;
  g_autoptr (GError) error = NULL;
  const double factor[4] = { 2, 1, 0.5, -1 }, ones[4] = { 1, 1, 1, 1 };
  const double bad[4] = { 1, 1, NAN, 1 };
  static const int of_ring[7] = { 0, 1, 2, 3, 2, 1, 0 };

  weighted = armilla_grid_with_ring_weights (grid, factor, 4, &error);
  g_assert_no_error (error);
  g_assert_cmpint (weighted->kind, ==, ARMILLA_GRID_HEALPIX);
  g_assert_cmpint (weighted->nside, ==, 2);
  g_assert_cmpint (weighted->n_pixels, ==, 48);
  for (int i = 0; i < 7; i++)
    g_assert_true (weighted->rings[i].weight == factor[of_ring[i]] * grid->rings[i].weight);
  g_assert_false (armilla_grid_equal (grid, weighted));
  same = armilla_grid_with_ring_weights (grid, ones, 4, NULL);
  g_assert_true (armilla_grid_equal (grid, same));

  g_assert_null (armilla_grid_with_ring_weights (grid, factor, 3, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "needs 4"));
  g_clear_error (&error);
  g_assert_null (armilla_grid_with_ring_weights (grid, bad, 4, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "ring weight 2"));
}

static ArmillaGrid *
make (ArmillaGridKind kind, gint64 n_theta, gint64 n_phi, GError **error)
{
  if (kind == ARMILLA_GRID_HEALPIX)
    return armilla_grid_new_healpix (n_theta, error);
  if (kind == ARMILLA_GRID_GAUSS_LEGENDRE)
    return armilla_grid_new_gauss_legendre (n_theta, n_phi, error);
  return armilla_grid_new_equiangular (kind, n_theta, n_phi, error);
}

static void
test_describe_and_equal (void)
{
  static const struct {
    ArmillaGridKind kind;
    gint64 n_theta, n_phi;
    const char *text;
  } grids[] = {
    { ARMILLA_GRID_HEALPIX, 12, 0, "HEALPix nside 12" },
    { ARMILLA_GRID_HEALPIX, 13, 0, "HEALPix nside 13" },
    { ARMILLA_GRID_GAUSS_LEGENDRE, 12, 20, "Gauss-Legendre 12 x 20" },
    { ARMILLA_GRID_GAUSS_LEGENDRE, 12, 21, "Gauss-Legendre 12 x 21" },
    { ARMILLA_GRID_FEJER1, 12, 20, "Fejer 1 12 x 20" },
    { ARMILLA_GRID_CLENSHAW_CURTIS, 12, 20, "Clenshaw-Curtis 12 x 20" },
    { ARMILLA_GRID_DRISCOLL_HEALY, 12, 20, "Driscoll-Healy 12 x 20" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      g_autoptr (ArmillaGrid) a = make (grids[i].kind, grids[i].n_theta, grids[i].n_phi, NULL);
      g_autofree char *text = armilla_grid_describe (a);

      g_assert_cmpstr (text, ==, grids[i].text);
      for (gsize j = 0; j < G_N_ELEMENTS (grids); j++)
        {
          g_autoptr (ArmillaGrid) b = make (grids[j].kind, grids[j].n_theta, grids[j].n_phi, NULL);

          g_assert_cmpint (armilla_grid_equal (a, b), ==, i == j);
        }
      g_assert_true (armilla_grid_equal (a, a));
    }
}

static void
test_bad_sizes (void)
{
  static const struct {
    ArmillaGridKind kind;
    gint64 n_theta, n_phi;
    int code;
    const char *say;
  } bad[] = {
    { ARMILLA_GRID_HEALPIX, 0, 0, ARMILLA_ERROR_VALUE, "nside is 0; it must be from 1" },
    { ARMILLA_GRID_HEALPIX, -3, 0, ARMILLA_ERROR_VALUE, "nside is -3" },
    { ARMILLA_GRID_HEALPIX, 536870913, 0, ARMILLA_ERROR_VALUE, "to 536870912" },
    { ARMILLA_GRID_GAUSS_LEGENDRE, 0, 4, ARMILLA_ERROR_VALUE, "Gauss-Legendre grid: the number" },
    { ARMILLA_GRID_GAUSS_LEGENDRE, 4, 0, ARMILLA_ERROR_VALUE, "pixels per ring is 0" },
    { ARMILLA_GRID_GAUSS_LEGENDRE, 4, G_MAXINT64, ARMILLA_ERROR_VALUE, "pixels per ring" },
    { ARMILLA_GRID_GAUSS_LEGENDRE, G_MAXINT64, 4, ARMILLA_ERROR_VALUE, "number of rings" },
    { ARMILLA_GRID_GAUSS_LEGENDRE, 131073, 1, ARMILLA_ERROR_VALUE, "to 131072" },
    { ARMILLA_GRID_FEJER1, 0, 4, ARMILLA_ERROR_VALUE, "Fejer 1 grid" },
    { ARMILLA_GRID_FEJER1, -2, 4, ARMILLA_ERROR_VALUE, "is -2" },
    { ARMILLA_GRID_FEJER1, 131073, 4, ARMILLA_ERROR_VALUE, "to 131072" },
    { ARMILLA_GRID_CLENSHAW_CURTIS, 1, 4, ARMILLA_ERROR_VALUE, "from 2" },
    { ARMILLA_GRID_DRISCOLL_HEALY, 7, 4, ARMILLA_ERROR_VALUE, "must be even" },
    { ARMILLA_GRID_DRISCOLL_HEALY, 8, -1, ARMILLA_ERROR_VALUE, "is -1" },
    { ARMILLA_GRID_RINGS, 8, 8, ARMILLA_ERROR_VALUE, "not equiangular" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (make (bad[i].kind, bad[i].n_theta, bad[i].n_phi, &error));
      g_assert_error (error, ARMILLA_ERROR, bad[i].code);
      if (strstr (error->message, bad[i].say) == NULL)
        g_error ("\"%s\" is not in: %s", bad[i].say, error->message);
    }
}

/* A grid for which the machine has not the memory; that of nside 2^29 takes 224 GiB. */
static void
test_too_large (void)
{
  g_autoptr (GError) error = NULL;

  if ((double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE) > 200 * 0x1p30)
    {
      g_test_skip ("this machine has the memory");
      return;
    }
  g_assert_null (armilla_grid_new_healpix (G_GINT64_CONSTANT (1) << 29, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "2147483647 rings"));
}

static gpointer
ref_and_unref (gpointer grid)
{
  for (int i = 0; i < 100000; i++)
    armilla_grid_unref (armilla_grid_ref (grid));
  armilla_grid_unref (grid);
  return NULL;
}

/* A lost count leaves a leak or a use after free, which the sanitizers see. */
static void
test_references (void)
{
  ArmillaGrid *grid = healpix (4);
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("ref", ref_and_unref, armilla_grid_ref (grid));
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (grid->n_pixels, ==, 192);
  armilla_grid_unref (grid);
  armilla_grid_unref (NULL);
}

/* Some rings of a grid: its pixels keep their numbers, its rings their weights. */
static void
test_part (void)
{
  g_autoptr (ArmillaGrid) grid = healpix (4), part = NULL, again = NULL, less = NULL;
  g_autoptr (ArmillaGrid) weighed = NULL, same = NULL, other = NULL;
  g_autofree gboolean *wanted = g_new0 (gboolean, grid->n_rings);
  double factors[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, v[3], w[3];
  g_autofree char *text = NULL;

  for (int i = 2; i < 6; i++)
    wanted[i] = TRUE; /* rings 3 to 6 of 15: 12, 16, 16 and 16 pixels from 12 on */
  part = armilla_grid_select_rings (grid, wanted, NULL);
  g_assert_cmpint (part->kind, ==, ARMILLA_GRID_HEALPIX);
  g_assert_cmpint (part->nside, ==, 4);
  g_assert_cmpint (part->n_rings, ==, 4);
  g_assert_cmpint (part->n_pixels, ==, 192);
  g_assert_cmpint (part->n_covered, ==, 60);
  g_assert_cmpint (grid->n_covered, ==, 192);
  g_assert_true (armilla_grid_whole (part) == grid);
  g_assert_true (armilla_grid_whole (grid) == grid);
  assert_pairs (part, 4, (ArmillaRingPair[]) { { 0, -1 }, { 1, -1 }, { 2, -1 }, { 3, -1 } });
  g_assert_cmpint (armilla_grid_ring_of (part, 11), ==, -1);
  g_assert_cmpint (armilla_grid_ring_of (part, 12), ==, 0);
  g_assert_cmpint (armilla_grid_ring_of (part, 71), ==, 3);
  g_assert_cmpint (armilla_grid_ring_of (part, 72), ==, -1);
  g_assert_cmpint (armilla_grid_ring_of (part, 191), ==, -1);
  for (gint64 p = 0; p < 192; p += 17)
    {
      armilla_grid_pixel_vector (part, p, v);
      armilla_grid_pixel_vector (grid, p, w);
      g_assert_true (memcmp (v, w, sizeof v) == 0);
    }
  text = armilla_grid_describe (part);
  g_assert_cmpstr (text, ==, "HEALPix nside 4 (4 of its 15 rings)");
  /* cosines of rings 3 to 6: 0.8125, 2/3, 0.5, 1/3; others are at 11/12 and 1/6 */
  again = armilla_grid_select_theta (grid, acos (0.82), acos (1. / 3), NULL);
  g_assert_true (armilla_grid_equal (again, part));
  g_assert_true (armilla_grid_same_pixels (again, part));
  g_assert_false (armilla_grid_same_pixels (grid, part));
  g_assert_false (armilla_grid_equal (grid, part));
  less = armilla_grid_select_theta (part, acos (0.7), G_PI, NULL);
  g_assert_cmpint (less->n_rings, ==, 3);
  g_assert_true (armilla_grid_whole (less) == grid);
  same = armilla_grid_select_theta (grid, 0, G_PI, NULL);
  g_assert_true (same == grid);
  weighed = armilla_grid_with_ring_weights (part, factors, 8, NULL);
  for (int i = 0; i < 4; i++)
    g_assert_cmpfloat (weighed->rings[i].weight, ==, (i + 3) * part->rings[i].weight);
  g_assert_true (armilla_grid_same_pixels (weighed, part));
  g_assert_false (armilla_grid_equal (weighed, part));
  other = armilla_grid_with_ring_weights (grid, factors, 8, NULL);
  g_assert_true (armilla_grid_equal (armilla_grid_whole (weighed), other));
}

static void
expect_message (ArmillaGrid *part, GError *error, const char *message)
{
  g_assert_null (part);
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, message);
  g_error_free (error);
}

static void
test_no_part (void)
{
  g_autoptr (ArmillaGrid) grid = healpix (4), part = NULL;
  g_autofree gboolean *wanted = g_new0 (gboolean, grid->n_rings);
  GError *error = NULL;

  part = armilla_grid_select_rings (grid, wanted, &error);
  expect_message (part, g_steal_pointer (&error),
                  "none of the 15 rings is selected; must be at least one");
  part = armilla_grid_select_theta (grid, 0, 0.1, &error);
  expect_message (part, g_steal_pointer (&error),
                  "theta-min = 0 deg and theta-max = 5.72958 deg: HEALPix nside 4 has no ring "
                  "between them");
  part = armilla_grid_select_theta (grid, 2, 1, &error);
  expect_message (part, g_steal_pointer (&error),
                  "theta-min = 114.592 deg and theta-max = 57.2958 deg: HEALPix nside 4 has no "
                  "ring between them");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/grid-rings/shuffled", test_shuffled);
  g_test_add_func ("/grid-rings/own-order", test_own_order);
  g_test_add_func ("/grid-rings/pairs", test_pairs);
  g_test_add_func ("/grid-rings/order", test_order);
  g_test_add_func ("/grid-rings/not-pairs", test_not_pairs);
  g_test_add_func ("/grid-rings/azimuths", test_azimuths);
  g_test_add_func ("/grid-rings/bad-rings", test_bad_rings);
  g_test_add_func ("/grid-rings/ring-weights", test_ring_weights);
  g_test_add_func ("/grid-rings/describe-and-equal", test_describe_and_equal);
  g_test_add_func ("/grid-rings/bad-sizes", test_bad_sizes);
  g_test_add_func ("/grid-rings/too-large", test_too_large);
  g_test_add_func ("/grid-rings/references", test_references);
  g_test_add_func ("/grid-rings/part", test_part);
  g_test_add_func ("/grid-rings/no-part", test_no_part);
  return g_test_run ();
}
