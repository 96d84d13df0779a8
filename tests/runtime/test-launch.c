/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of how ranks were launched, for launches that this machine need not allow. */
#include <string.h>

#include "tasks/runtime/core-share.h"
#include "tasks/graph/blocks.h"
#include "tasks/runtime/block-deal.h"
#include "tasks/tuning/launch.h"

/* Two nodes of 8 cores and 2 GPUs, a rank each. */
static void
fill (ArmillaLaunched *ranks)
{
  static const ArmillaLaunched rank = { .host = "a", .version = "armilla 1", .build = "0123",
                                        .gpus = "0000:01:00.0 0000:02:00.0 ", .cores = { 0xff },
                                        .cores_bound = 8, .n_cores = 8, .cpu_workers = 7,
                                        .max_cpu_workers = 64 };

  ranks[0] = ranks[1] = rank;
  strcpy (ranks[1].host, "b");
}

/* Exactly one line, and it says this. */
static void
assert_says (const ArmillaLaunched *ranks, const char *what)
{
  g_autofree char *text = armilla_launch_warnings (ranks, 2, TRUE);

  g_assert_nonnull (text);
  g_assert_true (strchr (text, '\n') == text + strlen (text) - 1);
  if (strstr (text, what) == NULL)
    g_error ("\"%s\" is not about \"%s\"", text, what);
}

static void
test_good (void)
{
  ArmillaLaunched ranks[2];
  g_autoptr (GError) error = NULL;

  fill (ranks);
  g_assert_null (armilla_launch_warnings (ranks, 2, TRUE));
  g_assert_true (armilla_launch_check (ranks, 2, &error));
  g_assert_no_error (error);
}

static void
test_good_on_one (void)
{
  ArmillaLaunched ranks[2];

  fill (ranks);
  strcpy (ranks[1].host, "a");
  strcpy (ranks[0].gpus, "0000:01:00.0 ");
  strcpy (ranks[1].gpus, "0000:02:00.0 ");
  ranks[0].cores[0] = 0x0f;
  ranks[1].cores[0] = 0xf0;
  ranks[0].cores_bound = ranks[1].cores_bound = 4;
  ranks[0].cpu_workers = ranks[1].cpu_workers = 4;
  g_assert_null (armilla_launch_warnings (ranks, 2, TRUE));
}

static void
test_bound (void)
{
  ArmillaLaunched ranks[2];

  fill (ranks);
  ranks[1].cores_bound = 1;
  ranks[1].cores[0] = 1;
  assert_says (ranks, "rank 1 on b: 7 CPU workers share the 1 core(s)");
}

static void
test_crowded (void)
{
  ArmillaLaunched ranks[2];

  fill (ranks);
  strcpy (ranks[1].host, "a");
  strcpy (ranks[0].gpus, "0000:01:00.0 ");
  strcpy (ranks[1].gpus, "0000:02:00.0 ");
  assert_says (ranks, "2 ranks on a have 14 CPU workers for 8 cores");
}

static void
test_one_gpu (void)
{
  ArmillaLaunched ranks[2];

  fill (ranks);
  strcpy (ranks[1].host, "a");
  strcpy (ranks[0].gpus, "0000:02:00.0 ");
  ranks[0].cpu_workers = ranks[1].cpu_workers = 3;
  assert_says (ranks, "ranks 0 and 1 on a use the same GPU (0000:02:00.0)");
}

static void
test_capped (void)
{
  ArmillaLaunched ranks[2];

  fill (ranks);
  ranks[0].max_cpu_workers = ranks[0].cpu_workers = 4;
  assert_says (ranks, "rank 0 on a: this StarPU was built for at most 4 CPU workers, but there are "
                      "8 cores");
  ranks[0].workers_chosen = TRUE;
  g_assert_null (armilla_launch_warnings (ranks, 2, TRUE));
}

