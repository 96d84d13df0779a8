/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/random-alm.h"

#include <math.h>

#include "core/base/random-draw.h"

/* Files in float32 round fully correlated spectra by a relative 6e-8; violations of the
 * Cauchy-Schwarz inequality up to this size are treated as full correlation. */
#define EXCESS 1e-6

#define ADVICE                                                                                     \
  "check which spectra were read: their order is TT, EE, BB, TE, EB, TB, unless fields names them"

/* The covariance matrix of one multipole, lower triangle. */
typedef struct {
  const ArmillaRandomFields *fields;
  gint64 l;
  double *matrix, *scratch;
} Multipole;

/* Returns the name of a spectrum: TE, or 1x2 if names of fields are long. The caller frees it. */
static char *
name_of (const ArmillaRandomFields *fields, int a, int b)
{
  const char *const *names = fields->fields;

  if (fields->n_fields == 1)
    return g_strdup ("the spectrum");
  return g_strconcat (names[a], names[a][0] && names[a][1] ? "x" : "", names[b], NULL);
}

/* Returns whether the variances and covariances of field @f with those before it are finite and no
 * larger than correlations can be. */
static gboolean
check_field (const Multipole *at, int f, GError **error)
{
  const double *row = at->matrix + armilla_random_place (f, 0);

  for (int k = f; k >= 0; k--)
    {
      const double c = row[k], other = at->matrix[armilla_random_place (k, k)];
      g_autofree char *name = NULL, *first = NULL, *second = NULL;

      if (isfinite (c) && (k == f ? c >= 0 : c * c <= (1 + EXCESS) * row[f] * other))
        continue;
      name = name_of (at->fields, k, f);
      if (!isfinite (c) || k == f)
        return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                             "%s is %g at l = %" G_GINT64_FORMAT "; it must be finite%s", name, c,
                             at->l, k == f ? " and not negative; " ADVICE : "");
      first = name_of (at->fields, k, k);
      second = name_of (at->fields, f, f);
      return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                           "at l = %" G_GINT64_FORMAT ", %s = %g, %s = %g and %s = %g violate "
                           "|%s|^2 <= %s %s, which is impossible; " ADVICE, at->l, name, c, first,
                           other, second, row[f], name, first, second);
    }
  return TRUE;
}

/* Computes the lower triangle L of V = L L', V the matrix times @share. If the remaining variance
 * of a field is only rounding error, its column is 0: it is a combination of the previous ones. */
static void
factor_matrix (const double *matrix, int n, double share, double *lower)
{
  for (int f = 0; f < n; f++)
    {
      const double variance = matrix[armilla_random_place (f, f)] * share;
      double *row = lower + armilla_random_place (f, 0), left = variance;

      for (int k = 0; k < f; k++)
        {
          const double *other = lower + armilla_random_place (k, 0);
          double rest = matrix[armilla_random_place (f, k)] * share;

          for (int j = 0; j < k; j++)
            rest -= row[j] * other[j];
          row[k] = other[k] > 0 ? rest / other[k] : 0;
          left -= row[k] * row[k];
        }
      row[f] = left > variance * 1e-14 ? sqrt (left) : 0;
    }
}

/* Returns whether no eigenvalue of the correlation matrix is below -EXCESS: the matrix that has 1 +
 * EXCESS on its diagonal is positive. */
static gboolean
is_positive (const Multipole *at)
{
  const int n = at->fields->n_fields;
  double *lower = at->scratch;

  for (int f = 0; f < n; f++)
    for (int k = 0; k <= f; k++)
      {
        const double variances = at->matrix[armilla_random_place (f, f)]
                                 * at->matrix[armilla_random_place (k, k)];
        double rest = at->matrix[armilla_random_place (f, k)];

        rest = k == f ? 1 + EXCESS : variances > 0 ? rest / sqrt (variances) : 0;
        for (int j = 0; j < k; j++)
          rest -= lower[armilla_random_place (f, j)] * lower[armilla_random_place (k, j)];
        if (k == f && rest <= 0)
          return FALSE;
        lower[armilla_random_place (f, k)]
          = k == f ? sqrt (rest) : rest / lower[armilla_random_place (k, k)];
      }
  return TRUE;
}

static gboolean
factor_multipole (const Multipole *at, gint64 lmax_cl, double *factor, GError **error)
{
  const int n = at->fields->n_fields;
  const gint64 n_places = armilla_random_place (n, 0);

  for (int f = 0; f < n; f++)
    if (!check_field (at, f, error))
      return FALSE;
  if (n > 2 && !is_positive (at))
    return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                         "at l = %" G_GINT64_FORMAT " the spectra together are impossible: their "
                         "covariance matrix is not positive; " ADVICE, at->l);
  for (int m = 0; m < 2; m++)
    {
      /* a_l0 is real; other a_lm have half of the variance in the real part. */
      factor_matrix (at->matrix, n, m == 0 ? 1 : 0.5, at->scratch);
      for (gint64 i = 0; i < n_places; i++)
        factor[(m * n_places + i) * (lmax_cl + 1) + at->l] = at->scratch[i];
    }
  return TRUE;
}

/* Computes the lower triangular factors of the covariance matrices of fields. Sets
 * ARMILLA_ERROR_NUMERIC with the first multipole at which the spectra cannot be a covariance:
 * finite, variances not negative, fields no more than fully correlated. @cl: double,
 * [spectrum][@lmax_cl + 1]; @factor: armilla_random_factor_size() */
gboolean
armilla_random_factor (const ArmillaRandomFields *fields, const double *cl, gint64 lmax_cl,
                       double *factor, GError **error)
{
  const gint64 n_places = armilla_random_place (fields->n_fields, 0);
  g_autofree double *numbers = g_new (double, 2 * n_places);
  Multipole at = { .fields = fields, .matrix = numbers, .scratch = numbers + n_places };

  for (at.l = 0; at.l <= lmax_cl; at.l++)
    {
      for (gint64 i = 0; i < n_places; i++)
        at.matrix[i] = fields->columns[i] < 0
                         ? 0 : cl[fields->columns[i] * (lmax_cl + 1) + at.l];
      if (!factor_multipole (&at, lmax_cl, factor, error))
        return FALSE;
    }
  return TRUE;
}
