/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/runtime/block-deal.h"

#include <math.h>
#include <string.h>

/* Duration of the measurement of a core: on a core that another program uses, the scheduler lets a
 * new thread run alone for some hundredths of a second first. */
#define MEASURED (G_USEC_PER_SEC / 8)
/* Speeds are rounded to multiples of an eighth of the highest speed; those below half of it to
 * multiples of an eighth of a half, and so on: a rank without a GPU may be a hundred times
 * slower. */
#define STEPS 8
#define MIN_SPEED (1.0 / 4096)
/* Speed, relative to the fastest rank, below which a rank probably shares cores with another
 * program. Its speed may drop further, and all ranks would wait for it; so it gets more blocks only
 * if they would pay at the fraction DOUBT of its speed. */
#define DOUBTED 0.75
#define DOUBT 0.4

/* @speeds: in any unit; must outlive @self. */
void
armilla_block_deal_init (ArmillaBlockDeal *self, int n_ranks, const double *speeds)
{
  *self = (ArmillaBlockDeal) { n_ranks, speeds, g_new0 (double, n_ranks) };
}

/* Assigns a block of this cost to the rank that will finish it first (the lowest of equals), and
 * returns the rank; the same on every rank. */
int
armilla_block_deal_next (ArmillaBlockDeal *self, double cost)
{
  int first = 0;

  for (int r = 1; r < self->n_ranks; r++)
    if ((self->loads[r] + cost) / self->speeds[r]
        < (self->loads[first] + cost) / self->speeds[first])
      first = r;
  self->loads[first] += cost;
  return first;
}

void
armilla_block_deal_clear (ArmillaBlockDeal *self)
{
  g_clear_pointer (&self->loads, g_free);
}

/* Returns the speed at which a rank is assumed to process a block that it gets from another
 * rank. */
static double
speed_for_more (const ArmillaBlockDeal *deal, int rank)
{
  double max_speed = 0;

  for (int r = 0; r < deal->n_ranks; r++)
    max_speed = MAX (max_speed, deal->speeds[r]);
  return deal->speeds[rank] * (deal->speeds[rank] < DOUBTED * max_speed ? DOUBT : 1);
}

/* Finds the block of rank @from, and the rank to move it to, for which the later of the two ranks
 * ends first. Returns FALSE if no move lets them end before @from would end now. */
static gboolean
find_move (const double *costs, int n, const ArmillaBlockDeal *deal, const int *owners, int from,
           int *block, int *to)
{
  double best = deal->loads[from] / deal->speeds[from] * (1 - 1e-9);
  gboolean found = FALSE;

  for (int b = 0; b < n; b++)
    for (int r = 0; owners[b] == from && r < deal->n_ranks; r++)
      {
        double end = MAX ((deal->loads[from] - costs[b]) / deal->speeds[from],
                          (deal->loads[r] + costs[b]) / speed_for_more (deal, r));

        if (r == from || end >= best)
          continue;
        best = end;
        *block = b;
        *to = r;
        found = TRUE;
      }
  return found;
}

static int
last_of (const ArmillaBlockDeal *deal)
{
  int last = 0;

  for (int r = 1; r < deal->n_ranks; r++)
    if (deal->loads[r] / deal->speeds[r] > deal->loads[last] / deal->speeds[last])
      last = r;
  return last;
}

/* Moves blocks one by one from the rank that ends last, while that shortens the run. A rank that is
 * much slower than the fastest is assumed to be even slower for further blocks. The result is the
 * same on every rank. Returns the new duration divided by the old one; 1 if nothing moves. */
double
armilla_block_deal_again (const double *costs, int n, const double *speeds, int n_ranks,
                          int *owners)
{
  g_auto (ArmillaBlockDeal) deal = { 0 };
  double before;
  int last, block, to;

  armilla_block_deal_init (&deal, n_ranks, speeds);
  for (int b = 0; b < n; b++)
    deal.loads[owners[b]] += costs[b];
  last = last_of (&deal);
  before = deal.loads[last] / speeds[last];
  /* Each move decreases the load of the last rank; n moves suffice. */
  for (int moves = 0; moves < n && find_move (costs, n, &deal, owners, last, &block, &to); moves++)
    {
      deal.loads[last] -= costs[block];
      deal.loads[to] += costs[block];
      owners[block] = to;
      last = last_of (&deal);
    }
  return before > 0 ? deal.loads[last] / speeds[last] / before : 1;
}

/* Measures the core that this thread runs on for 1/8 s, competing jobs included; returns its
 * speed in a unit of its own. */
double
armilla_block_deal_rate (void)
{
  gint64 begin = g_get_monotonic_time (), now = begin;
  volatile double sink = 0;
  gint64 rounds = 0;

  while (now - begin < MEASURED)
    {
      double x[8] = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8 };

      for (int i = 0; i < 2000; i++)
        for (int k = 0; k < 8; k++)
          x[k] = fma (x[k], 0.999, 0.001);
      for (int k = 0; k < 8; k++)
        sink += x[k];
      rounds++;
      now = g_get_monotonic_time ();
    }
  return (double) rounds / (double) (now - begin);
}

/* Rounds speeds (see STEPS), so that errors of measurement do not distinguish ranks. */
void
armilla_block_deal_round (double *speeds, int n_ranks)
{
  double max_speed = 0;

  for (int r = 0; r < n_ranks; r++)
    max_speed = MAX (max_speed, speeds[r]);
  for (int r = 0; r < n_ranks; r++)
    {
      double part = max_speed > 0 ? MAX (speeds[r] / max_speed, MIN_SPEED) : 1, unit = 1;

      while (part <= unit / 2)
        unit /= 2;
      speeds[r] = unit * round (STEPS * part / unit) / STEPS;
    }
}

/* Parses "equal", or one number above 0 per rank separated by blanks. */
gboolean
armilla_block_deal_parse (const char *text, double *speeds, int n_ranks, GError **error)
{
  const gboolean equal = strcmp (text, "equal") == 0;
  const char *p = text;

  for (int r = 0; equal && r < n_ranks; r++)
    speeds[r] = 1;
  if (equal)
    return TRUE;
  for (int r = 0; r < n_ranks; r++)
    {
      char *end;

      speeds[r] = g_ascii_strtod (p, &end);
      if (end == p || !isfinite (speeds[r]) || speeds[r] <= 0
          || (*end != '\0' && *end != ' '))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "ARMILLA_SPEEDS is \"%s\"; must be equal, or a number above 0 for "
                             "each of %d ranks, separated by blanks", text, n_ranks);
      p = end;
    }
  while (*p == ' ')
    p++;
  if (*p == '\0')
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "ARMILLA_SPEEDS is \"%s\", but there are only %d ranks", text, n_ranks);
}
