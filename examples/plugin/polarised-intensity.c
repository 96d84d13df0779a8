/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>
#include <math.h>

/* An object of the stage, without members, since it has no properties. */
struct _PolarisedIntensity {
  ArmillaStage parent_instance;
};

ARMILLA_DEFINE_STAGE (PolarisedIntensity, polarised_intensity, POLARISED, INTENSITY)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "Stokes I, Q and U, or Q and U" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "sqrt (Q^2 + U^2), in the unit of Q" },
  { NULL, NULL, 0, NULL },
};

/* Checks the inputs, and creates the outputs with their shapes, but without values. */
static gboolean
prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
         ArmillaData **outputs, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (inputs[0]), *out;
  int n = armilla_map_n_fields (map);

  (void) stage;
  (void) context;
  if (n < 2 || n > 3 || armilla_map_spins (map)[n - 1] != 2)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "map: it must have the fields I, Q and U, or Q and U");
  out = armilla_map_new (armilla_map_grid (map), 1);
  armilla_stage_set_names (armilla_map_header (out), (const char *[]) { "P_INTENSITY" });
  armilla_stage_set_unit (armilla_map_header (out), armilla_map_header (map)->fields.units[n - 1]);
  armilla_stage_inherit (ARMILLA_DATA (out), inputs[0]);
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

/* Called by workers for contiguous ranges of pixels. */
static gboolean
intensity (const ArmillaPixels *pixels, gpointer user, GError **error)
{
  const double *q = pixels->in[pixels->n_in - 2], *u = pixels->in[pixels->n_in - 1];

  (void) user;
  (void) error; /* cannot fail */
  for (gint64 i = 0; i < pixels->n; i++)
    pixels->out[0][i] = armilla_is_unseen (q[i]) || armilla_is_unseen (u[i])
                          ? ARMILLA_UNSEEN : sqrt (q[i] * q[i] + u[i] * u[i]);
  return TRUE;
}

/* Requests the work from the graph, and returns immediately. */
static gboolean
build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
       ArmillaData *const *outputs, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (inputs[0]);

  (void) stage;
  return armilla_graph_apply_pixels (graph, &map, 1, intensity, 4, NULL, NULL,
                                     ARMILLA_MAP (outputs[0]), error);
}

/* Describes the stage to users and to Armilla. */
static void
polarised_intensity_class_init (PolarisedIntensityClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "polarised-intensity";
  stage->summary = "Polarised intensity of Q and U";
  stage->ports = ports;
  stage->prepare = prepare;
  stage->build = build;
  armilla_stage_set_example (stage, "map = iqu");
}

/* Exports the stage. */
ARMILLA_DEFINE_PLUGIN ("polarised-intensity", "1.0", "GPL-3.0-or-later",
                       polarised_intensity_get_type)
