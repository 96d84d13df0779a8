/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How realisations are dealt, in a world where ranks have the speeds that they say. */
#include <glib.h>

#include "tasks/runtime/block-deal.h"
#include "tasks/ranks/deal-plan.h"
#include "tasks/ranks/measured.h"

#define MAX_RANKS 8

typedef struct {
  double seconds;  /* what a realisation takes, from @slower on @then */
  double slower, then;
  double speed;    /* as it is expected to be; 0: nothing is */
  double begin[2], ends[2]; /* of the lot that runs, and of the one after it; 0: there is none */
  gint64 n[2];     /* realisations of these */
  double asks;     /* when it asks next */
  double asked, at; /* when it asked last, and how many it had done then */
  double heard;
  gint64 done;
} Worker;

static double
seconds_at (const Worker *worker, double time)
{
  return worker->slower > 0 && time >= worker->slower ? worker->then : worker->seconds;
}

/* When @n realisations that begin at @time are done. */
static double
end_of (const Worker *worker, double time, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    time += seconds_at (worker, time);
  return time;
}

/* How many of its realisations are done. */
static double
position (const Worker *worker, double time)
{
  double sum = (double) worker->done;

  for (int i = 0; i < 2; i++)
    if (worker->ends[i] > 0)
      for (gint64 k = 1; k <= worker->n[i]; k++)
        {
          const double begin = end_of (worker, worker->begin[i], k - 1);
          const double end = end_of (worker, worker->begin[i], k);

          sum += CLAMP ((time - begin) / (end - begin), 0, 1);
        }
  return sum;
}

/* What a rank says when it asks, as deal.c does. */
static void
say (Worker *worker, ArmillaDealRank *rank, double time)
{
  const double at = position (worker, time);
  const double seconds = (time - worker->asked) / (at - worker->at);

  if (at > worker->at && rank->seconds > 0 && seconds > 1.25 * rank->seconds)
    rank->seconds = 2 * seconds - rank->seconds;
  else if (at > worker->at)
    rank->seconds = seconds;
  worker->at = at;
  worker->asked = time;
  rank->backlog = (double) worker->done - at;
  for (int i = 0; i < 2; i++)
    rank->backlog += worker->ends[i] > 0 ? (double) worker->n[i] : 0;
  if (worker->ends[0] > 0 && worker->ends[0] <= time)
    {
      worker->done += worker->n[0];
      worker->begin[0] = worker->begin[1];
      worker->ends[0] = worker->ends[1];
      worker->n[0] = worker->n[1];
      worker->ends[1] = 0;
    }
  worker->heard = time;
}

/* The rank asks next when a quarter of the lot is left. */
static void
take (Worker *worker, ArmillaDealRank *rank, double time, gint64 n)
{
  const int slot = worker->ends[0] > 0;
  double at;

  worker->begin[slot] = slot == 0 ? time : worker->ends[0];
  worker->n[slot] = n;
  worker->ends[slot] = end_of (worker, worker->begin[slot], n);
  rank->backlog += (double) n;
  at = position (worker, worker->ends[slot]) - 0.25 * (double) n;
  for (worker->asks = time; position (worker, worker->asks) < at;)
    worker->asks += 1e-3;
}

/* Plays a run of @n realisations, of which ranks compute up to @max_together together. Returns when
 * it ends. */
static double
play (Worker *workers, int n_workers, gint64 n, gint64 max_together)
{
  ArmillaDealRank ranks[MAX_RANKS] = { { 0 } };
  double end = 0;

  for (int w = 0; w < n_workers; w++)
    ranks[w].speed = workers[w].speed;
  while (n > 0)
    {
      Worker *worker = workers;
      double here, elsewhere, time;
      gint64 share;
      int w;

      for (w = 1; w < n_workers; w++)
        if (workers[w].asks < worker->asks)
          worker = &workers[w];
      w = (int) (worker - workers);
      time = worker->asks;
      say (worker, &ranks[w], time);
      for (int q = 0; q < n_workers; q++)
        ranks[q].since = time - workers[q].heard;
      share = armilla_deal_share (ranks, n_workers, w, n, 1, max_together, &here, &elsewhere);
      g_assert_cmpint (share, >=, 0);
      g_assert_cmpint (share, <=, MIN (n, max_together));
      if (share == 0)
        {
          worker->asks = time + 0.02;
          continue;
        }
      take (worker, &ranks[w], time, share);
      n -= share;
      end = MAX (end, MAX (worker->ends[0], worker->ends[1]));
    }
  for (int w = 0; w < n_workers; w++)
    for (int i = 0; i < 2; i++)
      workers[w].done += workers[w].ends[i] > 0 ? workers[w].n[i] : 0;
  return end;
}

