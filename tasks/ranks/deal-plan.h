/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is known of a rank. */
typedef struct {
  double seconds; /* how long a realisation takes there, as measured last; 0: not measured yet */
  double backlog; /* realisations that it has and has not finished; parts count */
  double since;   /* how long ago it said so, s */
  double speed;   /* how fast it is expected to be beside the others, in any unit; 0: unknown */
} ArmillaDealRank;

gint64 armilla_deal_share (const ArmillaDealRank *ranks, int n_ranks, int rank, gint64 left,
                           gint64 unit, gint64 most, double *here, double *elsewhere);

G_END_DECLS
