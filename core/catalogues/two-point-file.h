/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of two-point functions with their covariance, for programs that fit them. */
#pragma once

#include <armilla/output.h>
#include <armilla/table.h>

G_BEGIN_DECLS

/* Numbers of galaxies by redshift, of lenses and of sources. */
typedef enum { ARMILLA_NZ_LENS, ARMILLA_NZ_SOURCE, ARMILLA_N_NZ } ArmillaNzKind;

gboolean armilla_two_point_write (ArmillaOutput *output, const ArmillaTable *vector,
                                  const ArmillaTable *covariance,
                                  const ArmillaTable *const nz[ARMILLA_N_NZ], char **history,
                                  GError **error);

G_END_DECLS
