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

G_END_DECLS
