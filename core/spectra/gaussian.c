/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For Gaussian fields a, b, c, d the covariance of the spectra a b and c d is <a c> <b d> plus <a
 * d> <b c>. If spectra vary slowly compared with the mixing by the mask, each of these two terms
 * is, for multipoles l and k, the coupling matrix of two products of masks (for <a c> <b d> those
 * of a and c, and of b and d) over 2 k + 1, times both spectra (Efstathiou 2004; Garcia-Garcia,
 * Alonso and Bellini 2019). For the spectra A and B the mean of the two possible choices of l and k
 * is taken: (A_l B_k + A_k B_l) / 2.
 *
 * If all four fields have spin 2, E of a masked sky contains some of the full-sky B. If the mask
 * couples E to E by K+ and B to E by i K-, the masked fields are K+ E + i K- B and K+ B - i K- E.
 * As K+ K+ + K- K- and K+ K- + K- K+ are the K+ and K- of the squared mask, <E B> of the masked sky
 * is i (C_EE + C_BB) / 2 times K- of the squared mask: exact for equal white spectra. So half of
 * <a' c> and of <a c'> is added to <a c>, where a' is B if a is E and E if a is B, with the signs
 * of these i; the product of two terms added in this way is coupled by the matrix --. NaMaster
 * 3.0.1 adds the whole instead of half, and subtracts the product. A purified field does not
 * contain the other. */
#include "core/spectra/gaussian.h"

#include <string.h>

#include "core/spectra/decouple.h"

/* A field of one of two skies. */
typedef struct {
  char name;
  int sky;
} Field;

static gboolean
has_spin (Field field)
{
  return field.name == 'E' || field.name == 'B';
}

/* Returns whether the field is purified; NaMaster ignores that. */
static gboolean
is_pure (const ArmillaGaussian *self, Field field)
{
  return self->mixing > 0 && self->pure & (field.name == 'E' ? ARMILLA_PURE_E : ARMILLA_PURE_B);
}

static Field
other (Field field)
{
  return (Field) { field.name == 'E' ? 'B' : 'E', field.sky };
}

/* Returns 1 for i and -1 for -i; the complex conjugate for the second field of a pair. */
static int
sign_of (Field field, gboolean second)
{
  return (field.name == 'E') != second ? 1 : -1;
}

static int
find_name (const char *const *names, char a, char b)
{
  for (int i = 0; names[i]; i++)
    {
      const char *name = armilla_spectrum_pair (names[i]);

      if (name[0] == a && name[1] == b && name[2] == '\0')
        return i;
    }
  return -1;
}

/* Finds the index of the spectrum of two fields; -1 if it is 0. */
static gboolean
find_spectrum (const ArmillaGaussian *self, const char *const *names, Field a, Field b, int *found,
               GError **error)
{
  static const int inputs[2][2] = { { 0, 2 }, { 3, 1 } };
  const int straight = find_name (names, a.name, b.name);
  const int turned = find_name (names, b.name, a.name);

  *found = straight >= 0 ? inputs[a.sky][b.sky] * self->n_names + straight
           : turned >= 0 ? inputs[b.sky][a.sky] * self->n_names + turned
                         : -1;
  /* B has the opposite parity of all other fields. */
  if (*found >= 0 || (a.name == 'B') != (b.name == 'B'))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "spectra: the covariance also needs the spectrum of %c and %c, which is "
                       "missing", a.name, b.name);
}

static gint
same_sum (const ArmillaGaussianSum *a, const ArmillaGaussianSum *b)
{
  return a->term == b->term && a->kind == b->kind && a->first == b->first
         && a->second == b->second;
}