static void
test_equal (void)
{
  Worker workers[4] = { { .seconds = 1 }, { .seconds = 1 }, { .seconds = 1 }, { .seconds = 1 } };

  g_assert_cmpfloat_with_epsilon (play (workers, 4, 40, 1), 10, 1e-9);
}

/* Two ranks, one of a third of the speed: 40 realisations take 30 s at best; a realisation of the
 * slow rank takes 3 s, and the last one may begin a little late. */
static void
test_slow (void)
{
  Worker workers[2] = { { .seconds = 1 }, { .seconds = 3 } };

  g_assert_cmpfloat (play (workers, 2, 40, 1), <=, 31.5);
}

static void
test_one (void)
{
  Worker worker = { .seconds = 2 };

  g_assert_cmpfloat_with_epsilon (play (&worker, 1, 5, 1), 10, 1e-9);
}

/* Fewer realisations than ranks, and one of them very slow: what it got before it was measured is
 * all it gets. */
static void
test_very_slow (void)
{
  Worker workers[3] = { { .seconds = 1 }, { .seconds = 1 }, { .seconds = 20 } };

  /* It is given one, and one more while it is not measured, as the others are. */
  g_assert_cmpfloat (play (workers, 3, 100, 1), <=, 51);
}

/* A GPU, and cores that take forty times as long: they would have to begin before they were
 * measured, and would end last. */
static void
test_known_speeds (void)
{
  Worker workers[2] = { { .seconds = 0.1, .speed = 16 }, { .seconds = 4, .speed = 0.4 } };
  Worker wrong[2] = { { .seconds = 1, .speed = 1 }, { .seconds = 1, .speed = 0.2 } };
  Worker alike[2] = { { .seconds = 1, .speed = 3 }, { .seconds = 3, .speed = 1 } };

  g_assert_cmpfloat_with_epsilon (play (workers, 2, 8, 1), 0.8, 1e-9);
  g_assert_cmpint (workers[1].done, ==, 0);
  /* A rank that is faster than it was thought to be is found out. */
  g_assert_cmpfloat (play (wrong, 2, 40, 1), <=, 22);
  g_assert_cmpfloat (play (alike, 2, 40, 1), <=, 31.5);
}

/* A load that begins in the middle: 20 s of two ranks of equal speed make 40 of 80; then one takes
 * three times as long: 40 / (1 + 1/3) = 30 s more at best. */
static void
test_load (void)
{
  Worker workers[2] = { { .seconds = 1 }, { .seconds = 1, .slower = 20, .then = 3 } };

  g_assert_cmpfloat (play (workers, 2, 80, 1), <=, 52);
}

/* What is efficient is computed together, as long as the ranks end at the same time: two alike get
 * 8 and 8 of 32, and again; one of a third of the speed gets fewer from its first lot on. */
static void
test_together (void)
{
  ArmillaDealRank ranks[2] = { { .speed = 1 }, { .speed = 1 } };
  Worker equal[2] = { { .seconds = 1, .speed = 1 }, { .seconds = 1, .speed = 1 } };
  Worker slow[2] = { { .seconds = 1, .speed = 1 }, { .seconds = 3, .speed = 1 } };
  Worker known[2] = { { .seconds = 1, .speed = 5 }, { .seconds = 5, .speed = 1 } };
  Worker few[2] = { { .seconds = 1, .speed = 3 }, { .seconds = 3, .speed = 1 } };
  double here, elsewhere;

  g_assert_cmpint (armilla_deal_share (ranks, 2, 0, 32, 1, 8, &here, &elsewhere), ==, 8);
  g_assert_cmpfloat_with_epsilon (play (equal, 2, 32, 8), 16, 1e-9);
  /* 36 s at best; a realisation of the slow rank takes 3 s */
  g_assert_cmpfloat (play (slow, 2, 48, 8), <=, 39);
  g_assert_cmpfloat (play (known, 2, 48, 8), <=, 45);
  /* 12 s at best */
  g_assert_cmpfloat (play (few, 2, 16, 4), <=, 13);
}