static void
test_programs (void)
{
  ArmillaLaunched ranks[2];
  g_autoptr (GError) error = NULL;

  fill (ranks);
  strcpy (ranks[1].version, "armilla 2");
  g_assert_false (armilla_launch_check (ranks, 2, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MPI);
  g_assert_nonnull (strstr (error->message, "rank 1 on b runs armilla 2, rank 0 on a runs "
                                            "armilla 1"));
  g_clear_error (&error);
  fill (ranks);
  strcpy (ranks[1].build, "4567");
  g_assert_false (armilla_launch_check (ranks, 2, &error));
  g_assert_nonnull (strstr (error->message, "rank 1 on b runs build 4567, rank 0 on a runs build "
                                            "0123"));
}

/* --- Speeds: ranks on nodes of 4 cores at 60 Gflop/s, and what they have more of */

static void
fill_speeds (ArmillaLaunched *ranks, int n_ranks)
{
  for (int r = 0; r < n_ranks; r++)
    {
      ranks[r] = (ArmillaLaunched) { .cores_bound = 4, .n_cores = 4, .cpu_workers = 4,
                                     .rate = 1, .core_flops = 60e9 };
      g_snprintf (ranks[r].host, sizeof ranks[r].host, "node%d", r);
    }
}

static void
give_gpus (ArmillaLaunched *rank, const char *places)
{
  g_strlcpy (rank->gpus, places, sizeof rank->gpus);
  rank->gpu_flops = 30e12;
}

static void
test_speeds_cores (void)
{
  ArmillaLaunched ranks[3];
  double speeds[3];

  fill_speeds (ranks, 3);
  ranks[1].cpu_workers = 64; /* of which it may use */
  ranks[1].cores_bound = 16;
  ranks[2].rate = 0.5; /* another job is on its cores */
  g_assert_cmpint (armilla_launch_gpu_ranks (ranks, 3), ==, 0);
  armilla_launch_speeds (ranks, 3, speeds);
  g_assert_cmpfloat_with_epsilon (speeds[1] / speeds[0], 4, 1e-12);
  g_assert_cmpfloat_with_epsilon (speeds[2] / speeds[0], 0.5, 1e-12);
}

/* A GPU of 30 Tflop/s beside ranks of 4 and 64 cores of 60 Gflop/s: a GPU does what some 550 cores
 * do, and cores count by their number. */
static void
test_speeds_unequal (void)
{
  ArmillaLaunched ranks[4];
  double speeds[4];

  fill_speeds (ranks, 4);
  give_gpus (&ranks[1], "0000:01:00.0 ");
  ranks[1].cpu_workers = 0;
  ranks[2].cpu_workers = ranks[2].cores_bound = 64;
  give_gpus (&ranks[3], "0000:01:00.0 0000:02:00.0 "); /* of another node: not that one */
  armilla_launch_speeds (ranks, 4, speeds);
  g_assert_cmpfloat_with_epsilon (speeds[2] / speeds[0], 16, 1e-12);
  g_assert_cmpfloat (speeds[1] / speeds[0], >, 100);
  g_assert_cmpfloat (speeds[1] / speeds[0], <, 160);
  g_assert_cmpfloat_with_epsilon (speeds[3], 2 * speeds[1] + speeds[0], 1e-9 * speeds[3]);
}

/* Two ranks of a machine with one GPU are half of it each, and a third that has another one is not
 * slower for that. "0000:01:00.0" is not the beginning of a place. */
static void
test_speeds_shared (void)
{
  ArmillaLaunched ranks[3];
  double speeds[3];

  fill_speeds (ranks, 3);
  for (int r = 0; r < 3; r++)
    {
      strcpy (ranks[r].host, "a");
      ranks[r].cpu_workers = 0;
      give_gpus (&ranks[r], r == 2 ? "0000:01:00.01 " : "0000:01:00.0 ");
    }
  armilla_launch_speeds (ranks, 3, speeds);
  g_assert_cmpfloat (speeds[0], ==, speeds[1]);
  g_assert_cmpfloat_with_epsilon (speeds[2], 2 * speeds[0], 1e-9 * speeds[2]);
}

static void
test_speeds_unknown (void)
{
  ArmillaLaunched ranks[2];
  double speeds[2];

  fill_speeds (ranks, 2);
  give_gpus (&ranks[0], "0000:01:00.0 ");
  ranks[0].gpu_flops = 0;
  armilla_launch_speeds (ranks, 2, speeds);
  g_assert_cmpfloat (speeds[0], ==, 1);
  g_assert_cmpfloat (speeds[1], ==, 1);
}

/* Those of one machine have turns, those of different machines the same one. */
static void
test_turns (void)
{
  ArmillaLaunched ranks[4];

  fill_speeds (ranks, 4);
  strcpy (ranks[2].host, "node0");
  strcpy (ranks[3].host, "node0");
  for (int r = 0; r < 4; r++)
    g_assert_cmpint (armilla_launch_turn (ranks, r), ==, r < 2 ? 0 : r - 1);
}

/* Blocks of orders as they are cut by default: ranks without a GPU get none, in whatever order the
 * ranks are; one with a GPU gets them in one piece, and two half each. */
static void
test_gpu_blocks (void)
{
  const ArmillaAlmLayout layout = { 4095, 4095 };

  g_assert_cmpint (armilla_order_blocks_default (layout, 1, TRUE), ==, 1);
  g_assert_cmpint (armilla_order_blocks_default (layout, 4, FALSE), ==, 0);
  g_assert_cmpint (armilla_order_blocks_default (layout, 4, TRUE), ==, 8);
  g_assert_cmpint (armilla_order_blocks_default (layout, 1000, TRUE), ==, 8);
  for (int last = 1; last < 4; last++)
    {
      ArmillaLaunched ranks[4];
      double speeds[4], shares[4] = { 0 };
      ArmillaOrderBlocks *blocks;
      gint64 n_blocks;

      fill_speeds (ranks, 4);
      give_gpus (&ranks[last], "0000:01:00.0 ");
      if (last > 1)
        give_gpus (&ranks[1], "0000:01:00.0 ");
      armilla_launch_speeds (ranks, 4, speeds);
      armilla_block_deal_round (speeds, 4);
      n_blocks = armilla_order_blocks_default (layout, armilla_launch_gpu_ranks (ranks, 4), TRUE);
      blocks = armilla_order_blocks_new (layout, 1, n_blocks, 4, speeds);
      g_assert_cmpint (blocks->n, ==, last > 1 ? 8 : 1);
      for (int b = 0; b < blocks->n; b++)
        shares[blocks->owner[b]] += (double) armilla_order_block_count (blocks, b)
                                    / (double) armilla_alm_count (layout);
      for (int r = 0; r < 4; r++)
        if (*ranks[r].gpus != '\0')
          g_assert_cmpfloat_with_epsilon (shares[r], last > 1 ? 0.5 : 1, 0.02);
        else
          g_assert_cmpfloat (shares[r], ==, 0);
      armilla_order_blocks_free (blocks);
    }
}

/* Eight cores with two threads each, numbered as Linux does: 0 to 7, and 8 to 15 their second
 * ones. */
static void
test_cores (void)
{
  ArmillaCoreClaim claims[4] = { { "a", { 0xffff }, 0, 0 }, { "a", { 0xffff }, 0, 0 },
                                 { "b", { 0xffff }, 0, 0 }, { "a", { 0xffff }, 0, 0 } };
  guint64 cpus[ARMILLA_CORE_WORDS];
  int core_of_cpu[ARMILLA_MAX_CPUS];

  for (int i = 0; i < ARMILLA_MAX_CPUS; i++)
    core_of_cpu[i] = i < 16 ? i % 8 : i;
  /* Three of a machine, and one of another that is alone. */
  g_assert_cmpint (armilla_core_share (claims, 4, 0, core_of_cpu, cpus), ==, 3);
  g_assert_cmphex (cpus[0], ==, 0x0303);
  g_assert_cmpint (armilla_core_share (claims, 4, 1, core_of_cpu, cpus), ==, 3);
  g_assert_cmphex (cpus[0], ==, 0x1c1c);
  g_assert_cmpint (armilla_core_share (claims, 4, 3, core_of_cpu, cpus), ==, 3);
  g_assert_cmphex (cpus[0], ==, 0xe0e0);
  g_assert_cmpint (armilla_core_share (claims, 4, 2, core_of_cpu, cpus), ==, 1);
  g_assert_cmphex (cpus[0], ==, 0xffff);
  /* One of them was told. */
  claims[1].chosen = 1;
  g_assert_cmpint (armilla_core_share (claims, 4, 1, core_of_cpu, cpus), ==, 1);
  g_assert_cmphex (cpus[0], ==, 0xffff);
  g_assert_cmpint (armilla_core_share (claims, 4, 0, core_of_cpu, cpus), ==, 2);
  g_assert_cmphex (cpus[0], ==, 0x0f0f);
  /* Numbers of cores that were named: 5, what is left, and what is left; 5 and 2, and one more; 5
   * and 5, which cannot be. */
  claims[0].wanted = 5;
  claims[1].chosen = 0;
  g_assert_cmpint (armilla_core_share (claims, 4, 0, core_of_cpu, cpus), ==, 3);
  g_assert_cmphex (cpus[0], ==, 0x1f1f);
  g_assert_cmpint (armilla_core_share (claims, 4, 1, core_of_cpu, cpus), ==, 3);
  g_assert_cmphex (cpus[0], ==, 0x2020);
  g_assert_cmpint (armilla_core_share (claims, 4, 3, core_of_cpu, cpus), ==, 3);
  g_assert_cmphex (cpus[0], ==, 0xc0c0);
  claims[1].wanted = 2;
  g_assert_cmpint (armilla_core_share (claims, 2, 0, core_of_cpu, cpus), ==, 2);
  g_assert_cmphex (cpus[0], ==, 0x1f1f);
  g_assert_cmpint (armilla_core_share (claims, 2, 1, core_of_cpu, cpus), ==, 2);
  g_assert_cmphex (cpus[0], ==, 0xe0e0);
  claims[1].wanted = 5;
  g_assert_cmpint (armilla_core_share (claims, 2, 1, core_of_cpu, cpus), ==, 1);
  g_assert_cmphex (cpus[0], ==, 0xffff);
  claims[0].wanted = claims[1].wanted = 0;
  claims[1].chosen = 1;
  /* A launcher has divided them, and fewer cores than ranks cannot be. */
  claims[0].cpus[0] = 0x00ff;
  g_assert_cmpint (armilla_core_share (claims, 4, 3, core_of_cpu, cpus), ==, 1);
  for (int r = 0; r < 4; r++)
    claims[r] = (ArmillaCoreClaim) { "a", { 0x0101, 0, 1 }, 0, 0 };
  g_assert_cmpint (armilla_core_share (claims, 4, 0, core_of_cpu, cpus), ==, 1);
  g_assert_cmphex (cpus[0], ==, 0x0101);
  g_assert_cmpint (armilla_core_share (claims, 2, 1, core_of_cpu, cpus), ==, 2);
  g_assert_cmphex (cpus[0], ==, 0);
  g_assert_cmphex (cpus[2], ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/launch/good", test_good);
  g_test_add_func ("/launch/good-on-one", test_good_on_one);
  g_test_add_func ("/launch/bound", test_bound);
  g_test_add_func ("/launch/crowded", test_crowded);
  g_test_add_func ("/launch/one-gpu", test_one_gpu);
  g_test_add_func ("/launch/capped", test_capped);
  g_test_add_func ("/launch/programs", test_programs);
  g_test_add_func ("/launch/speeds-cores", test_speeds_cores);
  g_test_add_func ("/launch/speeds-unequal", test_speeds_unequal);
  g_test_add_func ("/launch/speeds-shared", test_speeds_shared);
  g_test_add_func ("/launch/speeds-unknown", test_speeds_unknown);
  g_test_add_func ("/launch/turns", test_turns);
  g_test_add_func ("/launch/gpu-blocks", test_gpu_blocks);
  g_test_add_func ("/launch/cores", test_cores);
  return g_test_run ();
}
