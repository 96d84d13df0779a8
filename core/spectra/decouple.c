/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix ++ couples EE to EE and BB to BB, the matrix -- couples each to the other. So EE + BB
 * is coupled by ++ plus --, EE - BB by ++ minus --, and two systems of the size of one spectrum are
 * solved instead of one of twice that size. For EB and BE the signs are opposite. If only one of E
 * and B is purified, nothing leaks into its spectrum, which is solved first; then its contribution
 * to the other spectrum is subtracted. */
#include "core/spectra/decouple.h"
#include "core/spectra/spectrum-roles.h"

#include <armilla/memory.h>
#include <math.h>
#include <string.h>

#define WHAT "the coupling of bandpowers"

extern void dgeequb_ (const int *n_rows, const int *n, const double *a, const int *ld, double *rows,
                      double *columns, double *row_ratio, double *column_ratio, double *largest,
                      int *info);
extern void dgetrf_ (const int *n_rows, const int *n, double *a, const int *ld, int *pivots,
                     int *info);
extern void dgecon_ (const char *norm, const int *n, const double *a, const int *ld,
                     const double *norm_a, double *inverse, double *work, int *integers, int *info,
                     size_t norm_length);
extern void dgetrs_ (const char *transposed, const int *n, const int *n_right, const double *a,
                     const int *ld, const int *pivots, double *b, const int *ld_b, int *info,
                     size_t transposed_length);

/* Inverse condition below which a matrix counts as singular, after scaling. For suitable masks and
 * bins it is some 1e-3 or more. Below this, rounding and pixelisation errors turn bandpowers into
 * noise. */
#define MIN_CONDITION 1e-10

const char *const armilla_coupling_kind_names[ARMILLA_COUPLING_N_KINDS]
  = { "00", "0+", "++", "--", "0p", "+p", "pp" };

/* A binned matrix, or its sum with or difference from the matrix --, and its LU factors. */
typedef struct {
  int kind, mixed, window;
  double *binned;  /* [bin][l], including the windows */
  double *factors; /* LAPACK's factors of the transposed, scaled matrix; NULL until it is solved */
  double *before, *after; /* scale factors of right-hand sides and of bandpowers */
  int *pivots;
} System;

struct _ArmillaDecoupler {
  const ArmillaDecoupleInput *in;
  GPtrArray *systems; /* systems used so far */
};

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
system_free (gpointer user)
{
  System *system = user;

  g_free (system->binned);
  g_free (system->factors);
  g_free (system->before);
  g_free (system->after);
  g_free (system->pivots);
  g_free (system);
}

/* Computes the square matrix: rows are bandpowers, columns sums over the multipoles of a bin, on
 * which a bandpower is constant. */
static double *
square (const ArmillaDegreeBins *bins, const double *binned, GError **error)
{
  double *k = armilla_try_new (double, bins->n * bins->n, WHAT, error);

  if (k == NULL)
    return NULL;
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

/* Scales rows and columns by powers of two, so that beams and D_l do not affect the condition.
 * Returns the largest row sum of the matrix (a column for LAPACK); 0 if a row or column is zero. */
static double
equilibrate (System *system, int n)
{
  double rows, columns, largest, norm = 0;
  int info = 0;

  dgeequb_ (&n, &n, system->factors, &n, system->after, system->before, &rows, &columns, &largest,
            &info);
  for (int i = 0; i < n && info == 0; i++)
    {
      double *row = system->factors + (gsize) i * (gsize) n, sum = 0;

      for (int j = 0; j < n; j++)
        {
          row[j] *= system->before[i] * system->after[j];
          sum += fabs (row[j]);
        }
      norm = MAX (norm, sum);
    }
  return norm;
}

/* Factors the matrix, and checks that it is not singular. */
static gboolean
factor (System *system, const ArmillaDegreeBins *bins, GError **error)
{
  const int n = (int) bins->n;
  g_autofree double *work = g_new (double, 4 * (gsize) n);
  g_autofree int *integers = g_new (int, n);
  double norm, inverse = 0;
  int info;

  system->factors = square (bins, system->binned, error);
  if (system->factors == NULL)
    return FALSE;
  system->before = g_new (double, n);
  system->after = g_new (double, n);
  system->pivots = g_new (int, n);
  norm = equilibrate (system, n);
  info = norm > 0 ? 0 : 1;
  if (info == 0)
    dgetrf_ (&n, &n, system->factors, &n, system->pivots, &info);
  if (info == 0)
    dgecon_ ("1", &n, system->factors, &n, &norm, &inverse, work, integers, &info, 1);
  if (info == 0 && inverse > MIN_CONDITION)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                       "the binned coupling matrix %s%s is singular (inverse condition %.1g): the "
                       "bins are too narrow for the unmasked area; use wider bins, or begin at a "
                       "higher multipole",
                       armilla_coupling_kind_names[system->kind],
                       system->mixed > 0   ? " plus --"
                       : system->mixed < 0 ? " minus --"
                                           : "", info == 0 ? inverse : 0.0);
}

