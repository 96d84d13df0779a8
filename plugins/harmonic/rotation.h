/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plugins/base/stage-util.h"

G_BEGIN_DECLS

/* Properties of stages that rotate: either Euler angles, or two coordinate systems. */
typedef struct {
  double psi;   /* first angle, about z, radian */
  double theta; /* second angle, about y, from 0 to pi */
  double phi;   /* third angle, about z */
  int from;     /* coordinates before the rotation; 0: those in the metadata of the data */
  int to;       /* coordinates after the rotation; 0: the user gives angles */
} ArmillaRotation;

void armilla_rotation_install (ArmillaStageClass *klass, gsize part);
gboolean armilla_rotation_find (gpointer stage, const ArmillaRotation *rotation,
                                const char *coordsys, double angles[3], char to[2],
                                GError **error);

G_END_DECLS
