/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/correlation/correlation-private.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"

struct _ArmillaShearCorrelation {
  ArmillaStage parent_instance;
  CorrelationProperties common;
  ArmillaBins *bins;
};

ARMILLA_DEFINE_STAGE (ArmillaShearCorrelation, armilla_shear_correlation, ARMILLA,
                      SHEAR_CORRELATION)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "objects with shears" },
  { "catalogue2", armilla_objects_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "other objects with shears: pairs have one object of each catalogue" },
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one row per bin: theta_min, theta_max, theta, xi_plus, xi_minus, error_plus, error_minus, "
    "pairs" },
  { "covariance", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one row for each pair of bins: bin1, bin2, their edges theta1_min .. theta2_max, xi_plus, "
    "xi_minus" },
  ARMILLA_CORRELATION_SAMPLES_PORT ("xi_plus, xi_minus"),
  { NULL, NULL, 0, NULL },
};

/* Arguments of the I/O thread that computes the table. */
typedef struct {
  CorrelationCatalogues *catalogues;
  ArmillaHistogramShape shape;
  gboolean match;
  ArmillaCorrelationTable which;
} ShearMaker;

static void
shear_maker_free (gpointer data)
{
  armilla_correlation_unref (((ShearMaker *) data)->catalogues);
  g_free (data);
}

static gboolean
shear_make (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const ShearMaker *maker = user;
  ArmillaTotals *const *totals = maker->catalogues->totals;
  const ArmillaCounted counted = { maker->shape, in[0].words, totals[0], totals[1],
                                   maker->match ? armilla_totals_match (totals[0]) : 0 };

  (void) error;
  out->table = armilla_shear_table (maker->catalogues->bins, &counted, maker->which);
  if (maker->which == ARMILLA_CORRELATION_SAMPLES)
    armilla_correlation_tell_patches (maker->catalogues, out->table);
  return TRUE;
}

static gboolean
shear_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
               ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaShearCorrelation *self = ARMILLA_SHEAR_CORRELATION (stage);

  (void) context;
  for (int i = 0; i < 2; i++)
    if (inputs[i] != NULL
        && !(armilla_objects_parts (ARMILLA_OBJECTS (inputs[i])) & ARMILLA_CATALOGUE_SHEAR))
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%s has no shears; name their columns with g1 and g2 of read-catalogue",
                           ports[i].name);
  if (!armilla_correlation_check_patches (stage, &self->common, inputs, 2, ports, error))
    return FALSE;
  self->bins = armilla_correlation_bins (stage, &self->common, error);
  if (self->bins == NULL)
    return FALSE;
  armilla_stage_new_tables (outputs, ARMILLA_N_CORRELATION_TABLES, inputs, 2);
  return TRUE;
}

static double
shear_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaShearCorrelation *self = ARMILLA_SHEAR_CORRELATION (stage);
  const int sums[2] = { 1 << ARMILLA_SUM_XI_PLUS, 1 << ARMILLA_SUM_XI_PLUS };

  (void) outputs;
  return armilla_correlation_memory (&self->common, self->bins, ARMILLA_HISTOGRAM_PAIRS, 1, 2)
         + armilla_correlation_cells (inputs, 2, sums);
}

static gboolean
shear_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaShearCorrelation *self = ARMILLA_SHEAR_CORRELATION (stage);
  const ArmillaCountOptions options = { .tasks = self->common.tasks };
  /* the same catalogue twice: do not pair an object with itself */
  ArmillaData *own[2] = { inputs[0], inputs[1] != inputs[0] ? inputs[1] : NULL };
  const gint64 min_objects[2] = { own[1] != NULL ? 1 : 2, 1 };
  int sums = 1 << ARMILLA_SUM_SEPARATION | 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS;
  g_autoptr (ArmillaHistogram) histogram = NULL;
  CorrelationCatalogues *catalogues;
  gboolean good;

  catalogues = armilla_correlation_catalogues (graph, &self->common, self->bins, own, 2, ports,
                                               0, min_objects, error);
  if (catalogues == NULL)
    return FALSE;
  if (armilla_correlation_weighted (catalogues->objects[0], catalogues->objects[1]))
    sums |= 1 << ARMILLA_SUM_WEIGHT;
  histogram = armilla_correlation_pairs (&self->common, self->bins, self->common.n_patches, sums,
                                         error);
  good = histogram != NULL
         && armilla_graph_count_pairs (graph, catalogues->objects[0], catalogues->objects[1],
                                       &options, histogram, error);
  for (int out = 0; good && out < ARMILLA_N_CORRELATION_TABLES; out++)
    {
      ShearMaker *maker = g_new0 (ShearMaker, 1);

      g_atomic_int_inc (&catalogues->refs);
      *maker = (ShearMaker) { catalogues, *armilla_histogram_shape (histogram),
                              self->common.across == ACROSS_MATCH,
                              (ArmillaCorrelationTable) out };
      good = armilla_graph_make (graph, (ArmillaData **) &histogram, 1, outputs[out], shear_make,
                                 maker, shear_maker_free, error);
    }
  armilla_correlation_unref (catalogues);
  return good;
}

static void
armilla_shear_correlation_class_init (ArmillaShearCorrelationClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "shear-correlation";
  armilla_stage_set_example (stage, "catalogue = shears; min = 1 deg; max = 30 deg; bins = 5");
  stage->summary = "Estimate the two-point correlation functions xi+ and xi- of shears";
  stage->description =
    "xi+- is the weighted mean over pairs of gt gt' +- gx gx', where gt and gx are the tangential "
    "and cross shears relative to the great circle through both objects. A bin includes its lower "
    "edge and excludes its upper edge. Errors are jackknife errors over patches of the sky, or "
    "those of the shape noise. If catalogue2 is the same node as catalogue, pairs are counted "
    "within it, as without catalogue2.";
  stage->reference = "Schneider et al. (2002), Analysis of two-point statistics of cosmic shear";
  stage->ports = ports;
  stage->prepare = shear_prepare;
  stage->build = shear_build;
  stage->memory = shear_memory;
  armilla_correlation_install (stage, G_STRUCT_OFFSET (ArmillaShearCorrelation, common), 20,
                               TRUE);
  ARMILLA_STAGE_OWNS (stage, ArmillaShearCorrelation, bins, armilla_bins_unref);
}
