/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of tables over realisations. Realisations are read one after the other in order.
 * Percentiles need all realisations at once, so they are computed for some numbers of the tables at
 * a time. */
#include "core/tables/table.h"
#include "plugins/arithmetic/collect-tables.h"

#include <armilla/memory.h>
#include <math.h>
#include <string.h>

/* Maximum number of elements of a covariance matrix, and of numbers held in memory for
 * percentiles. */
#define MAX_COVARIANCES (1 << 24)
#define AT_ONCE (1 << 20)

/* A numeric column of the table that describes the samples (the "pattern"). */
typedef struct {
  const ArmillaColumn *column;
  gint64 first;    /* index of its first number among the numbers of a realisation */
  gboolean varies; /* FALSE if the column labels rows (multipoles, edges of bins) */
} Values;

static gboolean
is_same (double a, double b)
{
  return memcmp (&a, &b, sizeof a) == 0;
}

/* Computes means, sums of squared differences, minima and maxima in one pass over the
 * realisations. */
ArmillaCollectSummary *
armilla_collect_summary (ArmillaSamples *samples, GError **error)
{
  const gsize n = (gsize) samples->n_values;
  g_autoptr (ArmillaCollectSummary) self = g_new0 (ArmillaCollectSummary, 1);
  static const char what[] = "the statistics of realisations";
  g_autofree double *values = NULL, *first = NULL;

  if ((values = armilla_try_new (double, n, what, error)) == NULL
      || (first = armilla_try_new (double, n, what, error)) == NULL
      || (self->mean = armilla_try_new (double, n, what, error)) == NULL
      || (self->squares = armilla_try_new (double, n, what, error)) == NULL
      || (self->minimum = armilla_try_new (double, n, what, error)) == NULL
      || (self->maximum = armilla_try_new (double, n, what, error)) == NULL
      || (self->same = armilla_try_new (gboolean, n, what, error)) == NULL)
    return NULL;
  for (gint64 s = 0; s < samples->n_samples; s++)
    {
      if (!armilla_samples_read (samples, s, 0, samples->n_values, values, error))
        return NULL;
      if (s == 0)
        memcpy (first, values, n * sizeof *values);
      for (gsize i = 0; i < n; i++)
        {
          const double d = values[i] - self->mean[i];

          self->mean[i] = s == 0 ? values[i] : self->mean[i] + d / (double) (s + 1);
          self->squares[i] += s == 0 ? 0 : d * (values[i] - self->mean[i]);
          self->minimum[i] = s == 0 || values[i] < self->minimum[i] ? values[i] : self->minimum[i];
          self->maximum[i] = s == 0 || values[i] > self->maximum[i] ? values[i] : self->maximum[i];
          self->same[i] = s == 0 || (self->same[i] && is_same (values[i], first[i]));
        }
    }
  return g_steal_pointer (&self);
}

void
armilla_collect_summary_free (ArmillaCollectSummary *self)
{
  g_free (self->mean);
  g_free (self->squares);
  g_free (self->minimum);
  g_free (self->maximum);
  g_free (self->same);
  g_free (self);
}

/* Returns a statistic of number @i; NaN for a variance or standard deviation if there is one
 * realisation. Variances and standard deviations are multiplied by @factor. */
double
armilla_collect_value (const ArmillaCollectSummary *self, const ArmillaSamples *samples,
                       ArmillaCollectWhat what, double factor, gint64 value)
{
  const double n = (double) samples->n_samples;
  const double variance = n > 1 ? self->squares[value] / (n - 1) : NAN;

  switch (what)
    {
    case ARMILLA_COLLECTED_VARIANCE: return factor * variance;
    case ARMILLA_COLLECTED_DEVIATION: return factor * sqrt (variance);
    case ARMILLA_COLLECTED_MINIMUM: return self->minimum[value];
    case ARMILLA_COLLECTED_MAXIMUM: return self->maximum[value];
    default: return self->mean[value];
    }
}

/* Returns the unit of a statistic of numbers whose unit is @unit ("": none). */
char *
armilla_collect_unit (const char *unit, ArmillaCollectWhat what)
{
  if (what != ARMILLA_COLLECTED_VARIANCE || *unit == '\0')
    return g_strdup (unit);
  return g_strdup_printf (strpbrk (unit, " ^*/()") != NULL ? "(%s)^2" : "%s^2", unit);
}

