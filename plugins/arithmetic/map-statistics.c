/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>
#include <math.h>

#include "plugins/base/stage-util.h"
#include "tasks/pixels/statistics.h"

enum { MAP, MASK };

struct _ArmillaMapStatistics {
  ArmillaStage parent_instance;
  gint64 bins;
  double low, high;
  int n_fields;
  char **names, **units; /* name and unit of each field */
};

ARMILLA_DEFINE_STAGE (ArmillaMapStatistics, armilla_map_statistics, ARMILLA, MAP_STATISTICS)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map, F fields" },
  { "mask", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a map of the same pixels, one field for all or F: pixels where it is 0 or UNSEEN are "
    "excluded" },
  { "out", armilla_table_data_get_type, ARMILLA_PORT_OUT, "the statistics, one row per field" },
  { "histogram", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "the histograms, one row per bin and one column per field; without histogram-bins there are "
    "no rows" },
  { NULL, NULL, 0, NULL },
};

static gboolean
make_statistics (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  static const struct {
    const char *name, *blurb;
    gsize offset;
  } columns[] = {
    { "MEAN", "mean", G_STRUCT_OFFSET (ArmillaStatistics, mean) },
    { "VARIANCE", "squared differences from the mean, over COUNT - 1",
      G_STRUCT_OFFSET (ArmillaStatistics, variance) },
    { "SKEWNESS", "third central moment divided by the power 3/2 of the second",
      G_STRUCT_OFFSET (ArmillaStatistics, skewness) },
    { "KURTOSIS", "fourth central moment divided by the square of the second, minus 3",
      G_STRUCT_OFFSET (ArmillaStatistics, kurtosis) },
    { "MIN", "minimum", G_STRUCT_OFFSET (ArmillaStatistics, min) },
    { "MAX", "maximum", G_STRUCT_OFFSET (ArmillaStatistics, max) },
  };
  const ArmillaMapStatistics *self = user;
  ArmillaTable *table = armilla_table_new ("MAP-STATISTICS", self->n_fields);
  ArmillaColumn *column;

  (void) error;
  column = armilla_table_add (table, ARMILLA_COLUMN_STRING, "FIELD", "", "name of the field");
  for (int f = 0; f < self->n_fields; f++)
    column->strings[f] = g_strdup (self->names[f]);
  column = armilla_table_add (table, ARMILLA_COLUMN_STRING, "UNIT", "",
                              "unit of the field; that of VARIANCE is its square");
  for (int f = 0; f < self->n_fields; f++)
    column->strings[f] = g_strdup (self->units[f]);
  column = armilla_table_add (table, ARMILLA_COLUMN_INT64, "COUNT", "", "number of pixels that are "
                                                           "included");
  for (int f = 0; f < self->n_fields; f++)
    {
      ArmillaStatistics found;

      armilla_statistics_read (in[0].words, f, self->bins, &found);
      column->integers[f] = found.n;
    }
  for (gsize c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, columns[c].name, "",
                                  columns[c].blurb);
      for (int f = 0; f < self->n_fields; f++)
        {
          ArmillaStatistics found;

          armilla_statistics_read (in[0].words, f, self->bins, &found);
          column->doubles[f] = G_STRUCT_MEMBER (double, &found, columns[c].offset);
        }
    }
  out->table = table;
  return TRUE;
}

/* Adds the numbers of pixels in each bin; those below the first bin and above the last become keys
 * of the table. */
static void
add_counts (ArmillaTable *table, const ArmillaMapStatistics *self, int f, const gint64 *words)
{
  g_autofree char *name = g_strdup_printf ("COUNT%d", f + 1);
  g_autofree char *below = g_strdup_printf ("BELOW%d", f + 1);
  g_autofree char *above = g_strdup_printf ("ABOVE%d", f + 1);
  g_autofree char *blurb = g_strdup_printf ("pixels of %s in the bin", self->names[f]);
  ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_INT64, name, "", blurb);
  ArmillaStatistics found;

  armilla_statistics_read (words, f, self->bins, &found);
  for (gint64 b = 0; b < self->bins; b++)
    column->integers[b] = (gint64) found.counters[1 + b];
  if (self->bins == 0)
    return;
  armilla_table_set_integer (table, below, (gint64) found.counters[0], "number of pixels below the "
                                                                       "bins");
  armilla_table_set_integer (table, above, (gint64) found.counters[self->bins + 1],
                             "number of pixels above the bins");
}

