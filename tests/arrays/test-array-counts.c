/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs and triangles of catalogues in arrays, against counting them one by one. */
#include "core/catalogues/histogram.h"
#include "tests/arrays/array-helpers.h"

#include <math.h>

#define N 200
#define N_BINS 3

static ArmillaSession *session;
static ArmillaFailure failure;

static const double edges[N_BINS + 1] = { 0.05, 0.3, 0.7, 1.2 };

/* Points by angles, and the same by vectors. */
typedef struct {
  double longitude[N], latitude[N], x[N], y[N], z[N], weight[N], g1[N], g2[N];
} Sky;

static void
make_sky (Sky *sky, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (int i = 0; i < N; i++)
    {
      const double degree = G_PI / 180;

      sky->longitude[i] = g_rand_double_range (rand, 0, 360);
      sky->latitude[i] = g_rand_double_range (rand, -80, 80);
      sky->x[i] = cos (sky->latitude[i] * degree) * cos (sky->longitude[i] * degree);
      sky->y[i] = cos (sky->latitude[i] * degree) * sin (sky->longitude[i] * degree);
      sky->z[i] = sin (sky->latitude[i] * degree);
      sky->weight[i] = g_rand_double_range (rand, 0, 2);
      sky->g1[i] = g_rand_double_range (rand, -1, 1);
      sky->g2[i] = g_rand_double_range (rand, -1, 1);
    }
}

static double
separation (const Sky *a, int i, const Sky *b, int j)
{
  const double dx = a->x[i] - b->x[j], dy = a->y[i] - b->y[j], dz = a->z[i] - b->z[j];

  return 2 * asin (sqrt (dx * dx + dy * dy + dz * dz) / 2);
}

/* -1 for none */
static int
bin_of (double angle)
{
  for (int k = 0; k < N_BINS; k++)
    if (angle >= edges[k] && angle < edges[k + 1])
      return k;
  return -1;
}

static void
test_pairs (gconstpointer user)
{
  const gboolean crossed = GPOINTER_TO_INT (user) & 1, vectors = GPOINTER_TO_INT (user) & 2;
  int64_t count[N_BINS], expected[N_BINS] = { 0 };
  double weight[N_BINS], mean[N_BINS], weights[N_BINS] = { 0 }, angles[N_BINS] = { 0 };
  const ArmillaPairSums sums = { .count = count, .weight = weight, .separation = mean };
  Sky a, b;
  ArmillaPoints of_a = { .n = N, .weight = a.weight }, of_b = { .n = N, .weight = b.weight };

  make_sky (&a, 1);
  make_sky (&b, 2);
  if (vectors)
    {
      of_a.x = a.x, of_a.y = a.y, of_a.z = a.z;
      of_b.x = b.x, of_b.y = b.y, of_b.z = b.z;
    }
  else
    {
      of_a.longitude = a.longitude, of_a.latitude = a.latitude;
      of_b.longitude = b.longitude, of_b.latitude = b.latitude;
    }
  for (int i = 0; i < N; i++)
    for (int j = crossed ? 0 : i + 1; j < N; j++)
      {
        const Sky *second = crossed ? &b : &a;
        const double angle = separation (&a, i, second, j);
        const int k = bin_of (angle);

        if (k < 0)
          continue;
        expected[k]++;
        weights[k] += a.weight[i] * second->weight[j];
        angles[k] += a.weight[i] * second->weight[j] * angle;
      }
  assert_ok (armilla_array_pairs (session, &of_a, crossed ? &of_b : NULL, edges, N_BINS, &sums,
                                  &failure), &failure);
  for (int k = 0; k < N_BINS; k++)
    {
      g_assert_cmpint (count[k], ==, expected[k]);
      g_assert_cmpint (count[k], >, 100);
      g_assert_cmpfloat (fabs (weight[k] / weights[k] - 1), <, 1e-12);
      g_assert_cmpfloat (fabs (mean[k] / angles[k] - 1), <, 1e-10);
    }
}

