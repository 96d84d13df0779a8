/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "codelets/correlation/cells-private.h"

typedef struct {
  const ArmillaCellsWork *work;
  gint threads, next, done, opened, then_next;
} Loop;

static gpointer
run_loop (gpointer data)
{
  Loop *loop = data;
  const ArmillaCellsWork *work = loop->work;
  const int thread = g_atomic_int_add (&loop->threads, 1);

  for (int64_t i = g_atomic_int_add (&loop->next, 1); i < work->n;
       i = g_atomic_int_add (&loop->next, 1))
    {
      work->body (work->user, thread, i);
      if (g_atomic_int_add (&loop->done, 1) + 1 == work->n)
        {
          if (work->between)
            work->between (work->user);
          g_atomic_int_set (&loop->opened, TRUE);
        }
    }
  if (work->n_then == 0)
    return NULL;
  /* The wait is shorter than one body of another thread: not worth sleeping. */
  while (work->n > 0 && !g_atomic_int_get (&loop->opened))
    g_thread_yield ();
  for (int64_t i = g_atomic_int_add (&loop->then_next, 1); i < work->n_then;
       i = g_atomic_int_add (&loop->then_next, 1))
    work->then (work->user, thread, i);
  return NULL;
}

/* Runs the work in at most ARMILLA_CELLS_MAX_THREADS threads; fewer if the system cannot start
 * them. */
void
armilla_cells_parallel (int n_threads, const ArmillaCellsWork *work)
{
  Loop loop = { .work = work };
  GThread *threads[ARMILLA_CELLS_MAX_THREADS];
  int n_more = 0;

  for (; n_more < n_threads - 1 && n_more < MAX (work->n, work->n_then) - 1; n_more++)
    {
      threads[n_more] = g_thread_try_new ("armilla-cells", run_loop, &loop, NULL);
      if (!threads[n_more])
        break;
    }
  run_loop (&loop);
  while (n_more > 0)
    g_thread_join (threads[--n_more]);
}

/* Allocates by the input's allocator; free with armilla_cells_release (). NULL if out of memory. */
void *
armilla_cells_allocate (const ArmillaCellsInput *input, int64_t size)
{
  size = MAX (size, 1);
  return input->allocate ? input->allocate (size) : g_try_malloc ((gsize) size);
}

void
armilla_cells_release (const ArmillaCellsInput *input, void *at, int64_t size)
{
  if (input->allocate)
    input->release (at, MAX (size, 1));
  else
    g_free (at);
}

/* Sets the first node of each level and patch, and the numbers of nodes, slots and roots. */
static void
lay_out_levels (ArmillaCells *cells)
{
  ArmillaCellsPlan *plan = cells->plan;
  GArray *first_node = g_array_new (FALSE, FALSE, sizeof (int64_t));
  int64_t max_count = 0;

  do
    {
      max_count = 0;
      for (int64_t patch = 0; patch < plan->n_patches; patch++)
        {
          const int64_t n = armilla_level_count (plan, patch, plan->n_levels);

          g_array_append_val (first_node, cells->n_nodes);
          cells->n_nodes += n;
          max_count = MAX (max_count, n);
        }
      if (plan->n_levels++ == 0)
        cells->n_slots = ARMILLA_LEAF * cells->n_nodes;
    }
  while (max_count > 1);
  plan->first_node = (int64_t *) (void *) g_array_free (first_node, FALSE);
  cells->n_roots
    = cells->n_nodes - plan->first_node[(plan->n_levels - 1) * plan->n_patches];
  cells->node_stride = cells->n_nodes + ARMILLA_CHILDREN;
}

/* Counts the objects before each patch. */
static void
count_patches (const ArmillaCellsPlan *plan)
{
  const ArmillaCellsInput *in = plan->input;

  plan->first[plan->n_patches] = in->n;
  for (int64_t i = 0; in->patch && i < in->n; i++)
    if (in->patch[i] + 1 < in->n_patches)
      plan->first[in->patch[i] + 1]++;
  for (int64_t patch = 1; patch < plan->n_patches; patch++)
    plan->first[patch] += plan->first[patch - 1];
}

/* Determines the memory that the cells of fewer than 2^32 objects need. The input must live until
 * armilla_cells_fill () returns. */
ArmillaCells *
armilla_cells_new (const ArmillaCellsInput *input)
{
  ArmillaCells *cells = g_new0 (ArmillaCells, 1);
  ArmillaCellsPlan *plan = g_new0 (ArmillaCellsPlan, 1);

  plan->input = input;
  plan->n_patches = input->patch ? input->n_patches : 1;
  plan->first = g_new0 (int64_t, plan->n_patches + 1);
  cells->plan = plan;
  cells->n = input->n;
  cells->n_rows = input->n_rows;
  cells->slack = ARMILLA_RADIUS_SLACK;
  for (int k = 0; k < 3 && input->side > 0; k++)
    cells->slack = MAX (cells->slack,
                        ARMILLA_SPACE_SLACK * (fabs (input->corner[k]) + input->side));
  count_patches (plan);
  lay_out_levels (cells);
  return cells;
}

void
armilla_cells_free (ArmillaCells *cells)
{
  g_free (cells->plan->first);
  g_free (cells->plan->first_node);
  g_free (cells->plan);
  g_free (cells);
}
