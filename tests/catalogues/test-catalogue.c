/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/catalogues/catalogue.h"

#include <armilla/catalogue.h>
#include <math.h>
#include <string.h>

static void
expect_error (gboolean good, GError **error, int code, const char *part)
{
  g_assert_false (good);
  g_assert_error (*error, ARMILLA_ERROR, code);
  g_assert_nonnull (strstr ((*error)->message, part));
  g_clear_error (error);
}

static void
test_units (void)
{
  static const struct { const char *text; ArmillaAngleUnit unit; } good[] = {
    { "deg", ARMILLA_ANGLE_DEG }, { " Degrees ", ARMILLA_ANGLE_DEG }, { "rad", ARMILLA_ANGLE_RAD },
    { "arcsec", ARMILLA_ANGLE_ARCSEC }, { "arcmin", ARMILLA_ANGLE_ARCMIN },
    { "hourangle", ARMILLA_ANGLE_HOUR }, { "h", ARMILLA_ANGLE_HOUR },
  };
  GError *error = NULL;
  ArmillaAngleUnit unit;

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_assert_true (armilla_angle_unit_parse (good[i].text, &unit, &error));
      g_assert_no_error (error);
      g_assert_cmpint (unit, ==, good[i].unit);
    }
  expect_error (armilla_angle_unit_parse ("mag", &unit, &error), &error, ARMILLA_ERROR_UNKNOWN,
                "\"mag\" is not a unit of angle");
}

/* With 64 bits of precision, sinl () of pi / 180 times the angle reduced is 1e-19 off. */
static void
test_sin_cos (void)
{
  static const double turns[] = { 0, 360, 21600, 1296000, 24 };

  for (int unit = ARMILLA_ANGLE_DEG; unit <= ARMILLA_ANGLE_HOUR; unit++)
    {
      double turn = turns[unit], s, c;

      for (int i = -1500; i <= 1500; i++)
        {
          double angle = turn * (i * 0.618033988749895 / 500);
          long double exact = remainderl (angle, turn) / turn * 2 * 3.14159265358979323846264L;

          armilla_angle_sin_cos (angle, unit, &s, &c);
          /* 1 ulp of the result, the library's and our own half each; near a zero of the function
           * the reference itself is off by 3e-19 */
          g_assert_cmpfloat (fabsl (s - sinl (exact)), <=,
                             2.3e-16L * fabsl (sinl (exact)) + 1e-18L);
          g_assert_cmpfloat (fabsl (c - cosl (exact)), <=,
                             2.3e-16L * fabsl (cosl (exact)) + 1e-18L);
        }
      for (int quarter = -5; quarter <= 5; quarter++)
        {
          static const double sines[] = { 0, 1, 0, -1 };

          armilla_angle_sin_cos (quarter * turn / 4, unit, &s, &c);
          g_assert_true (s == sines[quarter & 3] && c == sines[(quarter + 1) & 3]);
        }
    }
}

static void
test_angles (void)
{
  const double ra[] = { 0, 90, 192.85948, 450, 12 };
  const double dec[] = { 0, 0, 27.12825, -90, 90 };
  GError *error = NULL;
  g_autoptr (ArmillaCatalogue) cat = armilla_catalogue_new (5, 0, &error);

  g_assert_no_error (error);
  g_assert_true (armilla_catalogue_set_angles (cat, 0, 5, ra, ARMILLA_ANGLE_DEG, dec,
                                               ARMILLA_ANGLE_DEG, &error));
  g_assert_no_error (error);
  g_assert_true (cat->x[0] == 1 && cat->y[0] == 0 && cat->z[0] == 0);
  g_assert_true (cat->x[1] == 0 && cat->y[1] == 1 && cat->z[1] == 0);
  g_assert_true (cat->x[3] == 0 && cat->y[3] == 0 && cat->z[3] == -1);
  g_assert_true (cat->x[4] == 0 && cat->y[4] == 0 && cat->z[4] == 1);
  /* the north galactic pole in J2000, defined as 192.85948, 27.12825: row 3 of the Hipparcos
   * catalogue's matrix (ESA 1997, eq. 1.5.11); its digits end at 1e-10 */
  g_assert_cmpfloat (fabs (cat->x[2] - -0.8676661490), <, 2e-10);
  g_assert_cmpfloat (fabs (cat->y[2] - -0.1980763734), <, 2e-10);
  g_assert_cmpfloat (fabs (cat->z[2] - 0.4559837762), <, 2e-10);
  g_assert_null (cat->weight);
  g_assert_true (armilla_catalogue_check (cat, &error));
}