static void
add_use (ArmillaGaussian *self, int a, int b, ArmillaGaussianSum sum, double factor)
{
  ArmillaGaussianUse use = { a, b, 0, factor };

  if (sum.first < 0 || sum.second < 0)
    return;
  /* Adds a sum for both choices of l and k. */
  if (!self->cross && sum.first > sum.second)
    sum = (ArmillaGaussianSum) { sum.term, sum.kind, sum.second, sum.first };
  while ((guint) use.sum < self->sums->len
         && !same_sum (&sum, &g_array_index (self->sums, ArmillaGaussianSum, use.sum)))
    use.sum++;
  if ((guint) use.sum == self->sums->len)
    g_array_append_val (self->sums, sum);
  g_array_append_val (self->uses, use);
}

/* Adds <a c> <b d> to the covariance of spectra @i and @j. */
static gboolean
add_term (ArmillaGaussian *self, const char *const *names, int i, int j, int term, Field a,
          Field c, Field b, Field d, GError **error)
{
  const int scalars = !(has_spin (a) && has_spin (c)) + !(has_spin (b) && has_spin (d));
  ArmillaGaussianSum sum = { term, 2 - scalars, 0, 0 };

  if (!find_spectrum (self, names, a, c, &sum.first, error)
      || !find_spectrum (self, names, b, d, &sum.second, error))
    return FALSE;
  add_use (self, i, j, sum, 1);
  if (scalars > 0 || is_pure (self, a) || is_pure (self, b) || is_pure (self, c)
      || is_pure (self, d))
    return TRUE;
  sum.kind = ARMILLA_COUPLING_MINUS;
  for (int k = 0; k < 4; k++)
    {
      const gboolean first = k / 2, second = k % 2;
      const int signs = sign_of (first ? c : a, first) * sign_of (second ? d : b, second);

      if (!find_spectrum (self, names, first ? a : other (a), first ? other (c) : c, &sum.first,
                          error)
          || !find_spectrum (self, names, second ? b : other (b), second ? other (d) : d,
                             &sum.second, error))
        return FALSE;
      add_use (self, i, j, sum, self->mixing * signs);
    }
  return TRUE;
}

/* Plans the sums for the covariances of spectra. Unknown spectra of B with other fields are 0.
 * Returns the plan; NULL with ARMILLA_ERROR_VALUE if a spectrum is missing. */
ArmillaGaussian *
armilla_gaussian_new (const GArray *spectra, const char *const *names, gboolean cross,
                      ArmillaPure pure, ArmillaGaussianMixing mixing, GError **error)
{
  g_autoptr (ArmillaGaussian) self = g_new0 (ArmillaGaussian, 1);
  const int second = cross ? 1 : 0;

  self->refs = 1;
  self->cross = cross;
  self->pure = pure;
  self->mixing = mixing == ARMILLA_GAUSSIAN_MIXING_NAMASTER ? -1 : 0.25;
  self->n_names = (int) g_strv_length ((char **) names);
  self->n_spectra = (int) spectra->len;
  self->sums = g_array_new (FALSE, FALSE, sizeof (ArmillaGaussianSum));
  self->uses = g_array_new (FALSE, FALSE, sizeof (ArmillaGaussianUse));
  for (int i = 0; i < self->n_spectra; i++)
    for (int j = 0; j < self->n_spectra; j++)
      {
        const ArmillaSpectrum *one = &g_array_index (spectra, ArmillaSpectrum, i);
        const ArmillaSpectrum *two = &g_array_index (spectra, ArmillaSpectrum, j);
        const Field a = { one->name[0], 0 }, b = { one->name[1], second };
        const Field c = { two->name[0], 0 }, d = { two->name[1], second };

        if (!add_term (self, names, i, j, 0, a, c, b, d, error)
            || !add_term (self, names, i, j, second, a, d, b, c, error))
          return NULL;
      }
  return g_steal_pointer (&self);
}