/* Finds the numeric columns. A column labels the rows (and gets no statistics) if it is identical
 * in all realisations or, with one realisation, if it contains integers. */
static GArray *
find_values (const ArmillaSamples *samples, const ArmillaTable *pattern,
             const ArmillaCollectSummary *summary)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Values));
  /* the samples of spectra do not contain the multipole */
  const int first_column = samples->pattern == NULL ? 1 : 0;
  gint64 first = 0;

  for (int c = first_column; c < pattern->n_columns; c++)
    {
      Values values = { &pattern->columns[c], first, FALSE };

      if (values.column->type == ARMILLA_COLUMN_STRING)
        continue;
      for (gint64 r = 0; r < pattern->n_rows; r++)
        values.varies |= !summary->same[first + r];
      values.varies |= first_column == 1
                       || (samples->n_samples == 1
                           && values.column->type == ARMILLA_COLUMN_DOUBLE);
      g_array_append_val (found, values);
      first += pattern->n_rows;
    }
  return found;
}

static const Values *
values_of (const GArray *all, const ArmillaColumn *column)
{
  for (guint i = 0; i < all->len; i++)
    if (g_array_index (all, Values, i).column == column)
      return &g_array_index (all, Values, i);
  return NULL;
}

/* Returns whether a column is not numeric, or differs between realisations. */
static gboolean
is_varying (const GArray *all, const ArmillaColumn *column)
{
  const Values *values = values_of (all, column);

  return values == NULL || values->varies;
}

/* Returns a table with the rows, and the keys, of the pattern. */
static ArmillaTable *
new_table (const char *name, const ArmillaTable *pattern, gint64 n_rows,
           const ArmillaSamples *samples)
{
  ArmillaTable *table = armilla_table_new (name, n_rows);

  armilla_table_copy_keys (table, pattern);
  armilla_table_set_integer (table, "NREAL", samples->n_samples,
                             "realisations that were collected");
  return table;
}

/* Returns the name of the column with the errors of a column: NAME_error, or a longer name if the
 * pattern has a column NAME_error, whose own statistics are output, too. */
static char *
error_name (const ArmillaTable *pattern, const char *name)
{
  char *found = g_strconcat (name, "_error", NULL);

  while (armilla_table_find (pattern, found) != NULL)
    {
      char *longer = g_strconcat (found, "_scatter", NULL);

      g_free (found);
      found = longer;
    }
  return found;
}

/* Adds a column @name with a statistic of the numbers of a column. */
static void
add_collected (ArmillaTable *table, const Values *values, const char *name,
               const ArmillaSamples *samples, const ArmillaCollectSummary *summary,
               ArmillaCollectWhat what, double factor)
{
  static const char *const says[] = { "mean", "variance", "standard deviation", "minimum",
                                      "maximum" };
  g_autofree char *unit = armilla_collect_unit (values->column->unit, what);
  g_autofree char *blurb = g_strdup_printf ("%s%s of %s", says[what],
                                            factor != 1 ? " of the mean" : "",
                                            values->column->name);
  ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, name, unit, blurb);

  for (gint64 r = 0; r < table->n_rows; r++)
    column->doubles[r] = armilla_collect_value (summary, samples, what, factor,
                                                values->first + r);
}

/* Returns a table with a statistic of every numeric column of @pattern, the table that describes
 * the samples. With @errors each column of means is followed by a column of standard deviations,
 * see error_name (). Variances and standard deviations are multiplied by @factor. */
