/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coupling matrices of each instruction set: 3j symbols against exact integer arithmetic, sums over
 * all l3 against what orthogonality says, blocks against each other. */
#include "config.h"

#include <string.h>

#include "tests/spectra/coupling-helpers.h"
#include "tests/spectra/wigner-3j.h"

/* The whole of the matrices, [kind][row][column]. */
static double *
whole (gint64 lmax, gint64 mask_lmax, int kinds, ArmillaIsa isa, gint64 block, const double *table)
{
  const gint64 n = lmax + 1;
  double *out = g_new (double, count_kinds (kinds) * n * n);
  g_autofree double *below = g_new (double, count_kinds (kinds) * block * block);
  g_autofree double *above = g_new (double, count_kinds (kinds) * block * block);

  for (gint64 row = 0; row < n; row += block)
    for (gint64 col = 0; col <= row; col += block)
      {
        ArmillaCouplingShape s = block_shape (lmax, mask_lmax, kinds, isa, block, row, col);

        memset (below, 0x7b, sizeof (double) * (gsize) (count_kinds (kinds) * block * block));
        memset (above, 0x7b, sizeof (double) * (gsize) (count_kinds (kinds) * block * block));
        armilla_coupling_cpu (&s, table, below, row == col ? NULL : above);
        for (int f = 0; f < count_kinds (kinds); f++)
          for (gint64 i = 0; i < s.n_rows; i++)
            for (gint64 j = 0; j < s.n_cols; j++)
              {
                const gint64 at = f * s.n_rows * s.n_cols;

                out[f * n * n + (row + i) * n + col + j] = below[at + i * s.n_cols + j];
                if (row != col)
                  out[f * n * n + (col + j) * n + row + i] = above[at + j * s.n_rows + i];
              }
      }
  return out;
}

/* What the kinds are for one (l1, l2, l3), from the symbols. */
static void
products (const Symbol *s, double expected[N_KINDS])
{
  const double even = (s->l1 + s->l2 + s->l3) % 2 == 0;

  expected[0] = s->scalar * s->scalar;
  expected[1] = s->scalar * s->spin;
  expected[2] = even * s->spin * s->spin;
  expected[3] = (1 - even) * s->spin * s->spin;
  expected[4] = s->scalar * s->pure;
  expected[5] = s->spin * s->pure;
  expected[6] = s->pure * s->pure;
}

/* Rows and columns change places: what purification multiplies by is turned over. */
static void
check_mirrored (const Symbol *s, int kind, double got, double weight)
{
  const double x1 = (double) s->l1 * (double) (s->l1 + 1);
  const double x2 = (double) s->l2 * (double) (s->l2 + 1);
  const double r = s->l2 < 2 ? 0 : sqrt (x1 * (x1 - 2) / (x2 * (x2 - 2)));
  const double expected[] = { s->scalar * s->scalar * r, s->spin * s->scalar * r,
                              s->scalar * s->scalar * r * r };

  g_assert_cmpfloat (fabs (got - weight * expected[kind - 4]), <=, 1e-14 * MAX (r * r, 1));
}

/* One degree of the mask at a time makes one symbol of each entry. The sum over l3 of (2 l3 + 1)
 * times any of these squares is 1. */
static void
test_symbols (void)
{
  double worst = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (symbols); i++)
    {
      const Symbol *s = &symbols[i];
      const gint64 mask_lmax = MIN (s->l1 + s->l2, 2 * s->l1);
      g_autofree double *spectrum = g_new0 (double, mask_lmax + 1), *table = NULL;
      double expected[N_KINDS];

      if (s->l3 > mask_lmax)
        continue;
      products (s, expected);
      spectrum[s->l3] = FOUR_PI;
      table = coupling_table (s->l1, mask_lmax, spectrum);
      for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
        {
          ArmillaCouplingShape one = { s->l1, mask_lmax, s->l1, 1, s->l2, 1, ALL_KINDS, isa };
          double below[N_KINDS], above[N_KINDS];

          armilla_coupling_cpu (&one, table, below, above);
          for (int kind = 0; kind < N_KINDS; kind++)
            {
              const double weight = (double) (2 * s->l3 + 1);
              double got = below[kind] / (double) (2 * s->l2 + 1);
              double error = fabs (got - weight * expected[kind]);

              worst = MAX (worst, error);
              /* 00, ++ and -- have no zeros inside, and are good to the last digits; 0+ and the
               * others are so beside the row's norm. */
              if (kind == 0)
                g_assert_cmpfloat (error, <=, 1e-14 * weight * expected[kind]);
              g_assert_cmpfloat (error, <=, 1e-15);
              if (s->l1 != s->l2 && kind < 4)
                g_assert_cmpfloat (fabs (above[kind] / (double) (2 * s->l1 + 1) - got), <=,
                                   1e-15 * fabs (got));
              else if (s->l1 != s->l2)
                check_mirrored (s, kind, above[kind] / (double) (2 * s->l1 + 1), weight);
            }
        }
    }
  g_test_message ("largest error of (2 l3 + 1) 3j 3j: %g", worst);
}