static void
test_bad_angles (void)
{
  const struct { double ra, dec; int code; const char *part; } bad[] = {
    { 0, 90.0000001, ARMILLA_ERROR_VALUE, "object 2: the declination (latitude) is 90.0000001" },
    { 0, -91, ARMILLA_ERROR_VALUE, "must be from -90 to 90 deg" },
    { 0, NAN, ARMILLA_ERROR_NUMERIC, "object 2: the declination (latitude) is nan" },
    { NAN, 0, ARMILLA_ERROR_NUMERIC, "the right ascension (longitude) is nan" },
    { INFINITY, 0, ARMILLA_ERROR_NUMERIC, "must be finite" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      const double ra[] = { 1, bad[i].ra }, dec[] = { 1, bad[i].dec };
      g_autoptr (ArmillaCatalogue) cat = armilla_catalogue_new (2, 0, NULL);
      GError *error = NULL;

      expect_error (armilla_catalogue_set_angles (cat, 0, 2, ra, ARMILLA_ANGLE_DEG, dec,
                                                  ARMILLA_ANGLE_DEG, &error),
                    &error, bad[i].code, bad[i].part);
    }
}

/* The pole in radian, rounded to float32, is 4e-8 beyond it. */
static void
test_float_pole (void)
{
  const double ra = 1, dec = (double) -(float) G_PI_2, beyond = 1.571;
  g_autoptr (ArmillaCatalogue) cat = armilla_catalogue_new (1, 0, NULL);
  GError *error = NULL;

  g_assert_true (armilla_catalogue_set_angles (cat, 0, 1, &ra, ARMILLA_ANGLE_RAD, &dec,
                                               ARMILLA_ANGLE_RAD, &error));
  g_assert_true (cat->x[0] == 0 && cat->y[0] == 0 && cat->z[0] == -1);
  expect_error (armilla_catalogue_set_angles (cat, 0, 1, &ra, ARMILLA_ANGLE_RAD, &beyond,
                                              ARMILLA_ANGLE_RAD, &error),
                &error, ARMILLA_ERROR_VALUE, "from -1.5708 to 1.5708 rad");
}

static void
test_vectors (void)
{
  const double third = 1 / sqrt (3), zero = 0, nan_value = NAN, single = (double) (float) third;
  g_autoptr (ArmillaCatalogue) cat = armilla_catalogue_new (1, 0, NULL);
  GError *error = NULL;

  g_assert_true (armilla_catalogue_set_vectors (cat, 0, 1, &third, &third, &third, &error));
  g_assert_true (cat->x[0] == third && cat->y[0] == third && cat->z[0] == third);
  g_assert_true (armilla_catalogue_set_vectors (cat, 0, 1, &single, &single, &single, &error));
  /* scaled: within the rounding of a square root and a quotient */
  g_assert_cmpfloat (fabs (cat->x[0] - third), <, 3e-16);
  expect_error (armilla_catalogue_set_vectors (cat, 0, 1, &zero, &zero, &zero, &error), &error,
                ARMILLA_ERROR_VALUE, "object 1: the length of its vector is 0");
  expect_error (armilla_catalogue_set_vectors (cat, 0, 1, &nan_value, &zero, &zero, &error), &error,
                ARMILLA_ERROR_NUMERIC, "is nan");
}

static void
test_check (void)
{
  const double nought[2] = { 0, 0 };
  g_autoptr (ArmillaCatalogue) cat
    = armilla_catalogue_new (2, ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR
                                  | ARMILLA_CATALOGUE_PATCH, NULL);
  GError *error = NULL;

  cat->n_patches = 2;
  g_assert_true (armilla_catalogue_set_angles (cat, 0, 2, nought, ARMILLA_ANGLE_DEG, nought,
                                               ARMILLA_ANGLE_DEG, &error));
  g_assert_true (armilla_catalogue_check (cat, &error));
  cat->weight[1] = -2;
  expect_error (armilla_catalogue_check (cat, &error), &error, ARMILLA_ERROR_VALUE,
                "object 2: the weight is -2; it must be finite and not negative (1 of 2 objects");
  cat->weight[1] = INFINITY;
  expect_error (armilla_catalogue_check (cat, &error), &error, ARMILLA_ERROR_NUMERIC, "weight");
  cat->weight[0] = 1;
  cat->weight[1] = 0;
  cat->g2[0] = cat->g1[1] = NAN;
  g_assert_true (armilla_catalogue_check (cat, &error));
  expect_error (armilla_catalogue_check_shears (cat, &error), &error, ARMILLA_ERROR_NUMERIC,
                "the shear of object 1 is 0, nan, and 1 of 2 objects have shears that are not");
  cat->g2[0] = 0;
  g_assert_true (armilla_catalogue_check_shears (cat, &error));
  cat->patch[1] = 2;
  expect_error (armilla_catalogue_check (cat, &error), &error, ARMILLA_ERROR_VALUE, "patch is 2");
  cat->patch[1] = 1;
  g_assert_true (armilla_catalogue_check (cat, &error));
}

static void
test_select (void)
{
  const gint64 which[] = { 2, 0 };
  g_autoptr (ArmillaCatalogue) cat
    = armilla_catalogue_new (3, ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_PATCH, NULL);
  g_autoptr (ArmillaCatalogue) part = NULL;
  g_autoptr (ArmillaCatalogue) none = NULL;

  cat->n_patches = 3;
  cat->coordsys = 'G';
  for (int i = 0; i < 3; i++)
    {
      cat->z[i] = cat->weight[i] = 10 + i;
      cat->patch[i] = i;
    }
  part = armilla_catalogue_select (cat, which, 2, NULL);
  g_assert_cmpint (part->n, ==, 2);
  g_assert_cmpint (part->n_patches, ==, 3);
  g_assert_true (part->coordsys == 'G' && part->g1 == NULL);
  g_assert_true (part->z[0] == 12 && part->weight[1] == 10 && part->patch[0] == 2);
  none = armilla_catalogue_select (cat, which, 0, NULL);
  g_assert_cmpint (none->n, ==, 0);
}

/* The direction that a shear points to, as a vector: sin (latitude) and the like in long double. */
static void
pointer (long double lon, long double lat, long double psi, long double out[3])
{
  long double c = cosl (psi), s = sinl (psi);

  out[0] = -c * sinl (lat) * cosl (lon) - s * sinl (lon);
  out[1] = -c * sinl (lat) * sinl (lon) + s * cosl (lon);
  out[2] = c * cosl (lat);
}

/* The direction a shear points to is the same vector before and after, up to its sign. */
static void
check_rotated (const ArmillaCatalogue *a, const ArmillaCatalogue *b, gint64 i)
{
  const ArmillaCatalogue *both[2] = { a, b };
  long double d[2][3], matrix[3][3], turned, product = 0;
  /* equatorial to galactic, ESA 1997, eq. 1.5.11: 10 digits */
  static const double esa[3][3] = { { -0.0548755604, -0.8734370902, -0.4838350155 },
                                    { 0.4941094279, -0.4448296300, 0.7469822445 },
                                    { -0.8676661490, -0.1980763734, 0.4559837762 } };

  for (int k = 0; k < 2; k++)
    pointer (atan2l (both[k]->y[i], both[k]->x[i]), asinl (both[k]->z[i]),
             atan2l (both[k]->g2[i], both[k]->g1[i]) / 2, d[k]);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      matrix[r][c] = esa[r][c];
  for (int r = 0; r < 3; r++)
    {
      turned = matrix[r][0] * d[0][0] + matrix[r][1] * d[0][1] + matrix[r][2] * d[0][2];
      product += turned * d[1][r];
      /* FK5 and Hipparcos axes differ by a tenth of an arcsecond at most: 5e-7 */
      g_assert_cmpfloat (fabsl (matrix[r][0] * a->x[i] + matrix[r][1] * a->y[i]
                                + matrix[r][2] * a->z[i]
                                - (r == 0 ? b->x : r == 1 ? b->y : b->z)[i]), <, 5e-7);
    }
  g_assert_cmpfloat (fabsl (fabsl (product) - 1), <, 1e-10);
  g_assert_cmpfloat (fabs (hypot (b->g1[i], b->g2[i]) - hypot (a->g1[i], a->g2[i])), <, 1e-15);
}

static void
test_rotate (void)
{
  enum { N = 200 };
  double ra[N], dec[N];
  g_autoptr (ArmillaCatalogue) cat = armilla_catalogue_new (N, ARMILLA_CATALOGUE_SHEAR, NULL);
  g_autoptr (ArmillaCatalogue) there = NULL;
  g_autoptr (ArmillaCatalogue) back = NULL;
  g_autoptr (ArmillaCatalogue) nowhere = NULL;
  GError *error = NULL;

  for (int i = 0; i < N; i++)
    {
      ra[i] = fmod (i * 222.49, 360);
      dec[i] = asin (-0.999 + 1.998 * i / (N - 1)) * 180 / G_PI;
      cat->g1[i] = 0.1 * cos (i);
      cat->g2[i] = 0.1 * sin (i);
    }
  cat->coordsys = 'C';
  g_assert_true (armilla_catalogue_set_angles (cat, 0, N, ra, ARMILLA_ANGLE_DEG, dec,
                                               ARMILLA_ANGLE_DEG, &error));
  there = armilla_catalogue_rotate (cat, 'G', &error);
  g_assert_no_error (error);
  back = armilla_catalogue_rotate (there, 'C', &error);
  for (int i = 0; i < N; i++)
    {
      check_rotated (cat, there, i);
      /* two matrices and two scalings: a few 1e-16; shears near a pole 1 / cos (latitude) more */
      g_assert_cmpfloat (fabs (back->x[i] - cat->x[i]), <, 2e-15);
      g_assert_cmpfloat (fabs (back->z[i] - cat->z[i]), <, 2e-15);
      g_assert_cmpfloat (hypot (back->g1[i] - cat->g1[i], back->g2[i] - cat->g2[i]), <, 1e-14);
    }
  g_assert_true (armilla_catalogue_rotate (there, 'G', &error) == there);
  armilla_catalogue_unref (there);
  there->coordsys = 0;
  nowhere = armilla_catalogue_rotate (there, 'C', &error);
  expect_error (nowhere != NULL, &error, ARMILLA_ERROR_UNKNOWN, "must be G");
}

/* A shear on a pole is the limit of one beside it at the same longitude, in the basis of 0. */
static void
test_pole_shear (void)
{
  for (int south = 0; south < 2; south++)
    for (int lon = 0; lon < 360; lon += 30)
      {
        const double ra = lon, dec = south ? -90 : 90;
        long double there[3], here[3], product = 0;
        g_autoptr (ArmillaCatalogue) cat = armilla_catalogue_new (1, ARMILLA_CATALOGUE_SHEAR, NULL);

        cat->g1[0] = cos (0.8);
        cat->g2[0] = sin (0.8);
        pointer (lon * G_PI / 180, (south ? -1 : 1) * G_PI_2, 0.4, there);
        g_assert_true (armilla_catalogue_set_angles (cat, 0, 1, &ra, ARMILLA_ANGLE_DEG, &dec,
                                                     ARMILLA_ANGLE_DEG, NULL));
        pointer (0, (south ? -1 : 1) * G_PI_2, atan2 (cat->g2[0], cat->g1[0]) / 2, here);
        for (int k = 0; k < 3; k++)
          product += there[k] * here[k];
        /* quadratic in the few roundings of the angles */
        g_assert_cmpfloat (fabsl (fabsl (product) - 1), <, 1e-15);
      }
}

/* The columns are the same memory, and outlive the first catalogue. */
static void
test_share (void)
{
  g_autoptr (GError) error = NULL;
  ArmillaCatalogue *first = armilla_catalogue_new (3, ARMILLA_CATALOGUE_WEIGHT, &error), *second;
  g_autoptr (ArmillaCatalogue) third = NULL;

  g_assert_no_error (error);
  first->x[2] = first->weight[1] = 1;
  first->coordsys = 'G';
  armilla_catalogue_add_value (first, "a", "K", &error)[2] = 5;
  second = armilla_catalogue_share (first);
  armilla_catalogue_add_value (second, "b", "", &error)[0] = 6;
  third = armilla_catalogue_share (second);
  g_assert_true (third->x == first->x && third->values[0].value == first->values[0].value);
  g_assert_cmpint (first->n_values, ==, 1);
  armilla_catalogue_unref (first);
  armilla_catalogue_unref (second);
  armilla_catalogue_add_value (third, "c", "", &error)[1] = 7;
  g_assert_no_error (error);
  g_assert_cmpint (third->n, ==, 3);
  g_assert_cmpint (third->n_values, ==, 3);
  g_assert_cmpint (third->coordsys, ==, 'G');
  g_assert_cmpstr (third->values[0].unit, ==, "K");
  g_assert_true (third->x[2] == 1 && third->weight[1] == 1 && third->values[0].value[2] == 5
                 && third->values[1].value[0] == 6 && third->values[2].value[1] == 7);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/catalogue/units", test_units);
  g_test_add_func ("/catalogue/sin-cos", test_sin_cos);
  g_test_add_func ("/catalogue/angles", test_angles);
  g_test_add_func ("/catalogue/bad-angles", test_bad_angles);
  g_test_add_func ("/catalogue/float-pole", test_float_pole);
  g_test_add_func ("/catalogue/vectors", test_vectors);
  g_test_add_func ("/catalogue/check", test_check);
  g_test_add_func ("/catalogue/select", test_select);
  g_test_add_func ("/catalogue/share", test_share);
  g_test_add_func ("/catalogue/rotate", test_rotate);
  g_test_add_func ("/catalogue/pole-shear", test_pole_shear);
  return g_test_run ();
}
