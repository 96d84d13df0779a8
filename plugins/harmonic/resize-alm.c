/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "plugins/base/stages.h"

struct _ArmillaResizeAlm {
  ArmillaStage parent_instance;
  gint64 lmax, mmax;
};

G_DECLARE_FINAL_TYPE (ArmillaResizeAlm, armilla_resize_alm, ARMILLA, RESIZE_ALM, ArmillaStage)
G_DEFINE_FINAL_TYPE (ArmillaResizeAlm, armilla_resize_alm, ARMILLA_TYPE_STAGE)

enum { PROP_LMAX = 1, PROP_MMAX };

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

static void
armilla_resize_alm_class_init (ArmillaResizeAlmClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  armilla_stage_begin_properties (object);
  stage->nick = "resize-alm";
  stage->summary = "Cut a_lm off at a degree, or continue them with 0";
  stage->description =
    "As healpy's resize_alm. What combine-alm and alm2cl take has to have one lmax and mmax.";
  stage->ports = ports;
  stage->prepare = resize_alm_prepare;
  stage->build = resize_alm_build;
  armilla_stage_install (
    object, PROP_LMAX, G_STRUCT_OFFSET (ArmillaResizeAlm, lmax),
    armilla_param_spec_required (g_param_spec_int64 ("lmax", NULL, "highest degree", 0, G_MAXINT32,
                                                     0, ARMILLA_PARAM_RW)));
  armilla_stage_install (
    object, PROP_MMAX, G_STRUCT_OFFSET (ArmillaResizeAlm, mmax),
    g_param_spec_int64 ("mmax", NULL, "highest order; -1 takes lmax", -1, G_MAXINT32, -1,
                        ARMILLA_PARAM_RW));
}

static void
armilla_resize_alm_init (ArmillaResizeAlm *self)
{
  armilla_stage_defaults (self);
}
