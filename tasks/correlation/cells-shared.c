/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts catalogues into cells once for all successive counts: two of DD, DR and RR, or more, need
 * the data and the random objects of a correlation function. The cells do not depend on the
 * bins. */
#include "config.h"

#include "core/catalogues/catalogue.h"
#include "tasks/correlation/cells-shared.h"
#include "tasks/data/objects.h"
#include "tasks/graph/jobs.h"
#include "tasks/planning/forecast-private.h"
#include "tasks/trace/trace-private.h"

/* name of the sorting in a trace */
#define STEP "sort-cells"

/* Returns the number of sorting threads: the CPU workers, or the processors if there are none. */
static int
sorting_threads (void)
{
  const int workers = (int) starpu_cpu_worker_get_count ();

  return CLAMP (workers > 0 ? workers : (int) g_get_num_processors (), 1, 64);
}

/* Allocates memory for tiles, which is reused for the next catalogue; it is not pinned even if
 * there are GPUs. */
static void *
allocate_room (int64_t size)
{
  void *at = NULL;

  return starpu_malloc_flags (&at, (size_t) size, 0) == 0 ? at : NULL;
}

static void
release_room (void *at, int64_t size)
{
  starpu_free_flags (at, (size_t) size, 0);
}

/* Sorts with as many threads as there are CPU workers. Idle workers poll for tasks and would
 * compete with these threads, so they are stopped meanwhile. */
static gboolean
fill_cells (ArmillaCells *cells, double *points, double *nodes, GError **error)
{
  gboolean filled;

  starpu_pause ();
  filled = armilla_cells_fill (cells, points, nodes, sorting_threads ()) != 0;
  starpu_resume ();
  if (!filled)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                 "out of memory: cannot sort %" G_GINT64_FORMAT " objects", cells->n);
  return filled;
}

/* Acquires the tile, without waiting, since only fill() has written it. */
static gboolean
acquire (const ArmillaTile *tile, double **at, GError **error)
{
  const int status = starpu_data_acquire (tile->handle, STARPU_R);

  if (status != 0)
    return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                         "out of memory: cannot allocate %" G_GINT64_FORMAT " bytes: %s",
                         8 * tile->n, g_strerror (-status));
  *at = starpu_data_get_local_ptr (tile->handle);
  return TRUE;
}

static void
sorted_free (gpointer data)
{
  ArmillaSorted *sorted = data;

  armilla_tile_drop (&sorted->points);
  armilla_tile_drop (&sorted->nodes);
  g_clear_pointer (&sorted->cells, armilla_cells_free);
  armilla_catalogue_unref (sorted->catalogue);
  g_free (sorted);
}

static gboolean
fill (ArmillaGraph *graph, ArmillaSorted *sorted, GError **error)
{
  ArmillaCells *cells = sorted->cells;
  double *points, *nodes = NULL;
  gboolean filled = FALSE;

  points = armilla_tile_memory (graph, ARMILLA_OWNER_EACH, cells->n_rows * cells->n_slots,
                                &sorted->points, error);
  if (points)
    nodes = armilla_tile_memory (graph, ARMILLA_OWNER_EACH,
                                 ARMILLA_NODE_ROWS * cells->node_stride, &sorted->nodes, error);
  if (nodes)
    filled = fill_cells (cells, points, nodes, error);
  if (points)
    starpu_data_release (sorted->points.handle);
  if (nodes)
    starpu_data_release (sorted->nodes.handle);
  return filled;
}

static gpointer
begin_trace (ArmillaGraph *graph, const ArmillaCells *cells)
{
  const double bytes
    = 8.0 * (double) (cells->n_rows * cells->n_slots + ARMILLA_NODE_ROWS * cells->node_stride);
  gpointer step = armilla_trace_step (armilla_graph_get_trace (graph), graph, STEP, bytes);

  armilla_trace_step_event (step, ARMILLA_STEP_READY);
  armilla_trace_step_event (step, ARMILLA_STEP_BEGINS);
  return step;
}