/* Two galaxies on the equator: what points along the great circle is -g1. */
static void
test_shears (void)
{
  const double longitude[] = { 10, 20 }, latitude[] = { 0, 0 }, g1[] = { 0.25, 0.5 },
               g2[] = { 0.125, -0.5 };
  const ArmillaPoints points
    = { .n = 2, .longitude = longitude, .latitude = latitude, .g1 = g1, .g2 = g2 };
  double plus[N_BINS], minus[N_BINS];
  const ArmillaPairSums sums = { .xi_plus = plus, .xi_minus = minus };

  assert_ok (armilla_array_pairs (session, &points, NULL, edges, N_BINS, &sums, &failure),
             &failure);
  g_assert_cmpfloat (fabs (plus[0] - (0.25 * 0.5 - 0.125 * 0.5)), <, 1e-14);
  g_assert_cmpfloat (fabs (minus[0] - (0.25 * 0.5 + 0.125 * 0.5)), <, 1e-14);
  g_assert_cmpfloat (plus[1], ==, 0);
}

/* Angle from north to east, at object i, of the great circle to object j. The cosine of a latitude
 * of 90 deg is 0 here. */
static double
bearing (const Sky *sky, int i, int j)
{
  const double degree = G_PI / 180;
  const double dl = (sky->longitude[j] - sky->longitude[i]) * degree;
  const double s1 = sin (sky->latitude[i] * degree), c1 = sin ((90 - sky->latitude[i]) * degree),
               s2 = sin (sky->latitude[j] * degree), c2 = sin ((90 - sky->latitude[j]) * degree);

  return atan2 (sin (dl) * c2, c1 * s2 - s1 * c2 * cos (dl));
}

/* A tenth of the objects lie on one pole and a tenth on the other one, where north is the meridian
 * of the longitude that an object has: against sums over all pairs. */
static void
test_shears_on_poles (void)
{
  double plus[N_BINS], minus[N_BINS], xi[2][N_BINS] = { { 0 } };
  const ArmillaPairSums sums = { .xi_plus = plus, .xi_minus = minus };
  Sky a;
  const ArmillaPoints points
    = { .n = N, .longitude = a.longitude, .latitude = a.latitude, .g1 = a.g1, .g2 = a.g2 };

  make_sky (&a, 4);
  for (int i = 0; i < N / 5; i++)
    {
      a.latitude[i] = i % 2 ? -90 : 90;
      a.x[i] = a.y[i] = 0;
      a.z[i] = i % 2 ? -1 : 1;
    }
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++)
      {
        const int k = bin_of (separation (&a, i, &a, j));
        const double x = 2 * bearing (&a, i, j), y = 2 * bearing (&a, j, i);
        const double t1 = a.g1[i] * cos (x) + a.g2[i] * sin (x),
                     c1 = a.g2[i] * cos (x) - a.g1[i] * sin (x),
                     t2 = a.g1[j] * cos (y) + a.g2[j] * sin (y),
                     c2 = a.g2[j] * cos (y) - a.g1[j] * sin (y);

        if (k < 0)
          continue;
        xi[0][k] += t1 * t2 + c1 * c2;
        xi[1][k] += t1 * t2 - c1 * c2;
      }
  assert_ok (armilla_array_pairs (session, &points, NULL, edges, N_BINS, &sums, &failure),
             &failure);
  for (int k = 0; k < N_BINS; k++)
    {
      g_assert_cmpfloat (fabs (plus[k] - xi[0][k]), <, 1e-10);
      g_assert_cmpfloat (fabs (minus[k] - xi[1][k]), <, 1e-10);
    }
}

static void
test_triangles (void)
{
  int64_t counts[10], expected[10] = { 0 };
  Sky a;
  const ArmillaPoints points = { .n = N, .longitude = a.longitude, .latitude = a.latitude };

  make_sky (&a, 3);
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++)
      for (int k = j + 1; k < N; k++)
        {
          int s[3] = { bin_of (separation (&a, i, &a, j)), bin_of (separation (&a, i, &a, k)),
                       bin_of (separation (&a, j, &a, k)) };

          if (s[0] >= 0 && s[1] >= 0 && s[2] >= 0)
            expected[armilla_histogram_triangle (N_BINS, s[0], s[1], s[2])]++;
        }
  assert_ok (armilla_array_triangles (session, &points, NULL, edges, N_BINS, counts, &failure),
             &failure);
  for (int i = 0; i < 10; i++)
    g_assert_cmpint (counts[i], ==, expected[i]);
  g_assert_cmpint (counts[9], >, 100);
}

