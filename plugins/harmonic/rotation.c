/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/grids/grid.h"
#include "plugins/harmonic/rotation.h"

#include <string.h>

typedef enum { SYSTEM_NONE, SYSTEM_G, SYSTEM_E, SYSTEM_C } System;

static const char *const systems[] = {
  [SYSTEM_NONE] = "none", [SYSTEM_G] = "galactic", [SYSTEM_E] = "ecliptic",
  [SYSTEM_C] = "equatorial", NULL,
};

static const char letters[] = { '\0', 'G', 'E', 'C' };

static gboolean
wrong (GError **error, const char *what)
{
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s", what);
}

/* Finds the letter (G, C or E) of the coordinates of the data. */
static gboolean
find_origin (const ArmillaRotation *self, const char *coordsys, char *letter, GError **error)
{
  *letter = letters[self->from];
  if (coordsys == NULL || coordsys[0] == '\0')
    return *letter != '\0'
      || wrong (error, "from is not set, and the coordinates of the data are unknown");
  if (*letter != '\0' && *letter != coordsys[0])
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "from = %c, but the data have the coordinates %s; leave it out",
                         *letter, coordsys);
  *letter = coordsys[0];
  return TRUE;
}

/* Finds the angles psi, theta and phi in radian, and the coordinates after the rotation ("" if the
 * user gives angles). @coordsys: coordinates of the data (may be NULL). ARMILLA_ERROR_VALUE unless
 * exactly one rotation is given. */
gboolean
armilla_rotation_find (gpointer stage, const ArmillaRotation *self, const char *coordsys,
                       double angles[3], char to[2], GError **error)
{
  gboolean by_angles = armilla_stage_given (stage, "psi") || armilla_stage_given (stage, "theta")
    || armilla_stage_given (stage, "phi");
  char from = '\0';

  to[0] = letters[self->to];
  to[1] = '\0';
  if (by_angles && (self->from != SYSTEM_NONE || self->to != SYSTEM_NONE))
    return wrong (error, "the rotation is given by both angles and coordinates; set psi, theta and "
                         "phi, or from and to");
  if (!by_angles && self->to == SYSTEM_NONE)
    return wrong (error, "to is not set; set it (and from), or psi, theta and phi");
  if (!by_angles)
    return find_origin (self, coordsys, &from, error)
      && armilla_coordinates_angles (from, to[0], angles, error);
  memcpy (angles, (double[]) { self->psi, self->theta, self->phi }, 3 * sizeof *angles);
  return TRUE;
}

static const ArmillaProperty properties[] = {
  { "psi", ARMILLA_QUANTITY (ArmillaRotation, psi, ARMILLA_DIMENSION_ANGLE, -2 * G_PI, 2 * G_PI, 0),
    "first angle, about z" },
  { "theta", ARMILLA_QUANTITY (ArmillaRotation, theta, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "second angle, about y" },
  { "phi", ARMILLA_QUANTITY (ArmillaRotation, phi, ARMILLA_DIMENSION_ANGLE, -2 * G_PI, 2 * G_PI, 0),
    "third angle, about z" },
  { "from", ARMILLA_ENUM (ArmillaRotation, from, systems, SYSTEM_NONE),
    "coordinates of the data; none: those in the metadata of the input" },
  { "to", ARMILLA_ENUM (ArmillaRotation, to, systems, SYSTEM_NONE),
    "coordinates of the result" },
};

/* Installs the properties. @part: offset of the ArmillaRotation in the object. */
void
armilla_rotation_install (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, properties, G_N_ELEMENTS (properties));
}
