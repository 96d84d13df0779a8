/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/correlation/correlation-private.h"
#include "tasks/correlation/correlation.h"

struct _ArmillaPairCorrelation {
  ArmillaStage parent_instance;
  CorrelationProperties common;
  ArmillaEstimator estimator;
  gboolean mean_separation;
  ArmillaBins *bins;
};

ARMILLA_DEFINE_STAGE (ArmillaPairCorrelation, armilla_pair_correlation, ARMILLA, PAIR_CORRELATION)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects" },
  { "random", armilla_objects_get_type, ARMILLA_PORT_IN,
    "random objects in the same region of the sky, many more than objects" },
  { "catalogue2", armilla_objects_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "other objects: pairs have one object of each catalogue" },
  { "random2", armilla_objects_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "random objects in the region of catalogue2, required with it" },
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one row per bin: theta_min, theta_max, theta, w, error, DD, DR, (RD,) RR" },
  { "covariance", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one row for each pair of bins: bin1, bin2, their edges theta1_min .. theta2_max, w" },
  ARMILLA_CORRELATION_SAMPLES_PORT ("w"),
  { NULL, NULL, 0, NULL },
};

/* Arguments of the I/O thread that computes the table. */
typedef struct {
  CorrelationCounts counts;
  ArmillaEstimator estimator;
  ArmillaCorrelationTable which;
} PairMaker;

static void
pair_maker_free (gpointer data)
{
  armilla_correlation_unref (((PairMaker *) data)->counts.catalogues);
  g_free (data);
}

static gboolean
pair_make (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const PairMaker *maker = user;
  CorrelationCatalogues *catalogues = maker->counts.catalogues;
  ArmillaCounted counted[ARMILLA_N_COUNTS];

  (void) error;
  armilla_correlation_counted (&maker->counts, in, counted);
  out->table = armilla_pair_table (maker->estimator, catalogues->bins, counted, maker->which);
  if (maker->which == ARMILLA_CORRELATION_SAMPLES)
    armilla_correlation_tell_patches (catalogues, out->table);
  return TRUE;
}

static gboolean
pair_prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
              ArmillaData **outputs, GError **error)
{
  ArmillaPairCorrelation *self = ARMILLA_PAIR_CORRELATION (stage);

  (void) context;
  if (!armilla_correlation_check_inputs (inputs, error))
    return FALSE;
  if (!armilla_correlation_check_patches (stage, &self->common, inputs, 4, ports, error))
    return FALSE;
  self->bins = armilla_correlation_bins (stage, &self->common, error);
  if (self->bins == NULL)
    return FALSE;
  armilla_stage_new_tables (outputs, ARMILLA_N_CORRELATION_TABLES, inputs, 4);
  return TRUE;
}

static double
pair_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaPairCorrelation *self = ARMILLA_PAIR_CORRELATION (stage);
  const int mean = self->mean_separation ? 1 << ARMILLA_SUM_SEPARATION : 0;
  const int sums[4] = { [CORRELATION_DATA] = mean, [CORRELATION_DATA2] = mean };

  (void) outputs;
  return armilla_correlation_memory (&self->common, self->bins, ARMILLA_HISTOGRAM_PAIRS, 4, 1)
         + armilla_correlation_cells (inputs, 4, sums);
}

static gboolean
pair_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
            ArmillaData *const *outputs, GError **error)
{
  ArmillaPairCorrelation *self = ARMILLA_PAIR_CORRELATION (stage);
  ArmillaHistogram *histograms[ARMILLA_N_COUNTS] = { NULL };
  PairMaker maker = { .counts.match = self->common.across == ACROSS_MATCH,
                      .estimator = self->estimator };
  CorrelationCounts *counts = &maker.counts;
  gint64 min_objects[4] = { [CORRELATION_DATA2] = 1, [CORRELATION_RANDOM2] = 1 };
  ArmillaData *own[4];
  gboolean good;
  int n = 0;

  armilla_correlation_distinct (inputs, own);
  counts->cross = own[CORRELATION_DATA2] != NULL;
  counts->cross_random = own[CORRELATION_RANDOM2] != NULL;
  counts->needs = armilla_estimator_needs (self->estimator, counts->cross);
  /* a pair within a catalogue needs two objects */
  min_objects[CORRELATION_DATA] = counts->cross ? 1 : 2;
  min_objects[CORRELATION_RANDOM] = counts->cross_random ? 1 : 2;
  counts->catalogues
    = armilla_correlation_catalogues (graph, &self->common, self->bins, own, 4, ports,
                                      CORRELATION_RANDOM, min_objects, error);
  if (counts->catalogues == NULL)
    return FALSE;
  good = armilla_correlation_count (counts, graph, &self->common,
                                    self->mean_separation ? 1 << ARMILLA_SUM_SEPARATION : 0,
                                    histograms, &n, error);
  for (int out = 0; good && out < ARMILLA_N_CORRELATION_TABLES; out++)
    {
      PairMaker *copy = g_memdup2 (&maker, sizeof maker);

      g_atomic_int_inc (&copy->counts.catalogues->refs);
      copy->which = (ArmillaCorrelationTable) out;
      good = armilla_graph_make (graph, (ArmillaData **) histograms, n, outputs[out], pair_make,
                                 copy, pair_maker_free, error);
    }
  for (int i = 0; i < ARMILLA_N_COUNTS; i++)
    g_clear_object (&histograms[i]);
  armilla_correlation_unref (counts->catalogues);
  return good;
}

static const ArmillaProperty properties[] = {
  { "estimator", ARMILLA_ENUM (ArmillaPairCorrelation, estimator, armilla_correlation_estimators,
                               ARMILLA_ESTIMATOR_LANDY_SZALAY),
    "estimator of the function" },
  { "mean-separation", ARMILLA_BOOLEAN (ArmillaPairCorrelation, mean_separation, TRUE),
    "compute the mean separation of the pairs of data, which takes several times as long as "
    "counting" },
};

static void
armilla_pair_correlation_class_init (ArmillaPairCorrelationClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "pair-correlation";
  armilla_stage_set_example (stage, "random = random; min = 1 deg; max = 30 deg; bins = 5");
  stage->summary = "Estimate the angular two-point correlation function of objects";
  stage->description =
    "Counts pairs of data (DD), of data and random objects (DR) and of random objects (RR) by "
    "separation, exactly, and divides each by the number of all pairs, or by the sum of their "
    "weights. landy-szalay is (DD - 2 DR + RR) / RR, hamilton DD RR / DR^2 - 1, davis-peebles DD "
    "/ DR - 1, natural DD / RR - 1. A bin includes its lower edge and excludes its upper edge. "
    "Errors are jackknife errors over patches of the sky, or (1 + w) / sqrt(DD). Catalogues in "
    "other coordinates are converted to those of the first. If catalogue2 is the same node as "
    "catalogue, pairs are counted within it, as without catalogue2; the same applies to random2.";
  stage->reference = "Landy and Szalay (1993), Bias and variance of angular correlation functions";
  stage->ports = ports;
  stage->prepare = pair_prepare;
  stage->build = pair_build;
  stage->memory = pair_memory;
  armilla_correlation_install (stage, G_STRUCT_OFFSET (ArmillaPairCorrelation, common), 20, TRUE);
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaPairCorrelation, bins, armilla_bins_unref);
}
