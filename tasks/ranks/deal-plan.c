/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/ranks/deal-plan.h"

#define SLOW 1.25 /* more than measurements fluctuate by */

/* When a rank will have done what it has, from now on. */
static double
end_of (const ArmillaDealRank *rank, double seconds)
{
  return MAX (rank->backlog * seconds - rank->since, 0);
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

/* The rank that would be the first to have done @n more realisations; @rank if several would. */
static int
first_to_end (const double *end, const double *seconds, int n_ranks, int rank, gint64 n)
{
  int first = rank;

  for (int r = 0; r < n_ranks; r++)
    if (end[r] + (double) n * seconds[r] < end[first] + (double) n * seconds[first])
      first = r;
  return first;
}

/* Whether a rank takes much longer than the fastest one. */
static gboolean
is_slow (const double *seconds, int n_ranks, int rank)
{
  double fastest = seconds[rank];

  for (int r = 0; r < n_ranks; r++)
    if (seconds[r] > 0)
      fastest = MIN (fastest, seconds[r]);
  return seconds[rank] > SLOW * fastest;
}

/* If each rank took the next unit whenever it would finish it first, all ranks would end at the
 * same time. Returns the realisations that rank gets: what it would take then, at most most: in
 * the middle of a run as many as are efficient together, at its end fewer, and 0 if the others
 * would finish all before it finished one unit. An unmeasured rank gets half of that; one that
 * is expected to be slow, or of unknown speed, a unit. here, elsewhere: seconds until it would have
 * finished one more unit, and the others their part. */
gint64
armilla_deal_share (const ArmillaDealRank *ranks, int n_ranks, int rank, gint64 left, gint64 unit,
                    gint64 most, double *here, double *elsewhere)
{
  const gint64 units = MAX (most / unit, 1), left_units = (left + unit - 1) / unit;
  g_autofree double *end = g_new (double, n_ranks);
  g_autofree double *seconds = g_new (double, n_ranks);
  gboolean measured = FALSE;
  gint64 share = 0;

  *elsewhere = 0;
  for (int r = 0; r < n_ranks; r++)
    measured = measured || ranks[r].seconds > 0;
  for (int r = 0; r < n_ranks; r++)
    {
      seconds[r] = ranks[r].seconds > 0 ? ranks[r].seconds : expected_seconds (ranks, n_ranks, r);
      end[r] = measured ? end_of (&ranks[r], seconds[r]) : ranks[r].backlog * seconds[r];
    }
  *here = end[rank] + (double) unit * seconds[rank];
  if (ranks[rank].seconds <= 0 && ranks[rank].speed <= 0)
    return MIN (unit, left);
  for (gint64 i = 0; i < left_units && share < 2 * units; i++)
    {
      const int first = first_to_end (end, seconds, n_ranks, rank, unit);

      end[first] += (double) unit * seconds[first];
      if (first == rank)
        share++;
      else
        *elsewhere = MAX (*elsewhere, end[first]);
    }
  if (ranks[rank].seconds <= 0 && n_ranks > 1)
    share = is_slow (seconds, n_ranks, rank) ? MIN (share, 1) : (share + 1) / 2;
  /* as many as are efficient: a few more take little time */
  else if (4 * share >= 3 * units && !is_slow (seconds, n_ranks, rank))
    share = units;
  return MIN (MIN (share, units) * unit, left);
}