/* W_l = 4 pi for all l: sums over l3 of (2 l3 + 1) times a square are 1, whatever l1 and l2. */
static void
test_orthogonality (void)
{
  static const gint64 cases[][3] = { { 8192, 8192, 8192 }, { 8192, 8192, 7936 },
                                     { 8192, 7936, 0 },    { 8192, 4352, 2048 },
                                     { 300, 256, 0 },      { 5, 0, 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gint64 lmax = cases[i][0], mask_lmax = 2 * lmax;
      g_autofree double *spectrum = g_new (double, mask_lmax + 1), *table = NULL;
      g_autofree double *below = g_new (double, N_KINDS * 256 * 256);
      g_autofree double *above = g_new (double, N_KINDS * 256 * 256);
      ArmillaCouplingShape s = block_shape (lmax, mask_lmax, ALL_KINDS, armilla_isa_detect (), 256,
                                            cases[i][1], cases[i][2]);
      const gint64 n = s.n_rows * s.n_cols;

      for (gint64 l = 0; l <= mask_lmax; l++)
        spectrum[l] = FOUR_PI;
      table = coupling_table (lmax, mask_lmax, spectrum);
      armilla_coupling_cpu (&s, table, below, above);
      for (gint64 j = 0; j < n; j++)
        {
          const gint64 l1 = s.row + j / s.n_cols, l2 = s.col + j % s.n_cols;
          const double of_l2 = (double) (2 * l2 + 1);

          g_assert_cmpfloat (fabs (below[j] / of_l2 - 1), <=, 1e-13);
          g_assert_cmpfloat (fabs ((below[2 * n + j] + below[3 * n + j]) / of_l2
                                   - (l1 >= 2 && l2 >= 2)), <=, 1e-13);
          /* (0 0 0) and (2 -2 0) have different m: their product sums to 0. */
          g_assert_cmpfloat (fabs (below[n + j] / of_l2), <=, 1e-13);
        }
    }
}

/* Other cuts give the same bits, and so do fewer kinds; a mask without high degrees is one with
 * zeros there. Kind 00 alone is added up in another way. */
static void
test_blocks (void)
{
  const gint64 lmax = 301, n = (lmax + 1) * (lmax + 1);
  g_autofree double *spectrum = wiggly_spectrum (2 * lmax);
  g_autofree double *table = coupling_table (lmax, 2 * lmax, spectrum);

  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    {
      g_autofree double *all = whole (lmax, 2 * lmax, ALL_KINDS, isa, 256, table);
      g_autofree double *scalar = whole (lmax, 2 * lmax, ARMILLA_COUPLING_00, isa, 100, table);

      for (gint64 block = 1; block <= 200; block = 3 * block + 4)
        {
          g_autofree double *other = whole (lmax, 2 * lmax, ALL_KINDS, isa, block, table);

          g_assert_cmpmem (other, N_KINDS * 8 * (gsize) n, all, N_KINDS * 8 * (gsize) n);
        }
      for (gint64 i = 0; i < n; i++)
        g_assert_cmpfloat (fabs (scalar[i] - all[i]), <=, 1e-13 * fabs (all[i]) + 1e-15);
      for (int kinds = 2; kinds < ALL_KINDS; kinds += kinds < 16 ? 1 : 5)
        {
          g_autofree double *some = whole (lmax, 2 * lmax, kinds, isa, 64, table);

          for (int kind = 0, f = 0; kind < N_KINDS; kind++)
            if (kinds & 1 << kind)
              g_assert_cmpmem (some + f++ * n, 8 * (gsize) n, all + kind * n, 8 * (gsize) n);
        }
    }
}

static void
test_short_mask (void)
{
  const gint64 lmax = 200, n = (lmax + 1) * (lmax + 1);

  for (gint64 mask_lmax = 0; mask_lmax <= 2 * lmax; mask_lmax = 2 * mask_lmax + 1)
    {
      const ArmillaIsa isa = armilla_isa_detect ();
      g_autofree double *spectrum = wiggly_spectrum (2 * lmax), *table = NULL, *longer = NULL;
      g_autofree double *got = NULL, *expected = NULL;

      for (gint64 l = mask_lmax + 1; l <= 2 * lmax; l++)
        spectrum[l] = 0;
      table = coupling_table (lmax, mask_lmax, spectrum);
      longer = coupling_table (lmax, 2 * lmax, spectrum);
      got = whole (lmax, mask_lmax, ALL_KINDS, isa, 128, table);
      expected = whole (lmax, 2 * lmax, ALL_KINDS, isa, 128, longer);
      for (gint64 i = 0; i < N_KINDS * n; i++)
        g_assert_cmpfloat (got[i], ==, expected[i]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/coupling-kernels/symbols", test_symbols);
  g_test_add_func ("/coupling-kernels/orthogonality", test_orthogonality);
  g_test_add_func ("/coupling-kernels/blocks", test_blocks);
  g_test_add_func ("/coupling-kernels/short-mask", test_short_mask);
  return g_test_run ();
}
