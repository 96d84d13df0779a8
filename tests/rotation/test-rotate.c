/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rotation of a_lm: one source turned, Wigner's own sum, identities; then through the graph. */
#include "codelets/rotation/rotate.h"
#include "core/grids/grid.h"
#include "tasks/harmonic/harmonic.h"
#include "tests/lib/graph-helpers.h"
#include "tests/lib/runtime-helpers.h"

#include <math.h>

/* The whole from the whole, block by block of @block orders. */
static double *
rotate (const double *in, ArmillaAlmLayout from, int n_fields, const double angles[3],
        gint64 block)
{
  ArmillaAlmLayout to = { from.lmax, from.lmax };
  gint64 count = armilla_alm_count (to), count_in = armilla_alm_count (from);
  double *out = g_new (double, 2 * count * n_fields);

  for (gint64 m = 0; m <= to.lmax; m += block)
    {
      gint64 last = MIN (m + block - 1, to.lmax), at = armilla_alm_index (to.lmax, m, m);
      gint64 n_out = armilla_alm_index (to.lmax, to.lmax, last) + 1 - at;
      ArmillaRotateShape shape
        = { .lmax = from.lmax, .m_first = m, .m_last = last, .n_max = from.mmax,
            .n_fields = n_fields, .psi = angles[0], .beta = angles[1], .phi = angles[2] };
      g_autofree double *seeds = g_new (double, armilla_rotate_seeds_count (&shape));
      g_autofree double *part = g_new (double, 2 * n_out * n_fields);

      armilla_rotate_seeds (&shape, seeds);
      for (gint64 n = 0; n <= from.mmax; n += block)
        {
          gint64 n_last = MIN (n + block - 1, from.mmax);
          gint64 first = armilla_alm_index (from.lmax, n, n);
          gint64 n_in = armilla_alm_index (from.lmax, from.lmax, n_last) + 1 - first;
          g_autofree double *block_in = g_new (double, 2 * n_in * n_fields);

          for (int f = 0; f < n_fields; f++)
            memcpy (block_in + 2 * f * n_in, in + 2 * (f * count_in + first),
                    sizeof (double) * 2 * (gsize) n_in);
          shape.n_first = n;
          shape.n_last = n_last;
          shape.first = n == 0;
          shape.last = n_last == from.mmax;
          armilla_rotate_cpu (&shape, seeds, block_in, part);
        }
      for (int f = 0; f < n_fields; f++)
        memcpy (out + 2 * (f * count + at), part + 2 * f * n_out,
                sizeof (double) * 2 * (gsize) n_out);
    }
  return out;
}

static double
distance (const double *a, const double *b, ArmillaAlmLayout layout, int n_fields)
{
  gint64 n = 2 * armilla_alm_count (layout) * n_fields;
  g_autofree double *d = g_new (double, n);

  for (gint64 i = 0; i < n; i++)
    d[i] = a[i] - b[i];
  return (double) sqrtl (alm_inner_product (d, d, layout, n_fields)
                         / alm_inner_product (b, b, layout, n_fields));
}

/* d^l_mn by Wigner's sum in extended precision; its terms cancel, so only small l are exact. */
static long double
wigner (int l, int m, int n, long double beta)
{
  long double c = cosl (beta / 2), s = sinl (beta / 2), sum = 0;

  for (int k = MAX (0, n - m); k <= MIN (l + n, l - m); k++)
    {
      long double logarithm
        = (lgammal (l + m + 1) + lgammal (l - m + 1) + lgammal (l + n + 1) + lgammal (l - n + 1))
            / 2
          - lgammal (l + n - k + 1) - lgammal (k + 1) - lgammal (m - n + k + 1)
          - lgammal (l - m - k + 1);

      sum += ((m - n + k) % 2 ? -1 : 1) * expl (logarithm) * powl (c, 2 * l + n - m - 2 * k)
             * powl (s, m - n + 2 * k);
    }
  return sum;
}

static const double some_angles[][3] = {
  { 0.3, 1.1, -2.2 }, { 0, 0.02, 0 }, { 3, 3.1, 1 }, { -1, G_PI / 2, 0.5 }, { 1, 1e-9, 0 },
};

/* Each a'_lm is a sum of 2 l + 1 terms below 1 in magnitude; d itself is off by some l ulp, and the
 * sum in extended precision by 2^l 1e-19 of cancelling terms: 1e-13 in all up to l = 12. */
