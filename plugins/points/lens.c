/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lensing of a_lm by a map of deflections, and its adjoint. */
#include <armilla/armilla.h>

#include "core/catalogues/catalogue.h"
#include "core/fits/fields.h"
#include "plugins/base/stage-util.h"
#include "plugins/points/points-private.h"
#include "tasks/data/objects.h"
#include "tasks/points/deflect.h"
#include "tasks/points/points.h"

struct _ArmillaLens {
  ArmillaStage parent_instance;
  gint64 lmax;
  double epsilon;
};

struct _ArmillaAdjointLens {
  ArmillaStage parent_instance;
  gint64 lmax, mmax;
  double epsilon;
};

ARMILLA_DEFINE_STAGE (ArmillaLens, armilla_lens, ARMILLA, LENS)
ARMILLA_DEFINE_STAGE (ArmillaAdjointLens, armilla_adjoint_lens, ARMILLA, ADJOINT_LENS)

#define DEFLECTION                                                                                 \
  { "deflection", armilla_map_get_type, ARMILLA_PORT_IN,                                           \
    "the deflection, a pair of fields of spin 1 in radian: its components towards south and east" }

static const ArmillaPort lens_ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN,
    "a_lm of the unlensed sky, F fields of any spins" },
  DEFLECTION,
  { "map", armilla_map_get_type, ARMILLA_PORT_OUT,
    "the lensed sky on the pixels of the deflection, F fields" },
  { NULL, NULL, 0, NULL },
};

static const ArmillaPort adjoint_ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN,
    "a map on the pixels of the deflection, F fields of any spins" },
  DEFLECTION,
  { "alm", armilla_alm_get_type, ARMILLA_PORT_OUT, "a_lm, F fields" },
  { NULL, NULL, 0, NULL },
};

gboolean
armilla_points_check_deflection (ArmillaMap *deflection, GError **error)
{
  const int n = armilla_map_n_fields (deflection);

  if (n == 2 && armilla_map_spins (deflection)[0] == 1)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "deflection has %d field(s) of spin %d; must be one pair of spin 1, such as "
                       "the short form deflection makes of a lensing potential", n,
                       armilla_map_spins (deflection)[0]);
}

/* Fails if the coordinates of both data are known and differ. */
static gboolean
check_coordinates (ArmillaData *data, const char *what, ArmillaData *deflection, GError **error)
{
  const char *a = armilla_data_fields (data)->coordsys;
  const char *b = armilla_data_fields (deflection)->coordsys;

  if (a == NULL || b == NULL || *a == 0 || *b == 0 || *a == *b)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s has the coordinates %s, the deflection %s; convert one of them with "
                       "the stage rotate", what, a, b);
}

/* Returns (transfer full) objects of deflected pixels with @n_fields further columns. */
static ArmillaObjects *
new_points (ArmillaMap *deflection, int n_fields, GError **error)
{
  g_autoptr (ArmillaCatalogue) like = armilla_catalogue_new (0, 0, error);
  ArmillaObjects *points;

  for (int i = 0; like != NULL && i < ARMILLA_DEFLECT_COLUMNS + n_fields; i++)
    {
      g_autofree char *name = g_strdup_printf ("%d", i);

      if (armilla_catalogue_add_value (like, name, "", error) == NULL)
        return NULL;
    }
  if (like == NULL)
    return NULL;
  points = armilla_objects_new_like (like);
  armilla_objects_expect (points, armilla_map_grid (deflection)->n_covered);
  return points;
}

/* Fails if the requested lmax of the lensed sky exceeds that of the unlensed one. */
static gboolean
check_lmax (const ArmillaLens *self, ArmillaAlmLayout layout, GError **error)
{
  if (self->lmax <= layout.lmax)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "lmax: the unlensed a_lm end at l = %" G_GINT64_FORMAT ", but the lensed "
                       "sky must be complete to %" G_GINT64_FORMAT "; lower lmax, or use a_lm that "
                       "reach some 1000 multipoles beyond it", layout.lmax, self->lmax);
}

