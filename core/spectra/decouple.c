/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E and B mix by ++ and --. Their sum is coupled by ++ plus --, their difference by ++ minus --, so
 * two systems of the size of one spectrum are solved instead of one of twice that size. For EB and
 * BE the signs are the other way round. */
#include "core/spectra/decouple.h"

#include <math.h>
#include <string.h>

extern void dgetrf_ (const int *n_rows, const int *n, double *a, const int *ld, int *pivots,
                     int *info);
extern void dgecon_ (const char *norm, const int *n, const double *a, const int *ld,
                     const double *norm_a, double *inverse, double *work, int *integers, int *info,
                     size_t norm_length);
extern void dgetrs_ (const char *transposed, const int *n, const int *n_right, const double *a,
                     const int *ld, const int *pivots, double *b, const int *ld_b, int *info,
                     size_t transposed_length);

/* Below that a result has no digit that is known. */
#define WORST_CONDITION 1e-14

/* A binned matrix and its factors. */
typedef struct {
  gboolean made;
  double *binned;  /* [bin][l], with the windows */
  double *factors; /* LAPACK's, of the transposed matrix */
  int *pivots;
} System;

/* TURNED: the field of spin 2 first, which may have another beam. */
enum { SCALAR, MIXED, TURNED, SUM, DIFFERENCE, N_SYSTEMS };

void
armilla_decouple_add (const ArmillaDegreeBins *bins, gint64 row, gint64 n_rows, gint64 column,
                      gint64 n_columns, const double *values, double *binned)
{
  for (gint64 bin = 0; bin < bins->n; bin++)
    {
      const gint64 first = MAX (row, bins->first[bin]);
      const gint64 last = MIN (row + n_rows - 1, bins->last[bin]);
      double *to = binned + bin * (bins->lmax + 1) + column;
      const gint64 n = MIN (n_columns, bins->lmax + 1 - column);

      for (gint64 l = first; l <= last; l++)
        {
          const double weight = bins->weights[l] * bins->factors[l];
          const double *from = values + (l - row) * n_columns;

          for (gint64 i = 0; i < n; i++)
            to[i] += weight * from[i];
        }
    }
}

static void
system_clear (System *system)
{
  g_free (system->binned);
  g_free (system->factors);
  g_free (system->pivots);
}

/* Rows: of bandpowers; columns: sums over the degrees of a bin, for which a bandpower stands. */
static double *
square (const ArmillaDegreeBins *bins, const double *binned)
{
  double *k = g_new (double, bins->n * bins->n);

  for (gint64 i = 0; i < bins->n; i++)
    for (gint64 j = 0; j < bins->n; j++)
      {
        const double *row = binned + i * (bins->lmax + 1);
        double sum = 0;

        for (gint64 l = bins->first[j]; l <= bins->last[j]; l++)
          sum += row[l] / bins->factors[l];
        k[i * bins->n + j] = sum;
      }
  return k;
}

/* Factors it, and says whether it can be solved. */
static gboolean
factor (System *system, const char *name, int n, GError **error)
{
  g_autofree double *work = g_new (double, 4 * (gsize) n);
  g_autofree int *integers = g_new (int, n);
  double norm = 0, inverse = 0;
  int info = 0;

  /* The largest sum over a row of the matrix: a column of LAPACK's. */
  for (int i = 0; i < n; i++)
    {
      double sum = 0;

      for (int j = 0; j < n; j++)
        sum += fabs (system->factors[(gsize) i * (gsize) n + (gsize) j]);
      norm = MAX (norm, sum);
    }
  system->pivots = g_new (int, n);
  dgetrf_ (&n, &n, system->factors, &n, system->pivots, &info);
  if (info == 0)
    dgecon_ ("1", &n, system->factors, &n, &norm, &inverse, work, integers, &info, 1);
  if (info == 0 && inverse > WORST_CONDITION)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                       "the binned coupling matrix %s is singular (inverse condition %.1g): the "
                       "mask leaves too little of the sky for bins so narrow; give wider bins, or "
                       "begin them at a higher degree", name, info == 0 ? inverse : 0.0);
}

static gboolean
make_system (const ArmillaDecoupleInput *in, int which, System *system, GError **error)
{
  static const char *const names[] = { "00", "0+", "0+", "++ plus --", "++ minus --" };
  const gint64 n_l = in->bins->lmax + 1, n = in->bins->n;
  const double *first = in->binned[which == SCALAR ? 0 : which < SUM ? 1 : 2];
  const double *second = which >= SUM ? in->binned[3] : NULL;
  const double *window = in->windows[MIN (which, SUM)];

  if (system->made)
    return TRUE;
  system->made = TRUE;
  system->binned = g_new (double, n * n_l);
  for (gint64 i = 0; i < n * n_l; i++)
    {
      double value = first[i];

      if (second)
        value += which == SUM ? second[i] : -second[i];
      system->binned[i] = value * window[i % n_l];
    }
  system->factors = square (in->bins, system->binned);
  return factor (system, names[which], (int) n, error);
}

