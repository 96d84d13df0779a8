/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/correlation/correlation-private.h"
#include "tasks/correlation/correlation.h"

/* Indices of the ports. */
enum { DATA, RANDOM, DATA2, RANDOM2 };

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

static const char *const estimators[] = {
  [ARMILLA_ESTIMATOR_LANDY_SZALAY] = "landy-szalay", [ARMILLA_ESTIMATOR_HAMILTON] = "hamilton",
  [ARMILLA_ESTIMATOR_DAVIS_PEEBLES] = "davis-peebles", [ARMILLA_ESTIMATOR_NATURAL] = "natural",
  NULL,
};

/* Arguments of the I/O thread that computes the table. */
typedef struct {
  CorrelationCatalogues *catalogues;
  ArmillaEstimator estimator;
  ArmillaHistogramShape shape[ARMILLA_N_COUNTS];
  int needs;
  gboolean cross, cross_random, match;
  ArmillaCorrelationTable which;
} PairMaker;

static void
pair_maker_free (gpointer data)
{
  armilla_correlation_unref (((PairMaker *) data)->catalogues);
  g_free (data);
}

/* Drops a second input that equals the first, so that no object is paired with itself. */
static void
distinct (ArmillaData *const *inputs, ArmillaData **out)
{
  out[DATA] = inputs[DATA];
  out[RANDOM] = inputs[RANDOM];
  out[DATA2] = inputs[DATA2] != inputs[DATA] ? inputs[DATA2] : NULL;
  out[RANDOM2] = inputs[RANDOM2] != inputs[RANDOM] ? inputs[RANDOM2] : NULL;
}

/* Finds the two catalogues of a count; -1: pairs within the first. */
static void
sides_of (int count, gboolean cross, gboolean cross_random, int *a, int *b)
{
  *a = count == ARMILLA_COUNT_DD || count == ARMILLA_COUNT_DR ? DATA : RANDOM;
  if (count == ARMILLA_COUNT_DD || count == ARMILLA_COUNT_RD)
    *b = cross ? DATA2 : -1;
  else if (cross_random)
    *b = RANDOM2;
  else
    *b = count == ARMILLA_COUNT_DR ? RANDOM : -1;
}

static gboolean
pair_make (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const PairMaker *maker = user;
  ArmillaTotals *const *totals = maker->catalogues->totals;
  ArmillaCounted counted[ARMILLA_N_COUNTS] = { { .words = NULL } };
  int at = 0;

  (void) error;
  for (int c = 0; c < ARMILLA_N_COUNTS; c++)
    {
      int a, b;

      if (!(maker->needs & 1 << c))
        continue;
      sides_of (c, maker->cross, maker->cross_random, &a, &b);
      counted[c] = (ArmillaCounted) { maker->shape[c], in[at++].words, totals[a],
                                      b >= 0 ? totals[b] : NULL,
                                      maker->match ? armilla_totals_match (totals[DATA]) : 0 };
    }
  out->table
    = armilla_pair_table (maker->estimator, maker->catalogues->bins, counted, maker->which);
  if (maker->which == ARMILLA_CORRELATION_SAMPLES)
    armilla_correlation_tell_patches (maker->catalogues, out->table);
  return TRUE;
}

static gboolean
pair_prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
              ArmillaData **outputs, GError **error)
{
  ArmillaPairCorrelation *self = ARMILLA_PAIR_CORRELATION (stage);

  (void) context;
  if ((inputs[DATA2] == NULL) != (inputs[RANDOM2] == NULL))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "catalogue2 and random2 require each other; connect both, or neither");
  if (inputs[DATA2] == inputs[DATA] && inputs[RANDOM2] != inputs[RANDOM])
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "random2 is not random, but catalogue2 is catalogue, so pairs within it "
                         "are counted; connect random2 to the node of random too");
  if (!armilla_correlation_check_patches (stage, &self->common, inputs, 4, ports, error))
    return FALSE;
  self->bins = armilla_correlation_bins (stage, &self->common, error);
  if (self->bins == NULL)
    return FALSE;
  armilla_stage_new_tables (outputs, ARMILLA_N_CORRELATION_TABLES, inputs, 4);
  return TRUE;
}

static gboolean
count_all (const ArmillaPairCorrelation *self, ArmillaGraph *graph, PairMaker *maker,
           ArmillaHistogram **histograms, int *n, GError **error)
{
  CorrelationCatalogues *catalogues = maker->catalogues;
  const ArmillaCountOptions options = { .tasks = self->common.tasks };

  for (int c = 0; c < ARMILLA_N_COUNTS; c++)
    {
      ArmillaObjects *other;
      int a, b, sums;

      if (!(maker->needs & 1 << c))
        continue;
      sides_of (c, maker->cross, maker->cross_random, &a, &b);
      other = b >= 0 ? catalogues->objects[b] : NULL;
      sums = armilla_correlation_weighted (catalogues->objects[a], other)
               ? 1 << ARMILLA_SUM_WEIGHT
               : 0;
      if (c == ARMILLA_COUNT_DD && self->mean_separation)
        sums |= 1 << ARMILLA_SUM_SEPARATION;
      histograms[*n] = armilla_correlation_pairs (&self->common, self->bins, self->common.n_patches,
                                                  sums, error);
      if (histograms[*n] == NULL)
        return FALSE;
      maker->shape[c] = *armilla_histogram_shape (histograms[*n]);
      if (!armilla_graph_count_pairs (graph, catalogues->objects[a], other, &options,
                                      histograms[(*n)++], error))
        return FALSE;
    }
  return TRUE;
}

static double
pair_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaPairCorrelation *self = ARMILLA_PAIR_CORRELATION (stage);
  const int mean = self->mean_separation ? 1 << ARMILLA_SUM_SEPARATION : 0;
  const int sums[4] = { [DATA] = mean, [DATA2] = mean };

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
  PairMaker maker = { .estimator = self->estimator,
                      .match = self->common.across == ACROSS_MATCH };
  gint64 min_objects[4] = { [DATA2] = 1, [RANDOM2] = 1 };
  ArmillaData *own[4];
  gboolean good;
  int n = 0;

  distinct (inputs, own);
  maker.cross = own[DATA2] != NULL;
  maker.cross_random = own[RANDOM2] != NULL;
  maker.needs = armilla_estimator_needs (self->estimator, maker.cross);
  min_objects[DATA] = maker.cross ? 1 : 2; /* a pair within a catalogue needs two objects */
  min_objects[RANDOM] = maker.cross_random ? 1 : 2;
  maker.catalogues = armilla_correlation_catalogues (graph, &self->common, self->bins, own, 4,
                                                     ports, RANDOM, min_objects, error);
  if (maker.catalogues == NULL)
    return FALSE;
  good = count_all (self, graph, &maker, histograms, &n, error);
  for (int out = 0; good && out < ARMILLA_N_CORRELATION_TABLES; out++)
    {
      PairMaker *copy = g_memdup2 (&maker, sizeof maker);

      g_atomic_int_inc (&copy->catalogues->refs);
      copy->which = (ArmillaCorrelationTable) out;
      good = armilla_graph_make (graph, (ArmillaData **) histograms, n, outputs[out], pair_make,
                                 copy, pair_maker_free, error);
    }
  for (int i = 0; i < ARMILLA_N_COUNTS; i++)
    g_clear_object (&histograms[i]);
  armilla_correlation_unref (maker.catalogues);
  return good;
}

static const ArmillaProperty properties[] = {
  { "estimator", ARMILLA_ENUM (ArmillaPairCorrelation, estimator, estimators,
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