/* Returns (transfer full) (nullable) the objects of nonzero weight, like TreeCorr. */
static ArmillaCatalogue *
without_zeros (ArmillaCatalogue *catalogue, GError **error)
{
  g_autofree gint64 *which = NULL;
  gint64 n = 0;

  for (gint64 i = 0; catalogue->weight && i < catalogue->n; i++)
    n += catalogue->weight[i] != 0;
  if (!catalogue->weight || n == catalogue->n)
    return armilla_catalogue_ref (catalogue);
  which = g_try_new (gint64, MAX (n, 1));
  if (!which)
    return armilla_fail_null (error, ARMILLA_ERROR_MEMORY,
                              "out of memory: cannot allocate the numbers of %" G_GINT64_FORMAT
                              " objects", n);
  n = 0;
  for (gint64 i = 0; i < catalogue->n; i++)
    if (catalogue->weight[i] != 0)
      which[n++] = i;
  return armilla_catalogue_select (catalogue, which, n, error);
}

/* Sets the cube around the objects; of one place it has any side. */
static void
enclose (ArmillaCellsInput *input)
{
  const double *const at[3] = { input->x, input->y, input->z };
  double side = 0;

  for (int k = 0; k < 3; k++)
    {
      double low = input->n > 0 ? at[k][0] : 0, high = low;

      for (gint64 i = 1; i < input->n; i++)
        {
          low = MIN (low, at[k][i]);
          high = MAX (high, at[k][i]);
        }
      input->corner[k] = low;
      side = MAX (side, high - low);
    }
  input->side = side > 0 ? side : 1;
}

static ArmillaSorted *
sorted_new (ArmillaGraph *graph, ArmillaCatalogue *catalogue, int n_rows,
            const ArmillaCountArgs *args, GError **error)
{
  g_autoptr (ArmillaCatalogue) counted = without_zeros (catalogue, error);
  ArmillaCellsInput input = { .n_rows = n_rows,
                              .isa = (int32_t) graph->view.isa,
                              .allocate = allocate_room,
                              .release = release_room };
  ArmillaSorted *sorted;
  const double begin = armilla_forecast_clock (graph);
  gboolean filled;
  gpointer step;

  if (!counted)
    return NULL;
  input.n = counted->n;
  input.x = counted->x;
  input.y = counted->y;
  input.z = counted->z;
  input.weight = counted->weight;
  input.g1 = counted->g1;
  input.g2 = counted->g2;
  input.patch = args->patches ? counted->patch : NULL;
  input.n_patches = counted->n_patches;
  if (args->in_space)
    enclose (&input);
  sorted = g_new0 (ArmillaSorted, 1);
  sorted->catalogue = armilla_catalogue_ref (catalogue);
  sorted->patches = args->patches;
  sorted->in_space = args->in_space;
  sorted->cells = armilla_cells_new (&input);
  step = begin_trace (graph, sorted->cells);
  filled = fill (graph, sorted, error);
  armilla_trace_step_event (step, ARMILLA_STEP_ENDS);
  armilla_forecast_spend (graph, begin);
  if (filled)
    return sorted;
  sorted_free (sorted);
  return NULL;
}

static const char count_args;

/* Returns the expected number of objects; a survey's if it is unknown. */
static double
expected (ArmillaData *objects)
{
  const gint64 n = armilla_objects_expected (ARMILLA_OBJECTS (objects));

  return n > 0 ? (double) n : 1e6;
}

/* Adds a counting job; args is copied. Its work is that of all pairs, of which the number of bytes
 * says nothing. */
void
armilla_graph_defer_count (ArmillaGraph *graph, ArmillaJob *job, const ArmillaCountArgs *args)
{
  job->work = expected (job->in[0]) * expected (job->in[1] ? job->in[1] : job->in[0]);
  job->args = args;
  job->args_size = sizeof *args;
  job->args_type = &count_args;
  armilla_graph_defer (graph, job);
}

