/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/ranks/deal-plan.h"

#define SLOW 1.25 /* ratio of times from which a rank counts as slower; measurements vary by less */

/* Returns the seconds until a rank has finished its assigned realisations. */
static double
end_of (const ArmillaDealRank *rank, double seconds)
{
  return MAX (rank->backlog * seconds - rank->since, 0);
}

/* Returns the expected seconds of a realisation on a rank without measurement: the time on the
 * measured ranks, scaled by their relative speeds. 0 if none is measured. */
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

/* Returns the rank that would first finish @n more realisations; @rank if several would at the same
 * time. */
static int
first_to_end (const double *end, const double *seconds, int n_ranks, int rank, gint64 n)
{
  int first = rank;

  for (int r = 0; r < n_ranks; r++)
    if (end[r] + (double) n * seconds[r] < end[first] + (double) n * seconds[first])
      first = r;
  return first;
}

/* Returns whether a rank is much slower than the fastest one. */
static gboolean
is_slow (const double *seconds, int n_ranks, int rank)
{
  double fastest = seconds[rank];

  for (int r = 0; r < n_ranks; r++)
    if (seconds[r] > 0)
      fastest = MIN (fastest, seconds[r]);
  return seconds[rank] > SLOW * fastest;
}

/* Returns the number of realisations that rank @rank gets. Deals the remaining ones, in units of
 * @unit, each to the rank that would finish it first, and returns those that @rank would get, at
 * most @max_together. In the middle of a run this is the number that is efficient together, at its
 * end fewer, and 0 if the others finish all before @rank would finish a unit. A rank without
 * measurement gets half of that, or one unit if its speed is unknown or low. @own_end, @others_end:
 * seconds until @rank would finish another unit, and the others those that they would get. */
gint64
armilla_deal_share (const ArmillaDealRank *ranks, int n_ranks, int rank, gint64 left, gint64 unit,
                    gint64 max_together, double *own_end, double *others_end)
{
  const gint64 units = MAX (max_together / unit, 1), left_units = (left + unit - 1) / unit;
  g_autofree double *end = g_new (double, n_ranks);
  g_autofree double *seconds = g_new (double, n_ranks);
  gboolean measured = FALSE;
  gint64 share = 0;

  *others_end = 0;
  for (int r = 0; r < n_ranks; r++)
    measured = measured || ranks[r].seconds > 0;
  for (int r = 0; r < n_ranks; r++)
    {
      seconds[r] = ranks[r].seconds > 0 ? ranks[r].seconds : expected_seconds (ranks, n_ranks, r);
      end[r] = measured ? end_of (&ranks[r], seconds[r]) : ranks[r].backlog * seconds[r];
    }
  *own_end = end[rank] + (double) unit * seconds[rank];
  if (ranks[rank].seconds <= 0 && ranks[rank].speed <= 0)
    return MIN (unit, left);
  for (gint64 i = 0; i < left_units && share < 2 * units; i++)
    {
      const int first = first_to_end (end, seconds, n_ranks, rank, unit);

      end[first] += (double) unit * seconds[first];
      if (first == rank)
        share++;
      else
        *others_end = MAX (*others_end, end[first]);
    }
  if (ranks[rank].seconds <= 0 && n_ranks > 1)
    share = is_slow (seconds, n_ranks, rank) ? MIN (share, 1) : (share + 1) / 2;
  /* Rounded up if little is missing. */
  else if (4 * share >= 3 * units && !is_slow (seconds, n_ranks, rank))
    share = units;
  return MIN (MIN (share, units) * unit, left);
}
