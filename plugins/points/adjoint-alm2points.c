/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stages adjoint-alm2points and points2alm. */
#include <string.h>

#include <armilla/armilla.h>

#include "core/catalogues/catalogue.h"
#include "core/fits/fields.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/objects.h"
#include "tasks/points/points.h"

/* Members that both stages have. */
typedef struct {
  char *columns;
  gint64 lmax, mmax;
  int spin;
  double epsilon;
  GArray *values; /* gint: index of the further column of each field */
} Fields;

struct _ArmillaAdjointAlm2points {
  ArmillaStage parent_instance;
  Fields fields;
};

ARMILLA_DEFINE_STAGE (ArmillaAdjointAlm2points, armilla_adjoint_alm2points, ARMILLA,
                      ADJOINT_ALM2POINTS)

struct _ArmillaPoints2alm {
  ArmillaStage parent_instance;
  Fields fields;
  double tolerance;
  int max_iterations;
};

ARMILLA_DEFINE_STAGE (ArmillaPoints2alm, armilla_points2alm, ARMILLA, POINTS2ALM)

static const ArmillaPort ports[] = {
  { "points", armilla_objects_get_type, ARMILLA_PORT_IN,
    "the points, in any order, with the columns of values" },
  { "alm", armilla_alm_get_type, ARMILLA_PORT_OUT, "a_lm, one field per column" },
  { NULL, NULL, 0, NULL },
};

/* Finds the columns with the values. */
static gboolean
find_values (Fields *self, const ArmillaCatalogue *like, char *const *names, GError **error)
{
  self->values = armilla_stage_value_columns (like, names, "columns", error);
  if (self->values == NULL)
    return FALSE;
  if (self->values->len > 0 && (self->spin == 0 || self->values->len % 2 == 0))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       self->values->len == 0
                         ? "columns is empty; must name at least one column"
                         : "columns: %u name(s) given; must be pairs (Q and U) if spin is above 0",
                       self->values->len);
}

/* Returns the unit of all columns, "" if they differ. */
static const char *
common_unit (const Fields *self, const ArmillaCatalogue *like)
{
  const char *unit = like->values[g_array_index (self->values, int, 0)].unit;

  for (guint i = 1; i < self->values->len; i++)
    if (strcmp (like->values[g_array_index (self->values, int, i)].unit, unit) != 0)
      return "";
  return unit;
}

static gboolean
prepare (Fields *self, const char *stage, ArmillaData *const *inputs, ArmillaData **outputs,
         GError **error)
{
  const ArmillaCatalogue *like = armilla_objects_like (ARMILLA_OBJECTS (inputs[0]));
  const ArmillaAlmLayout layout = { self->lmax, self->mmax >= 0 ? self->mmax : self->lmax };
  const char system[2] = { like->coordsys, 0 };
  g_auto (GStrv) names = armilla_stage_words (self->columns);
  g_autofree int *spins = NULL;
  ArmillaAlm *alm;

  if (!armilla_alm_layout_check (layout, error) || !find_values (self, like, names, error))
    return FALSE;
  spins = g_new (int, self->values->len);
  for (guint i = 0; i < self->values->len; i++)
    spins[i] = self->spin;
  alm = armilla_alm_new (layout, (int) self->values->len);
  armilla_alm_set_spins (alm, spins);
  armilla_alm_set_unit (alm, common_unit (self, like));
  armilla_alm_set_coordsys (alm, like->coordsys != 0 ? system : NULL);
  armilla_fields_set_names (armilla_data_fields (ARMILLA_DATA (alm)), (const char *const *) names);
  armilla_stage_inherit (ARMILLA_DATA (alm), inputs[0]);
  armilla_stage_note (ARMILLA_DATA (alm), "%s: epsilon %g", stage, self->epsilon);
  outputs[0] = ARMILLA_DATA (alm);
  return TRUE;
}

static double
memory (const Fields *self, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaAlm *alm = ARMILLA_ALM (outputs[0]);

  return armilla_points_bytes (armilla_alm_layout (alm), self->epsilon,
                               armilla_alm_n_fields (alm),
                               armilla_objects_expected (ARMILLA_OBJECTS (inputs[0])));
}

static gboolean
build (const Fields *self, ArmillaGraph *graph, ArmillaData *const *inputs,
       ArmillaData *const *outputs, const ArmillaAnalysis *fit, GError **error)
{
  return armilla_graph_adjoint_points (graph, ARMILLA_OBJECTS (inputs[0]),
                                       &g_array_index (self->values, int, 0), self->epsilon, fit,
                                       ARMILLA_ALM (outputs[0]), error);
}

static gboolean
adjoint_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                 ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  (void) context;
  return prepare (&ARMILLA_ADJOINT_ALM2POINTS (stage)->fields, "adjoint-alm2points", inputs,
                  outputs, error);
}

static double
adjoint_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  return memory (&ARMILLA_ADJOINT_ALM2POINTS (stage)->fields, inputs, outputs);
}

static gboolean
adjoint_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  return build (&ARMILLA_ADJOINT_ALM2POINTS (stage)->fields, graph, inputs, outputs, NULL, error);
}

static ArmillaTransforms
adjoint_transforms (ArmillaStage *stage)
{
  (void) stage;
  return ARMILLA_TRANSFORMS_ANALYSIS;
}