/* Returns the argument of a counting job; NULL for other jobs. */
const ArmillaCountArgs *
armilla_job_count_args (const ArmillaJob *job)
{
  return job->args_type == &count_args ? job->args : NULL;
}

/* Returns whether a later job that sorts alike counts a catalogue, and in *n_rows the rows that it
 * needs. */
static gboolean
look_ahead (ArmillaGraph *graph, const ArmillaCatalogue *catalogue, gboolean patches,
            gboolean in_space, int *n_rows)
{
  gboolean comes = FALSE;

  for (GList *link = graph->jobs.head; link; link = link->next)
    {
      const ArmillaJob *job = link->data;

      const ArmillaCountArgs *args = armilla_job_count_args (job);

      if (!args || args->patches != patches || args->in_space != in_space)
        continue;
      for (int i = 0; i < 2; i++)
        if (job->in[i]
            && armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[i]), NULL) == catalogue)
          {
            comes = TRUE;
            *n_rows = MAX (*n_rows, args->rows);
          }
    }
  return comes;
}

static void
trim_all (ArmillaGraph *graph, GPtrArray *all)
{
  for (guint i = all->len; i-- > 0;)
    {
      const ArmillaSorted *sorted = g_ptr_array_index (all, i);
      int n_rows = 0;

      if (!look_ahead (graph, sorted->catalogue, sorted->patches, sorted->in_space, &n_rows))
        g_ptr_array_remove_index (all, i);
    }
}

/* Extras of a graph; some may remain at the end if a count that needed them was rejected. */
static const ArmillaExtraKind sorted_kind = { .free = sorted_free, .trim = trim_all };

/* Returns the objects sorted into cells, reusing those of an earlier count, with all rows that
 * later counts need. They live until armilla_graph_trim_cells (); the host may read their arrays
 * until armilla_sorted_release (). */
ArmillaSorted *
armilla_sorted_get (ArmillaGraph *graph, ArmillaCatalogue *catalogue, const ArmillaCountArgs *args,
                    GError **error)
{
  int n_rows = args->rows;
  GPtrArray *all = armilla_extras_get (graph->extras, &sorted_kind);
  ArmillaSorted *sorted = NULL;

  for (guint i = 0; i < all->len && !sorted; i++)
    {
      ArmillaSorted *kept = g_ptr_array_index (all, i);

      if (kept->catalogue == catalogue && kept->patches == args->patches
          && kept->in_space == args->in_space && kept->cells->n_rows >= n_rows)
        sorted = kept;
    }
  if (!sorted)
    {
      (void) look_ahead (graph, catalogue, args->patches, args->in_space, &n_rows);
      /* A catalogue without shears is rejected when its own count is built. */
      if (!catalogue->g1)
        n_rows = MIN (n_rows, ARMILLA_ROWS_MASS);
      sorted = sorted_new (graph, catalogue, n_rows, args, error);
      if (!sorted)
        return NULL;
      g_ptr_array_add (all, sorted);
    }
  if (!acquire (&sorted->points, &sorted->cells->points, error))
    return NULL;
  if (acquire (&sorted->nodes, &sorted->cells->nodes, error))
    return sorted;
  starpu_data_release (sorted->points.handle);
  return NULL;
}

/* Ends the host's access to the arrays, once per armilla_sorted_get (). */
void
armilla_sorted_release (ArmillaSorted *sorted)
{
  if (!sorted)
    return;
  starpu_data_release (sorted->points.handle);
  starpu_data_release (sorted->nodes.handle);
}

/* Frees the cells that no later count needs, once the tasks submitted so far are done. */
void
armilla_graph_trim_cells (ArmillaGraph *graph)
{
  trim_all (graph, armilla_extras_get (graph->extras, &sorted_kind));
}