/* Returns the index in ArmillaDecoupleInput.windows for the two fields of a spectrum. */
static int
window_of (const ArmillaSpectrum *one)
{
  const char *name = one->name;

  return 2 * (name[0] == 'E' || name[0] == 'B') + (name[1] == 'E' || name[1] == 'B');
}

/* Returns the system of the matrix @kind (@mixed 0), of its sum with the matrix -- (1), or of their
 * difference (-1), with the windows of index @window; creates it if needed. */
static System *
find_system (ArmillaDecoupler *self, int kind, int mixed, int window, GError **error)
{
  const ArmillaDecoupleInput *in = self->in;
  const gint64 n_l = in->bins->lmax + 1, n = in->bins->n;
  const double *own = in->binned[kind], *mm = in->binned[ARMILLA_COUPLING_MINUS];
  double *binned;
  System *system;

  for (guint i = 0; i < self->systems->len; i++)
    {
      system = g_ptr_array_index (self->systems, i);
      if (system->kind == kind && system->mixed == mixed && system->window == window)
        return system;
    }
  binned = armilla_try_new (double, n * n_l, WHAT, error);
  if (binned == NULL)
    return NULL;
  system = g_new0 (System, 1);
  *system = (System) { kind, mixed, window, binned, NULL, NULL, NULL, NULL };
  for (gint64 i = 0; i < n * n_l; i++)
    system->binned[i]
      = (mixed ? own[i] + mixed * mm[i] : own[i]) * in->windows[window][i % n_l];
  g_ptr_array_add (self->systems, system);
  return system;
}

static System *
own_system (ArmillaDecoupler *self, const ArmillaSpectrum *one, int mixed, GError **error)
{
  return find_system (self, g_bit_nth_lsf (one->own, -1), mixed, window_of (one), error);
}

/* Returns the matrix by which the partner of @one contributes to it, except for the sign. */
static System *
mixing_system (ArmillaDecoupler *self, const ArmillaSpectrum *one, GError **error)
{
  return find_system (self, ARMILLA_COUPLING_MINUS, 0, window_of (one), error);
}

/* Solves for right: [side][bin], in place. Returns FALSE also if @system is NULL. */
static gboolean
solve (ArmillaDecoupler *self, System *system, gint64 n_sides, double *right, GError **error)
{
  const int n = (int) self->in->bins->n, sides = (int) n_sides;
  int info = 0;

  if (system == NULL || (!system->factors && !factor (system, self->in->bins, error)))
    return FALSE;
  for (gint64 i = 0; i < n_sides * n; i++)
    right[i] *= system->before[i % n];
  dgetrs_ ("T", &n, &sides, system->factors, &n, system->pivots, right, &n, &info, 1);
  for (gint64 i = 0; i < n_sides * n; i++)
    right[i] *= system->after[i % n];
  return info == 0 || armilla_fail (error, ARMILLA_ERROR_NUMERIC, "LAPACK: dgetrs: %d", info);
}

/* Solves for two spectra that mix with each other. */
static gboolean
solve_pair (ArmillaDecoupler *self, const ArmillaSpectrum *one, gint64 n_sides,
            const double *partner, double *right, GError **error)
{
  const gint64 size = n_sides * self->in->bins->n;
  g_autofree double *difference = armilla_try_new (double, size, WHAT, error);

  if (difference == NULL)
    return FALSE;
  for (gint64 i = 0; i < size; i++)
    {
      difference[i] = right[i] - partner[i];
      right[i] += partner[i];
    }
  if (!solve (self, own_system (self, one, one->mixed, error), n_sides, right, error)
      || !solve (self, own_system (self, one, -one->mixed, error), n_sides, difference, error))
    return FALSE;
  for (gint64 i = 0; i < size; i++)
    right[i] = 0.5 * (right[i] + difference[i]);
  return TRUE;
}

/* Subtracts from right[side][bin] what leaks from the partner, the other spectrum of the pair,
 * whose fields are purified: nothing leaks into it, so it is solved first. */
static gboolean
subtract_partner (ArmillaDecoupler *self, const ArmillaSpectrum *one, const ArmillaSpectrum *other,
                  gint64 n_sides, const double *partner, double *right, GError **error)
{
  const gint64 n = self->in->bins->n;
  System *mixing = mixing_system (self, one, error);
  g_autofree double *k = mixing != NULL ? square (self->in->bins, mixing->binned, error) : NULL;
  g_autofree double *solved
    = k != NULL ? armilla_try_new (double, n_sides * n, WHAT, error) : NULL;

  if (solved == NULL)
    return FALSE;
  memcpy (solved, partner, sizeof *solved * (gsize) (n_sides * n));
  if (!solve (self, own_system (self, other, 0, error), n_sides, solved, error))
    return FALSE;
  for (gint64 side = 0; side < n_sides; side++)
    for (gint64 i = 0; i < n; i++)
      {
        double sum = 0;

        for (gint64 j = 0; j < n; j++)
          sum += k[i * n + j] * solved[side * n + j];
        right[side * n + i] -= one->mixed * sum;
      }
  return TRUE;
}

/* Solves for one spectrum. @right: [side][bin]: binned pseudo-spectra, replaced by bandpowers;
 * @partner: bandpowers of its partner, if it has one. */
