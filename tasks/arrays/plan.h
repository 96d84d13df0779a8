/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/arrays/kept.h"

G_BEGIN_DECLS

/**
 * ArmillaPlan:
 * @session: (owned): whose workers compute
 * @kept: what it shares with plans of the same shape
 */
struct ArmillaPlan {
  ArmillaSession *session;
  ArmillaKept *kept;
};

ArmillaGrid *armilla_plan_shape_grid (const ArmillaPlanShape *shape, GError **error);
char *armilla_plan_describe_call (const ArmillaPlan *plan, const char *format, ...)
  G_GNUC_PRINTF (2, 3);

G_END_DECLS
