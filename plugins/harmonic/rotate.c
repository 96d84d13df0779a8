/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/harmonic/rotation.h"
#include "tasks/harmonic/harmonic.h"

struct _ArmillaRotate {
  ArmillaStage parent_instance;
  ArmillaRotation rotation;
  double angles[3];
};

ARMILLA_DEFINE_STAGE (ArmillaRotate, armilla_rotate, ARMILLA, ROTATE)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields of any spins" },
  { "out", armilla_alm_get_type, ARMILLA_PORT_OUT, "the rotated a_lm, F fields, mmax = lmax" },
  { NULL, NULL, 0, NULL },
};

static gboolean
rotate_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRotate *self = ARMILLA_ROTATE (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]), *out;
  gint64 lmax = armilla_alm_layout (alm).lmax;
  char to[2];

  (void) context;
  if (!armilla_rotation_find (self, &self->rotation, armilla_alm_coordsys (alm), self->angles, to,
                              error))
    return FALSE;
  out = armilla_stage_copy_alm (alm, (ArmillaAlmLayout) { lmax, lmax });
  armilla_alm_set_coordsys (out, to[0] != '\0' ? to : NULL);
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

static gboolean
rotate_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaData *const *outputs, GError **error)
{
  ArmillaRotate *self = ARMILLA_ROTATE (stage);

  return armilla_graph_rotate_alm (graph, ARMILLA_ALM (inputs[0]), self->angles[0],
                                   self->angles[1], self->angles[2], ARMILLA_ALM (outputs[0]),
                                   error);
}

static void
armilla_rotate_class_init (ArmillaRotateClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "rotate";
  armilla_stage_set_example (stage, "psi = 10 deg; theta = 20 deg");
  stage->summary = "Rotate a_lm, or convert them to other coordinates";
  stage->description =
    "a'_lm = exp(-i m phi) sum over n of d^l_mn(theta) exp(-i n psi) a_ln: the field is rotated "
    "by psi about z, then by theta about y, then by phi about z, about fixed axes, as in healpy's "
    "rotate_alm; or it is converted from one coordinate system to another, as by healpy's "
    "Rotator. T, E and B are rotated in the same way.";
  stage->reference = "Varshalovich et al. (1988), Quantum theory of angular momentum, section 4.8";
  stage->ports = ports;
  stage->prepare = rotate_prepare;
  stage->build = rotate_build;
  armilla_rotation_install (stage, G_STRUCT_OFFSET (ArmillaRotate, rotation));
}
