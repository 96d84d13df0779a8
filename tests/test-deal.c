/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How realisations are dealt, in a world where ranks have the speeds that they say. */
#include <glib.h>

#include "tasks/deal-plan.h"

#define MOST_RANKS 8

typedef struct {
  double ends[2];  /* of the realisation that runs, and of the one after it; 0: there is none */
  double seconds;  /* what one takes, from @slower on @then */
  double slower, then;
  double heard;
  gint64 done;
} Worker;

static double
seconds_at (const Worker *worker, double time)
{
  return worker->slower > 0 && time >= worker->slower ? worker->then : worker->seconds;
}

/* Plays a run of @n realisations; when it ends. */
static double
play (Worker *workers, int n_workers, gint64 n)
{
  ArmillaDealRank ranks[MOST_RANKS] = { { 0 } };
  double time = 0, end = 0;

  while (n > 0)
    {
      double next = G_MAXDOUBLE;

      for (int w = 0; w < n_workers && n > 0; w++)
        {
          Worker *worker = &workers[w];
          double here, elsewhere;

          if (worker->ends[0] > 0 && worker->ends[0] <= time)
            {
              ranks[w].seconds = seconds_at (worker, worker->ends[0] - 1e-9);
              worker->ends[0] = worker->ends[1];
              worker->ends[1] = 0;
              worker->done++;
            }
          if (worker->ends[1] > 0)
            {
              next = MIN (next, worker->ends[0]);
              continue;
            }
          ranks[w].backlog = worker->ends[0] > 0;
          worker->heard = time;
          for (int q = 0; q < n_workers; q++)
            ranks[q].since = time - workers[q].heard;
          if (!armilla_deal_gives (ranks, n_workers, w, n, &here, &elsewhere))
            {
              next = MIN (next, time + 0.02);
              continue;
            }
          n--;
          ranks[w].backlog++;
          here = MAX (worker->ends[0], time);
          here += seconds_at (worker, here);
          worker->ends[worker->ends[0] > 0] = here;
          end = MAX (end, here);
          next = MIN (next, worker->ends[1] > 0 ? worker->ends[0] : time);
        }
      g_assert_cmpfloat (next, <, G_MAXDOUBLE);
      time = MAX (next, time);
    }
  return end;
}

static void
test_equal (void)
{
  Worker workers[4] = { { .seconds = 1 }, { .seconds = 1 }, { .seconds = 1 }, { .seconds = 1 } };

  g_assert_cmpfloat_with_epsilon (play (workers, 4, 40), 10, 1e-9);
}

/* Two ranks, one of a third of the speed: 40 realisations take 30 s at best; a realisation of the
 * slow rank takes 3 s, and the last one may begin a little late. */
static void
test_slow (void)
{
  Worker workers[2] = { { .seconds = 1 }, { .seconds = 3 } };

  g_assert_cmpfloat (play (workers, 2, 40), <=, 31.5);
}

static void
test_one (void)
{
  Worker worker = { .seconds = 2 };

  g_assert_cmpfloat_with_epsilon (play (&worker, 1, 5), 10, 1e-9);
}

/* Fewer realisations than ranks, and one of them very slow: what it got before it was measured is
 * all it gets. */
static void
test_very_slow (void)
{
  Worker workers[3] = { { .seconds = 1 }, { .seconds = 1 }, { .seconds = 20 } };

  /* It is given one, and one more while it is not measured, as the others are. */
  g_assert_cmpfloat (play (workers, 3, 100), <=, 51);
}

/* A load that begins in the middle: 20 s of two ranks of equal speed make 40 of 80; then one takes
 * three times as long: 40 / (1 + 1/3) = 30 s more at best. */
static void
test_load (void)
{
  Worker workers[2] = { { .seconds = 1 }, { .seconds = 1, .slower = 20, .then = 3 } };

  g_assert_cmpfloat (play (workers, 2, 80), <=, 52);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/deal/equal", test_equal);
  g_test_add_func ("/deal/slow", test_slow);
  g_test_add_func ("/deal/one", test_one);
  g_test_add_func ("/deal/very-slow", test_very_slow);
  g_test_add_func ("/deal/load", test_load);
  return g_test_run ();
}
