/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/ranks/deal-plan.h"

/* When a rank will have done what it has, from now on. */
static double
end_of (const ArmillaDealRank *rank, double seconds)
{
  return MAX ((double) rank->backlog * seconds - rank->since, 0);
}

/* What a realisation is expected to take on a rank that was not measured yet: what it takes on the
 * others, by their speeds. As long as none was measured in a unit of its own; 0 where nothing is
 * known. */
static double
expected_seconds (const ArmillaDealRank *ranks, int n_ranks, int rank)
{
  double sum = 0;
  int n = 0;

  for (int r = 0; r < n_ranks; r++)
    if (ranks[r].seconds > 0)
      {
        const gboolean known = ranks[r].speed > 0 && ranks[rank].speed > 0;

        sum += ranks[r].seconds * (known ? ranks[r].speed / ranks[rank].speed : 1);
        n++;
      }
  if (n > 0)
    return sum / n;
  return ranks[rank].speed > 0 ? 1 / ranks[rank].speed : 0;
}

/**
 * armilla_deal_gives:
 * @ranks: (array length=n_ranks): all ranks
 * @n_ranks: how many
 * @rank: the one that asks for a realisation
 * @left: realisations that nobody has yet, at least 1
 * @here: (out): when @rank would have done one more, s from now
 * @elsewhere: (out): when the other ranks would have done all that are left, if that is earlier
 *
 * A rank gets a realisation unless the others will have done all that are left before it has done
 * that one: at the end of a run a slow rank must not keep the fast ones waiting. A rank that was
 * not measured yet, and of which no speed is known, gets one in any case.
 *
 * Returns: whether @rank gets one
 */
gboolean
armilla_deal_gives (const ArmillaDealRank *ranks, int n_ranks, int rank, gint64 left, double *here,
                    double *elsewhere)
{
  gboolean measured = FALSE;
  g_autofree double *end = g_new (double, n_ranks);
  g_autofree double *seconds = g_new (double, n_ranks);

  *elsewhere = 0;
  for (int r = 0; r < n_ranks; r++)
    measured = measured || ranks[r].seconds > 0;
  for (int r = 0; r < n_ranks; r++)
    {
      seconds[r] = ranks[r].seconds > 0 ? ranks[r].seconds : expected_seconds (ranks, n_ranks, r);
      end[r] = measured ? end_of (&ranks[r], seconds[r]) : (double) ranks[r].backlog * seconds[r];
    }
  *here = end[rank] + seconds[rank];
  if ((ranks[rank].seconds <= 0 && ranks[rank].speed <= 0) || n_ranks == 1)
    return TRUE;
  for (; left > 0; left--)
    {
      int first = -1;

      for (int r = 0; r < n_ranks; r++)
        if (r != rank && (first < 0 || end[r] + seconds[r] < end[first] + seconds[first]))
          first = r;
      end[first] += seconds[first];
      *elsewhere = MAX (*elsewhere, end[first]);
      if (end[first] >= *here)
        return TRUE;
    }
  return FALSE;
}
