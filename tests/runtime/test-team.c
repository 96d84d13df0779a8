/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A team runs each task of a batch once, however many members it has and whether they spin or
 * sleep. */
#include <stdlib.h>
#include <string.h>

#include "tasks/runtime/team.h"

#define MAX_TASKS 300
#define N_BATCHES 2000
/* Microseconds after which members sleep, several times over. */
#define LONG_PAUSE 5000

typedef struct {
  ArmillaTeam *team;
  gint64 first;
  gint times[MAX_TASKS]; /* atomic */
  int members[MAX_TASKS];
} Batch;

static void
count (gpointer user, gint64 task, int member)
{
  Batch *batch = user;
  const gsize size = 64 + 64 * (gsize) (task % 5);
  char *scratch = armilla_team_scratch (batch->team, member, size);

  memset (scratch, (int) (task & 0x7f), size);
  g_thread_yield ();
  for (gsize i = 0; i < size; i++)
    g_assert_cmpint (scratch[i], ==, (int) (task & 0x7f));
  g_assert_cmpuint ((guintptr) scratch % 64, ==, 0);
  g_atomic_int_inc (&batch->times[task - batch->first]);
  batch->members[task - batch->first] = member;
}

static void
run_batch (ArmillaTeam *team, int n_members, int n_active, int n, gboolean at_once)
{
  g_autofree Batch *batch = g_new0 (Batch, 1);

  batch->team = team;
  batch->first = armilla_team_begin (team, n_active, count, batch);
  if (at_once)
    armilla_team_add (team, n);
  for (int i = 0; !at_once && i < n; i++)
    armilla_team_add (team, 1);
  armilla_team_finish (team);
  for (int i = 0; i < MAX_TASKS; i++)
    {
      g_assert_cmpint (batch->times[i], ==, i < n);
      g_assert_cmpint (batch->members[i], <, n_members);
    }
}

static void
test_batches (gconstpointer data)
{
  const int n_members = GPOINTER_TO_INT (data);
  ArmillaTeam *team = armilla_team_new (n_members);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (int i = 0; i < N_BATCHES / n_members; i++)
    {
      if (i % 50 == 49)
        g_usleep (LONG_PAUSE);
      run_batch (team, n_members, g_rand_int_range (rand, 1, n_members + 1),
                 g_rand_int_range (rand, 0, MAX_TASKS), i % 2);
    }
  armilla_team_free (team);
}

/* Freed while members spin, while they sleep, and before they have begun. */
static void
test_free (void)
{
  for (int i = 0; i < 60; i++)
    {
      ArmillaTeam *team = armilla_team_new (1 + i % 4);

      if (i % 3 > 0)
        run_batch (team, 1 + i % 4, 1 + i % 4, 10, TRUE);
      if (i % 3 == 2)
        g_usleep (LONG_PAUSE);
      armilla_team_free (team);
    }
  armilla_team_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/team/alone", GINT_TO_POINTER (1), test_batches);
  g_test_add_data_func ("/team/of-two", GINT_TO_POINTER (2), test_batches);
  g_test_add_data_func ("/team/of-eight", GINT_TO_POINTER (8), test_batches);
  g_test_add_func ("/team/free", test_free);
  return g_test_run ();
}
