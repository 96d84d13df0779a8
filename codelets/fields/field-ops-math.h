/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic of the small kernels, shared by the CPU and CUDA. */
#pragma once

#include "codelets/rings/ring-fft-math.h"

/* Returns alpha x + beta y; an operand whose factor is 0 is ignored, even if it is NaN. */
ARMILLA_HD double
armilla_combine (double alpha, double x, double beta, double y)
{
  return alpha == 0 ? (beta == 0 ? 0 : beta * y) : (beta == 0 ? alpha * x : alpha * x + beta * y);
}

/* Returns sign * numerator / denominator; 0 for 0 / 0, since a converged iteration takes no
 * step. */
ARMILLA_HD double
armilla_step_length (double sign, double numerator, double denominator)
{
  return numerator == 0 ? 0 : sign * (numerator / denominator);
}

/* Returns Re (a conj b), both complex. */
ARMILLA_HD double
armilla_real_product (const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1];
}

/* Returns the contribution of +m and -m to a sum of Re (a conj b) over all orders. a_l0 is real:
 * imaginary parts of m = 0 are ignored. */
ARMILLA_HD double
armilla_alm_product (int64_t m, const double *a, const double *b)
{
  return m > 0 ? 2 * armilla_real_product (a, b) : a[0] * b[0];
}

/* Returns the position of a_mm in a block that starts at order m_first, in coefficients. */
ARMILLA_HD int64_t
armilla_block_offset (int64_t lmax, int64_t m_first, int64_t m)
{
  return (m - m_first) * (2 * lmax + 3 - m - m_first) / 2;
}

/* Finds the two fields of spectrum number index: diagonal by diagonal, (0,0), (1,1) ... (0,1),
 * (1,2) ... */
ARMILLA_HD void
armilla_spectrum_fields (int64_t n_fields, int64_t index, int64_t *first, int64_t *second)
{
  int64_t distance = 0;

  while (index >= n_fields - distance)
    index -= n_fields - distance++;
  *first = index;
  *second = index + distance;
}

/* Sums over the observed pixels of one ring; f denotes the value of a pixel. */
typedef struct {
  double n, c, s, cc, cs, ss; /* sums of 1, cos and sin of the azimuth and of their products */
  double f, fc, fs;
} ArmillaRingSums;

ARMILLA_HD void
armilla_ring_sums_add (ArmillaRingSums *sums, double value, double c, double s)
{
  if (armilla_is_unseen_value (value))
    return;
  sums->n += 1;
  sums->c += c;
  sums->s += s;
  sums->cc += c * c;
  sums->cs += c * s;
  sums->ss += s * s;
  sums->f += value;
  sums->fc += value * c;
  sums->fs += value * s;
}

/* Adds the moments of a ring: [4][4] sums of products of (1, x, y, z), then [4] sums of 1, x, y and
 * z times f. */
ARMILLA_HD void
armilla_moments_add (double *moments, const ArmillaRingSums *sums, double cos_theta,
                     double sin_theta)
{
  const double z = cos_theta, r = sin_theta;
  const double row[20] = { sums->n,         r * sums->c,           r * sums->s,
                           z * sums->n,     r * sums->c,           r * r * sums->cc,
                           r * r * sums->cs, r * z * sums->c,      r * sums->s,
                           r * r * sums->cs, r * r * sums->ss,     r * z * sums->s,
                           z * sums->n,     r * z * sums->c,       r * z * sums->s,
                           z * z * sums->n, sums->f,               r * sums->fc,
                           r * sums->fs,    z * sums->f };

  for (int i = 0; i < 20; i++)
    moments[i] += row[i];
}

/* fit <- monopole and dipole by least squares; the dipole is 0 unless @dipole. Returns 0; or -1
 * with fit = 0 if the observed pixels do not determine them. */
ARMILLA_HD int
armilla_moments_solve (const double *moments, int dipole, double *fit)
{
  const int n = dipole ? 4 : 1;
  double a[4][5];

  for (int i = 0; i < 4; i++)
    fit[i] = 0;
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < n; j++)
        a[i][j] = moments[4 * i + j];
      a[i][n] = moments[16 + i];
    }
  /* The matrix is symmetric and positive: no pivoting is needed. If elimination reduces a diagonal
   * element to rounding error, the functions are linearly dependent on the observed pixels. */
  for (int k = 0; k < n; k++)
    {
      if (!(a[k][k] > 1e-13 * moments[0]))
        return -1;
      for (int i = k + 1; i < n; i++)
        {
          const double factor = a[i][k] / a[k][k];

          for (int j = k; j <= n; j++)
            a[i][j] -= factor * a[k][j];
        }
    }
  for (int i = n - 1; i >= 0; i--)
    {
      double value = a[i][n];

      for (int j = i + 1; j < n; j++)
        value -= a[i][j] * fit[j];
      fit[i] = value / a[i][i];
    }
  return 0;
}

/* Returns the pixel value minus monopole and dipole; UNSEEN stays UNSEEN. */
ARMILLA_HD double
armilla_dipole_remove (double value, const double *fit, double cos_theta, double sin_theta,
                       double c, double s)
{
  if (armilla_is_unseen_value (value))
    return value;
  return value - (fit[0] + fit[3] * cos_theta + sin_theta * (fit[1] * c + fit[2] * s));
}