#define COMMON_PROPERTIES(Type)                                                                    \
  { "columns", ARMILLA_TEXT (Type, fields.columns, NULL),                                          \
    "columns with the values, listed in values of read-catalogue, separated by commas; one field " \
    "for each", ARMILLA_PROPERTY_REQUIRED },                                                       \
  { "lmax", ARMILLA_INT64 (Type, fields.lmax, 0, G_MAXINT32, 0),                                   \
    "highest multipole", ARMILLA_PROPERTY_REQUIRED },                                              \
  { "mmax", ARMILLA_INT64 (Type, fields.mmax, -1, G_MAXINT32, -1),                                 \
    "highest order; -1: lmax" },                                                                   \
  { "spin", ARMILLA_INT (Type, fields.spin, 0, 3, 0),                                              \
    "spin of the fields; above 0 the columns are pairs of Q and U" }

static const ArmillaProperty adjoint_properties[] = {
  COMMON_PROPERTIES (ArmillaAdjointAlm2points),
  { "epsilon", ARMILLA_DOUBLE (ArmillaAdjointAlm2points, fields.epsilon,
                               ARMILLA_POINTS_MIN_EPSILON, ARMILLA_POINTS_MAX_EPSILON, 1e-7),
    "relative accuracy of alm2points, whose exact adjoint this is" },
};

static void
armilla_adjoint_alm2points_class_init (ArmillaAdjointAlm2pointsClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "adjoint-alm2points";
  armilla_stage_set_example (stage, "columns = z; lmax = 32");
  stage->summary = "Project values at the objects of a catalogue onto spherical harmonics";
  stage->description =
    "a_lm = sum over the objects of f conj(Y_lm), the adjoint of alm2points with the same epsilon. "
    "The sum has no weights: if the objects are the points of a quadrature, multiply the column "
    "by their weights first. It is the data vector of catalogue-based spectra, not an analysis: "
    "points2alm fits a_lm to the values. Columns of spin s > 0 are pairs of Q and U, as "
    "alm2points computes them, and become gradient and curl. Values must be finite; select-rows "
    "excludes other objects. Sums are in a fixed order, so the result has the same bits for any "
    "number of workers and ranks.";
  stage->ports = ports;
  stage->prepare = adjoint_prepare;
  stage->build = adjoint_build;
  stage->memory = adjoint_memory;
  stage->transforms = adjoint_transforms;
  armilla_stage_install (stage, 0, adjoint_properties, G_N_ELEMENTS (adjoint_properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaAdjointAlm2points, fields.values, g_array_unref);
}

static gboolean
fit_prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
             ArmillaData **outputs, GError **error)
{
  (void) context;
  return prepare (&ARMILLA_POINTS2ALM (stage)->fields, "points2alm", inputs, outputs, error);
}

/* Adds the vectors of conjugate gradients to what the transforms need. */
static double
fit_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  return memory (&ARMILLA_POINTS2ALM (stage)->fields, inputs, outputs)
         + 3 * armilla_data_bytes (outputs[0]);
}

static gboolean
fit_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
           ArmillaData *const *outputs, GError **error)
{
  const ArmillaPoints2alm *self = ARMILLA_POINTS2ALM (stage);
  const ArmillaAnalysis fit = { 0, self->tolerance, self->max_iterations };

  return build (&self->fields, graph, inputs, outputs, &fit, error);
}

static ArmillaTransforms
fit_transforms (ArmillaStage *stage)
{
  (void) stage;
  return ARMILLA_TRANSFORMS_BOTH;
}

static const ArmillaProperty fit_properties[] = {
  COMMON_PROPERTIES (ArmillaPoints2alm),
  { "epsilon", ARMILLA_DOUBLE (ArmillaPoints2alm, fields.epsilon, ARMILLA_POINTS_MIN_EPSILON,
                               ARMILLA_POINTS_MAX_EPSILON, 1e-9),
    "relative accuracy of the values of a_lm at the points, and about that of the a_lm" },
  { "tolerance", ARMILLA_DOUBLE (ArmillaPoints2alm, tolerance, 1e-15, 0.5, 1e-9),
    "the residual of the normal equations is reduced to this fraction of its value for a_lm = 0" },
  { "max-iterations", ARMILLA_INT (ArmillaPoints2alm, max_iterations, 1, 100000, 100),
    "maximum number of iterations, after which the run fails" },
};

static void
armilla_points2alm_class_init (ArmillaPoints2almClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "points2alm";
  armilla_stage_set_example (stage, "columns = z; lmax = 4");
  stage->summary = "Fit a_lm to values at the objects of a catalogue";
  stage->description =
    "The a_lm whose values at the objects, as alm2points computes them, are closest to those of "
    "the columns in the sense of least squares; all objects have the same weight. They are found "
    "by conjugate gradients, an iteration of which costs an alm2points and an adjoint-alm2points. "
    "The run prints the number of iterations and the residual, and fails if max-iterations do not "
    "suffice, as happens if the objects leave parts of the sky empty or are hardly more than the "
    "(lmax + 1)^2 unknowns; fewer objects are an error. Multipoles above lmax in the values are "
    "noise to the fit. Columns of spin s > 0 are pairs of Q and U and become gradient and curl. "
    "Values must be finite; select-rows excludes other objects. The result has the same bits for "
    "any number of workers and ranks.";
  stage->ports = ports;
  stage->prepare = fit_prepare;
  stage->build = fit_build;
  stage->memory = fit_memory;
  stage->transforms = fit_transforms;
  armilla_stage_install (stage, 0, fit_properties, G_N_ELEMENTS (fit_properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaPoints2alm, fields.values, g_array_unref);
}
