/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "plugins/arithmetic/collect-tables.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/histogram.h"
#include "tasks/data/data.h"

#define MAX_PERCENTILES 20

enum { MEAN, VARIANCE, ERROR, MINIMUM, MAXIMUM, TABLE, COVARIANCE, PERCENTILES, N_OUTPUTS };

typedef enum { ERROR_OF_REALISATION, ERROR_OF_MEAN } ErrorOf;

struct _ArmillaCollect {
  ArmillaStage parent_instance;
  char *percentiles;
  ErrorOf error_of;
  guint32 used;
  ArmillaCollected *collected; /* results of the realisations; NULL until all are complete */
  double values[MAX_PERCENTILES]; /* percentiles */
  int n_values;
};

ARMILLA_DEFINE_STAGE (ArmillaCollect, armilla_collect, ARMILLA, COLLECT)

static const ArmillaPort ports[] = {
  { "input", armilla_data_get_type, ARMILLA_PORT_IN,
    "a map, a_lm, spectra or a table of each realisation; collect a number as a table of one row" },
  { "mean", armilla_data_get_type, ARMILLA_PORT_OUT | ARMILLA_PORT_AS_INPUT,
    "mean over realisations" },
  { "variance", armilla_data_get_type, ARMILLA_PORT_OUT | ARMILLA_PORT_AS_INPUT,
    "variance: sum of squared differences from the mean, over the number of realisations minus 1; "
    "for a_lm of the absolute values, as real numbers" },
  { "error", armilla_data_get_type, ARMILLA_PORT_OUT | ARMILLA_PORT_AS_INPUT,
    "standard deviation, of one realisation or of the mean; see error-of" },
  { "minimum", armilla_data_get_type, ARMILLA_PORT_OUT | ARMILLA_PORT_AS_INPUT,
    "minimum over realisations; not for a_lm" },
  { "maximum", armilla_data_get_type, ARMILLA_PORT_OUT | ARMILLA_PORT_AS_INPUT,
    "maximum over realisations; not for a_lm" },
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "for spectra or tables: the means, each followed by its error in a column NAME_error, or "
    "NAME_error_scatter if the input has a column NAME_error; for spectra one row per multipole" },
  { "covariance", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "for spectra or tables: one row per pair of rows, with bin1, bin2 and the edges of their "
    "bins, NAME1_min .. NAME2_max, if rows are bins; for each pair of columns a column NAME or "
    "NAME1_NAME2, and its error in NAME_error. _covariance is appended to a name that another "
    "column has" },
  { "percentiles", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "for spectra or tables: columns NAME_pP for the percentiles P" },
  { NULL, NULL, 0, NULL },
};

/* Parses numbers separated by commas. */
static gboolean
parse_percentiles (const char *text, double *values, int *n, GError **error)
{
  g_auto (GStrv) words = armilla_stage_words (text);

  *n = 0;
  for (char **word = words; *word != NULL; word++)
    {
      char *end;
      const double value = g_ascii_strtod (*word, &end);

      if (end == *word || *end != '\0' || !(value >= 0 && value <= 100))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "percentiles-of = %s: \"%s\" is not a number from 0 to 100", text,
                             *word);
      if (*n == MAX_PERCENTILES)
        return armilla_fail (error, ARMILLA_ERROR_VALUE, "percentiles-of has more than %d numbers",
                             MAX_PERCENTILES);
      values[(*n)++] = value;
    }
  return *n > 0
         || armilla_fail (error, ARMILLA_ERROR_VALUE,
                          "percentiles-of is empty; give numbers from 0 to 100");
}

/* Returns which statistics of maps and a_lm the connected outputs need. @used: bit mask of
 * outputs */
static ArmillaCollectFlags
flags_of (guint32 used)
{
  return (used & (1U << VARIANCE | 1U << ERROR) ? ARMILLA_COLLECT_SQUARES : 0)
         | (used & 1U << MINIMUM ? ARMILLA_COLLECT_MINIMUM : 0)
         | (used & 1U << MAXIMUM ? ARMILLA_COLLECT_MAXIMUM : 0);
}

