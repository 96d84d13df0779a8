/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done to a_lm in arrays: by its definition, and by identities. */
#include "tests/arrays/array-helpers.h"

#include <math.h>

static ArmillaSession *session;
static ArmillaFailure failure;

static const ArmillaAlmLayout layout = { 24, 20 };

/* The spectra that healpy's order puts first: (i, i), then (i, i + 1), and so on. */
static void
test_spectra (void)
{
  static const int spins[6] = { 0, 2, 2, 0, 2, 2 };
  static const int pairs[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 1, 2 }, { 0, 2 } };
  const gint64 n = armilla_alm_count (layout), lmax = 22;
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree double *a = random_alm (rand, layout, 6, spins);
  g_autofree double *b = random_alm (rand, layout, 6, spins);
  g_autofree double *cl = g_new0 (double, 12 * (lmax + 1));
  const ArmillaArray in = plain (a, 2, 3, n, TRUE), other = plain (b, 2, 3, n, TRUE),
                     out = plain (cl, 2, 6, lmax + 1, FALSE);

  for (int crossed = 0; crossed < 2; crossed++)
    {
      const double *second = crossed ? b : a;

      assert_ok (armilla_array_spectra (session, layout.lmax, layout.mmax, &in,
                                        crossed ? &other : NULL, &out, &failure), &failure);
      for (gint64 copy = 0; copy < 2; copy++)
        for (gint64 s = 0; s < 6; s++)
          for (gint64 l = 0; l <= lmax; l++)
            {
              const double *x = a + 2 * n * (3 * copy + pairs[s][0]),
                           *y = second + 2 * n * (3 * copy + pairs[s][1]);
              long double sum = 0;

              for (gint64 m = 0; m <= MIN (l, layout.mmax); m++)
                {
                  const gint64 i = 2 * armilla_alm_index (layout.lmax, l, m);

                  sum += (m > 0 ? 2 : 1) * ((long double) x[i] * y[i] + x[i + 1] * y[i + 1]);
                }
              g_assert_cmpfloat (fabs (cl[(6 * copy + s) * (lmax + 1) + l]
                                       - (double) (sum / (2 * l + 1))), <, 1e-14);
            }
    }
}

static void
test_scale (void)
{
  static const int spins[6] = { 0 };
  const gint64 n = armilla_alm_count (layout), n_l = 15;
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autofree double *a = random_alm (rand, layout, 6, spins);
  g_autofree double *window = random_numbers (rand, 6 * n_l);
  g_autofree double *scaled = g_new0 (double, 12 * n);
  const ArmillaArray in = plain (a, 2, 3, n, TRUE), out = plain (scaled, 2, 3, n, TRUE);

  for (int kind = 0; kind < 3; kind++)
    {
      const gint64 copies = kind == 2 ? 2 : 1, parts = kind > 0 ? 3 : 1;
      const ArmillaArray f = plain (window, copies, parts, n_l, FALSE);

      assert_ok (armilla_array_scale_alm (session, layout.lmax, layout.mmax, &in, &f, &out,
                                          &failure), &failure);
      for (gint64 copy = 0; copy < 2; copy++)
        for (gint64 part = 0; part < 3; part++)
          for (gint64 m = 0; m <= layout.mmax; m++)
            for (gint64 l = m; l <= layout.lmax; l++)
              {
                const gint64 row = (copies > 1 ? copy : 0) * parts + (parts > 1 ? part : 0),
                             first = (3 * copy + part) * n,
                             i = 2 * (first + armilla_alm_index (layout.lmax, l, m));
                const double factor = l < n_l ? window[row * n_l + l] : 0;

                g_assert_cmpfloat (scaled[i], ==, factor * a[i]);
                g_assert_cmpfloat (scaled[i + 1], ==, factor * a[i + 1]);
              }
    }
}

/* The inverse undoes a rotation, and is its adjoint; a turn about z alone is a phase. */
static void
test_rotate (void)
{
  static const int spins[2] = { 0 };
  const ArmillaAlmLayout full = { 24, 24 };
  const double angles[3] = { 0.3, 1.1, -2.0 },
               inverse[3] = { G_PI - angles[2], angles[1], G_PI - angles[0] },
               phase[3] = { 0.25, 0, 0.5 };
  const gint64 n = armilla_alm_count (full);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree double *x = random_alm (rand, full, 2, spins), *y = random_alm (rand, full, 2, spins);
  g_autofree double *turned = g_new0 (double, 4 * n), *back = g_new0 (double, 4 * n);
  const ArmillaArray in = plain (x, 2, 1, n, TRUE), in_y = plain (y, 2, 1, n, TRUE),
                     out = plain (turned, 2, 1, n, TRUE), out_y = plain (back, 2, 1, n, TRUE);

  assert_ok (armilla_array_rotate_alm (session, 24, 24, &in, angles, &out, &failure), &failure);
  assert_ok (armilla_array_rotate_alm (session, 24, 24, &in_y, inverse, &out_y, &failure),
             &failure);
  g_assert_cmpfloat (fabs ((double) (alm_product (turned, y, full, 2)
                                     - alm_product (x, back, full, 2))), <, 1e-11);
  assert_ok (armilla_array_rotate_alm (session, 24, 24, &out, inverse, &out_y, &failure),
             &failure);
  for (gint64 i = 0; i < 4 * n; i++)
    g_assert_cmpfloat (fabs (back[i] - x[i]), <, 1e-12);
  assert_ok (armilla_array_rotate_alm (session, 24, 24, &in, phase, &out, &failure), &failure);
  for (gint64 m = 0; m <= 24; m++)
    for (gint64 l = m; l <= 24; l++)
      {
        const gint64 i = 2 * armilla_alm_index (24, l, m);
        const double c = cos (0.75 * (double) m), s = sin (0.75 * (double) m);

        g_assert_cmpfloat (fabs (turned[i] - (c * x[i] + s * x[i + 1])), <, 1e-12);
        g_assert_cmpfloat (fabs (turned[i + 1] - (c * x[i + 1] - s * x[i])), <, 1e-12);
      }
}

