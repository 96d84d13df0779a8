/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ArmillaDealRank:
 * @seconds: how long a realisation takes there, as measured last; 0: nobody knows yet
 * @backlog: realisations that it has and has not finished
 * @since: how long ago it said so, s
 * @speed: how fast it is expected to be beside the others, in any unit; 0: unknown
 *
 * What is known of a rank.
 */
typedef struct {
  double seconds;
  gint64 backlog;
  double since;
  double speed;
} ArmillaDealRank;

gboolean armilla_deal_gives (const ArmillaDealRank *ranks, int n_ranks, int rank, gint64 left,
                             double *here, double *elsewhere);

G_END_DECLS
