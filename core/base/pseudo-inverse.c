/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudo-inverses of small symmetric matrices by Jacobi rotations, which converge quadratically and
 * find small eigenvalues of a scaled matrix accurately. */
#include "core/base/pseudo-inverse.h"

#include <float.h>
#include <math.h>

/* Far more sweeps than any matrix needs; each squares the off-diagonal elements. */
#define MAX_SWEEPS 60

/* Rotates rows and columns p and q of the matrix so that element pq becomes 0, and the columns of
 * the eigenvectors. */
static void
rotate (double *a, double *vectors, int n, int p, int q)
{
  const double apq = a[p * n + q], theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const double t = (theta < 0 ? -1 : 1) / (fabs (theta) + hypot (theta, 1));
  const double c = 1 / hypot (t, 1), s = t * c;

  for (int k = 0; k < n; k++)
    {
      const double kp = a[k * n + p], kq = a[k * n + q];

      a[k * n + p] = c * kp - s * kq;
      a[k * n + q] = s * kp + c * kq;
    }
  for (int k = 0; k < n; k++)
    {
      const double pk = a[p * n + k], qk = a[q * n + k];
      const double vp = vectors[k * n + p], vq = vectors[k * n + q];

      a[p * n + k] = c * pk - s * qk;
      a[q * n + k] = s * pk + c * qk;
      vectors[k * n + p] = c * vp - s * vq;
      vectors[k * n + q] = s * vp + c * vq;
    }
}

/* Makes the matrix diagonal; its diagonal then has the eigenvalues. */
static void
diagonalise (double *a, double *vectors, int n)
{
  gboolean done = FALSE;

  for (int i = 0; i < n * n; i++)
    vectors[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < MAX_SWEEPS && !done; sweep++)
    {
      done = TRUE;
      for (int p = 0; p < n; p++)
        for (int q = p + 1; q < n; q++)
          if (fabs (a[p * n + q]) > DBL_EPSILON / 8 * sqrt (fabs (a[p * n + p] * a[q * n + q])))
            {
              rotate (a, vectors, n, p, q);
              done = FALSE;
            }
    }
}

int
armilla_pseudo_solve (double *matrix, int n, double tolerance, const double *right,
                      double *solution)
{
  g_autofree double *vectors = g_new (double, MAX (n * n, 1));
  double largest = 0;
  int used = 0;

  diagonalise (matrix, vectors, n);
  for (int i = 0; i < n; i++)
    {
      largest = MAX (largest, matrix[i * n + i]);
      solution[i] = 0;
    }
  for (int i = 0; i < n; i++)
    {
      const double value = matrix[i * n + i];
      double part = 0;

      if (!(value > 0) || value < tolerance * largest)
        continue;
      for (int k = 0; k < n; k++)
        part += vectors[k * n + i] * right[k];
      for (int k = 0; k < n; k++)
        solution[k] += vectors[k * n + i] * part / value;
      used++;
    }
  return used;
}