static const ArmillaCollectWhat whats[]
  = { ARMILLA_COLLECTED_MEAN, ARMILLA_COLLECTED_VARIANCE, ARMILLA_COLLECTED_DEVIATION,
      ARMILLA_COLLECTED_MINIMUM, ARMILLA_COLLECTED_MAXIMUM };

static ArmillaData *
new_output (int output, ArmillaData *input)
{
  ArmillaData *data;
  ArmillaFields *fields;

  if (output >= TABLE || !armilla_data_has_fields (input))
    return ARMILLA_DATA (armilla_table_data_new ());
  data = armilla_stage_copy (input);
  fields = armilla_data_fields (data);
  for (int f = 0; f < fields->n; f++)
    {
      char *unit = armilla_collect_unit (fields->units[f], whats[output]);

      g_free (fields->units[f]);
      fields->units[f] = unit;
    }
  return data;
}

/* Checks that the connected outputs exist for the input's kind of data. */
static gboolean
check_used (guint32 used, ArmillaData *input, GError **error)
{
  if (!ARMILLA_IS_TABLE_DATA (input) && !armilla_data_has_fields (input))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "input: must be maps, a_lm, spectra or tables");
  for (int output = 0; output < N_OUTPUTS; output++)
    {
      const char *name = ports[1 + output].name;

      if (!(used >> output & 1))
        continue;
      if (output >= TABLE && !armilla_data_is_whole (input))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "input: %s is not available for maps and a_lm; collect spectra or a "
                             "table (map-statistics computes a table of a map)", name);
      if ((output == MINIMUM || output == MAXIMUM) && armilla_data_is_complex (input))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "input: %s is not available for a_lm, which are complex; collect a "
                             "map",
                             name);
      if (output >= TABLE && !armilla_data_check_columns (input, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
collect_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                 ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaCollect *self = ARMILLA_COLLECT (stage);

  if (!check_used (context->used, inputs[0], error)
      || !parse_percentiles (self->percentiles, self->values, &self->n_values, error))
    return FALSE;
  self->used = context->used;
  if (context->collected != NULL)
    self->collected = armilla_collected_ref (context->collected);
  for (int output = 0; output < N_OUTPUTS; output++)
    if (self->used >> output & 1)
      {
        outputs[output] = new_output (output, inputs[0]);
        armilla_stage_inherit (outputs[output], inputs[0]);
      }
  return TRUE;
}

static gboolean
collect_gather (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaLot *lot, GError **error)
{
  return armilla_graph_collect (graph, inputs[0], lot, flags_of (ARMILLA_COLLECT (stage)->used),
                                error);
}

/* Arguments of the step that computes one output from spectra or tables. */
typedef struct {
  ArmillaCollect *stage;
  int output;
  ArmillaTable *pattern; /* table that describes the spectra; NULL for tables */
} Maker;

static void
maker_free (gpointer data)
{
  Maker *maker = data;

  g_object_unref (maker->stage);
  g_clear_pointer (&maker->pattern, armilla_table_free);
  g_free (maker);
}

static Maker *
maker_new (ArmillaCollect *self, int output, ArmillaData *input)
{
  Maker *maker = g_new0 (Maker, 1);

  maker->stage = g_object_ref (self);
  maker->output = output;
  maker->pattern = armilla_data_new_table (input);
  return maker;
}

/* Returns the factor by which the property error-of multiplies standard deviations. */
static double
factor_of (const Maker *maker, const ArmillaSamples *samples)
{
  return maker->stage->error_of == ERROR_OF_MEAN
             && (maker->output == ERROR || maker->output == TABLE)
           ? 1 / sqrt ((double) samples->n_samples) : 1;
}

static gboolean
fill_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  const Maker *maker = user;
  g_autoptr (ArmillaSamples) samples = armilla_samples_open (maker->stage->collected, error);
  const ArmillaTable *pattern;

  if (samples == NULL)
    return FALSE;
  pattern = maker->pattern != NULL ? maker->pattern : samples->pattern;
  switch (maker->output)
    {
    case TABLE:
      piece->table = armilla_collect_table (samples, pattern, ARMILLA_COLLECTED_MEAN,
                                            factor_of (maker, samples), TRUE, error);
      break;
    case COVARIANCE:
      piece->table = armilla_collect_covariance (samples, pattern, error);
      break;
    case PERCENTILES:
      piece->table = armilla_collect_percentiles (samples, pattern, maker->stage->values,
                                                  maker->stage->n_values, error);
      break;
    default:
      piece->table = armilla_collect_table (samples, pattern, whats[maker->output],
                                            factor_of (maker, samples), FALSE, error);
    }
  return piece->table != NULL;
}

