/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/butterfly/interpolative.h"

#include <stddef.h>
#include <string.h>

/* LAPACK's Fortran routines with 32-bit integers. The length of a character argument is passed
 * after the other arguments, as gfortran does. */
extern void dgeqp3_ (const int *n_rows, const int *n, double *a, const int *ld, int *pivots,
                     double *tau, double *work, const int *n_work, int *info);
extern void dtrtrs_ (const char *triangle, const char *transposed, const char *unit, const int *n,
                     const int *n_right, const double *a, const int *ld_a, double *b,
                     const int *ld_b, int *info, size_t triangle_length, size_t transposed_length,
                     size_t unit_length);

/* Returns the number of doubles of workspace for matrices up to this size: that of LAPACK and the
 * factors of its reflections. */
int64_t
armilla_interpolative_work (int64_t max_rows, int64_t max_columns)
{
  const int n_rows = (int) max_rows, n = (int) max_columns, ld = n_rows > 1 ? n_rows : 1;
  const int query = -1;
  const int64_t min_size = 3 * max_columns + 1;
  double a = 0, tau = 0, best = 0;
  int pivot = 0, info = 0;

  dgeqp3_ (&n_rows, &n, &a, &ld, &pivot, &tau, &best, &query, &info);
  return max_columns + (info == 0 && best > (double) min_size ? (int64_t) best : min_size);
}

/* Returns the number of pivots after which the squares of the remaining columns sum to @limit or
 * less. @r: R of a QR decomposition, with min (n_rows, n) rows */
static int64_t
find_rank (const double *r, int64_t ld, int64_t n_rows, int64_t n, double limit)
{
  int64_t rank = n_rows < n ? n_rows : n;
  double left = 0;

  for (; rank > 0; rank--)
    {
      for (int64_t j = rank - 1; j < n; j++)
        left += r[j * ld + rank - 1] * r[j * ld + rank - 1];
      if (left > limit)
        break;
    }
  return rank;
}

/* Finds columns, in order of their pivots, whose linear combinations approximate the others: column
 * pivots[j], j >= rank, is the sum over i < rank of column pivots[i] times T[i][j - rank]; limit
 * bounds the sum of squared errors. QR with column pivoting (dgeqp3), R = (R11 R12), gives R11 T =
 * R12. T is stored in the first rank rows of columns rank .. n - 1 of a. Returns the name of the
 * LAPACK routine that failed, or NULL. */
const char *
armilla_interpolative (double *a, int64_t ld, int64_t n_rows, int64_t n, double limit,
                       int32_t *pivots, int64_t *rank, double *work, int64_t n_work)
{
  const int rows = (int) n_rows, columns = (int) n, lda = (int) ld, size = (int) (n_work - n);
  int info = 0, kept, others;

  memset (pivots, 0, sizeof *pivots * (size_t) n); /* every column is free to be pivoted first */
  dgeqp3_ (&rows, &columns, a, &lda, pivots, work, work + n, &size, &info);
  if (info != 0)
    return "dgeqp3";
  for (int64_t j = 0; j < n; j++)
    pivots[j]--;
  *rank = find_rank (a, ld, n_rows, n, limit);
  kept = (int) *rank;
  others = columns - kept;
  if (kept > 0 && others > 0)
    dtrtrs_ ("U", "N", "N", &kept, &others, a, &lda, a + *rank * ld, &lda, &info, 1, 1, 1);
  return info != 0 ? "dtrtrs" : NULL;
}
