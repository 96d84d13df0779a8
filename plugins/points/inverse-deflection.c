/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deflection from the lensed positions back to the unlensed ones. */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "plugins/points/points-private.h"
#include "tasks/harmonic/harmonic.h"

struct _ArmillaInverseDeflection {
  ArmillaStage parent_instance;
  gint64 iterations;
  double epsilon;
};

ARMILLA_DEFINE_STAGE (ArmillaInverseDeflection, armilla_inverse_deflection, ARMILLA,
                      INVERSE_DEFLECTION)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN,
    "a_lm of the deflection, a pair of fields of spin 1 in radian" },
  { "deflection", armilla_map_get_type, ARMILLA_PORT_IN, "the same deflection as a map" },
  { "map", armilla_map_get_type, ARMILLA_PORT_OUT,
    "the inverse deflection on the pixels of deflection" },
  { NULL, NULL, 0, NULL },
};

static gboolean
inverse_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                 ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  const ArmillaInverseDeflection *self = ARMILLA_INVERSE_DEFLECTION (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  ArmillaMap *deflection = ARMILLA_MAP (inputs[1]), *map;

  (void) context;
  if (!armilla_points_check_deflection (deflection, error))
    return FALSE;
  if (armilla_alm_n_fields (alm) != 2 || armilla_alm_spins (alm)[0] != 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "alm has %d field(s) of spin %d; must be the a_lm of the deflection, one "
                         "pair of spin 1", armilla_alm_n_fields (alm), armilla_alm_spins (alm)[0]);
  map = armilla_stage_new_map_of (armilla_map_grid (deflection), alm);
  armilla_stage_note (ARMILLA_DATA (map),
                      "inverse-deflection: %" G_GINT64_FORMAT " iterations, epsilon %g",
                      self->iterations, self->epsilon);
  outputs[0] = ARMILLA_DATA (map);
  return TRUE;
}

static double
inverse_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  return armilla_points_lens_bytes (ARMILLA_ALM (inputs[0]), ARMILLA_MAP (inputs[1]),
                                    ARMILLA_INVERSE_DEFLECTION (stage)->epsilon)
         + 2 * armilla_data_bytes (outputs[0]);
}

/* Requests the map with the opposite sign. */
static gboolean
negate (ArmillaGraph *graph, ArmillaMap *map, ArmillaMap *out, GError **error)
{
  ArmillaData *const input[] = { ARMILLA_DATA (map) };
  const double minus = -1;

  return armilla_graph_combine (graph, input, &minus, 1, ARMILLA_DATA (out), error);
}

/* The deflection at the end of a guess, brought back to its begin in parallel, is what lens
 * computes. At the solution it is the guess with the opposite sign. */
static gboolean
inverse_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  const ArmillaInverseDeflection *self = ARMILLA_INVERSE_DEFLECTION (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  ArmillaMap *deflection = ARMILLA_MAP (inputs[1]);
  g_autoptr (ArmillaMap) there = g_object_ref (deflection);

  for (gint64 i = 0; i < self->iterations; i++)
    {
      g_autoptr (ArmillaMap) guess
        = armilla_stage_new_map_of (armilla_map_grid (deflection), alm);
      g_autoptr (ArmillaMap) next
        = armilla_stage_new_map_of (armilla_map_grid (deflection), alm);

      if (!negate (graph, there, guess, error)
          || !armilla_points_lens (graph, alm, guess, self->epsilon, next, error))
        return FALSE;
      g_set_object (&there, next);
    }
  return negate (graph, there, ARMILLA_MAP (outputs[0]), error);
}

static ArmillaTransforms
inverse_transforms (ArmillaStage *stage)
{
  (void) stage;
  return ARMILLA_TRANSFORMS_SYNTHESIS;
}

static const ArmillaProperty properties[] = {
  { "iterations", ARMILLA_INT64 (ArmillaInverseDeflection, iterations, 0, 100, 10),
    "number of iterations; each reduces the error by about the largest derivative of the "
    "deflection, some 0.1 for the cosmic microwave background" },
  ARMILLA_LENS_EPSILON (ArmillaInverseDeflection),
};

static void
armilla_inverse_deflection_class_init (ArmillaInverseDeflectionClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "inverse-deflection";
  armilla_stage_set_example (stage, "alm = deflection_alm; deflection = deflection");
  stage->summary = "Invert a deflection";
  stage->description =
    "Where the deflection moves n to n', the inverse one moves n' to n: lens by both in turn "
    "restores a sky, its polarisation included, to the accuracy of its a_lm. It is found by "
    "iterating: the deflection at the end of a guess, transported back in parallel, is the next "
    "guess with the opposite sign. The deflection must not map two points to one. The short form "
    "delens does all of this for a lensing potential.";
  stage->reference = ARMILLA_LENS_REFERENCE;
  stage->ports = ports;
  stage->prepare = inverse_prepare;
  stage->build = inverse_build;
  stage->memory = inverse_memory;
  stage->transforms = inverse_transforms;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
