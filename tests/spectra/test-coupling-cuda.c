/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels of coupling matrices against the CPU's. */
#include "config.h"

#include "tests/spectra/coupling-helpers.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA

static void
assert_close (const double *device, const double *expected, int n_kinds, gint64 n)
{
  g_autofree double *got = from_device (device, n_kinds * n);

  for (int kind = 0; kind < n_kinds; kind++)
    {
      double largest = 0, error = 0;

      for (gint64 i = kind * n; i < (kind + 1) * n; i++)
        {
          largest = MAX (largest, fabs (expected[i]));
          error = MAX (error, fabs (got[i] - expected[i]));
        }
      /* The same terms in the same order; one kernel rounds some products that the other fuses. */
      if (!(error <= 1e-13 * largest))
        g_error ("kind %d: error %g of %g", kind, error, largest);
    }
}

static void
check (gint64 lmax, gint64 mask_lmax, int kinds, gint64 row, gint64 col)
{
  const ArmillaCouplingShape s
    = block_shape (lmax, mask_lmax, kinds, armilla_isa_detect (), 256, row, col);
  const int n_kinds = count_kinds (kinds);
  const gint64 n = s.n_rows * s.n_cols;
  g_autofree double *spectrum = wiggly_spectrum (mask_lmax);
  g_autofree double *table = coupling_table (lmax, mask_lmax, spectrum);
  g_autofree double *below = g_new (double, n_kinds * n), *above = g_new (double, n_kinds * n);
  double *there = doubles_to_device (table, armilla_coupling_table_size (lmax, mask_lmax));
  double *got_below = doubles_to_device (NULL, n_kinds * n);
  double *got_above = doubles_to_device (NULL, n_kinds * n);

  armilla_coupling_cpu (&s, table, below, above);
  g_assert_cmpint (armilla_coupling_launch (&s, there, got_below, got_above, NULL), ==,
                   cudaSuccess);
  assert_close (got_below, below, n_kinds, n);
  if (row != col)
    assert_close (got_above, above, n_kinds, n);
  cudaFree (there);
  cudaFree (got_below);
  cudaFree (got_above);
}

/* On and off the diagonal, short blocks at the end, masks with few degrees and with all. */
static void
test_cases (void)
{
  static const gint64 cases[][4] = {
    { 0, 0, 0, 0 },         { 5, 10, 0, 0 },          { 300, 600, 0, 0 },
    { 300, 600, 256, 0 },   { 300, 600, 256, 256 },   { 1000, 7, 512, 256 },
    { 1000, 0, 768, 768 },  { 8192, 16384, 8192, 0 }, { 8192, 16384, 7936, 7680 },
    { 8192, 8192, 4096, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int kinds = 1; kinds <= ALL_KINDS; kinds += kinds < 16 ? 1 : 37)
      check (cases[i][0], cases[i][1], kinds, cases[i][2], cases[i][3]);
}

/* All blocks of a matrix, which stay on the device. */
static void
test_times (void)
{
  static const int some_kinds[] = { 1, 2, 12, 15, ALL_KINDS };
  const gint64 lmax = 4096, mask_lmax = 2 * lmax, block = ARMILLA_COUPLING_BLOCK;
  g_autofree double *spectrum = wiggly_spectrum (mask_lmax);
  g_autofree double *table = coupling_table (lmax, mask_lmax, spectrum);
  double *there = doubles_to_device (table, armilla_coupling_table_size (lmax, mask_lmax));
  double *below = doubles_to_device (NULL, N_KINDS * block * block);
  double *above = doubles_to_device (NULL, N_KINDS * block * block);

  for (gsize i = 0; i < G_N_ELEMENTS (some_kinds); i++)
    {
      double best = G_MAXDOUBLE;

      for (int repeat = 0; repeat < 5; repeat++)
        {
          gint64 start;

          assert_cuda (cudaDeviceSynchronize ());
          start = g_get_monotonic_time ();
          for (gint64 row = 0; row <= lmax; row += block)
            for (gint64 col = 0; col <= row; col += block)
              {
                const ArmillaCouplingShape s
                  = block_shape (lmax, mask_lmax, some_kinds[i], 0, block, row, col);

                assert_cuda (armilla_coupling_launch (&s, there, below, above, NULL));
              }
          assert_cuda (cudaDeviceSynchronize ());
          best = MIN (best, 1e-6 * (double) (g_get_monotonic_time () - start));
        }
      g_test_message ("coupling lmax %d, mask to %d, kinds %d: %.4f s", (int) lmax,
                      (int) mask_lmax, some_kinds[i], best);
    }
  cudaFree (there);
  cudaFree (below);
  cudaFree (above);
}

static void
add_tests (void)
{
  g_test_add_func ("/coupling-cuda/cases", test_cases);
  g_test_add_func ("/coupling-cuda/times", test_times);
}

#endif

MAIN_ON_DEVICE (add_tests)
