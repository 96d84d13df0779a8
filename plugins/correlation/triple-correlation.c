/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/correlation/correlation-private.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"

typedef enum { SIDES_ALL, SIDES_EQUAL } TripleSides;

struct _ArmillaTripleCorrelation {
  ArmillaStage parent_instance;
  CorrelationProperties common;
  TripleSides sides;
  ArmillaBins *bins;
  CorrelationCatalogues *catalogues; /* the counted catalogues */
  ArmillaHistogramShape shape;
};

ARMILLA_DEFINE_STAGE (ArmillaTripleCorrelation, armilla_triple_correlation, ARMILLA,
                      TRIPLE_CORRELATION)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects, without weights" },
  { "random", armilla_objects_get_type, ARMILLA_PORT_IN,
    "random objects in the same region of the sky" },
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one row per triple of bins in ascending order: edges of the sides, zeta, error, DDD, DDR, "
    "DRR, RRR" },
  { NULL, NULL, 0, NULL },
};

static const char *const sides[] = { [SIDES_ALL] = "all", [SIDES_EQUAL] = "equal", NULL };

/* For DDD, DDR, DRR, RRR: index of the catalogue of two corners, then of that of the third; -1: the
 * same catalogue. */
static const int corners[4][2] = { { 0, -1 }, { 0, 1 }, { 1, 0 }, { 1, -1 } };

static gboolean
triple_make (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const ArmillaTripleCorrelation *self = user;
  ArmillaTotals *const *totals = self->catalogues->totals;
  ArmillaCounted counted[4];

  (void) error;
  for (int c = 0; c < 4; c++)
    counted[c] = (ArmillaCounted) { self->shape, in[c].words, totals[corners[c][0]],
                                    corners[c][1] >= 0 ? totals[corners[c][1]] : NULL, 0 };
  out->table = armilla_triangle_table (self->bins, counted);
  return TRUE;
}

static gboolean
triple_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaTripleCorrelation *self = ARMILLA_TRIPLE_CORRELATION (stage);

  (void) context;
  for (int i = 0; i < 2; i++)
    if (armilla_objects_parts (ARMILLA_OBJECTS (inputs[i])) & ARMILLA_CATALOGUE_WEIGHT)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "%s has weights, but triangles are counted without weights; read it "
                           "without weight", ports[i].name);
  self->bins = armilla_correlation_bins (stage, &self->common, error);
  if (self->bins == NULL)
    return FALSE;
  armilla_stage_new_tables (outputs, 1, inputs, 2);
  return TRUE;
}

static double
triple_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaTripleCorrelation *self = ARMILLA_TRIPLE_CORRELATION (stage);
  const int sums[2] = { 0, 0 };

  (void) outputs;
  return armilla_correlation_memory (&self->common, self->bins,
                                     self->sides == SIDES_EQUAL ? ARMILLA_HISTOGRAM_EQUAL_SIDES
                                                                : ARMILLA_HISTOGRAM_TRIANGLES,
                                     4, 0)
         + armilla_correlation_cells (inputs, 2, sums);
}

static gboolean
triple_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaData *const *outputs, GError **error)
{
  ArmillaTripleCorrelation *self = ARMILLA_TRIPLE_CORRELATION (stage);
  ArmillaHistogramKind kind = self->sides == SIDES_EQUAL ? ARMILLA_HISTOGRAM_EQUAL_SIDES
                                                         : ARMILLA_HISTOGRAM_TRIANGLES;
  const ArmillaCountOptions options = { .tasks = self->common.tasks };
  static const gint64 min_objects[2] = { 3, 3 };
  ArmillaHistogram *histograms[4] = { NULL };
  gboolean good = TRUE;

  self->catalogues = armilla_correlation_catalogues (graph, &self->common, self->bins, inputs, 2,
                                                     ports, 0, min_objects, error);
  if (self->catalogues == NULL)
    return FALSE;
  for (int c = 0; good && c < 4; c++)
    {
      int third = corners[c][1];

      histograms[c] = armilla_histogram_new (kind, self->bins, 0, 0, error);
      good = histograms[c] != NULL
             && armilla_graph_count_triangles (
               graph, self->catalogues->objects[corners[c][0]],
               third >= 0 ? self->catalogues->objects[third] : NULL, &options, histograms[c],
               error);
    }
  if (good)
    {
      self->shape = *armilla_histogram_shape (histograms[0]);
      good = armilla_graph_make (graph, (ArmillaData **) histograms, 4, outputs[0], triple_make,
                                 g_object_ref (self), g_object_unref, error);
    }
  for (int c = 0; c < 4; c++)
    g_clear_object (&histograms[c]);
  return good;
}

static const ArmillaProperty properties[] = {
  { "sides", ARMILLA_ENUM (ArmillaTripleCorrelation, sides, sides, SIDES_ALL),
    "triangles to count: all, or those with all sides in one bin" },
};

static void
armilla_triple_correlation_class_init (ArmillaTripleCorrelationClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "triple-correlation";
  armilla_stage_set_example (stage, "random = random; min = 5 deg; max = 30 deg; bins = 3");
  stage->summary = "Estimate the angular three-point correlation function of objects";
  stage->description =
    "Counts triangles of data (DDD), of two data and one random object (DDR) and so on, by the "
    "bins of their three sides, exactly, and divides each by the number of all triangles: zeta = "
    "(DDD - 3 DDR + 3 DRR - RRR) / RRR. With sides = equal only triangles whose three sides are "
    "in one bin are counted. Errors are Poisson errors of the number of triangles.";
  stage->reference = "Szapudi and Szalay (1998), A new class of estimators for the N-point "
                     "correlations; Cardenas-Montes et al. (2014)";
  stage->ports = ports;
  stage->prepare = triple_prepare;
  stage->build = triple_build;
  stage->memory = triple_memory;
  armilla_correlation_install (stage, G_STRUCT_OFFSET (ArmillaTripleCorrelation, common), 8, FALSE);
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaTripleCorrelation, bins, armilla_bins_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaTripleCorrelation, catalogues, armilla_correlation_unref);
}
