/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/data/objects.h"

G_BEGIN_DECLS

/* Names of the values of ArmillaSampling. */
extern const char *const armilla_points_methods[];

char **armilla_points_names (const char *columns, const ArmillaFields *fields, GError **error);
ArmillaObjects *armilla_points_add (ArmillaObjects *points, char *const *names,
                                    const ArmillaFields *fields, GError **error);

G_END_DECLS
