/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/linear.h"

#include <float.h>
#include <math.h>

/*
 * armilla_solve_spd:
 * @n: number of unknowns, 1 to ARMILLA_SPD_MAX
 * @a: symmetric positive-definite matrix, [n][n]; only its lower triangle is read
 * @b: (array length=n): right-hand side
 * @x: (array length=n) (out): solution of A x = b; may be @b
 * @error: return location
 *
 * By Cholesky's decomposition A = L L'. A pivot that is no more than rounding of its diagonal means
 * that some unknown is not determined.
 *
 * Returns: whether there is a solution; ARMILLA_ERROR_NUMERIC otherwise
 */
gboolean
armilla_solve_spd (int n, const double *a, const double *b, double *x, GError **error)
{
  double l[ARMILLA_SPD_MAX][ARMILLA_SPD_MAX], y[ARMILLA_SPD_MAX];

  g_return_val_if_fail (n >= 1 && n <= ARMILLA_SPD_MAX, FALSE);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      {
        double sum = a[i * n + j];

        for (int k = 0; k < j; k++)
          sum -= l[i][k] * l[j][k];
        if (j < i)
          l[i][j] = sum / l[j][j];
        else if (sum > 4 * n * DBL_EPSILON * a[i * n + i])
          l[i][i] = sqrt (sum);
        else
          {
            g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC,
                         "the data do not determine unknown %d of %d", i + 1, n);
            return FALSE;
          }
      }
  for (int i = 0; i < n; i++)
    {
      y[i] = b[i];
      for (int k = 0; k < i; k++)
        y[i] -= l[i][k] * y[k];
      y[i] /= l[i][i];
    }
  for (int i = n - 1; i >= 0; i--)
    {
      for (int k = i + 1; k < n; k++)
        y[i] -= l[k][i] * y[k];
      y[i] /= l[i][i];
    }
  for (int i = 0; i < n; i++)
    x[i] = y[i];
  return TRUE;
}
