/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/run/realisation.h"

G_BEGIN_DECLS

/* What realisations share. */
typedef struct {
  gint64 n;      /* realisations that are computed at once */
  gboolean once; /* whether what is the same in all of them is made once, before the first */
} ArmillaTogether;

ArmillaTogether armilla_realisations_together (const ArmillaWorkflow *workflow,
                                               ArmillaRealisation *once, double memory,
                                               gint64 n_left, int n_dealing);

G_END_DECLS