static gboolean
solve_one (ArmillaDecoupler *self, const ArmillaSpectrum *one, gint64 n_sides,
           const double *partner, double *right, GError **error)
{
  const ArmillaSpectrum *all = (const ArmillaSpectrum *) (gconstpointer) self->in->spectra->data;

  if (one->partner < 0)
    return solve (self, own_system (self, one, one->mixed, error), n_sides, right, error);
  if (all[one->partner].mixed)
    return solve_pair (self, one, n_sides, partner, right, error);
  return subtract_partner (self, one, &all[one->partner], n_sides, partner, right, error)
         && solve (self, own_system (self, one, 0, error), n_sides, right, error);
}

ArmillaDecoupler *
armilla_decoupler_new (const ArmillaDecoupleInput *in)
{
  ArmillaDecoupler *self = g_new (ArmillaDecoupler, 1);

  *self = (ArmillaDecoupler) { in, g_ptr_array_new_with_free_func (system_free) };
  return self;
}

void
armilla_decoupler_free (ArmillaDecoupler *self)
{
  g_ptr_array_unref (self->systems);
  g_free (self);
}

gboolean
armilla_decoupler_apply (ArmillaDecoupler *self, gint64 n_sides, const double *averages,
                         double *bandpowers, GError **error)
{
  const GArray *spectra = self->in->spectra;
  const gint64 size = n_sides * self->in->bins->n;
  gboolean ok = TRUE;

  memcpy (bandpowers, averages, sizeof *averages * (gsize) size * spectra->len);
  for (guint i = 0; ok && i < spectra->len; i++)
    {
      const ArmillaSpectrum *one = &g_array_index (spectra, ArmillaSpectrum, i);
      const double *partner = one->partner >= 0 ? averages + one->partner * size : NULL;

      ok = solve_one (self, one, n_sides, partner, bandpowers + i * size, error);
    }
  return ok;
}

/* [l][bin] <- binned pseudo-spectra of a full-sky spectrum that is 1 at one multipole. Returns
 * FALSE if @system is NULL. */
static gboolean
put_response (const ArmillaDegreeBins *bins, const System *system, int sign, double *to)
{
  const gint64 n_l = bins->lmax + 1;

  for (gint64 bin = 0; system != NULL && bin < bins->n; bin++)
    for (gint64 l = 0; l < n_l; l++)
      to[l * bins->n + bin] = sign * system->binned[bin * n_l + l];
  return system != NULL;
}

/* to[bin][l] <- window function of @of in the bandpowers of @one. */
static gboolean
solve_window (ArmillaDecoupler *self, const ArmillaSpectrum *one, const ArmillaSpectrum *of,
              double *to, GError **error)
{
  const ArmillaSpectrum *all = (const ArmillaSpectrum *) (gconstpointer) self->in->spectra->data;
  const ArmillaSpectrum *other = one->partner >= 0 ? &all[one->partner] : NULL;
  const ArmillaDegreeBins *bins = self->in->bins;
  const gint64 n_l = bins->lmax + 1;
  g_autofree double *right = armilla_try_new (double, bins->n * n_l, WHAT, error);
  g_autofree double *partner
    = right != NULL ? armilla_try_new (double, bins->n * n_l, WHAT, error) : NULL;
  gboolean ok = partner != NULL;

  if (ok && one == of)
    ok = put_response (bins, own_system (self, one, other ? 0 : one->mixed, error), 1, right);
  else if (ok)
    ok = put_response (bins, mixing_system (self, one, error), one->mixed, right);
  if (ok && other == of)
    ok = put_response (bins, own_system (self, other, 0, error), 1, partner);
  else if (ok && other && other->mixed)
    ok = put_response (bins, mixing_system (self, other, error), other->mixed, partner);
  if (!ok || !solve_one (self, one, n_l, partner, right, error))
    return FALSE;
  for (gint64 bin = 0; bin < bins->n; bin++)
    for (gint64 l = 0; l < n_l; l++)
      to[bin * n_l + l] = right[l * bins->n + bin];
  return TRUE;
}

gboolean
armilla_decoupler_windows (ArmillaDecoupler *self, double *windows, GError **error)
{
  const ArmillaSpectrum *all = (const ArmillaSpectrum *) (gconstpointer) self->in->spectra->data;
  const gint64 size = self->in->bins->n * (self->in->bins->lmax + 1);
  g_autofree double **of_pair = g_new0 (double *, self->in->spectra->len);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < self->in->spectra->len; i++)
    {
      const ArmillaSpectrum *one = &all[i];
      const gboolean mutual = one->partner >= 0 && all[one->partner].mixed;
      const gint64 both = one->partner >= 0 ? 2 * size : size;

      of_pair[i] = windows;
      /* The coupling of two spectra that mix with each other is the same for both. */
      if (mutual && one->partner < (int) i)
        memcpy (windows, of_pair[one->partner], sizeof *windows * (gsize) both);
      else
        ok = solve_window (self, one, one, windows, error)
             && (one->partner < 0
                 || solve_window (self, one, &all[one->partner], windows + size, error));
      windows += both;
    }
  return ok;
}