static gboolean
lens_prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
              ArmillaData **outputs, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  ArmillaMap *deflection = ARMILLA_MAP (inputs[1]);
  ArmillaMap *map;

  (void) context;
  if (!armilla_points_check_deflection (deflection, error)
      || !check_coordinates (inputs[0], "alm", inputs[1], error)
      || !check_lmax (ARMILLA_LENS (stage), armilla_alm_layout (alm), error))
    return FALSE;
  map = armilla_stage_new_map_of (armilla_map_grid (deflection), alm);
  armilla_stage_note (ARMILLA_DATA (map), "lens: epsilon %g", ARMILLA_LENS (stage)->epsilon);
  outputs[0] = ARMILLA_DATA (map);
  return TRUE;
}

double
armilla_points_lens_bytes (ArmillaAlm *alm, ArmillaMap *deflection, double epsilon)
{
  const double n = (double) armilla_map_grid (deflection)->n_covered;
  const int n_fields = armilla_alm_n_fields (alm);

  return armilla_points_bytes (armilla_alm_layout (alm), epsilon, n_fields,
                               armilla_map_grid (deflection)->n_covered)
         + sizeof (double) * n * (3 + ARMILLA_DEFLECT_COLUMNS + n_fields);
}

static double
lens_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  (void) outputs;
  return armilla_points_lens_bytes (ARMILLA_ALM (inputs[0]), ARMILLA_MAP (inputs[1]),
                   ARMILLA_LENS (stage)->epsilon);
}

gboolean
armilla_points_lens (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaMap *deflection, double epsilon,
                     ArmillaMap *out, GError **error)
{
  g_autoptr (ArmillaObjects) points = new_points (deflection, 0, error);
  g_autoptr (ArmillaObjects) values = new_points (deflection, armilla_alm_n_fields (alm), error);
  g_autoptr (ArmillaMap) map = armilla_stage_uncropped (out);

  return points != NULL && values != NULL
         && armilla_graph_deflect (graph, deflection, NULL, points, error)
         && armilla_graph_points (graph, alm, points, epsilon, values, error)
         && armilla_graph_turn_back (graph, values, map, error)
         && armilla_stage_crop (graph, map, out, error);
}

static gboolean
lens_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
            ArmillaData *const *outputs, GError **error)
{
  return armilla_points_lens (graph, ARMILLA_ALM (inputs[0]), ARMILLA_MAP (inputs[1]),
                              ARMILLA_LENS (stage)->epsilon, ARMILLA_MAP (outputs[0]), error);
}

static ArmillaTransforms
lens_transforms (ArmillaStage *stage)
{
  (void) stage;
  return ARMILLA_TRANSFORMS_SYNTHESIS;
}

static const ArmillaProperty lens_properties[] = {
  { "lmax", ARMILLA_INT64 (ArmillaLens, lmax, -1, G_MAXINT32, -1),
    "multipole to which the lensed sky must be complete: it is an error if alm ends before; -1: "
    "unknown" },
  ARMILLA_LENS_EPSILON (ArmillaLens),
};

static void
armilla_lens_class_init (ArmillaLensClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "lens";
  armilla_stage_set_example (stage, "deflection = deflection");
  stage->summary = "Lens a sky, or move its pixels by any other deflection";
  stage->description =
    "The value of a pixel at n is that of the unlensed sky at n', the end of the geodesic that "
    "begins at n in the direction of the deflection and has its length. Fields of spin s > 0 are "
    "transported along it in parallel. The values are those of the a_lm, without pixels in "
    "between: for lensing their lmax should exceed that of the lensed sky by some 1000. Pixels "
    "whose deflection is UNSEEN are UNSEEN. Deflections above 90 deg are refused. The short form "
    "deflection makes the deflection of a lensing potential; lensed-sky draws both.";
  stage->reference = ARMILLA_LENS_REFERENCE;
  stage->ports = lens_ports;
  stage->prepare = lens_prepare;
  stage->build = lens_build;
  stage->memory = lens_memory;
  stage->transforms = lens_transforms;
  armilla_stage_install (stage, 0, lens_properties, G_N_ELEMENTS (lens_properties));
}

