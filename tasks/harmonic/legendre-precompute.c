/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates a table: each order is compressed by a task on the rank with the least work so far; I/O
 * threads of rank 0 write the orders into the file in sequence. */
#include "config.h"

#include "codelets/butterfly/butterfly-codelets.h"
#include "tasks/graph/jobs.h"
#include "tasks/harmonic/harmonic-state.h"
#include "tasks/harmonic/legendre.h"

/* orders that each worker compresses per epoch */
#define ORDERS_PER_WORKER 1

typedef struct {
  ArmillaGraph *graph;
  ArmillaAlmLayout layout;
  ArmillaGrid *grid;
  int n_fields;
  ArmillaLegendreOptions options;
} Wish;

/* State of the creation of one table, shared by tasks and I/O threads; reference-counted. */
typedef struct {
  ArmillaLegendreKey key;
  ArmillaLegendreSpeed speed;
  double *pairs;
  ArmillaLegendreWriter *writer; /* on rank 0 */
} Making;

static void
making_clear (gpointer data)
{
  Making *making = data;

  g_clear_pointer (&making->writer, armilla_legendre_writer_free);
  g_free (making->pairs);
}

static void
making_unref (gpointer making)
{
  g_atomic_rc_box_release_full (making, making_clear);
}

/* Returns whether to store the compressed order m: if the options request it, or if it saves more
 * time than the recurrence takes. @head: header of the compressed order, which contains its
 * size. */
static gboolean
pays (const Making *making, gint64 m, const gint64 *head)
{
  const ArmillaDeltaShape one = { .lmax = making->key.lmax, .m_first = m, .m_last = m,
                                  .n_fields = making->key.n_fields,
                                  .n_pairs = making->key.n_pairs };
  ArmillaButterflyShape shape;
  double gain;

  if (making->key.transforms < 0)
    return TRUE;
  armilla_butterfly_shape_init (&shape, making->key.lmax, m, making->key.n_pairs,
                                making->key.tolerance);
  gain = armilla_legendre_seconds_by_recurrence (&making->speed, &one, making->pairs)
         - armilla_legendre_seconds_by_table (&making->speed, (double) making->key.n_fields,
                                              (double) head[ARMILLA_BUTTERFLY_ELEMENTS],
                                              (double) head[ARMILLA_BUTTERFLY_WORDS]);
  if (making->key.transforms == 0)
    return gain > 0;
  return gain * (double) making->key.transforms
         > armilla_butterfly_compress_cost (&shape).flops * making->speed.compress;
}

/* Order that an I/O thread writes. */
typedef struct {
  Making *making;
  gint64 m;
} Step;

static void
step_free (gpointer data)
{
  Step *step = data;

  making_unref (step->making);
  g_free (step);
}

static gboolean
write_order (gpointer user, double *const *buffers, GError **error)
{
  const Step *step = user;
  const gint64 *head = (const gint64 *) buffers[0];
  const double seconds = buffers[0][head[ARMILLA_BUTTERFLY_WORDS]];
  const gboolean keep = pays (step->making, step->m, head);

  return armilla_legendre_writer_add (step->making->writer, step->m, buffers[0],
                                   keep ? 8 * head[ARMILLA_BUTTERFLY_WORDS] : 0,
                                   keep ? head[ARMILLA_BUTTERFLY_ELEMENTS] : 0,
                                   keep ? head[ARMILLA_BUTTERFLY_WIDTH] : 0, seconds, error);
}

static gboolean
finish_table (gpointer user, double *const *buffers, GError **error)
{
  const Step *step = user;

  buffers[0][0] = 1;
  return armilla_legendre_writer_finish (step->making->writer, error);
}

/* Opens the file on rank 0 and tells all ranks the first order that it lacks. */
static gboolean
begin_table (ArmillaGraph *graph, Making *making, const char *path, const ArmillaTile *begun,
             gint64 *next, GError **error)
{
  GError *local = NULL;
  double value = 0;

  if (graph->view.rank == 0)
    {
      if (armilla_legendre_measure (&making->speed, making->key.lmax, making->pairs,
                                    making->key.n_pairs, making->key.tolerance, graph->view.isa,
                                    &local))
        making->writer
          = armilla_legendre_writer_new (path, &making->key, &making->speed, next, &local);
    }
  if (!armilla_graph_agree (graph, local, error))
    return FALSE;
  if (graph->view.rank == 0)
    {
      int status;

      if (!armilla_graph_unbundle (graph, error))
        return FALSE;
      armilla_runtime_wake (graph->runtime);
      status = starpu_data_acquire (begun->handle, STARPU_W);

      if (status != 0)
        return armilla_fail (error, ARMILLA_ERROR_NO_WORKER,
                             "StarPU cannot provide a buffer: %s", g_strerror (-status));
      *(double *) starpu_data_get_local_ptr (begun->handle) = (double) *next;
      starpu_data_release (begun->handle);
    }
  if (!armilla_graph_fetch (graph, begun, &value, error))
    return FALSE;
  *next = (gint64) value;
  return TRUE;
}