ArmillaTable *
armilla_collect_table (ArmillaSamples *samples, const ArmillaTable *pattern,
                       ArmillaCollectWhat what, double factor, gboolean errors, GError **error)
{
  g_autoptr (ArmillaCollectSummary) summary = armilla_collect_summary (samples, error);
  g_autoptr (GArray) all = NULL;
  ArmillaTable *table;

  if (summary == NULL)
    return NULL;
  all = find_values (samples, pattern, summary);
  table = new_table (pattern->name, pattern, pattern->n_rows, samples);
  for (int c = 0; c < pattern->n_columns; c++)
    {
      const Values *values = values_of (all, &pattern->columns[c]);

      if (values == NULL || !values->varies)
        armilla_table_add_copy (table, &pattern->columns[c], NULL);
      else
        add_collected (table, values, values->column->name, samples, summary, what, factor);
      if (values != NULL && values->varies && errors)
        {
          g_autofree char *name = error_name (pattern, values->column->name);

          add_collected (table, values, name, samples, summary, ARMILLA_COLLECTED_DEVIATION,
                         factor);
        }
    }
  if (errors)
    armilla_table_set_text (table, "ERRORS",
                            factor != 1 ? "standard deviation of the mean of all realisations"
                                        : "standard deviation of one realisation",
                            "how errors were estimated");
  return table;
}

/* Stores the differences from the mean of all columns that vary, one column after the other. */
static void
take_differences (const GArray *all, gint64 n_rows, const double *values, const double *mean,
                  double *out)
{
  for (guint i = 0; i < all->len; i++)
    {
      const Values *v = &g_array_index (all, Values, i);

      for (gint64 r = 0; v->varies && r < n_rows; r++)
        *out++ = values[v->first + r] - mean[v->first + r];
    }
}

/* Returns the sums over realisations of products of two differences from the mean, [n][n]. */
static double *
sum_products (ArmillaSamples *samples, const GArray *all, gint64 n_rows, gint64 n,
              const double *mean, GError **error)
{
  static const char what[] = "a covariance";
  g_autofree double *values = NULL, *d = NULL, *sums = NULL;

  if ((values = armilla_try_new (double, samples->n_values, what, error)) == NULL
      || (d = armilla_try_new (double, n, what, error)) == NULL
      || (sums = armilla_try_new (double, n * n, what, error)) == NULL)
    return NULL;
  for (gint64 s = 0; s < samples->n_samples; s++)
    {
      if (!armilla_samples_read (samples, s, 0, samples->n_values, values, error))
        return NULL;
      take_differences (all, n_rows, values, mean, d);
      for (gint64 i = 0; i < n; i++)
        for (gint64 j = i; j < n; j++)
          sums[i * n + j] += d[i] * d[j];
    }
  for (gint64 i = 0; i < n; i++)
    for (gint64 j = 0; j < i; j++)
      sums[i * n + j] = sums[j * n + i];
  return g_steal_pointer (&sums);
}

/* Adds the covariance of two columns, and the error that it has if the numbers are Gaussian. */
static void
add_covariance (ArmillaTable *table, const char *name, const char *unit, const double *sums,
                gint64 n, gint64 a, gint64 b, gint64 n_rows, double degrees)
{
  g_autofree char *error_name = g_strconcat (name, "_error", NULL);
  double *values = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, name, unit,
                                      "covariance over realisations")->doubles;
  double *errors = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, error_name, unit,
                                      "its standard deviation if realisations are Gaussian")
                     ->doubles;

  for (gint64 i = 0; i < n_rows; i++)
    for (gint64 j = 0; j < n_rows; j++)
      {
        const gint64 p = a * n_rows + i, q = b * n_rows + j;
        const double c = sums[p * n + q] / degrees;

        values[i * n_rows + j] = c;
        errors[i * n_rows + j] = sqrt (
          (c * c + sums[p * n + p] / degrees * (sums[q * n + q] / degrees)) / degrees);
      }
}

static char *
product_unit (const char *a, const char *b)
{
  if (*a == '\0' || *b == '\0')
    return g_strdup ("");
  return strcmp (a, b) == 0 ? armilla_collect_unit (a, ARMILLA_COLLECTED_VARIANCE)
                            : g_strdup_printf ("(%s) (%s)", a, b);
}

/* Finds the columns NAME_min and NAME_max of the pattern if its rows are bins of one quantity that
 * are the same in all realisations. */
