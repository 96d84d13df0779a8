/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/ranks/measured.h"

/* Too little to judge by: what all ranks together were busy for, s; and one of them with tasks of a
 * codelet. */
#define MIN_BUSY 0.02
#define MIN_BUSY_CODELET 0.005
/* How much of what a rank measures is believed at once: of its being slower than before, and of its
 * being faster. A rank that has little to do beside another program seems fast, since it is that
 * program's turn when the rank waits; with more to do it would be slow again. */
#define BELIEF_SLOWER 0.5
#define BELIEF_FASTER 0.15

/* Seconds a unit of work of each codelet, at best so far. */
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

/* How many workers as fast as any was would do what those of this rank do; 0: it did too little. A
 * worker that has half of a core is half as fast, whatever its tasks took. */
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

          /* Short tasks with pauses between them run as if they had the core to themselves. */
          if (k == 0 && rank->share > 0)
            each = MIN (each, rank->share);
          speed += rank->workers[k] * each;
        }
    }
  return speed;
}

/* Estimates speeds from measured tasks: one that takes three times as long as others of equal
 * work makes its rank three times as slow, whatever the mixture of tasks. Idle workers count as
 * able: that others keep them waiting is not their fault. A slowdown is believed at once, a
 * speedup gradually. prices: best seconds per unit of work and codelet, 0 at first. Returns
 * whether there was enough to judge. */
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