/* Tiles that the tasks of all orders share. Each rank fetches their values once and keeps them. */
typedef struct {
  ArmillaTile begun, turn, scratch;
  starpu_data_handle_t pairs;
  gint64 max_words;
} Tiles;

static gboolean
tiles_begin (Tiles *tiles, ArmillaGraph *graph, const Making *making, GError **error)
{
  ArmillaButterflyShape shape;
  gint64 scratch;

  *tiles = (Tiles) { 0 };
  armilla_butterfly_shape_init (&shape, making->key.lmax, 0, making->key.n_pairs,
                                making->key.tolerance);
  tiles->max_words = armilla_butterfly_max_words (&shape);
  scratch = armilla_butterfly_compress_scratch (&shape);
  armilla_tile_register_table (graph, &tiles->pairs, making->pairs,
                               ARMILLA_PAIR_ROWS * MAX (making->key.n_pairs, 1), sizeof (double));
  return armilla_tile_new (graph, 0, 1, &tiles->begun, error)
         && armilla_tile_new (graph, 0, 1, &tiles->turn, error)
         && armilla_tile_new (graph, 0, scratch, &tiles->scratch, error);
}

static void
tiles_end (Tiles *tiles)
{
  armilla_tile_drop (&tiles->begun);
  armilla_tile_drop (&tiles->turn);
  armilla_tile_drop (&tiles->scratch);
  if (tiles->pairs)
    starpu_data_unregister (tiles->pairs);
}

static gboolean
submit_write (ArmillaGraph *graph, Making *making, gint64 m, gboolean first,
              const ArmillaTile *words, const ArmillaTile *turn, GError **error)
{
  const enum starpu_data_access_mode modes[] = { STARPU_R, first ? STARPU_W : STARPU_RW };
  const ArmillaTile tiles[] = { *words, *turn };
  Step *step = g_new (Step, 1);

  *step = (Step) { g_atomic_rc_box_acquire (making), m };
  return armilla_host_step (graph, 0, tiles, modes, 2, write_order, step, step_free, error);
}

static gboolean
submit_order (ArmillaGraph *graph, Making *making, gint64 m, gboolean first, int owner,
              const Tiles *tiles, GError **error)
{
  ArmillaButterflyCompressArgs args = { .fault = armilla_graph_fault (graph) };
  ArmillaTile words;
  gboolean ok;

  armilla_butterfly_shape_init (&args.shape, making->key.lmax, m, making->key.n_pairs,
                                making->key.tolerance);
  args.shape.isa = (int32_t) graph->view.isa;
  if (!armilla_tile_borrow (graph, owner, tiles->max_words, &words, error))
    return FALSE;
  ArmillaUse uses[] = { { tiles->pairs, STARPU_R },
                        { words.handle, STARPU_W },
                        { tiles->scratch.handle, STARPU_SCRATCH } };

  ok = armilla_submit (graph, &armilla_butterfly_compress_cl, owner, &args, sizeof args, uses,
                       G_N_ELEMENTS (uses), 0, error);
  ok = ok && submit_write (graph, making, m, first, &words, &tiles->turn, error);
  armilla_tile_return (graph, &words);
  return ok;
}

/* Returns the rank with the least work so far, which compresses the next order, and adds its
 * cost. */
static int
least_loaded (double *load, int n_ranks, const Making *making, gint64 m)
{
  ArmillaButterflyShape shape;
  int rank = 0;

  for (int r = 1; r < n_ranks; r++)
    if (load[r] < load[rank])
      rank = r;
  armilla_butterfly_shape_init (&shape, making->key.lmax, m, making->key.n_pairs,
                                making->key.tolerance);
  load[rank] += armilla_butterfly_compress_cost (&shape).flops;
  return rank;
}