static gboolean
find_edges (const ArmillaTable *pattern, const GArray *all, const ArmillaColumn *edges[2])
{
  int n = 0;

  for (int c = 0; c < pattern->n_columns; c++)
    {
      const ArmillaColumn *low = &pattern->columns[c], *high;
      g_autofree char *name = NULL;

      if (!g_str_has_suffix (low->name, "_min") || is_varying (all, low))
        continue;
      name = g_strdup (low->name);
      memcpy (name + strlen (name) - 3, "max", 3);
      high = armilla_table_find (pattern, name);
      if (high == NULL || is_varying (all, high))
        continue;
      edges[0] = low;
      edges[1] = high;
      n++;
    }
  return n == 1;
}

/* Adds column NAME1_min (or NAME2_min for @second) from NAME_min: an edge of the first (second) bin
 * of each row, which is a pair of bins. */
static void
add_edge (ArmillaTable *table, const ArmillaColumn *edge, gboolean second)
{
  const gint64 n = (gint64) lrint (sqrt ((double) table->n_rows));
  g_autofree char *name = g_strdup_printf ("%.*s%d%s", (int) strlen (edge->name) - 4, edge->name,
                                           second ? 2 : 1, edge->name + strlen (edge->name) - 4);
  double *values = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, name, edge->unit,
                                      edge->blurb)->doubles;

  for (gint64 k = 0; k < table->n_rows; k++)
    {
      const gint64 row = second ? k % n : k / n;

      values[k] = edge->type == ARMILLA_COLUMN_DOUBLE ? edge->doubles[row]
                                                      : (double) edge->integers[row];
    }
}

static ArmillaTable *
covariance_table (const ArmillaTable *pattern, const ArmillaSamples *samples,
                  const GArray *all, const GArray *varying, const double *sums, gint64 n)
{
  const gint64 n_rows = pattern->n_rows;
  const double degrees = samples->n_samples > 1 ? (double) samples->n_samples - 1 : NAN;
  const ArmillaColumn *edges[2];
  ArmillaTable *table = new_table ("COVARIANCE", pattern, n_rows * n_rows, samples);
  gint64 *first = armilla_table_add (table, ARMILLA_COLUMN_INT64, "bin1", "",
                                     "number of a row, from 0")->integers;
  gint64 *second = armilla_table_add (table, ARMILLA_COLUMN_INT64, "bin2", "",
                                      "number of the other row, from 0")->integers;

  for (gint64 k = 0; k < n_rows * n_rows; k++)
    {
      first[k] = k / n_rows;
      second[k] = k % n_rows;
    }
  for (int k = 0; find_edges (pattern, all, edges) && k < 4; k++)
    add_edge (table, edges[k % 2], k >= 2);
  for (guint a = 0; a < varying->len; a++)
    for (guint b = a; b < varying->len; b++)
      {
        const ArmillaColumn *x = g_array_index (varying, Values, a).column;
        const ArmillaColumn *y = g_array_index (varying, Values, b).column;
        g_autofree char *name = a == b ? g_strdup (x->name)
                                       : g_strconcat (x->name, "_", y->name, NULL);
        g_autofree char *unit = product_unit (x->unit, y->unit);

        /* there may be a column "error": that of column w */
        if (armilla_table_find (table, name) != NULL)
          {
            g_autofree char *taken = g_steal_pointer (&name);

            name = g_strconcat (taken, "_covariance", NULL);
          }
        add_covariance (table, name, unit, sums, n, a, b, n_rows, degrees);
      }
  return table;
}

/* Returns a table with a row for each pair of rows of the pattern, and for each pair of varying
 * columns the covariance and its error. ARMILLA_ERROR_MEMORY if it is too large. */
ArmillaTable *
armilla_collect_covariance (ArmillaSamples *samples, const ArmillaTable *pattern, GError **error)
{
  g_autoptr (ArmillaCollectSummary) summary = armilla_collect_summary (samples, error);
  g_autoptr (GArray) all = NULL;
  g_autoptr (GArray) varying = g_array_new (FALSE, FALSE, sizeof (Values));
  g_autofree double *sums = NULL;
  double n;

  if (summary == NULL)
    return NULL;
  all = find_values (samples, pattern, summary);
  for (guint i = 0; i < all->len; i++)
    if (g_array_index (all, Values, i).varies)
      g_array_append_val (varying, g_array_index (all, Values, i));
  n = (double) varying->len * (double) pattern->n_rows;
  if (n * n > MAX_COVARIANCES)
    return armilla_fail_null (error, ARMILLA_ERROR_MEMORY,
                              "covariance: %.0f numbers per realisation would give a matrix of "
                              "more than %d; bin them first", n, MAX_COVARIANCES);
  sums = sum_products (samples, all, pattern->n_rows, (gint64) n, summary->mean, error);
  return sums != NULL ? covariance_table (pattern, samples, all, varying, sums, (gint64) n) : NULL;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return isnan (x) || isnan (y) ? isnan (x) - isnan (y) : (x > y) - (x < y);
}

