/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks with random accesses to a few tiles, run by a team, against the same in their order. */
#include "tests/lib/runtime-helpers.h"

#include <string.h>

#include "tasks/graph/graph.h"
#include "tasks/graph/in-thread.h"
#include "tests/correlation/pair-helpers.h"

#define N_TILES 9
#define N_VALUES 16
#define MAX_USES 6
#define N_PARTS 4
#define N_TASKS 3000

/* Values are hashed, so that any other order of tasks changes them. */
typedef struct {
  int n_uses, tiles[MAX_USES], modes[MAX_USES];
  int first, end; /* values of each tile that the task writes */
  guint64 salt;
} Task;

static guint64
mix (guint64 hash, guint64 word)
{
  hash = (hash ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* Writes a hash of all that the task reads to all that it writes. */
static void
run (const Task *task, guint64 *const *values)
{
  guint64 hash = task->salt;

  for (int i = 0; i < task->n_uses; i++)
    for (int k = 0; task->modes[i] == STARPU_R && k < N_VALUES; k++)
      hash = mix (hash, values[i][k]);
  for (int i = 0; i < task->n_uses; i++)
    for (int k = task->first; (task->modes[i] & STARPU_W) && k < task->end; k++)
      values[i][k] = mix (task->modes[i] & STARPU_R ? values[i][k] : 0, hash + (guint64) k);
}

static void
kernel (void *buffers[], void *packed)
{
  guint64 *values[MAX_USES];
  Task task;

  starpu_codelet_unpack_args (packed, &task);
  for (int i = 0; i < task.n_uses; i++)
    values[i] = (guint64 *) STARPU_VECTOR_GET_PTR (buffers[i]);
  run (&task, values);
}

static ArmillaCodelet codelet = { .cl = { .cpu_funcs = { kernel } } };

/* Different tiles, read, written, or read and written; whole. */
static Task
random_task (GRand *rand)
{
  static const int modes[] = { STARPU_R, STARPU_R, STARPU_W, STARPU_RW };
  Task task = { .n_uses = g_rand_int_range (rand, 1, MAX_USES + 1), .end = N_VALUES,
                .salt = g_rand_int (rand) };
  gboolean used[N_TILES] = { FALSE };

  for (int i = 0; i < task.n_uses; i++)
    {
      do
        task.tiles[i] = g_rand_int_range (rand, 0, N_TILES);
      while (used[task.tiles[i]]);
      used[task.tiles[i]] = TRUE;
      task.modes[i] = modes[g_rand_int_range (rand, 0, G_N_ELEMENTS (modes))];
    }
  return task;
}

/* Returns the number of parts in which the task writes. Parts of two tasks in succession must be
 * disjoint, so a tile that was written in parts is not written so again. */
static int
choose_parts (GRand *rand, const Task *task, gboolean *in_parts)
{
  gboolean allowed = g_rand_int_range (rand, 0, 3) == 0;

  for (int i = 0; i < task->n_uses; i++)
    allowed &= !in_parts[task->tiles[i]];
  for (int i = 0; i < task->n_uses; i++)
    in_parts[task->tiles[i]] = allowed && (task->modes[i] & STARPU_W);
  return allowed ? N_PARTS : 1;
}

static void
submit (ArmillaGraph *graph, const ArmillaTile *tiles, const Task *task, gboolean apart)
{
  g_autoptr (GError) error = NULL;
  ArmillaUse uses[MAX_USES];

  for (int i = 0; i < task->n_uses; i++)
    uses[i] = (ArmillaUse) { tiles[task->tiles[i]].handle,
                             (enum starpu_data_access_mode)
                               (task->modes[i] | (apart && (task->modes[i] & STARPU_W)
                                                    ? (int) ARMILLA_IN_THREAD_APART
                                                    : 0)) };
  g_assert_true (
    armilla_submit (graph, &codelet, 0, task, sizeof *task, uses, task->n_uses, 0, &error));
  g_assert_no_error (error);
}

static void
test_order (gconstpointer n_members)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  ArmillaGraph *graph = armilla_graph_new (runtime, NULL, &error);
  ArmillaTile tiles[N_TILES] = { { 0 } };
  guint64 expected[N_TILES][N_VALUES] = { { 0 } };
  gboolean in_parts[N_TILES] = { FALSE };
  const Task fill = { .n_uses = 1, .modes = { STARPU_W }, .end = N_VALUES };

  g_assert_no_error (error);
  armilla_graph_run_in_thread (graph, GPOINTER_TO_INT (n_members));
  g_assert_nonnull (graph->in_thread);
  for (int i = 0; i < N_TILES; i++)
    {
      Task task = fill;
      guint64 *values = expected[i];

      task.tiles[0] = i;
      g_assert_true (armilla_tile_new (graph, 0, N_VALUES, &tiles[i], &error));
      submit (graph, tiles, &task, FALSE);
      run (&task, &values);
    }
  for (int t = 0; t < N_TASKS; t++)
    {
      Task task = random_task (rand);
      const int parts = choose_parts (rand, &task, in_parts);
      guint64 *values[MAX_USES];

      for (int i = 0; i < task.n_uses; i++)
        values[i] = expected[task.tiles[i]];
      for (int part = 0; part < parts; part++)
        {
          task.first = N_VALUES * part / parts;
          task.end = N_VALUES * (part + 1) / parts;
          run (&task, values);
          submit (graph, tiles, &task, parts > 1);
        }
    }
  g_assert_true (armilla_graph_wait (graph, &error));
  for (int i = 0; i < N_TILES; i++)
    {
      g_assert_cmpint (starpu_data_acquire (tiles[i].handle, STARPU_R), ==, 0);
      g_assert_true (memcmp (starpu_data_get_local_ptr (tiles[i].handle), expected[i],
                             sizeof expected[i]) == 0);
      starpu_data_release (tiles[i].handle);
      armilla_tile_drop (&tiles[i]);
    }
  armilla_graph_free (graph);
}

/* Counts of many pairs are left to the workers, though their data are small; those of a catalogue
 * whose size is not known yet, too. */
static void
test_who_counts (void)
{
  static const gint64 sizes[] = { 0, 100, 100000 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ArmillaBins) bins = armilla_bins_new_linear (0, G_PI, 7, NULL);
      g_autoptr (ArmillaCatalogue) catalogue = sky_new (SKY_UNIFORM, 100, 5, 0);
      g_autoptr (ArmillaObjects) objects = armilla_objects_new (0);
      g_autoptr (ArmillaHistogram) out
        = armilla_histogram_new (ARMILLA_HISTOGRAM_PAIRS, bins, 0, 0, &error);
      ArmillaGraph *graph = armilla_graph_new (runtime, NULL, &error);
      gboolean can;

      armilla_objects_set_catalogue (objects, catalogue);
      armilla_objects_expect (objects, sizes[i]);
      g_assert_true (armilla_graph_count_pairs (graph, objects, NULL, NULL, out, &error));
      can = armilla_in_thread_choose (graph->runtime, 1e-6) > 0;
      armilla_graph_run_small_in_thread (graph);
      g_assert_true ((graph->in_thread != NULL) == (can && sizes[i] == 100));
      armilla_graph_wait (graph, &error);
      g_assert_no_error (error);
      g_clear_object (&out); /* its tiles belong to the graph */
      armilla_graph_free (graph);
    }
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  for (int n = 1; n <= 4; n++)
    {
      g_autofree char *name = g_strdup_printf ("/in-thread/%d-members", n);

      g_test_add_data_func (name, GINT_TO_POINTER (n), test_order);
    }
  g_test_add_func ("/in-thread/counts", test_who_counts);
  return run_tests ();
}