static gboolean
make_histogram (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const ArmillaMapStatistics *self = user;
  ArmillaTable *table = armilla_table_new ("MAP-HISTOGRAM", self->bins);
  ArmillaColumn *low
    = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "LOW", self->units[0],
                         "lower end of the bin, inclusive");
  ArmillaColumn *high;

  (void) error;
  for (gint64 b = 0; b < self->bins; b++)
    low->doubles[b] = armilla_statistics_edge (self->bins, self->low, self->high, b);
  high = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "HIGH", self->units[0],
                            "upper end, exclusive except for the last bin");
  for (gint64 b = 0; b < self->bins; b++)
    high->doubles[b] = armilla_statistics_edge (self->bins, self->low, self->high, b + 1);
  for (int f = 0; f < self->n_fields; f++)
    add_counts (table, self, f, in[0].words);
  out->table = table;
  return TRUE;
}

static gboolean
check_properties (ArmillaMapStatistics *self, GError **error)
{
  const gboolean low = armilla_stage_given (self, "histogram-min");
  const gboolean high = armilla_stage_given (self, "histogram-max");

  if (self->bins == 0 && (low || high))
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "histogram-%s belongs to histogram-bins, which is not given", low ? "min" : "max");
  else if (self->bins > 0 && (!low || !high))
    g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                         "histogram-bins needs histogram-min and histogram-max, the ends of the "
                         "bins in the unit of the map");
  else if (self->bins > 0 && !(self->low < self->high))
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "histogram-min = %g must be below histogram-max = %g", self->low, self->high);
  else
    return TRUE;
  return FALSE;
}

static gboolean
map_statistics_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                        ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  (void) context;
  if (!check_properties (ARMILLA_MAP_STATISTICS (stage), error)
      || !armilla_stage_agree (ports, inputs,
                               ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_ONE_OR_EACH
                                 | ARMILLA_AGREE_COORDINATES, error))
    return FALSE;
  armilla_stage_new_tables (outputs, 2, inputs, 2);
  return TRUE;
}

static gboolean
map_statistics_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                      ArmillaData *const *outputs, GError **error)
{
  ArmillaMapStatistics *self = ARMILLA_MAP_STATISTICS (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[MAP]);
  const ArmillaFields *fields = armilla_data_fields (inputs[MAP]);
  const ArmillaStatisticsTable tables[] = {
    { make_statistics, g_object_ref (self), g_object_unref, ARMILLA_TABLE_DATA (outputs[0]) },
    { make_histogram, g_object_ref (self), g_object_unref, ARMILLA_TABLE_DATA (outputs[1]) },
  };

  self->n_fields = fields->n;
  self->names = g_strdupv (fields->names);
  self->units = g_strdupv (fields->units);
  return armilla_graph_map_statistics (graph, map,
                                       inputs[MASK] != NULL ? ARMILLA_MAP (inputs[MASK]) : NULL,
                                       self->bins, self->low, self->high, tables,
                                       G_N_ELEMENTS (tables), error);
}

static const ArmillaProperty properties[] = {
  { "histogram-bins", ARMILLA_INT64 (ArmillaMapStatistics, bins, 0, 1000000, 0),
    "number of bins of the histogram, all of equal width; 0: no histogram" },
  { "histogram-min", ARMILLA_DOUBLE (ArmillaMapStatistics, low, -G_MAXDOUBLE, G_MAXDOUBLE, 0),
    "lower end of the first bin, in the unit of the map" },
  { "histogram-max", ARMILLA_DOUBLE (ArmillaMapStatistics, high, -G_MAXDOUBLE, G_MAXDOUBLE, 0),
    "upper end of the last bin, in the unit of the map" },
};

static void
armilla_map_statistics_class_init (ArmillaMapStatisticsClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "map-statistics";
  stage->summary = "Mean, variance, skewness, kurtosis, extremes and histogram of a map";
  stage->description =
    "For each field the number of observed pixels, their mean, variance (over their number minus "
    "1), skewness and excess kurtosis (of the moments over their number), minimum and maximum. "
    "Pixels that are UNSEEN or masked are excluded. All pixels have equal weight. The result has "
    "the same bits on any number of ranks and workers.";
  stage->reference = "Pebay (2008), Formulas for robust, one-pass parallel computation of "
                     "covariances and arbitrary-order statistical moments, equation 3.1";
  stage->ports = ports;
  stage->prepare = map_statistics_prepare;
  stage->build = map_statistics_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaMapStatistics, names, g_strfreev);
  ARMILLA_STAGE_OWNS (stage, ArmillaMapStatistics, units, g_strfreev);
}