/* One of two ranks takes three times as long from the middle on: 12 s of both make 24 of 48, and 24
 * more take 18 s at best. */
static void
test_load_together (void)
{
  Worker workers[2]
    = { { .seconds = 0.5, .speed = 1 }, { .seconds = 0.5, .speed = 1, .slower = 6, .then = 1.5 } };

  g_assert_cmpfloat (play (workers, 2, 48, 8), <=, 1.15 * 15);
  g_assert_cmpint (workers[1].done, <, workers[0].done);
}

/* Lots that cannot be separated go to a rank as a whole, even if they are more than its share. */
static void
test_units (void)
{
  ArmillaDealRank ranks[2] = { { .seconds = 1, .speed = 1 }, { .seconds = 1, .speed = 1 } };
  double here, elsewhere;

  g_assert_cmpint (armilla_deal_share (ranks, 2, 0, 96, 16, 8, &here, &elsewhere), ==, 16);
  g_assert_cmpint (armilla_deal_share (ranks, 2, 0, 96, 4, 8, &here, &elsewhere), ==, 8);
  g_assert_cmpint (armilla_deal_share (ranks, 2, 0, 5, 4, 8, &here, &elsewhere), ==, 4);
  ranks[0].seconds = 10;
  g_assert_cmpint (armilla_deal_share (ranks, 2, 0, 8, 4, 8, &here, &elsewhere), ==, 0);
}

/* Blocks of falling cost: no rank is further from its share than one block. */
static void
test_blocks (void)
{
  const double speeds[3] = { 1, 0.25, 0.5 };
  double sums[3] = { 0 }, total = 0;
  g_auto (ArmillaBlockDeal) deal = { 0 };

  armilla_block_deal_init (&deal, 3, speeds);
  for (int b = 100; b > 0; b--)
    {
      sums[armilla_block_deal_next (&deal, b)] += b;
      total += b;
    }
  for (int r = 0; r < 3; r++)
    g_assert_cmpfloat_with_epsilon (sums[r], total * speeds[r] / 1.75, 100);
}

static void
test_blocks_in_turn (void)
{
  const double speeds[3] = { 1, 1, 1 };
  g_auto (ArmillaBlockDeal) deal = { 0 };

  armilla_block_deal_init (&deal, 3, speeds);
  for (int b = 0; b < 12; b++)
    g_assert_cmpint (armilla_block_deal_next (&deal, 5), ==, b % 3);
}

/* One of four ranks gets a third of its speed: no more than its surplus moves, and what it is left
 * with takes as long as what the others have. 48 blocks of cost 1: 12 each; then 48 / (3 + 1 / 3) =
 * 14.4 a unit of speed, so that the slow rank keeps 4 or 5. */
static void
test_blocks_again (void)
{
  const double speeds[4] = { 1, 1, 1.0 / 3, 1 };
  double costs[48];
  int owners[48], before[48], moved = 0, kept = 0;

  for (int b = 0; b < 48; b++)
    {
      costs[b] = 1;
      before[b] = owners[b] = b % 4;
    }
  /* 36 units of time before; 15 after: 5 blocks there, or 15 elsewhere */
  g_assert_cmpfloat_with_epsilon (armilla_block_deal_again (costs, 48, speeds, 4, owners),
                                  15.0 / 36, 1e-12);
  for (int b = 0; b < 48; b++)
    {
      moved += owners[b] != before[b];
      kept += owners[b] == 2;
    }
  g_assert_cmpint (moved, <=, 12);
  g_assert_cmpint (kept, >=, 4);
  g_assert_cmpint (kept, <=, 5);
  /* and nothing more to do */
  g_assert_cmpfloat (armilla_block_deal_again (costs, 48, speeds, 4, owners), ==, 1);
}

