/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/ranks/measured.h"

/* Minimum seconds of tasks for an estimate: of all ranks together, and of one rank and codelet. */
#define MIN_BUSY 0.02
#define MIN_BUSY_CODELET 0.005
/* Fractions of a measured slowdown and speedup that are applied at once. A rank that shares cores
 * with another program seems fast while it has little work, since the other program runs while the
 * rank waits; with more work it would be slow again. */
#define BELIEF_SLOWER 0.5
#define BELIEF_FASTER 0.15

/* Finds the minimum, over all ranks and measurements so far, of seconds per unit of work of each
 * codelet. */
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

/* Returns the speed of a rank, in workers of the fastest speed; 0 if it ran too few tasks. A worker
 * that gets half of a core counts as half as fast, however long its tasks took. */
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

          /* Short tasks with pauses between them seem fast even if other programs use the core. */
          if (k == 0 && rank->share > 0)
            each = MIN (each, rank->share);
          speed += rank->workers[k] * each;
        }
    }
  return speed;
}

/* Estimates the speeds of ranks from measured tasks: a rank whose tasks take three times as long as
 * those of the same codelet and work on others is three times as slow. Idle workers count like busy
 * ones, since they wait for other ranks. A slowdown is applied faster than a speedup. @prices:
 * minimum seconds per unit of work of each codelet, 0 at first. Returns whether there are enough
 * measurements. */
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
