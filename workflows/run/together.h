/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/run/realisation.h"

G_BEGIN_DECLS

gint64 armilla_realisations_together (const ArmillaWorkflow *workflow, ArmillaRealisation *first,
                                      double memory, gint64 n_left, int n_dealing);

G_END_DECLS