/* Interpolates linearly between the two nearest of n sorted values; NaN are sorted last. */
static double
percentile_of (const double *sorted, gint64 n, double percentile)
{
  const double at = percentile / 100 * (double) (n - 1);
  const gint64 below = MIN ((gint64) at, n - 1), above = MIN (below + 1, n - 1);
  const double t = at - (double) below;

  return isnan (sorted[n - 1]) ? NAN : sorted[below] + t * (sorted[above] - sorted[below]);
}

/* Computes percentiles of the @n numbers from number @first on; @out: [percentile][number]. */
static gboolean
find_percentiles (ArmillaSamples *samples, gint64 first, gint64 n, const double *percentiles,
                  int n_percentiles, double **out, GError **error)
{
  const gint64 n_samples = samples->n_samples;
  g_autofree double *values = armilla_try_new (double, n_samples * n, "percentiles", error);
  g_autofree double *sorted = NULL;

  if (values == NULL)
    return FALSE;
  sorted = armilla_try_new (double, n_samples, "percentiles", error);
  if (sorted == NULL)
    return FALSE;
  for (gint64 s = 0; s < n_samples; s++)
    if (!armilla_samples_read (samples, s, first, n, values + s * n, error))
      return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      for (gint64 s = 0; s < n_samples; s++)
        sorted[s] = values[s * n + i];
      qsort (sorted, (gsize) n_samples, sizeof *sorted, compare_doubles);
      for (int p = 0; p < n_percentiles; p++)
        out[p][i] = percentile_of (sorted, n_samples, percentiles[p]);
    }
  return TRUE;
}

static gboolean
add_percentiles (ArmillaTable *table, ArmillaSamples *samples, const Values *values,
                 const double *percentiles, int n, GError **error)
{
  const gint64 at_once = MAX (AT_ONCE / samples->n_samples, 1);
  g_autofree double **columns = g_new (double *, n);
  g_autofree double **out = g_new (double *, n);
  gboolean ok = TRUE;

  for (int p = 0; p < n; p++)
    {
      g_autofree char *name = g_strdup_printf ("%s_p%g", values->column->name, percentiles[p]);
      g_autofree char *blurb = g_strdup_printf ("percentile %g of %s", percentiles[p],
                                                values->column->name);

      columns[p] = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, name, values->column->unit,
                                      blurb)->doubles;
    }
  for (gint64 r = 0; ok && r < table->n_rows; r += at_once)
    {
      for (int p = 0; p < n; p++)
        out[p] = columns[p] + r;
      ok = find_percentiles (samples, values->first + r, MIN (at_once, table->n_rows - r),
                             percentiles, n, out, error);
    }
  return ok;
}

/* Returns a table with a column NAME_pP for each numeric column NAME and percentile P, 0 to 100. */
ArmillaTable *
armilla_collect_percentiles (ArmillaSamples *samples, const ArmillaTable *pattern,
                             const double *percentiles, int n, GError **error)
{
  g_autoptr (ArmillaCollectSummary) summary = armilla_collect_summary (samples, error);
  g_autoptr (ArmillaTable) table = NULL;
  g_autoptr (GArray) all = NULL;

  if (summary == NULL)
    return NULL;
  all = find_values (samples, pattern, summary);
  table = new_table (pattern->name, pattern, pattern->n_rows, samples);
  for (int c = 0; c < pattern->n_columns; c++)
    {
      const Values *values = values_of (all, &pattern->columns[c]);

      if (values == NULL || !values->varies)
        armilla_table_add_copy (table, &pattern->columns[c], NULL);
      else if (!add_percentiles (table, samples, values, percentiles, n, error))
        return NULL;
    }
  return g_steal_pointer (&table);
}
