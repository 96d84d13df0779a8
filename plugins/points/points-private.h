/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/data/objects.h"
#include "tasks/points/points.h"

G_BEGIN_DECLS

/* Names of the values of ArmillaSampling. */
extern const char *const armilla_points_methods[];

char **armilla_points_names (const char *columns, const ArmillaFields *fields, GError **error);
ArmillaObjects *armilla_points_add (ArmillaObjects *points, char *const *names,
                                    const ArmillaFields *fields, GError **error);

/* The property epsilon of stages that lens, and their reference. */
#define ARMILLA_LENS_EPSILON(Type)                                                                 \
  { "epsilon", ARMILLA_DOUBLE (Type, epsilon, ARMILLA_POINTS_MIN_EPSILON,                          \
                               ARMILLA_POINTS_MAX_EPSILON, 1e-7),                                  \
    "relative accuracy: maximum rms error, as a fraction of the rms of the map" }
#define ARMILLA_LENS_REFERENCE                                                                     \
  "Reinecke, Belkner and Carron (2023), Improved cosmic microwave background (de-)lensing using "  \
  "general spherical harmonic transforms"

/* Returns whether a map is a deflection: one pair of spin 1. */
gboolean armilla_points_check_deflection (ArmillaMap *deflection, GError **error);

/* Requests the values of @alm at the pixels of @deflection after their displacement, turned back
 * to the basis of the pixels. @out: as many fields, on the grid of @deflection; written */
gboolean armilla_points_lens (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaMap *deflection,
                              double epsilon, ArmillaMap *out, GError **error);

/* Returns the bytes that armilla_points_lens () allocates: points, two copies of their values, and
 * the transform. */
double armilla_points_lens_bytes (ArmillaAlm *alm, ArmillaMap *deflection, double epsilon);

G_END_DECLS
