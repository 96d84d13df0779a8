/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pivoted QR that stops at the rank, as compressed matrices use it, against LAPACK's, which goes
 * on to the end:
 *
 *   bench-qr LAPACK.so
 *
 * LAPACK.so: a library that has dgeqp3_ or scipy_dgeqp3_, with 32-bit integers. Blocks are of
 * order 100 at lmax 1024, tolerance 1e-10, on rows in the middle: neighbouring columns, or, as in
 * later stages, every other one. */
#include <armilla/grid.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "codelets/butterfly-cpu.h"
#include "codelets/delta-recurrence.h"

#define LMAX 1024
#define M 100
#define MOST_COLUMNS 64
#define REPEATS 200

typedef void (*Lapack) (const int *rows, const int *columns, double *a, const int *ld, int *pivots,
                        double *tau, double *work, const int *n_work, int *info);

/* The matrix of the order, [k][pairs rounded up to 8]. Returns (transfer full) */
static double *
make_matrix (gint64 *ld)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_gauss_legendre (LMAX + 1, 4, NULL);
  const gint64 n = grid->n_pairs;
  const ArmillaDeltaShape order = { .lmax = LMAX, .m_first = M, .m_last = M };
  g_autofree double *pairs = g_new (double, ARMILLA_PAIR_ROWS * n);
  g_autofree double *table = g_new (double, armilla_delta_table_size (&order));
  ArmillaButterflyShape shape;
  double *matrix;

  for (gint64 p = 0; p < n; p++)
    {
      const ArmillaRing *ring = &grid->rings[grid->pairs[p].north];
      const double row[] = { ring->cos_theta, ring->cos_lo, ring->sin_theta, ring->sin_lo };

      for (int i = 0; i < ARMILLA_PAIR_ROWS; i++)
        pairs[i * n + p] = row[i];
    }
  *ld = armilla_butterfly_pad (n);
  matrix = g_new (double, *ld * armilla_delta_steps (LMAX, M));
  armilla_butterfly_shape_init (&shape, LMAX, M, n, 1e-10);
  armilla_delta_table_cpu (&order, table);
  armilla_butterfly_matrix (&shape, table, pairs, matrix);
  return matrix;
}

static void
compare (const double *matrix, gint64 ld, int rows, int columns, Lapack lapack)
{
  const ArmillaButterflyKernels *kernels = armilla_butterfly_kernels (armilla_isa_detect ());
  /* 0.08: mean square of the orthonormal functions. */
  const double limit = 1e-20 * rows * columns * 0.08;
  const int n_work = 64 * (MOST_COLUMNS + 2), step = columns > 32 ? 2 : 1;
  g_autofree double *block = g_new (double, rows * columns);
  g_autofree double *r = g_new (double, columns * columns), *work = g_new (double, n_work);
  double *column[MOST_COLUMNS], norms[MOST_COLUMNS], best[2] = { INFINITY, INFINITY };
  int32_t order[MOST_COLUMNS];
  gint64 rank = 0;

  for (int i = 0; i < 2 * REPEATS; i++)
    {
      int pivots[MOST_COLUMNS] = { 0 }, info;
      gint64 start;

      for (int j = 0; j < columns; j++)
        {
          column[j] = block + j * rows;
          memcpy (column[j], matrix + (100 + j * step) * ld + (LMAX / 2 + 1 - rows) / 2,
                  sizeof (double) * (gsize) rows);
        }
      start = g_get_monotonic_time ();
      if (i % 2 == 0)
        rank = kernels->factor (column, rows, columns, limit, order, norms, r);
      else
        lapack (&rows, &columns, block, &rows, pivots, norms, work, &n_work, &info);
      best[i % 2] = MIN (best[i % 2], (double) (g_get_monotonic_time () - start));
    }
  printf ("%3d x %2d: rank %2d, %3.0f us; LAPACK %3.0f us\n", rows, columns, (int) rank, best[0],
          best[1]);
}

int
main (int argc, char *argv[])
{
  static const int shapes[][2]
    = { { 256, 32 }, { 128, 32 }, { 512, 64 }, { 256, 64 }, { 128, 64 }, { 64, 64 }, { 32, 64 } };
  void *library = argc == 2 ? dlopen (argv[1], RTLD_NOW) : NULL;
  g_autofree double *matrix = NULL;
  Lapack lapack = NULL;
  gint64 ld;

  if (library)
    lapack = (Lapack) dlsym (library, "dgeqp3_");
  if (library && !lapack)
    lapack = (Lapack) dlsym (library, "scipy_dgeqp3_");
  if (!lapack)
    {
      fprintf (stderr, "usage: bench-qr LAPACK.so\n");
      return 2;
    }
  matrix = make_matrix (&ld);
  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    compare (matrix, ld, shapes[i][0], shapes[i][1], lapack);
  return 0;
}