static gboolean
submit_orders (ArmillaGraph *graph, Making *making, gint64 next, const Tiles *tiles,
               GError **error)
{
  const enum starpu_data_access_mode mode = next > making->key.mmax ? STARPU_W : STARPU_RW;
  const int n_ranks = graph->view.n_ranks;
  const gint64 epoch = MAX (1, ORDERS_PER_WORKER * graph->view.max_workers * n_ranks);
  g_autofree double *load = g_new0 (double, n_ranks);
  Step *last;

  for (gint64 m = next; m <= making->key.mmax; m++)
    {
      if ((m - next) % epoch == 0)
        armilla_graph_next_epoch (graph);
      if (!submit_order (graph, making, m, m == next, least_loaded (load, n_ranks, making, m),
                         tiles, error))
        return FALSE;
    }
  last = g_new (Step, 1);
  *last = (Step) { g_atomic_rc_box_acquire (making), 0 };
  return armilla_host_step (graph, 0, &tiles->turn, &mode, 1, finish_table, last, step_free,
                            error);
}

static gboolean
make_table (ArmillaGraph *graph, const Wish *wish, GError **error)
{
  Making *making = g_atomic_rc_box_new0 (Making);
  Tiles tiles;
  gint64 next = 0;
  double done;
  gboolean ok;

  armilla_legendre_key_init (&making->key, wish->grid, wish->layout, wish->options.tolerance);
  making->key.transforms = wish->options.transforms;
  if (wish->options.kind == ARMILLA_LEGENDRE_BUTTERFLY && wish->options.transforms == 0)
    making->key.transforms = -1;
  making->key.n_fields = wish->n_fields;
  making->pairs = armilla_legendre_pairs (wish->grid);
  /* The last value of tile turn means that the file has its final name; readers wait for it. */
  ok = tiles_begin (&tiles, graph, making, error)
       && begin_table (graph, making, wish->options.table, &tiles.begun, &next, error)
       && submit_orders (graph, making, next, &tiles, error)
       && armilla_graph_fetch (graph, &tiles.turn, &done, error);
  ok = armilla_graph_unbundle (graph, ok ? error : NULL) && ok;
  tiles_end (&tiles);
  making_unref (making);
  if (ok && graph->view.rank == 0 && !armilla_graph_failed (graph))
    g_string_append_printf (graph->cuts, "table %s: made%s\n", wish->options.table,
                            next > 0 ? ", from where it was interrupted" : "");
  return ok;
}

/* Returns whether the table exists already; sets an error if an existing file is unusable. */
static gboolean
is_made (ArmillaGraph *graph, const Wish *wish, gboolean *made, GError **error)
{
  g_autoptr (ArmillaLegendreFile) file = NULL;
  GError *missing = NULL, *local = NULL;
  ArmillaLegendreKey key;

  if (!g_file_test (wish->options.table, G_FILE_TEST_EXISTS))
    g_set_error (&missing, ARMILLA_ERROR, ARMILLA_ERROR_IO, "there is no %s",
                 wish->options.table);
  *made = armilla_graph_agree (graph, missing, NULL);
  if (!*made)
    return TRUE;
  armilla_legendre_key_init (&key, wish->grid, wish->layout, wish->options.tolerance);
  file = armilla_legendre_file_open (wish->options.table, &local);
  if (file)
    armilla_legendre_file_fits (file, &key, &local);
  return armilla_graph_agree (graph, local, error);
}

static gboolean
run_precompute (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const Wish *wish = job->user;
  gboolean made;

  return is_made (graph, wish, &made, error) && (made || make_table (graph, wish, error));
}

static void
wish_free (gpointer data)
{
  Wish *wish = data;

  armilla_grid_unref (wish->grid);
  g_free (wish);
}

/* Requests the table of compressed Legendre matrices unless it exists. An interrupted one is
 * resumed. Returns whether the node names a table. */
gboolean
armilla_graph_precompute (ArmillaGraph *graph, ArmillaAlmLayout layout, ArmillaGrid *grid,
                          int n_fields, GError **error)
{
  const ArmillaLegendreOptions *options = armilla_legendre_options (graph, graph->label);
  ArmillaJob job = { .run = run_precompute, .destroy = wish_free };
  Wish *wish;

  if (!options->table)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "legendre = butterfly needs table, the name of a file");
  if (!armilla_alm_layout_check (layout, error))
    return FALSE;
  wish = g_new (Wish, 1);
  *wish = (Wish) { graph, layout, armilla_grid_ref (grid), n_fields, *options };
  job.user = wish;
  armilla_graph_defer (graph, &job);
  return TRUE;
}
