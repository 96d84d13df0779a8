/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data vector and covariance of several correlation functions with the same patches of the sky. */
#pragma once

#include <armilla/table.h>

G_BEGIN_DECLS

ArmillaTable *armilla_joint_add (const ArmillaTable *before, const ArmillaTable *samples,
                                 const char *label, char *const *functions, GError **error);
ArmillaTable *armilla_joint_vector (const ArmillaTable *joint, GError **error);
ArmillaTable *armilla_joint_covariance (const ArmillaTable *joint, GError **error);

G_END_DECLS