static void
test_sum (void)
{
  const ArmillaAlmLayout layouts[] = { { 0, 0 }, { 1, 1 }, { 5, 2 }, { 12, 12 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (some_angles); k++)
      {
        gint64 lmax = layouts[i].lmax;
        const double *angle = some_angles[k];
        g_autofree double *in = random_alm_array (rand, layouts[i], 1);
        g_autofree double *out = rotate (in, layouts[i], 1, angle, 5);

        for (gint64 m = 0; m <= lmax; m++)
          for (gint64 l = m; l <= lmax; l++)
            {
              const double *x = out + 2 * armilla_alm_index (lmax, l, m);
              long double re = 0, im = 0;

              for (gint64 n = -MIN (l, layouts[i].mmax); n <= MIN (l, layouts[i].mmax); n++)
                {
                  const double *y = in + 2 * armilla_alm_index (lmax, l, ABS (n));
                  long double a = (n < 0 && n % 2 ? -1 : 1) * (long double) y[0];
                  long double b = (n < 0 ? (n % 2 ? 1 : -1) : 1) * (long double) y[1];
                  long double t = -(m * (long double) angle[2] + n * (long double) angle[0]);
                  long double d = wigner ((int) l, (int) m, (int) n, angle[1]);

                  re += d * (a * cosl (t) - b * sinl (t));
                  im += d * (a * sinl (t) + b * cosl (t));
                }
              g_assert_cmpfloat_with_epsilon (x[0], (double) re, 1e-13);
              g_assert_cmpfloat_with_epsilon (x[1], (double) im, 1e-13);
            }
      }
}

/* There and back, for several fields, and from an input with fewer orders than degrees. The error
 * of
 * d grows with l, some ulp a step of the recurrence: measured 2e-13 at 300 and 4e-14 at 40. */
static void
test_inverse (void)
{
  const ArmillaAlmLayout layouts[] = { { 40, 40 }, { 300, 300 }, { 200, 17 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (some_angles); k++)
      {
        const double *angle = some_angles[k];
        const double inverse[3] = { G_PI - angle[2], angle[1], -G_PI - angle[0] };
        ArmillaAlmLayout full = { layouts[i].lmax, layouts[i].lmax };
        g_autofree double *in = random_alm_array (rand, layouts[i], 2);
        g_autofree double *padded = g_new0 (double, 4 * armilla_alm_count (full));
        g_autofree double *there = rotate (in, layouts[i], 2, angle, 64);
        g_autofree double *back = rotate (there, full, 2, inverse, 50);

        for (int f = 0; f < 2; f++)
          memcpy (padded + 2 * f * armilla_alm_count (full),
                  in + 2 * f * armilla_alm_count (layouts[i]),
                  sizeof (double) * 2 * (gsize) armilla_alm_count (layouts[i]));
        g_test_message ("lmax %d, theta %g: %g", (int) full.lmax, angle[1],
                        distance (back, padded, full, 2));
        g_assert_cmpfloat (distance (back, padded, full, 2), <, 2e-12);
      }
}

/* A point at the north pole, a_l0 = sqrt ((2l + 1) / 4 pi) b_l, goes to (theta, phi), where a_lm =
 * b_l
 * conj Y_lm; Y_lm by its recurrence in extended precision. */
static void
test_point (void)
{
  const gint64 lmax = 500;
  const ArmillaAlmLayout zonal = { lmax, 0 }, full = { lmax, lmax };
  const double angles[3] = { 0, 0.8, 2.5 };
  const long double x = cosl (0.8L), s = sinl (0.8L);
  g_autofree double *in = g_new0 (double, 2 * armilla_alm_count (zonal));
  g_autofree double *want = g_new (double, 2 * armilla_alm_count (full)), *out = NULL;
  long double diagonal = sqrtl (1 / (4 * (long double) G_PI));

  for (gint64 l = 0; l <= lmax; l++)
    in[2 * l] = sqrt ((double) (2 * l + 1) / (4 * G_PI));
  for (gint64 m = 0; m <= lmax; m++)
    {
      long double before = 0, now = diagonal;

      for (gint64 l = m; l <= lmax; l++)
        {
          double *y = want + 2 * armilla_alm_index (lmax, l, m);
          long double next
            = sqrtl ((2.0L * l + 3) / ((long double) (l + 1 - m) * (l + 1 + m)))
              * (sqrtl (2.0L * l + 1) * x * now
                 - (l > m ? sqrtl ((long double) (l - m) * (l + m) / (2.0L * l - 1)) * before
                          : 0));

          y[0] = (double) (now * cosl (2.5L * m));
          y[1] = (double) (-now * sinl (2.5L * m));
          before = now;
          now = next;
        }
      diagonal *= -sqrtl ((2.0L * m + 3) / (2.0L * m + 2)) * s;
    }
  out = rotate (in, zonal, 1, angles, 100);
  /* as in test_inverse() */
  g_assert_cmpfloat (distance (out, want, full, 1), <, 1e-12);
}

/* The same blocks give the same bits, and a field is turned as if it were alone. */
static void
test_fields (void)
{
  const ArmillaAlmLayout layout = { 33, 33 };
  gint64 n = 2 * armilla_alm_count (layout);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree double *in = random_alm_array (rand, layout, 3);
  g_autofree double *all = rotate (in, layout, 3, some_angles[0], 10);

  for (int f = 0; f < 3; f++)
    {
      g_autofree double *one = rotate (in + f * n, layout, 1, some_angles[0], 10);

      g_assert_cmpmem (one, sizeof (double) * (gsize) n, all + f * n, sizeof (double) * (gsize) n);
    }
}

static void
test_graph (void)
{
  const ArmillaAlmLayout layout = { 150, 100 }, full = { 150, 150 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autofree double *in = random_alm_array (rand, layout, 3);
  g_autofree double *result = g_new0 (double, 6 * armilla_alm_count (full));
  g_autofree double *want = rotate (in, layout, 3, some_angles[0], 64);
  WholeAlm whole = { in, layout }, taken = { result, full };
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 3), out = armilla_alm_new (full, 3);
  g_autoptr (ArmillaAlm) wrong = armilla_alm_new (layout, 3);

  g_assert_true (
      armilla_graph_fill (graph, ARMILLA_DATA (alm), whole_alm_fill, &whole, NULL, NULL));
  g_assert_true (armilla_graph_rotate_alm (graph, alm, some_angles[0][0], some_angles[0][1],
                                           some_angles[0][2], out, NULL));
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (out), whole_alm_take, NULL, &taken, NULL, NULL));
  g_assert_false (armilla_graph_rotate_alm (graph, alm, 0, 1, 0, wrong, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (armilla_graph_rotate_alm (graph, alm, 0, -1, 0, out, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  /* Other blocks, and on a GPU another order of sums: 2 l terms, each rounding to 1e-16. */
  g_assert_cmpfloat (distance (result, want, full, 3), <, 1e-13);
}

/* Directions of the poles and of the galactic centre, as anybody has them to some digits. */
static void
test_coordinates (void)
{
  static const struct { char from, to; double theta, phi; } poles[] = {
    { 'G', 'C', 90 - 27.12825, 192.85948 },  /* right ascension and declination of the pole */
    { 'C', 'G', 90 - 27.12825, 122.93192 },
    { 'E', 'C', 23.4392911, 270 },
    { 'E', 'G', 90 - 29.81143, 96.38397 },
  };
  double angles[3];
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (poles); i++)
    {
      g_assert_true (armilla_coordinates_angles (poles[i].from, poles[i].to, angles, NULL));
      /* The systems (B1950's definition of the galactic one, FK5 or ICRS, precession) agree to
       * about an arc second. */
      g_assert_cmpfloat_with_epsilon (angles[1] * 180 / G_PI, poles[i].theta, 1e-3);
      g_assert_cmpfloat_with_epsilon (fmod (angles[2] * 180 / G_PI + 360, 360), poles[i].phi, 1e-3);
    }
  g_assert_true (armilla_coordinates_angles ('C', 'C', angles, NULL));
  g_assert_true (angles[0] == 0 && angles[1] == 0 && angles[2] == 0);
  g_assert_false (armilla_coordinates_angles ('G', 'X', angles, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_UNKNOWN);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/rotate/sum", test_sum);
  g_test_add_func ("/rotate/inverse", test_inverse);
  g_test_add_func ("/rotate/point", test_point);
  g_test_add_func ("/rotate/fields", test_fields);
  g_test_add_func ("/rotate/graph", test_graph);
  g_test_add_func ("/rotate/coordinates", test_coordinates);
  return run_tests ();
}