/* Copies are realisations, whatever else is drawn; E = 0.6 T / 2 where the spectra report it. */
static void
test_random (void)
{
  const gint64 n = armilla_alm_count (layout), n_l = layout.lmax + 1;
  g_autofree double *cl = g_new0 (double, 4 * n_l), *many = g_new0 (double, 18 * n),
                    *one = g_new0 (double, 6 * n);
  const ArmillaArray spectra = plain (cl, 1, 4, n_l, FALSE), all = plain (many, 3, 3, n, TRUE),
                     last = plain (one, 1, 3, n, TRUE);
  double power = 0;

  for (gint64 l = 0; l < n_l; l++)
    {
      cl[l] = 4;            /* TT */
      cl[n_l + l] = 1;      /* EE */
      cl[2 * n_l + l] = 0;  /* BB */
      cl[3 * n_l + l] = 2;  /* TE: E is T / 2 */
    }
  assert_ok (armilla_array_random_alm (session, layout.lmax, layout.mmax, &spectra, 7, 3, &all,
                                       &failure), &failure);
  assert_ok (armilla_array_random_alm (session, layout.lmax, layout.mmax, &spectra, 7, 5, &last,
                                       &failure), &failure);
  g_assert_true (memcmp (many + 12 * n, one, sizeof (double) * 6 * (gsize) n) == 0);
  g_assert_false (memcmp (many, one, sizeof (double) * 6 * (gsize) n) == 0);
  for (gint64 m = 0; m <= layout.mmax; m++)
    for (gint64 l = MAX (m, 2); l <= layout.lmax; l++)
      {
        const gint64 i = 2 * armilla_alm_index (layout.lmax, l, m);

        g_assert_cmpfloat (fabs (one[2 * n + i] - one[i] / 2), <, 1e-7);
        g_assert_cmpfloat (one[4 * n + i], ==, 0);
        power += one[i] * one[i] + one[i + 1] * one[i + 1];
      }
  /* about 500 of |a_lm|^2 with the mean 4 */
  g_assert_cmpfloat (fabs (power / (double) n / 4 - 1), <, 0.25);
}

static void
refused (ArmillaStatus status, const char *begins)
{
  g_test_message ("%s", failure.text);
  g_assert_cmpint (status, ==, ARMILLA_STATUS_ARGUMENT);
  g_assert_true (g_str_has_prefix (failure.text, begins));
  failure.text[0] = '\0';
}

static void
test_refused (void)
{
  const double angles[3] = { 0 };
  double numbers[200] = { 0 }, others[200] = { 0 };
  const ArmillaArray alm = plain (numbers, 1, 1, 21, TRUE), out = plain (others, 1, 1, 21, TRUE),
                     cl = plain (others, 1, 1, 6, FALSE), f = plain (numbers + 100, 1, 2, 6, FALSE);
  ArmillaArray wrong = alm;

  wrong.shape[2] = 20;
  refused (armilla_array_spectra (session, 5, 5, &wrong, NULL, &cl, &failure), "a: it has 20");
  refused (armilla_array_spectra (session, 5, 5, NULL, NULL, &cl, &failure), "a: there is no");
  refused (armilla_array_spectra (session, 5, 5, &alm, &wrong, &cl, &failure), "b: it has 20");
  refused (armilla_array_spectra (session, 5, 5, &alm, NULL, NULL, &failure), "cl: there is no");
  refused (armilla_array_spectra (session, 5, 6, &alm, NULL, &cl, &failure), "mmax is 6");
  refused (armilla_array_scale_alm (session, 5, 5, &alm, &f, &out, &failure), "window: it has 2");
  refused (armilla_array_scale_alm (session, 5, 5, &alm, &cl, &alm, &failure), "out: it overlaps");
  refused (armilla_array_rotate_alm (session, -1, 0, &alm, angles, &out, &failure), "lmax is -1");
  wrong = alm;
  wrong.type = (ArmillaArrayType) 7;
  refused (armilla_array_rotate_alm (session, 5, 5, &wrong, angles, &out, &failure),
           "alm: its type is 7");
  wrong.type = ARMILLA_FLOAT64;
  wrong.strides[2] = 12;
  refused (armilla_array_rotate_alm (session, 5, 5, &wrong, angles, &out, &failure),
           "alm: a stride of 12");
  wrong.strides[2] = 16;
  wrong.shape[1] = 0;
  refused (armilla_array_random_alm (session, 5, 5, &cl, 1, 0, &wrong, &failure),
           "alm: it is empty");
  others[3] = -1;
  refused (armilla_array_random_alm (session, 5, 5, &cl, 1, 0, &alm, &failure),
           "cl: the spectrum is -1");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  session = armilla_session_new (NULL);
  g_test_add_func ("/arrays/spectra", test_spectra);
  g_test_add_func ("/arrays/scale", test_scale);
  g_test_add_func ("/arrays/rotate", test_rotate);
  g_test_add_func ("/arrays/random", test_random);
  g_test_add_func ("/arrays/refused-alm", test_refused);
  status = g_test_run ();
  armilla_session_free (session);
  return status;
}
