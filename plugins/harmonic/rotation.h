/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plugins/base/stage-util.h"

G_BEGIN_DECLS

/* Properties of stages that rotate: Euler angles, or two coordinate systems. */
typedef struct {
  double psi;   /* first angle, about z, radian */
  double theta; /* second angle, about y, from 0 to pi */
  double phi;   /* third angle, about z */
  int from;     /* coordinates of the data; 0: those in their metadata */
  int to;       /* target coordinates; 0 if the user gives angles */
} ArmillaRotation;

void armilla_rotation_install (ArmillaStageClass *klass, gsize part);
gboolean armilla_rotation_find (gpointer stage, const ArmillaRotation *rotation,
                                const char *coordsys, double angles[3], char to[2],
                                GError **error);

G_END_DECLS
