/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "core/catalogues/estimator.h"

#include <math.h>

/* Returns the bits 1 << c of each ArmillaPairCount c that the estimator needs; for one catalogue RD
 * equals DR and is not included. */
int
armilla_estimator_needs (ArmillaEstimator estimator, gboolean cross)
{
  switch (estimator)
    {
    case ARMILLA_ESTIMATOR_NATURAL:
      return 1 << ARMILLA_COUNT_DD | 1 << ARMILLA_COUNT_RR;
    case ARMILLA_ESTIMATOR_DAVIS_PEEBLES:
      return 1 << ARMILLA_COUNT_DD | 1 << ARMILLA_COUNT_DR;
    default:
      return 1 << ARMILLA_COUNT_DD | 1 << ARMILLA_COUNT_DR | 1 << ARMILLA_COUNT_RR
             | (cross ? 1 << ARMILLA_COUNT_RD : 0);
    }
}

/* Returns the two-point function; NaN if the counts in its denominator are 0. */
double
armilla_estimate_pairs (ArmillaEstimator estimator, const double counts[ARMILLA_N_COUNTS])
{
  double dd = counts[ARMILLA_COUNT_DD], dr = counts[ARMILLA_COUNT_DR];
  double rd = counts[ARMILLA_COUNT_RD], rr = counts[ARMILLA_COUNT_RR], below, value;

  switch (estimator)
    {
    case ARMILLA_ESTIMATOR_NATURAL:
      below = rr;
      value = (dd - rr) / rr;
      break;
    case ARMILLA_ESTIMATOR_DAVIS_PEEBLES:
      below = dr;
      value = (dd - dr) / dr;
      break;
    case ARMILLA_ESTIMATOR_HAMILTON:
      below = dr * rd;
      value = (dd * rr - dr * rd) / (dr * rd);
      break;
    default:
      below = rr;
      value = ((dd - dr) - (rd - rr)) / rr;
    }
  return below != 0 ? value : NAN;
}

/* Returns the three-point function of Szapudi and Szalay (1998): (DDD - 3 DDR + 3 DRR - RRR) / RRR.
 * NaN if @rrr is 0. */
double
armilla_estimate_triangles (double ddd, double ddr, double drr, double rrr)
{
  return rrr != 0 ? ((ddd - rrr) - 3 * (ddr - drr)) / rrr : NAN;
}

/* C_ij = (P - 1) / P sum_p (x_pi - <x_i>) (x_pj - <x_j>), P = @n_samples (Efron 1982). A value that
 * is not finite in one sample makes its row and column NaN. @values: double, [n_samples][n_values]:
 * values without one patch each; @n_samples: number of patches, at least 2; @covariance: double,
 * [n_values][n_values]. */
void
armilla_jackknife (const double *values, int n_samples, int n_values, double *covariance)
{
  g_autofree double *mean = g_new0 (double, n_values);

  for (int i = 0; i < n_values; i++)
    {
      for (int p = 0; p < n_samples; p++)
        mean[i] += values[p * n_values + i];
      mean[i] /= n_samples;
    }
  for (int i = 0; i < n_values; i++)
    for (int j = 0; j <= i; j++)
      {
        double sum = 0;

        for (int p = 0; p < n_samples; p++)
          sum += (values[p * n_values + i] - mean[i]) * (values[p * n_values + j] - mean[j]);
        sum *= (double) (n_samples - 1) / n_samples;
        covariance[i * n_values + j] = covariance[j * n_values + i]
          = isfinite (mean[i]) && isfinite (mean[j]) ? sum : NAN;
      }
}

/* Computes the totals of a catalogue: sums over its objects of nonzero weight, in their order.
 * Returns the totals. */
