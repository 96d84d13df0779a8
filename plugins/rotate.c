/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "plugins/stage-util.h"
#include "plugins/stages.h"

typedef enum { SYSTEM_NONE, SYSTEM_G, SYSTEM_E, SYSTEM_C } System;

struct _ArmillaRotate {
  ArmillaStage parent_instance;
  double psi, theta, phi;
  System from, to;
  double angles[3];
};

G_DECLARE_FINAL_TYPE (ArmillaRotate, armilla_rotate, ARMILLA, ROTATE, ArmillaStage)
G_DEFINE_FINAL_TYPE (ArmillaRotate, armilla_rotate, ARMILLA_TYPE_STAGE)

enum { PROP_PSI = 1, PROP_THETA, PROP_PHI, PROP_FROM, PROP_TO };

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields of any spins" },
  { "out", armilla_alm_get_type, ARMILLA_PORT_OUT, "the a_lm turned, F fields, mmax = lmax" },
  { NULL, NULL, 0, NULL },
};

static const GEnumValue systems[] = {
  { SYSTEM_NONE, "ARMILLA_ROTATE_NONE", "none" },
  { SYSTEM_G, "ARMILLA_ROTATE_GALACTIC", "galactic" },
  { SYSTEM_E, "ARMILLA_ROTATE_ECLIPTIC", "ecliptic" },
  { SYSTEM_C, "ARMILLA_ROTATE_EQUATORIAL", "equatorial" },
  { 0, NULL, NULL },
};

static const char letters[] = { '\0', 'G', 'E', 'C' };

static gboolean
wrong (GError **error, const char *what)
{
  g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE, what);
  return FALSE;
}

/* The letter of the coordinates that the a_lm are in. */
static gboolean
find_origin (ArmillaRotate *self, const char *coordsys, char *letter, GError **error)
{
  *letter = letters[self->from];
  if (coordsys == NULL || coordsys[0] == '\0')
    return *letter != '\0'
      || wrong (error, "from is not set, and the a_lm do not say in which coordinates they are");
  if (*letter != '\0' && *letter != coordsys[0])
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                   "from says %c, but the a_lm are in the coordinates %s; leave it out", *letter,
                   coordsys);
      return FALSE;
    }
  *letter = coordsys[0];
  return TRUE;
}

static gboolean
rotate_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRotate *self = ARMILLA_ROTATE (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]), *out;
  gboolean by_angles = armilla_stage_given (self, "psi") || armilla_stage_given (self, "theta")
    || armilla_stage_given (self, "phi");
  gint64 lmax = armilla_alm_layout (alm).lmax;
  char from = '\0', to = letters[self->to];

  (void) context;
  if (by_angles && (self->from != SYSTEM_NONE || self->to != SYSTEM_NONE))
    return wrong (error, "the rotation is given twice; set psi, theta and phi, or from and to");
  if (!by_angles && self->to == SYSTEM_NONE)
    return wrong (error, "to is not set; set it (and from), or psi, theta and phi");
  if (by_angles)
    memcpy (self->angles, (double[]) { self->psi, self->theta, self->phi }, sizeof self->angles);
  else if (!find_origin (self, armilla_alm_coordsys (alm), &from, error)
           || !armilla_coordinates_angles (from, to, self->angles, error))
    return FALSE;
  out = armilla_stage_copy_alm (alm, (ArmillaAlmLayout) { lmax, lmax });
  armilla_alm_set_coordsys (out, by_angles ? NULL : (char[]) { to, '\0' });
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
install_angle (GObjectClass *object, guint id, gsize offset, const char *name, const char *blurb,
               double minimum, double maximum)
{
  armilla_stage_install (object, id, offset,
                         armilla_param_spec_quantity (name, blurb, ARMILLA_DIMENSION_ANGLE,
                                                      minimum, maximum, 0));
}

static void
armilla_rotate_class_init (ArmillaRotateClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  armilla_stage_begin_properties (object);
  stage->nick = "rotate";
  stage->summary = "Rotate a_lm, or bring them into other coordinates";
  stage->description =
    "a'_lm = exp(-i m phi) sum over n of d^l_mn(theta) exp(-i n psi) a_ln: the field turns by psi "
    "about z, then by theta about y, then by phi about z, the axes staying where they are, as with "
    "healpy's rotate_alm. Or from one system of coordinates to another, as healpy's Rotator does. "
    "T, E and B turn alike.";
  stage->reference = "Varshalovich et al. (1988), Quantum theory of angular momentum, section 4.8";
  stage->ports = ports;
  stage->prepare = rotate_prepare;
  stage->build = rotate_build;
  install_angle (object, PROP_PSI, G_STRUCT_OFFSET (ArmillaRotate, psi), "psi",
                 "first angle, about z", -2 * G_PI, 2 * G_PI);
  install_angle (object, PROP_THETA, G_STRUCT_OFFSET (ArmillaRotate, theta), "theta",
                 "second angle, about y", 0, G_PI);
  install_angle (object, PROP_PHI, G_STRUCT_OFFSET (ArmillaRotate, phi), "phi",
                 "third angle, about z", -2 * G_PI, 2 * G_PI);
  armilla_stage_install (
    object, PROP_FROM, G_STRUCT_OFFSET (ArmillaRotate, from),
    g_param_spec_enum ("from", NULL,
                       "coordinates that the a_lm are in; none takes what they say themselves",
                       armilla_stage_enum ("ArmillaRotateSystem", systems), SYSTEM_NONE,
                       ARMILLA_PARAM_RW));
  armilla_stage_install (
    object, PROP_TO, G_STRUCT_OFFSET (ArmillaRotate, to),
    g_param_spec_enum ("to", NULL, "coordinates to bring them into",
                       armilla_stage_enum ("ArmillaRotateSystem", systems), SYSTEM_NONE,
                       ARMILLA_PARAM_RW));
}

static void
armilla_rotate_init (ArmillaRotate *self)
{
  armilla_stage_defaults (self);
}