ArmillaGaussian *
armilla_gaussian_ref (ArmillaGaussian *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
armilla_gaussian_unref (gpointer user)
{
  ArmillaGaussian *self = user;

  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  g_array_unref (self->sums);
  g_array_unref (self->uses);
  g_free (self);
}

/* Returns the coupling matrices that the sums of @term need; with one sky, term 1 needs none. */
ArmillaCouplingKinds
armilla_gaussian_kinds (const ArmillaGaussian *self, int term)
{
  ArmillaCouplingKinds kinds = 0;

  for (guint i = 0; i < self->sums->len; i++)
    {
      const ArmillaGaussianSum *sum = &g_array_index (self->sums, ArmillaGaussianSum, i);

      kinds |= sum->term == term ? 1u << sum->kind : 0;
    }
  return kinds;
}

/* Returns the number of bin-by-bin matrices that are accumulated for all covariances. */
int
armilla_gaussian_n_sums (const ArmillaGaussian *self)
{
  return (int) self->sums->len;
}

/* Adds a block of the coupling @values to one sum; @u, @v: spectrum at the multipole of each row
 * and column, times the multipole's weight and factor in its bin. */
static void
add_sum (const ArmillaDegreeBins *bins, gint64 row, gint64 n_rows, gint64 column, gint64 n_columns,
         const double *values, const double *u, const double *v, double *sum)
{
  for (gint64 a = 0; a < bins->n; a++)
    for (gint64 l = MAX (row, bins->first[a]); l <= MIN (row + n_rows - 1, bins->last[a]); l++)
      for (gint64 b = 0; b < bins->n; b++)
        {
          const gint64 last = MIN (column + n_columns - 1, bins->last[b]);
          const double *from = values + (l - row) * n_columns - column;
          double all = 0;

          for (gint64 k = MAX (column, bins->first[b]); k <= last; k++)
            all += from[k] * v[k];
          sum[a * bins->n + b] += u[l] * all;
        }
}

void
armilla_gaussian_add (const ArmillaGaussian *self, int term, const ArmillaDegreeBins *bins,
                      gint64 row, gint64 n_rows, gint64 column, gint64 n_columns,
                      const double *values, const double *cl, double *sums)
{
  const gint64 n_l = bins->lmax + 1;
  const ArmillaCouplingKinds kinds = armilla_gaussian_kinds (self, term);
  g_autofree double *u = g_new (double, n_l), *v = g_new (double, n_l);

  for (guint i = 0; i < self->sums->len; i++)
    {
      const ArmillaGaussianSum *sum = &g_array_index (self->sums, ArmillaGaussianSum, i);
      gint64 field = 0;

      if (sum->term != term)
        continue;
      for (int kind = 0; kind < sum->kind; kind++)
        field += (kinds & 1u << kind) != 0;
      for (gint64 l = 0; l < n_l; l++)
        {
          const double weight = bins->weights[l] * bins->factors[l];

          u[l] = weight * cl[sum->first * n_l + l];
          v[l] = weight * cl[sum->second * n_l + l] / (double) (2 * l + 1);
        }
      add_sum (bins, row, n_rows, column, n_columns, values + field * n_rows * n_columns, u, v,
               sums + i * bins->n * bins->n);
    }
}

void
armilla_gaussian_end (const ArmillaGaussian *self, gint64 n_bins, const double *sums,
                      double *covariance)
{
  memset (covariance, 0,
          sizeof *covariance * (gsize) (self->n_spectra * n_bins * self->n_spectra * n_bins));
  for (guint i = 0; i < self->uses->len; i++)
    {
      const ArmillaGaussianUse *use = &g_array_index (self->uses, ArmillaGaussianUse, i);
      const double *sum = sums + use->sum * n_bins * n_bins;
      double *to = covariance + (use->a * self->n_spectra + use->b) * n_bins * n_bins;

      for (gint64 a = 0; a < n_bins; a++)
        for (gint64 b = 0; b < n_bins; b++)
          to[b * n_bins + a] += use->factor * 0.5 * (sum[a * n_bins + b] + sum[b * n_bins + a]);
    }
}
