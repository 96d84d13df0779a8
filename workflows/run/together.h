/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/run/realisation.h"

G_BEGIN_DECLS

/* Choices for realisations computed together. */
typedef struct {
  gint64 n;      /* number of realisations that are computed together */
  gboolean small; /* whether one worker computes them, since they are many and small */
  gboolean once; /* whether data that are equal in all of them are computed once, before the
                  * first */
} ArmillaTogether;

ArmillaTogether armilla_realisations_together (const ArmillaWorkflow *workflow,
                                               ArmillaRealisation *once, double memory,
                                               gint64 n_left, int n_dealing, int n_workers);

G_END_DECLS