ArmillaTotals *
armilla_totals_new (const ArmillaCatalogue *catalogue)
{
  ArmillaTotals *self = g_new0 (ArmillaTotals, 1);
  gsize rows = 1 + (gsize) catalogue->n_patches;

  self->n_patches = catalogue->n_patches;
  self->n = g_new0 (gint64, rows);
  self->weight = g_new0 (double, rows);
  self->weight2 = g_new0 (double, rows);
  self->shear = g_new0 (double, rows);
  for (gint64 i = 0; i < catalogue->n; i++)
    {
      double w = catalogue->weight != NULL ? catalogue->weight[i] : 1;
      double g = catalogue->g1 != NULL ? catalogue->g1[i] * catalogue->g1[i]
                                           + catalogue->g2[i] * catalogue->g2[i]
                                       : 0;

      for (int k = 0; k < 2 && w > 0; k++)
        {
          int row = k == 0 ? 0 : catalogue->patch != NULL ? 1 + catalogue->patch[i] : -1;

          if (row < 0)
            continue;
          self->n[row]++;
          self->weight[row] += w;
          self->weight2[row] += w * w;
          self->shear[row] += w * w * g;
        }
    }
  return self;
}

/* Sets the sum for the variance of a column of values. */
void
armilla_totals_set_value (ArmillaTotals *self, const ArmillaCatalogue *catalogue,
                          const double *values)
{
  double sum = 0;

  self->value = 0;
  for (gint64 i = 0; i < catalogue->n; i++)
    if (!catalogue->weight || catalogue->weight[i] > 0)
      sum += (catalogue->weight ? catalogue->weight[i] : 1) * values[i];
  for (gint64 i = 0; i < catalogue->n; i++)
    if (!catalogue->weight || catalogue->weight[i] > 0)
      self->value += pow ((catalogue->weight ? catalogue->weight[i] : 1)
                            * (values[i] - sum / self->weight[0]),
                          2);
}

void
armilla_totals_free (ArmillaTotals *self)
{
  if (self == NULL)
    return;
  g_free (self->n);
  g_free (self->weight);
  g_free (self->weight2);
  g_free (self->shear);
  g_free (self);
}

/* Returns the sum of w_i w_j over all pairs, whatever their separation: their number if all weights
 * are 1. @b: totals of the other catalogue; NULL for pairs i < j within @a. */
double
armilla_totals_pairs (const ArmillaTotals *a, const ArmillaTotals *b, int without)
{
  double w = a->weight[0], w2 = a->weight2[0];

  if (without >= 0)
    {
      w -= a->weight[1 + without];
      w2 -= a->weight2[1 + without];
    }
  if (b == NULL)
    return (w * w - w2) / 2;
  return w * (b->weight[0] - (without >= 0 ? b->weight[1 + without] : 0));
}

/* Returns the sum of w_i w_j over all pairs of one object in the patch and one outside. @b: totals
 * of the other catalogue; NULL for pairs i < j within @a. */
double
armilla_totals_across (const ArmillaTotals *a, const ArmillaTotals *b, int patch)
{
  const ArmillaTotals *other = b != NULL ? b : a;
  const double out_a = a->weight[0] - a->weight[1 + patch];
  const double in_b = other->weight[1 + patch], out_b = other->weight[0] - in_b;

  return a->weight[1 + patch] * out_b + (b != NULL ? out_a * in_b : 0);
}

/* Returns 1 - P / (2 + sqrt(2) (P - 1)), P being the number of patches with objects; 0 if P < 2. It
 * is the weight, in a jackknife, of pairs across the border of the omitted patch: such a pair is
 * left out of two samples, and with this weight it contributes to the covariance like a pair within
 * a patch (Mohammad and Percival 2022, eq. 27). */
double
armilla_totals_match (const ArmillaTotals *self)
{
  int used = 0;

  for (int p = 0; p < self->n_patches; p++)
    used += self->n[1 + p] > 0;
  return used < 2 ? 0 : 1 - used / (2 + G_SQRT2 * (used - 1));
}

/* Returns the number of triangles with two corners in @a and one in @b, or three in @a. @b: totals
 * of the other catalogue; NULL for triangles within @a. */
double
armilla_totals_triangles (const ArmillaTotals *a, const ArmillaTotals *b)
{
  double n = (double) a->n[0], pairs = n * (n - 1) / 2;

  return b != NULL ? pairs * (double) b->n[0] : pairs * (n - 2) / 3;
}
