/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"

struct _ArmillaFilterAlm {
  ArmillaStage parent_instance;
  double power;
};

ARMILLA_DEFINE_STAGE (ArmillaFilterAlm, armilla_filter_alm, ARMILLA, FILTER_ALM)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields" },
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN,
    "one spectrum for all fields, or F; 0 beyond its end" },
  { "out", armilla_alm_get_type, ARMILLA_PORT_OUT, "C_l^power a_lm, F fields" },
  { NULL, NULL, 0, NULL },
};

/* Returns the unit of filtered a_lm. A spectrum without a unit is a dimensionless function of l.
 * Division by the square root of the a_lm's own spectrum (whitening) removes the unit. */
static char *
filtered_unit (const char *alm, const char *cl, double power)
{
  g_autofree char *square = g_strconcat (alm, "^2", NULL);

  if (alm[0] == '\0' || cl[0] == '\0' || power == 0)
    return g_strdup (alm);
  if (power == -0.5 && strcmp (cl, square) == 0)
    return g_strdup ("");
  return g_strdup_printf ("%s (%s)^%g", alm, cl, power);
}

static gboolean
filter_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]), *out;
  ArmillaCl *cl = ARMILLA_CL (inputs[1]);
  const double power = ARMILLA_FILTER_ALM (stage)->power;
  int n = armilla_cl_n_fields (cl);
  g_autofree char *unit = NULL;

  (void) context;
  if (n != 1 && n != armilla_alm_n_fields (alm))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "cl has %d spectra, and alm %d field%s; must be one spectrum, or one per "
                         "field: select them with columns of read-cl",
                         n, armilla_alm_n_fields (alm),
                         armilla_alm_n_fields (alm) == 1 ? "" : "s");
  out = armilla_stage_copy_alm (alm, armilla_alm_layout (alm));
  unit = filtered_unit (armilla_alm_unit (alm), armilla_cl_unit (cl), power);
  armilla_alm_set_unit (out, unit);
  armilla_stage_inherit (ARMILLA_DATA (out), inputs[1]);
  if (power < 0)
    armilla_stage_note (ARMILLA_DATA (out), "filter-alm: C_l^%g, and 0 where C_l is 0", power);
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

static gboolean
filter_alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  ArmillaFilterAlm *self = ARMILLA_FILTER_ALM (stage);
  ArmillaCl *cl = ARMILLA_CL (inputs[1]);
  g_autoptr (ArmillaCl) raised = NULL;

  if (self->power == 1)
    return armilla_graph_scale_alm (graph, ARMILLA_ALM (inputs[0]), cl, ARMILLA_ALM (outputs[0]),
                                    error);
  raised = armilla_cl_new (armilla_cl_lmax (cl), NULL, armilla_cl_n_fields (cl));
  return armilla_graph_power_cl (graph, cl, self->power, raised, error)
    && armilla_graph_scale_alm (graph, ARMILLA_ALM (inputs[0]), raised, ARMILLA_ALM (outputs[0]),
                                error);
}

static const ArmillaProperty properties[] = {
  { "power", ARMILLA_DOUBLE (ArmillaFilterAlm, power, -16, 16, 1),
    "exponent of the spectrum" },
};

static void
armilla_filter_alm_class_init (ArmillaFilterAlmClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "filter-alm";
  stage->summary = "Multiply a_lm by a function of l from another node";
  stage->description =
    "Does the same as healpy's almxfl. power = -1 divides by the spectrum, 0.5 turns white noise "
    "into noise with this spectrum, and -0.5 whitens. With a negative power, multipoles at which "
    "the spectrum is 0 become 0. Coordinates of the spectrum are ignored; its unit multiplies "
    "that of the a_lm.";
  stage->ports = ports;
  stage->prepare = filter_alm_prepare;
  stage->build = filter_alm_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
