/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates how a run would distribute realisations. */

#include "tasks/planning/forecast.h"
#include "tasks/ranks/deal-plan.h"

#define ASK_AGAIN 0.02 /* interval of repeated requests, s; see deal.c */

typedef struct {
  double ends[2]; /* times at which the current and the next realisation end; 0: there is none */
  double asks;    /* time of its next request; infinite: never */
  double heard;
} Asker;

static void
take (Asker *asker, double now, double first, double seconds)
{
  if (asker->ends[0] <= 0)
    asker->ends[0] = now + first;
  else
    asker->ends[1] = asker->ends[0] + seconds;
}

/* Removes realisations that have ended at time @now. */
static void
pass (Asker *asker, ArmillaDealRank *rank, double now, double seconds)
{
  while (asker->ends[0] > 0 && asker->ends[0] <= now)
    {
      asker->ends[0] = asker->ends[1];
      asker->ends[1] = 0;
      rank->seconds = seconds;
    }
}

static int
next_to_ask (const Asker *askers, int n)
{
  int next = 0;

  for (int r = 1; r < n; r++)
    if (askers[r].asks < askers[next].asks)
      next = r;
  return next;
}

/* Returns when the last realisation is done, s. @first: s that the first realisation takes on each
 * rank; @seconds: s that each further one takes. */
double
armilla_forecast_deal (const double *first, const double *seconds, int n_ranks,
                       gint64 n_realisations, gint64 *dealt)
{
  g_autofree ArmillaDealRank *ranks = g_new0 (ArmillaDealRank, n_ranks);
  g_autofree Asker *askers = g_new0 (Asker, n_ranks);
  double end = 0;

  for (int r = 0; r < n_ranks; r++)
    dealt[r] = 0;
  for (gint64 left = n_realisations; left > 0;)
    {
      int r = next_to_ask (askers, n_ranks);
      double now = askers[r].asks, own_end, others_end;

      pass (&askers[r], &ranks[r], now, seconds[r]);
      askers[r].heard = now;
      ranks[r].backlog = askers[r].ends[0] > 0;
      for (int q = 0; q < n_ranks; q++)
        ranks[q].since = now - askers[q].heard;
      if (armilla_deal_share (ranks, n_ranks, r, left, 1, 1, &own_end, &others_end) == 0)
        {
          askers[r].asks = now + ASK_AGAIN;
          continue;
        }
      take (&askers[r], now, first[r], seconds[r]);
      left--;
      dealt[r]++;
      ranks[r].backlog++;
      end = MAX (end, MAX (askers[r].ends[0], askers[r].ends[1]));
      /* A rank requests a second realisation while the first runs, and further ones when one has
       * ended. */
      askers[r].asks = askers[r].ends[1] > 0 ? askers[r].ends[0] : now;
    }
  return end;
}
