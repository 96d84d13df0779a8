/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The angular bins of a correlation function, from the properties of a stage. */
#include "core/base/quantity.h"
#include "plugins/correlation/correlation-private.h"

#include <string.h>

static const char *const spacings[] = {
  [SPACING_LOG] = "log", [SPACING_LINEAR] = "linear", NULL,
};

static const char *const sources[] = {
  [PATCHES_CUT] = "cut", [PATCHES_COLUMN] = "column", NULL,
};

static const char *const weights[] = {
  [ACROSS_SIMPLE] = "simple", [ACROSS_MATCH] = "match", NULL,
};

/* Indices in the table: bins, whose default the stage chooses, tasks, and the first patch
 * property. */
enum { BINS = 2, TASKS = 5, PATCHES = 6 };

static const ArmillaProperty all[] = {
  { "min", ARMILLA_QUANTITY (CorrelationProperties, min, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "lower edge of the first bin" },
  { "max", ARMILLA_QUANTITY (CorrelationProperties, max, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "upper edge of the last bin" },
  { "bins", ARMILLA_INT (CorrelationProperties, bins, 1, ARMILLA_BINS_MAX, 1),
    "number of bins" },
  { "spacing", ARMILLA_ENUM (CorrelationProperties, spacing, spacings, SPACING_LOG),
    "bins of equal ratio of their edges, or of equal width" },
  { "edges", ARMILLA_TEXT (CorrelationProperties, edges, ""),
    "edges of all bins, ascending, separated by commas: 0 deg, 5 arcmin, 1 deg; instead of min, "
    "max, bins and spacing" },
  { "tasks", ARMILLA_INT64 (CorrelationProperties, tasks, 0, G_MAXINT32, 0),
    "approximate number of tasks; 0: chosen for the machine. Does not change the result" },
  { "patches", ARMILLA_INT (CorrelationProperties, patches, 0, 4096, 0),
    "number of patches of the sky for jackknife errors; 0: errors from the number of pairs. Not "
    "given: the number of patches of the catalogues" },
  { "patches-by", ARMILLA_ENUM (CorrelationProperties, patches_by, sources, PATCHES_CUT),
    "source of the patches: the objects are divided into patches of equal number, or a catalogue "
    "has a column of them; objects of a catalogue without this column are assigned to the patch "
    "with the nearest centre" },
  { "cross-patch-weight", ARMILLA_ENUM (CorrelationProperties, across, weights, ACROSS_SIMPLE),
    "weight of pairs with only one object in the patch that the jackknife omits: simple, 0; "
    "match, 1 - P / (2 + sqrt(2) (P - 1)) with P patches (Mohammad and Percival 2022, eq. 27), so "
    "that they contribute to the errors as pairs within patches do" },
};

/* Returns a histogram of pairs with the rows that the error estimate needs; sums has 1 << s for
 * each ArmillaHistogramSum s. */
ArmillaHistogram *
armilla_correlation_pairs (const CorrelationProperties *properties, ArmillaBins *bins,
                           int n_patches, int sums, GError **error)
{
  g_autoptr (ArmillaHistogram) out
    = armilla_histogram_new (ARMILLA_HISTOGRAM_PAIRS, bins, n_patches, sums, error);

  if (out == NULL
      || (properties->across == ACROSS_MATCH && !armilla_histogram_keep_within (out, error)))
    return NULL;
  return g_steal_pointer (&out);
}

/* Installs the properties shared by correlations; bins is the default number of bins, part the
 * offset of CorrelationProperties. patches: the stage has jackknife errors. */
void
armilla_correlation_install (ArmillaStageClass *klass, gsize part, int bins, gboolean patches)
{
  ArmillaProperty own[G_N_ELEMENTS (all)];

  memcpy (own, all, sizeof own);
  own[BINS].value.whole = bins;
  armilla_stage_install (klass, part, own, patches ? G_N_ELEMENTS (own) : PATCHES);
}

/* Installs the number of tasks and the properties of patches alone. */
void
armilla_correlation_install_patches (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, all + TASKS, G_N_ELEMENTS (all) - TASKS);
}

static ArmillaBins *
parse_edges (const char *text, GError **error)
{
  g_auto (GStrv) words = armilla_stage_words (text);
  guint n = g_strv_length (words);
  g_autofree double *edges = g_new (double, n);

  for (guint i = 0; i < n; i++)
    if (!armilla_quantity_parse (words[i], ARMILLA_DIMENSION_ANGLE, &edges[i], error))
      {
        g_prefix_error (error, "edges: ");
        return NULL;
      }
  if (n < 2)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "edges = %s: must have at least two "
                                                          "edges", text);
  return armilla_bins_new (edges, (int) n - 1, error);
}

/* Rejects properties that edges already determines. */
static gboolean
check_edges_alone (ArmillaStage *stage, GError **error)
{
  static const char *const others[] = { "min", "max", "bins", "spacing" };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    if (armilla_stage_given (stage, others[i]))
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "edges and %s are both set; edges already define the bins: leave out "
                           "one of them", others[i]);
  return TRUE;
}

/* Reads the bins from the properties. ARMILLA_ERROR_VALUE if edges overlap, exceed 180 deg, are
 * missing, or are specified twice. */
ArmillaBins *
armilla_correlation_bins (ArmillaStage *stage, const CorrelationProperties *properties,
                          GError **error)
{
  ArmillaBins *bins;

  if (*properties->edges != 0)
    {
      if (!check_edges_alone (stage, error))
        return NULL;
      bins = parse_edges (properties->edges, error);
      if (bins == NULL && error != NULL && !g_str_has_prefix ((*error)->message, "edges"))
        g_prefix_error (error, "edges: ");
      return bins;
    }
  if (!(properties->min < properties->max))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "max = %.10g deg must be greater than min = %.10g deg; set both, or "
                              "edges", properties->max * 180 / G_PI, properties->min * 180 / G_PI);
  if (properties->spacing == SPACING_LOG && properties->min == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "min must be greater than 0 for spacing = log");
  return properties->spacing == SPACING_LOG
           ? armilla_bins_new_logarithmic (properties->min, properties->max, properties->bins,
                                           error)
           : armilla_bins_new_linear (properties->min, properties->max, properties->bins, error);
}

/* maximum number of sums of a histogram, and of columns of a table */
#define MAX_SUMS 4
#define MAX_COLUMNS 12

/* Returns the bytes of the histograms (those being summed and the sums), of the table, and of the
 * covariance and its table; call after armilla_correlation_check_patches (). */
double
armilla_correlation_memory (const CorrelationProperties *properties, const ArmillaBins *bins,
                            ArmillaHistogramKind kind, int n_histograms, int n_values)
{
  const int n_patches = properties->n_patches;
  const ArmillaHistogramShape shape
    = { kind, bins->n, n_patches, n_values > 0 ? (1 << MAX_SUMS) - 1 : 0,
        properties->across == ACROSS_MATCH ? n_patches : 0, bins->n2 };
  const double n = bins->n;

  return 8.0 * (2.0 * n_histograms * (double) armilla_histogram_words (&shape)
                + MAX_COLUMNS * (double) armilla_histogram_entries (&shape)
                + n_values * (n * n_patches + n * n * (n_values + 1)));
}
