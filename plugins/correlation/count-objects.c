/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts pairs and triangles, without the normalisation of a correlation function. */
#include <armilla/armilla.h>

#include "plugins/correlation/correlation-private.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"

struct _ArmillaCountObjects {
  ArmillaStage parent_instance;
  CorrelationProperties common;
  ArmillaHistogramKind kind;
  gboolean mean_separation;
  ArmillaBins *bins;
  CorrelationCatalogues *catalogues; /* the counted catalogues */
  ArmillaHistogramShape shape;
};

ARMILLA_DEFINE_STAGE (ArmillaCountObjects, armilla_count_objects, ARMILLA, COUNT_OBJECTS)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects" },
  { "catalogue2", armilla_objects_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "other objects: pairs have one object of each catalogue, triangles two of catalogue and one "
    "of catalogue2" },
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one row per bin: theta_min, theta_max, (theta, xi_plus, xi_minus,) count; for triangles one "
    "row per triple of bins in ascending order: edges of the sides, count" },
  { NULL, NULL, 0, NULL },
};

static const char *const kinds[] = { [ARMILLA_HISTOGRAM_PAIRS] = "pairs",
                                     [ARMILLA_HISTOGRAM_TRIANGLES] = "triangles", NULL };

/* Returns 1 << s for each ArmillaHistogramSum s that the pair table needs. */
static int
sums_of (const ArmillaCountObjects *self, ArmillaData *const *inputs)
{
  const ArmillaCatalogueParts first = armilla_objects_parts (ARMILLA_OBJECTS (inputs[0]));
  const ArmillaCatalogueParts second
    = inputs[1] ? armilla_objects_parts (ARMILLA_OBJECTS (inputs[1])) : first;
  int sums = self->mean_separation ? 1 << ARMILLA_SUM_SEPARATION : 0;

  if (self->kind != ARMILLA_HISTOGRAM_PAIRS)
    return 0;
  if ((first | second) & ARMILLA_CATALOGUE_WEIGHT)
    sums |= 1 << ARMILLA_SUM_WEIGHT;
  if (first & second & ARMILLA_CATALOGUE_SHEAR)
    sums |= 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS;
  return sums;
}

static gboolean
count_make (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const ArmillaCountObjects *self = user;
  const ArmillaCounted counted = { .shape = self->shape, .words = in[0].words };

  (void) error;
  out->table = armilla_count_table (self->bins, &counted);
  return TRUE;
}

static gboolean
count_prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
               ArmillaData **outputs, GError **error)
{
  ArmillaCountObjects *self = ARMILLA_COUNT_OBJECTS (stage);

  (void) context;
  if (self->mean_separation && self->kind != ARMILLA_HISTOGRAM_PAIRS)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "mean-separation: applies to pairs only; leave it out");
  self->bins = armilla_correlation_bins (stage, &self->common, error);
  if (self->bins == NULL)
    return FALSE;
  armilla_stage_new_tables (outputs, 1, inputs, 2);
  return TRUE;
}

static double
count_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaCountObjects *self = ARMILLA_COUNT_OBJECTS (stage);
  const int sums[2] = { sums_of (self, inputs), sums_of (self, inputs) };

  (void) outputs;
  return armilla_correlation_memory (&self->common, self->bins, self->kind, 1, 2)
         + armilla_correlation_cells (inputs, 2, sums);
}

static gboolean
count_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaCountObjects *self = ARMILLA_COUNT_OBJECTS (stage);
  const ArmillaCountOptions options = { .tasks = self->common.tasks };
  /* the same catalogue twice: do not pair an object with itself */
  ArmillaData *own[2] = { inputs[0], inputs[1] != inputs[0] ? inputs[1] : NULL };
  static const gint64 min_objects[2] = { 0, 0 };
  g_autoptr (ArmillaHistogram) histogram
    = armilla_histogram_new (self->kind, self->bins, 0, sums_of (self, own), error);
  ArmillaObjects *const *objects;

  if (histogram == NULL)
    return FALSE;
  self->shape = *armilla_histogram_shape (histogram);
  self->catalogues = armilla_correlation_catalogues (graph, &self->common, self->bins, own, 2,
                                                     ports, 0, min_objects, error);
  if (self->catalogues == NULL)
    return FALSE;
  objects = self->catalogues->objects;
  return (self->kind == ARMILLA_HISTOGRAM_PAIRS
            ? armilla_graph_count_pairs (graph, objects[0], objects[1], &options, histogram, error)
            : armilla_graph_count_triangles (graph, objects[0], objects[1], &options, histogram,
                                             error))
         && armilla_graph_make (graph, (ArmillaData **) &histogram, 1, outputs[0], count_make,
                                g_object_ref (self), g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "what", ARMILLA_ENUM (ArmillaCountObjects, kind, kinds, ARMILLA_HISTOGRAM_PAIRS),
    "count pairs, or triangles by the bins of their three sides" },
  { "mean-separation", ARMILLA_BOOLEAN (ArmillaCountObjects, mean_separation, FALSE),
    "what = pairs: compute the mean separation of the pairs, which takes several times as long as "
    "counting" },
};

static void
armilla_count_objects_class_init (ArmillaCountObjectsClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "count-objects";
  armilla_stage_set_example (stage, "min = 1 deg; max = 30 deg; bins = 5");
  stage->summary = "Count pairs or triangles of objects by their separations";
  stage->description =
    "The counts are exact. A bin includes its lower edge and excludes its upper edge; a triangle "
    "counts if each of its sides is in a bin. With weights, the table also has the sum of their "
    "products; objects of weight 0 do not count. With shears in all catalogues it has the "
    "weighted means xi+- of gt gt' +- gx gx' over pairs. If catalogue2 is the same node as "
    "catalogue, pairs are counted within it, as without catalogue2.";
  stage->ports = ports;
  stage->prepare = count_prepare;
  stage->build = count_build;
  stage->memory = count_memory;
  armilla_correlation_install (stage, G_STRUCT_OFFSET (ArmillaCountObjects, common), 20, FALSE);
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaCountObjects, bins, armilla_bins_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaCountObjects, catalogues, armilla_correlation_unref);
}