static gboolean
fill_cl (gpointer user, ArmillaPiece *piece, GError **error)
{
  const Maker *maker = user;
  g_autoptr (ArmillaSamples) samples = armilla_samples_open (maker->stage->collected, error);
  g_autoptr (ArmillaCollectSummary) summary
    = samples != NULL ? armilla_collect_summary (samples, error) : NULL;

  if (summary == NULL)
    return FALSE;
  for (gint64 i = 0; i < samples->n_values; i++)
    piece->values[i] = armilla_collect_value (summary, samples, whats[maker->output],
                                       factor_of (maker, samples), i);
  return TRUE;
}

static gboolean
build_output (ArmillaCollect *self, ArmillaGraph *graph, int output, ArmillaData *input,
              ArmillaData *data, GError **error)
{
  const double n = (double) armilla_collected_n_samples (self->collected);

  if (armilla_data_is_whole (data))
    return armilla_graph_fill (graph, data, armilla_data_has_fields (data) ? fill_cl : fill_table,
                               maker_new (self, output, input), maker_free, error);
  return armilla_graph_fill_collected (graph, self->collected, flags_of (self->used),
                                       whats[output],
                                       output == ERROR && self->error_of == ERROR_OF_MEAN
                                         ? 1 / sqrt (n) : 1,
                                       data, error);
}

static gboolean
collect_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  ArmillaCollect *self = ARMILLA_COLLECT (stage);
  gboolean ok = TRUE;

  for (int output = 0; ok && output < N_OUTPUTS; output++)
    if (outputs[output] != NULL)
      ok = build_output (self, graph, output, inputs[0], outputs[output], error);
  return ok;
}

static const char *const error_values[] = {
  [ERROR_OF_REALISATION] = "realisation", [ERROR_OF_MEAN] = "mean", NULL,
};

static const ArmillaProperty properties[] = {
  { "error-of", ARMILLA_ENUM (ArmillaCollect, error_of, error_values, ERROR_OF_REALISATION),
    "standard deviation in errors: realisation, that of a single realisation; mean, that of the "
    "mean of all, smaller by the square root of their number" },
  { "percentiles-of", ARMILLA_TEXT (ArmillaCollect, percentiles, "16, 50, 84"),
    "percentiles to compute: numbers from 0 to 100, separated by commas" },
};

static void
armilla_collect_class_init (ArmillaCollectClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "collect";
  stage->summary = "Mean, errors, covariance, extremes and percentiles over realisations";
  stage->description =
    "Collects its input over the realisations of repeat; nodes that depend on its outputs run "
    "once, after the last realisation (of each point of a sweep). Only connected outputs are "
    "computed. Pixels that are UNSEEN in one realisation are UNSEEN in the result. Columns of "
    "tables that are equal in all realisations (multipoles, edges of bins) are copied. Sums of "
    "maps and a_lm are held in memory, each of mean, squares, minimum and maximum as large as one "
    "realisation; numbers of spectra and tables are written to files beside the outputs, which are "
    "removed when the run ends; a resumed run reuses them. The result has the same bits on any "
    "number of ranks and workers, and for any value of together.";
  stage->reference = "Chan, Golub and LeVeque (1979), Updating formulae and a pairwise algorithm "
                     "for computing sample variances";
  stage->ports = ports;
  stage->prepare = collect_prepare;
  stage->build = collect_build;
  stage->gather = collect_gather;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaCollect, collected, armilla_collected_unref);
}
