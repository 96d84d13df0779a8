/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of how ranks were launched, for launches that this machine need not allow. */
#include <string.h>

#include "tasks/launch.h"

/* Two nodes of 8 cores and 2 GPUs, a rank each. */
static void
fill (ArmillaLaunched *ranks)
{
  static const ArmillaLaunched rank = { .host = "a", .version = "armilla 1", .build = "0123",
                                        .gpus = "0000:01:00.0 0000:02:00.0 ", .cores = { 0xff },
                                        .cores_bound = 8, .cores_there = 8, .cpu_workers = 7,
                                        .most_cpu_workers = 64 };

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
  ranks[0].most_cpu_workers = ranks[0].cpu_workers = 4;
  assert_says (ranks, "rank 0 on a: this StarPU was built for at most 4 CPU workers, and 8 cores");
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
  return g_test_run ();
}
