/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "tasks/harmonic/harmonic.h"

struct _ArmillaResizeAlm {
  ArmillaStage parent_instance;
  gint64 lmax, mmax;
};

ARMILLA_DEFINE_STAGE (ArmillaResizeAlm, armilla_resize_alm, ARMILLA, RESIZE_ALM)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields" },
  { "out", armilla_alm_get_type, ARMILLA_PORT_OUT, "a_lm of the other lmax and mmax, F fields" },
  { NULL, NULL, 0, NULL },
};

static gboolean
resize_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaResizeAlm *self = ARMILLA_RESIZE_ALM (stage);
  ArmillaAlmLayout layout = { self->lmax, self->mmax >= 0 ? self->mmax : self->lmax };

  (void) context;
  if (!armilla_alm_layout_check (layout, error))
    return FALSE;
  outputs[0] = ARMILLA_DATA (armilla_stage_copy_alm (ARMILLA_ALM (inputs[0]), layout));
  return TRUE;
}

static gboolean
resize_alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  (void) stage;
  return armilla_graph_resize_alm (graph, ARMILLA_ALM (inputs[0]), ARMILLA_ALM (outputs[0]),
                                   error);
}

static const ArmillaProperty properties[] = {
  { "lmax", ARMILLA_INT64 (ArmillaResizeAlm, lmax, 0, G_MAXINT32, 0),
    "highest multipole", ARMILLA_PROPERTY_REQUIRED },
  { "mmax", ARMILLA_INT64 (ArmillaResizeAlm, mmax, -1, G_MAXINT32, -1),
    "highest order; -1: lmax" },
};

static void
armilla_resize_alm_class_init (ArmillaResizeAlmClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "resize-alm";
  armilla_stage_set_example (stage, "lmax = 16");
  stage->summary = "Truncate a_lm at a multipole, or extend them with zeros";
  stage->description =
    "Does the same as healpy's resize_alm. combine and alm2cl require inputs of equal lmax and "
    "mmax.";
  stage->ports = ports;
  stage->prepare = resize_alm_prepare;
  stage->build = resize_alm_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