/* Two blocks, of which the slow rank has none: 3 units of time. One of them there would be done
 * after 2.5, by the speed that was measured, and it stays. Where that rank is nearly as fast, it
 * gets one. */
static void
test_blocks_doubted (void)
{
  const double slow[2] = { 1, 0.4 }, nearly[2] = { 1, 0.8 }, costs[2] = { 1, 2 };
  int owners[2] = { 0, 0 };

  g_assert_cmpfloat (armilla_block_deal_again (costs, 2, slow, 2, owners), ==, 1);
  g_assert_cmpint (owners[0], ==, 0);
  g_assert_cmpint (owners[1], ==, 0);
  g_assert_cmpfloat_with_epsilon (armilla_block_deal_again (costs, 2, nearly, 2, owners), 2.0 / 3,
                                  1e-12);
  g_assert_cmpint (owners[0], ==, 1);
}

/* Two ranks that have done unequal mixtures of two codelets; the tasks of one took twice as long. A
 * third has done nothing yet, and was as fast as the first. */
static void
test_measured (void)
{
  ArmillaMeasured ranks[3] = {
    { .work = { { 10, 3 } }, .busy = { { 1, 6 } }, .workers = { 2 } },
    { .work = { { 20, 1 } }, .busy = { { 4, 4 } }, .workers = { 2 } },
    { .workers = { 2 } },
  };
  double speeds[3] = { 1, 0.5, 1 }, prices[ARMILLA_MEASURED_CODELETS] = { 0 };
  gboolean known = FALSE;

  g_assert_true (armilla_measured_speeds (ranks, 3, prices, speeds, &known));
  g_assert_true (known);
  g_assert_cmpfloat_with_epsilon (speeds[1] / speeds[0], 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (speeds[2] / speeds[0], 1, 1e-12);
  ranks[0].busy[0][0] = ranks[0].busy[0][1] = ranks[1].busy[0][0] = ranks[1].busy[0][1] = 1e-6;
  g_assert_false (armilla_measured_speeds (ranks, 3, prices, speeds, &known));
}

/* A third of the speed is believed at once, at least for the most part; that it is gone, only after
 * some rounds. */
static void
test_measured_again (void)
{
  ArmillaMeasured ranks[2] = { { .work = { { 1 } }, .busy = { { 1 } }, .workers = { 1 } },
                               { .work = { { 1 } }, .busy = { { 1 } }, .workers = { 1 } } };
  double speeds[2] = { 1, 1 }, prices[ARMILLA_MEASURED_CODELETS] = { 0 };
  gboolean known = FALSE;

  g_assert_true (armilla_measured_speeds (ranks, 2, prices, speeds, &known));
  ranks[1].busy[0][0] = 3;
  for (int i = 0; i < 2; i++)
    g_assert_true (armilla_measured_speeds (ranks, 2, prices, speeds, &known));
  g_assert_cmpfloat (speeds[1], <=, 0.51);
  ranks[1].busy[0][0] = 1;
  g_assert_true (armilla_measured_speeds (ranks, 2, prices, speeds, &known));
  g_assert_cmpfloat (speeds[1], <, 0.6);
  for (int i = 0; i < 20; i++)
    g_assert_true (armilla_measured_speeds (ranks, 2, prices, speeds, &known));
  g_assert_cmpfloat (speeds[1], >, 0.9);
  g_assert_cmpfloat_with_epsilon (speeds[0], 1, 1e-12);
}

/* The tasks of a rank took as long as those of another, but its worker had a fourth of a core. */
static void
test_measured_share (void)
{
  ArmillaMeasured ranks[2]
    = { { .work = { { 1 } }, .busy = { { 1 } }, .workers = { 1 }, .share = 1 },
        { .work = { { 0.1 } }, .busy = { { 0.1 } }, .workers = { 1 }, .share = 0.25 } };
  double speeds[2] = { 1, 1 }, prices[ARMILLA_MEASURED_CODELETS] = { 0 };
  gboolean known = FALSE;

  g_assert_true (armilla_measured_speeds (ranks, 2, prices, speeds, &known));
  g_assert_cmpfloat_with_epsilon (speeds[1], 0.25, 1e-12);
  g_assert_cmpfloat_with_epsilon (speeds[0], 1, 1e-12);
}

/* A rank with a GPU and cores: each kind of worker counts by what it does in its own time. */
static void
test_measured_kinds (void)
{
  ArmillaMeasured ranks[2] = {
    { .work = { { 4 }, { 100 } }, .busy = { { 4 }, { 1 } }, .workers = { 4, 1 } },
    { .work = { { 8 } }, .busy = { { 8 } }, .workers = { 4, 0 } },
  };
  double speeds[2] = { 1, 1 }, prices[ARMILLA_MEASURED_CODELETS] = { 0 };
  gboolean known = FALSE;

  g_assert_true (armilla_measured_speeds (ranks, 2, prices, speeds, &known));
  g_assert_cmpfloat_with_epsilon (speeds[0] / speeds[1], (4 + 100) / 4.0, 1e-9);
}

static void
test_round (void)
{
  double speeds[4] = { 97, 100, 35, 1 }, unknown[2] = { 0, 0 };

  armilla_block_deal_round (speeds, 4);
  g_assert_cmpfloat (speeds[0], ==, 1);
  g_assert_cmpfloat (speeds[1], ==, 1);
  g_assert_cmpfloat (speeds[2], ==, 0.375);
  g_assert_cmpfloat (speeds[3], ==, 5.0 / 512); /* 5 eighths of a 64th */
  armilla_block_deal_round (unknown, 2);
  g_assert_cmpfloat (unknown[0], ==, 1);
  g_assert_cmpfloat (unknown[1], ==, 1);
}

static void
test_parse (void)
{
  static const char *const wrong[]
    = { "", "1", "1 0", "1 -2", "1 2 3", "1 x", "1,2", "1 nan", "equals" };
  double speeds[2];

  g_assert_true (armilla_block_deal_parse ("1 0.25 ", speeds, 2, NULL));
  g_assert_cmpfloat (speeds[0], ==, 1);
  g_assert_cmpfloat (speeds[1], ==, 0.25);
  g_assert_true (armilla_block_deal_parse ("equal", speeds, 2, NULL));
  g_assert_cmpfloat (speeds[0], ==, speeds[1]);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (armilla_block_deal_parse (wrong[i], speeds, 2, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
    }
}

/* A core has a speed. */
static void
test_rate (void)
{
  g_assert_cmpfloat (armilla_block_deal_rate (), >, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/deal/equal", test_equal);
  g_test_add_func ("/deal/slow", test_slow);
  g_test_add_func ("/deal/one", test_one);
  g_test_add_func ("/deal/very-slow", test_very_slow);
  g_test_add_func ("/deal/known-speeds", test_known_speeds);
  g_test_add_func ("/deal/load", test_load);
  g_test_add_func ("/deal/together", test_together);
  g_test_add_func ("/deal/load-together", test_load_together);
  g_test_add_func ("/deal/units", test_units);
  g_test_add_func ("/deal/blocks", test_blocks);
  g_test_add_func ("/deal/blocks-in-turn", test_blocks_in_turn);
  g_test_add_func ("/deal/blocks-again", test_blocks_again);
  g_test_add_func ("/deal/blocks-doubted", test_blocks_doubted);
  g_test_add_func ("/deal/measured", test_measured);
  g_test_add_func ("/deal/measured-again", test_measured_again);
  g_test_add_func ("/deal/measured-kinds", test_measured_kinds);
  g_test_add_func ("/deal/measured-share", test_measured_share);
  g_test_add_func ("/deal/round", test_round);
  g_test_add_func ("/deal/parse", test_parse);
  g_test_add_func ("/deal/rate", test_rate);
  return g_test_run ();
}
