/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/ranks/measured.h"

/* Minimum seconds for a judgement: of all ranks together, and of one with tasks of a codelet. */
#define MIN_BUSY 0.02
#define MIN_BUSY_CODELET 0.005
/* Fraction of a measured slowdown and of a measured speedup that is applied at once. A rank with
 * little work beside another program seems fast, since the program runs while the rank waits; with
 * more work it would be slow again. */
#define BELIEF_SLOWER 0.5
#define BELIEF_FASTER 0.15

/* Finds the lowest seconds so far per unit of work of each codelet. */
static void
find_prices (const ArmillaMeasured *ranks, int n_ranks, double *prices)
{
  for (int c = 0; c < ARMILLA_MEASURED_CODELETS; c++)
    for (int r = 0; r < n_ranks; r++)
      for (int k = 0; k < ARMILLA_MEASURED_KINDS; k++)
        {
          double price = ranks[r].busy[k][c] / ranks[r].work[k][c];

          if (ranks[r].work[k][c] > 0 && ranks[r].busy[k][c] > MIN_BUSY_CODELET
              && (prices[c] <= 0 || price < prices[c]))
            prices[c] = price;
        }
}

/* Returns how many workers of the fastest speed would replace those of this rank; 0: it did too
 * little. A worker with half of a core counts as half as fast, however long its tasks took. */
static double
speed_of (const ArmillaMeasured *rank, const double *prices)
{
  double speed = 0;

  for (int k = 0; k < ARMILLA_MEASURED_KINDS; k++)
    {
      double expected = 0, busy = 0;

      for (int c = 0; c < ARMILLA_MEASURED_CODELETS; c++)
        if (prices[c] > 0)
          {
            expected += rank->work[k][c] * prices[c];
            busy += rank->busy[k][c];
          }
      if (busy > MIN_BUSY_CODELET)
        {
          double each = expected / busy;

          /* Short tasks separated by pauses run as fast as on an idle core. */
          if (k == 0 && rank->share > 0)
            each = MIN (each, rank->share);
          speed += rank->workers[k] * each;
        }
    }
  return speed;
}

/* Estimates speeds from measured tasks: one that takes three times as long as others of equal work
 * makes its rank three times as slow, whatever the mixture of tasks. Idle workers count fully,
 * since they wait for other ranks. A slowdown is applied at once, a speedup gradually. prices:
 * lowest seconds per unit of work and codelet, 0 at first. Returns whether measurements suffice. */
gboolean
armilla_measured_speeds (const ArmillaMeasured *ranks, int n_ranks, double *prices, double *speeds,
                         gboolean *known)
{
  g_autofree double *found = g_new (double, n_ranks);
  double total = 0, before = 0, after = 0;

  for (int r = 0; r < n_ranks; r++)
    for (int k = 0; k < ARMILLA_MEASURED_KINDS; k++)
      for (int c = 0; c < ARMILLA_MEASURED_CODELETS; c++)
        total += ranks[r].busy[k][c];
  if (total < MIN_BUSY)
    return FALSE;
  find_prices (ranks, n_ranks, prices);
  for (int r = 0; r < n_ranks; r++)
    {
      found[r] = speed_of (&ranks[r], prices);
      before += found[r] > 0 ? speeds[r] : 0;
      after += found[r];
    }
  for (int r = 0; r < n_ranks; r++)
    if (!*known && after > 0)
      speeds[r] = found[r] > 0 ? found[r] : speeds[r] * after / before;
    else if (found[r] > 0)
      speeds[r] += (found[r] < speeds[r] ? BELIEF_SLOWER : BELIEF_FASTER) * (found[r] - speeds[r]);
  *known = *known || after > 0;
  return *known;
}
