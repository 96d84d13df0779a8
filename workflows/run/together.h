/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/run/realisation.h"

G_BEGIN_DECLS

/* How realisations are computed. */
typedef struct {
  gint64 n;      /* number of realisations of a batch */
  gboolean small; /* whether one worker computes a batch, since realisations are many and small */
  /* whether data that are equal in all realisations are computed once, before the first */
  gboolean once;
} ArmillaTogether;

ArmillaTogether armilla_realisations_together (const ArmillaWorkflow *workflow,
                                               ArmillaRealisation *once, double memory,
                                               gint64 n_left, int n_dealing, int n_workers);

G_END_DECLS
