/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/spectra/degree-bins.h"
#include "core/tables/table.h"

/* Sets the weights of a bin and its mean multipole. */
static void
weigh_bin (ArmillaDegreeBins *self, gint64 bin, ArmillaDegreeWeights weights)
{
  double sum = 0, mean = 0;

  for (gint64 l = self->first[bin]; l <= self->last[bin]; l++)
    {
      self->weights[l] = weights == ARMILLA_DEGREE_WEIGHTS_MODES ? (double) (2 * l + 1) : 1;
      sum += self->weights[l];
      mean += self->weights[l] * (double) l;
    }
  for (gint64 l = self->first[bin]; l <= self->last[bin]; l++)
    self->weights[l] /= sum;
  self->effective[bin] = mean / sum;
}

static gboolean
check_edges (const gint64 *edges, gint64 n_edges, gint64 lmax, gboolean dl, GError **error)
{
  if (n_edges < 2)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "edges: a bin needs two edges: its first multipole, and that of the next "
                         "bin");
  for (gint64 i = 1; i < n_edges; i++)
    if (edges[i] <= edges[i - 1])
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "edges: %" G_GINT64_FORMAT " comes after %" G_GINT64_FORMAT
                           "; must increase", edges[i], edges[i - 1]);
  if (edges[0] < 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "edges: the first bin begins at l = %" G_GINT64_FORMAT ", below 0",
                         edges[0]);
  if (dl && edges[0] == 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "dl: D_l = l (l + 1) C_l / 2 pi is 0 at l = 0; the first bin must begin "
                         "at l = 1 or later");
  if (edges[n_edges - 1] - 1 > lmax)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "edges: the last bin ends at l = %" G_GINT64_FORMAT ", beyond the highest "
                         "multipole of the spectra, %" G_GINT64_FORMAT, edges[n_edges - 1] - 1,
                         lmax);
  return TRUE;
}

/* Returns bins, or NULL with ARMILLA_ERROR_VALUE: edges do not increase, or are not within
 * 0..@lmax.
 * @edges: increasing; bin i has the multipoles from edge i up to but excluding edge i + 1. */
ArmillaDegreeBins *
armilla_degree_bins_new (const gint64 *edges, gint64 n_edges, gint64 lmax,
                         ArmillaDegreeWeights weights, gboolean dl, GError **error)
{
  ArmillaDegreeBins *self;

  if (!check_edges (edges, n_edges, lmax, dl, error))
    return NULL;
  self = g_new0 (ArmillaDegreeBins, 1);
  self->refs = 1;
  self->lmax = lmax;
  self->n = n_edges - 1;
  self->first = g_new (gint64, self->n);
  self->last = g_new (gint64, self->n);
  self->effective = g_new (double, self->n);
  self->weights = g_new0 (double, lmax + 1);
  self->factors = g_new (double, lmax + 1);
  for (gint64 l = 0; l <= lmax; l++)
    self->factors[l] = dl ? (double) l * (double) (l + 1) / (2 * G_PI) : 1;
  for (gint64 bin = 0; bin < self->n; bin++)
    {
      self->first[bin] = edges[bin];
      self->last[bin] = edges[bin + 1] - 1;
      weigh_bin (self, bin, weights);
    }
  return self;
}

ArmillaDegreeBins *
armilla_degree_bins_ref (ArmillaDegreeBins *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
armilla_degree_bins_unref (gpointer self)
{
  ArmillaDegreeBins *bins = self;

  if (bins == NULL || !g_atomic_int_dec_and_test (&bins->refs))
    return;
  g_free (bins->first);
  g_free (bins->last);
  g_free (bins->effective);
  g_free (bins->weights);
  g_free (bins->factors);
  g_free (bins);
}

void
armilla_degree_bins_average (const ArmillaDegreeBins *self, const double *cl, double *out)
{
  for (gint64 bin = 0; bin < self->n; bin++)
    {
      double sum = 0;

      for (gint64 l = self->first[bin]; l <= self->last[bin]; l++)
        sum += self->weights[l] * (self->factors[l] * cl[l]);
      out[bin] = sum;
    }
}

/* Returns a table with the columns l, l_min and l_max, and one per spectrum. @unit: unit of the
 * spectra, "" for none; @values: bandpowers, [spectrum][bin]. */
ArmillaTable *
armilla_degree_bins_table (const ArmillaDegreeBins *self, const char *name,
                           const char *const *spectra, int n_spectra, const char *unit,
                           const double *values)
{
  const gboolean dl = self->factors[0] == 0;
  ArmillaTable *table = armilla_table_new (name, self->n);
  ArmillaColumn *column;

  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "l", "",
                              "effective multipole: mean over the bin");
  for (gint64 bin = 0; bin < self->n; bin++)
    column->doubles[bin] = self->effective[bin];
  column = armilla_table_add (table, ARMILLA_COLUMN_INT64, "l_min", "",
                              "first multipole of the bin");
  for (gint64 bin = 0; bin < self->n; bin++)
    column->integers[bin] = self->first[bin];
  column = armilla_table_add (table, ARMILLA_COLUMN_INT64, "l_max", "",
                              "last multipole, included");
  for (gint64 bin = 0; bin < self->n; bin++)
    column->integers[bin] = self->last[bin];
  for (int i = 0; i < n_spectra; i++)
    {
      column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, spectra[i], unit,
                                  dl ? "mean of l (l + 1) C_l / 2 pi" : "mean of C_l");
      for (gint64 bin = 0; bin < self->n; bin++)
        column->doubles[bin] = values[i * self->n + bin];
    }
  armilla_table_set_text (table, "SCALING", dl ? "dl" : "cl",
                          "binned quantity: C_l or l (l + 1) C_l / 2 pi");
  return table;
}