/* right: [side][bin], replaced by what it is the coupling of. */
static gboolean
solve (const System *system, gint64 n_bins, gint64 n_sides, double *right, GError **error)
{
  const int n = (int) n_bins, sides = (int) n_sides;
  int info = 0;

  dgetrs_ ("T", &n, &sides, system->factors, &n, system->pivots, right, &n, &info, 1);
  return info == 0 || armilla_fail (error, ARMILLA_ERROR_NUMERIC, "LAPACK: dgetrs: %d", info);
}

/* [l][bin]: the window functions of a system. */
static double *
solve_windows (const System *system, const ArmillaDegreeBins *bins, GError **error)
{
  const gint64 n_l = bins->lmax + 1;
  g_autofree double *right = g_new (double, bins->n * n_l);

  for (gint64 bin = 0; bin < bins->n; bin++)
    for (gint64 l = 0; l < n_l; l++)
      right[l * bins->n + bin] = system->binned[bin * n_l + l];
  return solve (system, bins->n, n_l, right, error) ? g_steal_pointer (&right) : NULL;
}

/* to[bin][l] <- (a + sign b) / 2, or a alone */
static void
put_window (const ArmillaDegreeBins *bins, const double *a, double sign, const double *b,
            double *to)
{
  const gint64 n_l = bins->lmax + 1;

  for (gint64 bin = 0; bin < bins->n; bin++)
    for (gint64 l = 0; l < n_l; l++)
      {
        const gint64 i = l * bins->n + bin;

        to[bin * n_l + l] = b ? 0.5 * (a[i] + sign * b[i]) : a[i];
      }
}

/* Bandpowers of the pseudo-spectrum of one, or of the sum of two and of their difference. */
static gboolean
solve_pair (const ArmillaDecoupleInput *in, const ArmillaSpectrum *one,
            const ArmillaSpectrum *other, const System *of_sum, const System *of_difference,
            double *out, GError **error)
{
  const gint64 n = in->bins->n;
  g_autofree double *a = g_new (double, n), *b = g_new (double, n);
  gboolean ok;

  armilla_degree_bins_average (in->bins, in->cl + one->source * in->n_l, a);
  if (!other)
    {
      memcpy (out, a, sizeof *out * (gsize) n);
      return solve (of_sum, n, 1, out, error);
    }
  armilla_degree_bins_average (in->bins, in->cl + other->source * in->n_l, b);
  for (gint64 i = 0; i < n; i++)
    {
      const double x = a[i], y = b[i];

      a[i] = x + y;
      b[i] = x - y;
    }
  ok = solve (of_sum, n, 1, a, error) && solve (of_difference, n, 1, b, error);
  for (gint64 i = 0; ok && i < n; i++)
    out[i] = 0.5 * (a[i] + b[i]);
  return ok;
}

/* The one that couples it, or its sum with its partner. */
static int
system_of (const ArmillaSpectrum *one)
{
  switch (one->role)
    {
    case ARMILLA_SPECTRUM_SCALAR:
      return SCALAR;
    case ARMILLA_SPECTRUM_MIXED:
      return one->name[0] == 'E' || one->name[0] == 'B' ? TURNED : MIXED;
    case ARMILLA_SPECTRUM_PAIR:
      return SUM;
    default:
      return DIFFERENCE;
    }
}

static gboolean
solve_spectrum (const ArmillaDecoupleInput *in, guint i, System *systems, double *bandpowers,
                double **windows, GError **error)
{
  const ArmillaSpectrum *all = (const ArmillaSpectrum *) (gconstpointer) in->spectra->data;
  const ArmillaSpectrum *one = &all[i], *other = one->partner >= 0 ? &all[one->partner] : NULL;
  const gint64 size = in->bins->n * (in->bins->lmax + 1);
  const int sum = system_of (one);
  const int difference = sum == SUM ? DIFFERENCE : SUM;
  g_autofree double *a = NULL, *b = NULL;

  if (!make_system (in, sum, &systems[sum], error)
      || (other && !make_system (in, difference, &systems[difference], error))
      || !solve_pair (in, one, other, &systems[sum], &systems[difference],
                      bandpowers + (gint64) i * in->bins->n, error))
    return FALSE;
  a = solve_windows (&systems[sum], in->bins, error);
  b = a && other ? solve_windows (&systems[difference], in->bins, error) : NULL;
  if (!a || (other && !b))
    return FALSE;
  put_window (in->bins, a, 1, b, *windows);
  *windows += size;
  if (other)
    {
      put_window (in->bins, a, -1, b, *windows);
      *windows += size;
    }
  return TRUE;
}

gboolean
armilla_decouple_solve (const ArmillaDecoupleInput *in, double *bandpowers, double *windows,
                        GError **error)
{
  System systems[N_SYSTEMS] = { 0 };
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < in->spectra->len; i++)
    ok = solve_spectrum (in, i, systems, bandpowers, &windows, error);
  for (int i = 0; i < N_SYSTEMS; i++)
    system_clear (&systems[i]);
  return ok;
}