static gboolean
adjoint_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                 ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  const ArmillaAdjointLens *self = ARMILLA_ADJOINT_LENS (stage);
  const ArmillaAlmLayout layout = { self->lmax, self->mmax >= 0 ? self->mmax : self->lmax };
  ArmillaMap *map = ARMILLA_MAP (inputs[0]), *deflection = ARMILLA_MAP (inputs[1]);
  ArmillaAlm *alm;

  (void) context;
  if (!armilla_alm_layout_check (layout, error)
      || !armilla_points_check_deflection (deflection, error)
      || !check_coordinates (inputs[0], "map", inputs[1], error))
    return FALSE;
  if (!armilla_grid_equal (armilla_map_grid (map), armilla_map_grid (deflection)))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "map and deflection have different grids; they must be the same");
  alm = armilla_alm_new (layout, armilla_map_n_fields (map));
  armilla_fields_copy (armilla_data_fields (ARMILLA_DATA (alm)), armilla_data_fields (inputs[0]));
  armilla_stage_inherit (ARMILLA_DATA (alm), inputs[0]);
  armilla_stage_note (ARMILLA_DATA (alm), "adjoint-lens: epsilon %g", self->epsilon);
  outputs[0] = ARMILLA_DATA (alm);
  return TRUE;
}

static double
adjoint_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  return armilla_points_lens_bytes (ARMILLA_ALM (outputs[0]), ARMILLA_MAP (inputs[1]),
                   ARMILLA_ADJOINT_LENS (stage)->epsilon);
}

static gboolean
adjoint_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (inputs[0]), *deflection = ARMILLA_MAP (inputs[1]);
  const int n_fields = armilla_map_n_fields (map);
  g_autoptr (ArmillaObjects) points = new_points (deflection, n_fields, error);
  g_autofree int *columns = g_new (int, n_fields);

  for (int f = 0; f < n_fields; f++)
    columns[f] = ARMILLA_DEFLECT_COLUMNS + f;
  return points != NULL && armilla_graph_deflect (graph, deflection, map, points, error)
         && armilla_graph_adjoint_points (graph, points, columns,
                                          ARMILLA_ADJOINT_LENS (stage)->epsilon, NULL,
                                          ARMILLA_ALM (outputs[0]), error);
}

static ArmillaTransforms
adjoint_transforms (ArmillaStage *stage)
{
  (void) stage;
  return ARMILLA_TRANSFORMS_ANALYSIS;
}

static const ArmillaProperty adjoint_properties[] = {
  { "lmax", ARMILLA_INT64 (ArmillaAdjointLens, lmax, 0, G_MAXINT32, 0), "highest multipole",
    ARMILLA_PROPERTY_REQUIRED },
  { "mmax", ARMILLA_INT64 (ArmillaAdjointLens, mmax, -1, G_MAXINT32, -1),
    "highest order; -1: lmax" },
  ARMILLA_LENS_EPSILON (ArmillaAdjointLens),
};

static void
armilla_adjoint_lens_class_init (ArmillaAdjointLensClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "adjoint-lens";
  armilla_stage_set_example (stage, "deflection = deflection; lmax = 32");
  stage->summary = "Apply the adjoint of lens";
  stage->description =
    "Each pixel adds its value to the a_lm at the point from which lens takes it, turned back for "
    "fields of spin s > 0: a step of the conjugate gradients of Wiener filters and of quadratic "
    "estimators. It is the exact adjoint of lens with the same epsilon. Pixels have no weights; "
    "UNSEEN ones count as 0.";
  stage->reference = ARMILLA_LENS_REFERENCE;
  stage->ports = adjoint_ports;
  stage->prepare = adjoint_prepare;
  stage->build = adjoint_build;
  stage->memory = adjoint_memory;
  stage->transforms = adjoint_transforms;
  armilla_stage_install (stage, 0, adjoint_properties, G_N_ELEMENTS (adjoint_properties));
}
