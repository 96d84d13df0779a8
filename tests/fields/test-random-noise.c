/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard normal numbers of pixels. */

#include "codelets/fields/noise.h"

#include <math.h>

/* The end of what python3 tests/reference/random-alm.py prints. */
static const struct {
  guint64 seed, realisation;
  gint64 pixel;
  double g[3];
} table[] = {
  { 0UL, 0UL, 0, {
      -0x1.08bd5000281a2p-1, 0x1.3238a2736a489p+0,
      -0x1.aa4dfda17c82ep+0 } },
  { 0UL, 0UL, 1, {
      0x1.ff97d0efdf869p-1, -0x1.30c7f5c309f6dp+0,
      -0x1.a7286158894ccp-2 } },
  { 0UL, 0UL, 12345678901, {
      0x1.14cecd39bccf9p-2, -0x1.51121d12c55b4p-2,
      -0x1.3d55fc2efb4dcp-3 } },
  { 1UL, 0UL, 0, {
      0x1.abee127203dcfp-2, 0x1.b26ebdbe88a22p-4,
      0x1.c004bafd602aep-1 } },
  { 1UL, 0UL, 1, {
      -0x1.86d463398c07ep+0, 0x1.43da1c28a40bap-4,
      0x1.5e770340afc46p-1 } },
  { 1UL, 0UL, 12345678901, {
      0x1.296093240eb2bp+0, 0x1.8dfd9208bc122p+0,
      0x1.bcb774c925538p-1 } },
  { 1UL, 1UL, 0, {
      0x1.1c16fde0028afp-4, -0x1.789e6d62b2897p-5,
      0x1.970ff4f21f229p-1 } },
  { 1UL, 1UL, 1, {
      0x1.b9ddaa7942d54p-1, 0x1.5f38d80f50e77p-1,
      -0x1.ac5e1e589516cp+0 } },
  { 1UL, 1UL, 12345678901, {
      0x1.414a64eefcb51p-6, 0x1.87acee7eccf69p+0,
      0x1.9051411ef5448p-1 } },
  { 18446744073709551615UL, 18446744073709551615UL, 0, {
      0x1.7475035a56582p+0, 0x1.98230b71772d6p-1,
      0x1.5e76faa0bec66p-1 } },
  { 18446744073709551615UL, 18446744073709551615UL, 1, {
      -0x1.1d715746dc9bap-1, -0x1.c8b30fb5a25ffp-2,
      0x1.1d9de5fb4e340p-2 } },
  { 18446744073709551615UL, 18446744073709551615UL, 12345678901, {
      0x1.630b74897d986p-2, -0x1.024c6378ecf3cp+0,
      -0x1.e07f4bede8129p-2 } },
};

/* @out: [n_fields][n] */
static void
draw (guint64 seed, guint64 realisation, int n_fields, gint64 first, gint64 n, double *out)
{
  double *const fields[3] = { out, out + n, out + 2 * n };

  armilla_random_noise (seed, realisation, n_fields, first, n, fields);
}

static void
test_table (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    for (int field = 0; field < 3; field++)
      {
        const double wanted = table[i].g[field];
        double g[3];

        draw (table[i].seed, table[i].realisation, field + 1, table[i].pixel, 1, g);
        if (!(fabs (g[field] - wanted) <= 4 * 0x1p-53 * fabs (wanted)))
          g_error ("row %d, field %d: %a, not %a", (int) i, field, g[field], wanted);
      }
}

/* However the pixels come, and whatever other fields. */
static void
test_pieces (void)
{
  enum { N = 1000 };
  double whole[3 * N], piece[3 * N];

  draw (7, 2, 3, 100, N, whole);
  for (int n_fields = 1; n_fields <= 3; n_fields++)
    for (int at = 0, n = 1; at < N; at += n, n = MIN (2 * n + 1, N - at))
      {
        draw (7, 2, n_fields, 100 + at, n = MIN (n, N - at), piece);
        for (int f = 0; f < n_fields; f++)
          for (int i = 0; i < n; i++)
            g_assert_cmpfloat (piece[f * n + i], ==, whole[f * N + at + i]);
      }
}

#define MANY 400000

static double
product (const double *a, const double *b, gint64 n)
{
  long double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += (long double) a[i] * b[i];
  return (double) (sum / n);
}

/* Mean 0, variance 1, fourth moment 3; nothing in common with the next pixel, another field,
 * another seed, another realisation: each within five of its standard deviations. */
static void
test_statistics (void)
{
  const double five = 5 / sqrt (MANY);
  g_autofree double *all = g_new (double, 5 * MANY);
  double *g[5];

  draw (5, 0, 3, 0, MANY, all);
  draw (6, 0, 1, 0, MANY, all + 3 * MANY);
  draw (5, 1, 1, 0, MANY, all + 4 * MANY);
  for (int i = 0; i < 5; i++)
    g[i] = all + i * MANY;
  for (int i = 0; i < 5; i++)
    {
      g_autofree double *square = g_new (double, MANY);
      long double mean = 0;

      for (int k = 0; k < MANY; k++)
        {
          mean += g[i][k] / MANY;
          square[k] = g[i][k] * g[i][k];
        }
      g_assert_cmpfloat (fabs ((double) mean), <, five);
      g_assert_cmpfloat (fabs (product (g[i], g[i], MANY) - 1), <, sqrt (2) * five);
      g_assert_cmpfloat (fabs (product (square, square, MANY) - 3), <, sqrt (96) * five);
      g_assert_cmpfloat (fabs (product (g[i], g[i] + 1, MANY - 1)), <, five);
      for (int j = 0; j < i; j++)
        g_assert_cmpfloat (fabs (product (g[i], g[j], MANY)), <, five);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/random-noise/table", test_table);
  g_test_add_func ("/random-noise/pieces", test_pieces);
  g_test_add_func ("/random-noise/statistics", test_statistics);
  return g_test_run ();
}
