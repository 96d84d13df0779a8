/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* State of a rank as known to rank 0. */
typedef struct {
  double seconds; /* measured time of a realisation; 0: not measured yet */
  double backlog; /* number of unfinished realisations assigned to the rank; may have a fraction */
  double since;   /* time since its last report, s */
  double speed;   /* expected relative speed, in any unit; 0: unknown */
} ArmillaDealRank;

gint64 armilla_deal_share (const ArmillaDealRank *ranks, int n_ranks, int rank, gint64 left,
                           gint64 unit, gint64 max_together, double *own_end, double *others_end);

G_END_DECLS