static void
refused (const ArmillaPoints *a, const ArmillaPoints *b, const double *of_bins, int n,
         const char *begins)
{
  int64_t count[N_BINS];
  const ArmillaPairSums sums = { .count = count };

  g_assert_cmpint (armilla_array_pairs (session, a, b, of_bins, n, &sums, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_test_message ("%s", failure.text);
  g_assert_true (g_str_has_prefix (failure.text, begins));
}

static void
test_refused (void)
{
  const double zero[2] = { 0 }, wrong[2] = { 0, NAN }, down[3] = { 0.2, 0.1, 0.3 };
  const ArmillaPoints fine = { .n = 2, .longitude = zero, .latitude = zero },
                      half = { .n = 2, .longitude = zero }, none = { .n = -1 },
                      nan = { .n = 2, .longitude = zero, .latitude = wrong },
                      shear = { .n = 2, .longitude = zero, .latitude = zero, .g1 = zero },
                      whole = { .n = 2, .longitude = zero, .latitude = zero, .g1 = zero,
                                .g2 = zero },
                      nowhere = { .n = 2, .x = zero, .y = zero, .z = zero },
                      weight = { .n = 2, .longitude = zero, .latitude = zero, .weight = wrong };
  double plus[N_BINS];
  const ArmillaPairSums shears = { .xi_plus = plus };

  refused (NULL, NULL, edges, N_BINS, "a: there are no points");
  refused (&none, NULL, edges, N_BINS, "a: there are no points");
  refused (&half, NULL, edges, N_BINS, "a: points need");
  refused (&fine, &half, edges, N_BINS, "b: points need");
  refused (&nan, NULL, edges, N_BINS, "a: ");
  refused (&fine, &nowhere, edges, N_BINS, "b: ");
  refused (&shear, NULL, edges, N_BINS, "a: shears");
  refused (&weight, NULL, edges, N_BINS, "a: ");
  refused (&fine, NULL, NULL, N_BINS, "edges: there is no array");
  refused (&fine, NULL, edges, 0, "edges: there are 0 bins");
  refused (&fine, NULL, down, 2, "edges: ");
  g_assert_cmpint (armilla_array_pairs (session, &whole, &fine, edges, N_BINS, &shears, &failure),
                   ==, ARMILLA_STATUS_ARGUMENT);
  g_assert_nonnull (strstr (failure.text, "has no shears"));
  g_assert_cmpint (armilla_array_pairs (session, &fine, &whole, edges, N_BINS, &shears, &failure),
                   ==, ARMILLA_STATUS_ARGUMENT);
  g_assert_nonnull (strstr (failure.text, "has no shears"));
  g_assert_cmpint (armilla_array_pairs (session, &fine, NULL, edges, N_BINS, NULL, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_assert_cmpstr (failure.text, ==, "sums: there is no array");
  g_assert_cmpint (armilla_array_triangles (session, &fine, NULL, edges, N_BINS, NULL, &failure),
                   ==, ARMILLA_STATUS_ARGUMENT);
  g_assert_cmpstr (failure.text, ==, "counts: there is no array");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  session = armilla_session_new (NULL);
  g_test_add_data_func ("/arrays/pairs", GINT_TO_POINTER (0), test_pairs);
  g_test_add_data_func ("/arrays/pairs-of-two", GINT_TO_POINTER (1), test_pairs);
  g_test_add_data_func ("/arrays/pairs-of-vectors", GINT_TO_POINTER (3), test_pairs);
  g_test_add_func ("/arrays/shears", test_shears);
  g_test_add_func ("/arrays/shears-on-poles", test_shears_on_poles);
  g_test_add_func ("/arrays/triangles", test_triangles);
  g_test_add_func ("/arrays/refused-points", test_refused);
  status = g_test_run ();
  armilla_session_free (session);
  return status;
}
