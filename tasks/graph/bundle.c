/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combines the tasks of many small realisations: creating and scheduling them separately would cost
 * the submitting thread more than a core needs to run them. A bundle is a single StarPU task that
 * runs the kernels of the tasks of several realisations in the order of submission.
 *
 * While a bundle is open, stages submit tasks as usual, and the bundle records them. A tile created
 * meanwhile is temporary: it gets memory in the arena of the worker that runs the bundle, and
 * StarPU does not access it. A tile that is used after the bundle becomes an ordinary StarPU
 * vector, which the bundle writes. Older tiles are read by the bundle as a whole.
 *
 * The bundle is closed and submitted before any other access to its tiles: before a task or host
 * step that writes an older tile, and before the host waits for values. Host steps get copies of
 * tiles. The recorded tasks keep their own labels, epochs and observers. */
#include "config.h"

#include "tasks/graph/bundle-run.h"
#include "tasks/graph/in-thread.h"

/* bundles in flight per worker: one runs while the others wait */
#define BUNDLES_PER_WORKER 3

/* What the bundles know of a tile. */
typedef struct {
  ArmillaTileMark mark; /* user data of the tile's handle */
  ArmillaBundles *self;
  starpu_data_handle_t handle;
  gint64 n;        /* number of doubles of a tile created while bundling; 0 for an older tile */
  guint place;     /* index of the tile in places of the open bundle */
  gboolean placed; /* whether place is valid */
  gboolean live;   /* whether the tile has not been dropped */
} Tile;

struct _ArmillaBundles {
  ArmillaBundle *open; /* bundle that records tasks; NULL before its first task */
  GPtrArray *tiles;    /* Tile: those created while bundling that are not dropped */
  GPtrArray *dropped;  /* Tile: dropped ones, whose handles are reused, the last one first */
  GPtrArray *older;    /* Tile: older ones that the open bundle reads */
  ArmillaBundleRuns *runs;
};

static ArmillaBundles *
bundles_new (ArmillaGraph *graph)
{
  ArmillaBundles *self = g_new0 (ArmillaBundles, 1);

  self->tiles = g_ptr_array_new ();
  self->dropped = g_ptr_array_new ();
  self->older = g_ptr_array_new_with_free_func (g_free);
  self->runs = armilla_bundle_runs_new (graph);
  return self;
}

/* Frees the state after all tasks of the graph have ended. */
void
armilla_bundles_free (ArmillaBundles *self)
{
  if (!self)
    return;
  for (guint i = 0; i < self->dropped->len; i++)
    {
      Tile *tile = g_ptr_array_index (self->dropped, i);

      starpu_data_unregister_submit (tile->handle);
      g_free (tile);
    }
  armilla_bundle_runs_free (self->runs);
  g_ptr_array_unref (self->tiles);
  g_ptr_array_unref (self->dropped);
  g_ptr_array_unref (self->older);
  g_free (self);
}

static ArmillaBundle *
open_bundle (ArmillaBundles *self)
{
  if (!self->open)
    self->open = armilla_bundle_open (self->runs);
  return self->open;
}

/* Drops a temporary tile; the next tile of its size reuses its handle and place. */
static gboolean
drop_tile (ArmillaTileMark *mark, starpu_data_handle_t handle G_GNUC_UNUSED)
{
  Tile *tile = (Tile *) mark;

  tile->live = FALSE;
  g_ptr_array_remove_fast (tile->self->tiles, tile);
  g_ptr_array_add (tile->self->dropped, tile);
  return TRUE;
}

/* Drops an older tile after the open bundle, which reads it, is submitted. */
static gboolean
drop_later (ArmillaTileMark *mark, starpu_data_handle_t handle G_GNUC_UNUSED)
{
  ((Tile *) mark)->live = FALSE;
  return TRUE;
}

static void
make_tile (ArmillaGraph *graph, gint64 n, ArmillaTile *tile)
{
  ArmillaBundles *self = graph->bundles;
  Tile *own = NULL;

  for (guint i = self->dropped->len; i-- > 0 && !own;)
    if (((Tile *) g_ptr_array_index (self->dropped, i))->n == n)
      own = g_ptr_array_remove_index (self->dropped, i);
  if (!own)
    {
      own = g_new0 (Tile, 1);
      own->mark.drop = drop_tile;
      own->self = self;
      own->n = n;
      armilla_observers_make_tile (&graph->observers, &own->handle, (uint32_t) n);
      starpu_data_set_user_data (own->handle, own);
    }
  own->live = TRUE;
  g_ptr_array_add (self->tiles, own);
  *tile = (ArmillaTile) { .handle = own->handle, .owner = graph->view.rank, .n = n };
}

/* Returns the state of a tile; NULL for an older tile that the open bundle does not access. */
static Tile *
find_tile (starpu_data_handle_t handle)
{
  const ArmillaTileMark *mark = starpu_data_get_user_data (handle);

  return mark && (mark->drop == drop_tile || mark->drop == drop_later) ? (Tile *) mark : NULL;
}

/* Returns the index of a tile in places of the open bundle, to which it is added at its first
 * use. */
static guint
place_of (ArmillaBundles *self, const ArmillaUse *use)
{
  ArmillaBundle *bundle = open_bundle (self);
  ArmillaBundlePlace place = { .handle = use->handle, .mode = use->mode };
  Tile *tile = find_tile (use->handle);

  if (tile && tile->placed)
    return tile->place;
  if (!tile)
    {
      tile = g_new0 (Tile, 1);
      tile->mark.drop = drop_later;
      tile->handle = use->handle;
      tile->live = TRUE;
      starpu_data_set_user_data (use->handle, tile);
      g_ptr_array_add (self->older, tile);
    }
  else
    {
      const struct starpu_vector_interface *vector
        = starpu_data_get_interface_on_node (use->handle, STARPU_MAIN_RAM);

      place.mode = STARPU_NONE;
      place.vector = *vector;
      place.offset = bundle->arena;
      bundle->arena += armilla_vector_bytes (vector);
    }
  g_array_append_val (bundle->places, place);
  tile->placed = TRUE;
  return tile->place = bundle->places->len - 1;
}

static gboolean
takes (const ArmillaGraph *graph G_GNUC_UNUSED, const ArmillaTaskCall *call)
{
  for (int i = 0; i < call->n_uses; i++)
    {
      const Tile *tile = find_tile (call->uses[i].handle);
      const enum starpu_data_access_mode mode = call->uses[i].mode;

      if ((!tile || tile->n == 0) && mode != STARPU_R && mode != STARPU_SCRATCH)
        return FALSE;
    }
  return call->codelet->cl.cpu_funcs[0] != NULL;
}

static void
add (ArmillaGraph *graph, const ArmillaTaskCall *call, const ArmillaTaskAround *around)
{
  ArmillaBundle *bundle = open_bundle (graph->bundles);
  ArmillaBundleCall record = { .kernel = call->codelet->cl.cpu_funcs[0],
                               .args = armilla_align (bundle->args->len),
                               .first_use = bundle->uses->len, .n_uses = call->n_uses,
                               .around = *around };
  gpointer packed = NULL;
  gsize size = 0;

  for (int i = 0; i < call->n_uses; i++)
    {
      const guint place = place_of (graph->bundles, &call->uses[i]);

      g_array_append_val (bundle->uses, place);
    }
  starpu_codelet_pack_args (&packed, &size, STARPU_VALUE, call->args, call->args_size, 0);
  g_byte_array_set_size (bundle->args, (guint) record.args);
  g_byte_array_append (bundle->args, packed, (guint) size);
  free (packed);
  bundle->cost.flops += call->cost.flops;
  bundle->cost.bytes += call->cost.bytes;
  g_array_append_val (bundle->calls, record);
}

/* A host step is recorded if it only reads, and reads a temporary tile that the bundle writes. */
static gboolean
takes_step (const ArmillaGraph *graph G_GNUC_UNUSED, const ArmillaStepCall *call)
{
  gboolean waits = FALSE;

  for (int i = 0; i < call->n_tiles; i++)
    {
      const Tile *tile = find_tile (call->tiles[i].handle);

      if (call->modes[i] != STARPU_R)
        return FALSE;
      waits |= tile && tile->n > 0 && tile->placed;
    }
  return waits;
}

static void
add_step (ArmillaGraph *graph, const ArmillaStepCall *call, ArmillaHostJob *job)
{
  ArmillaBundle *bundle = open_bundle (graph->bundles);
  ArmillaBundleCall record = { .first_use = bundle->uses->len, .n_uses = call->n_tiles,
                               .job = job };

  bundle->pending++;
  for (int i = 0; i < call->n_tiles; i++)
    {
      const ArmillaUse use = { call->tiles[i].handle, STARPU_R };
      const guint place = place_of (graph->bundles, &use);

      g_array_append_val (bundle->uses, place);
      record.n_values += (gsize) call->tiles[i].n;
    }
  g_array_append_val (bundle->calls, record);
}

/* Turns the temporary tiles that are not dropped into StarPU vectors that the bundle writes. */
static void
outlive (ArmillaBundles *self, const ArmillaBundle *bundle)
{
  for (guint i = 0; i < self->tiles->len; i++)
    {
      Tile *tile = g_ptr_array_index (self->tiles, i);

      if (tile->placed)
        g_array_index (bundle->places, ArmillaBundlePlace, tile->place).mode = STARPU_W;
      starpu_data_set_user_data (tile->handle, NULL);
      g_free (tile);
    }
  g_ptr_array_set_size (self->tiles, 0);
  for (guint i = 0; i < self->dropped->len; i++)
    ((Tile *) g_ptr_array_index (self->dropped, i))->placed = FALSE;
}

/* Forgets the older tiles that the submitted bundle reads. */
static void
leave_older (ArmillaBundles *self)
{
  for (guint i = 0; i < self->older->len; i++)
    {
      const Tile *tile = g_ptr_array_index (self->older, i);

      starpu_data_set_user_data (tile->handle, NULL);
      if (!tile->live)
        starpu_data_unregister_submit (tile->handle);
    }
  g_ptr_array_set_size (self->older, 0);
}

static gboolean
close_bundle (ArmillaGraph *graph, GError **error)
{
  ArmillaBundles *self = graph->bundles;
  ArmillaBundle *bundle;
  gboolean ok = TRUE;

  bundle = open_bundle (self); /* the bundle is empty if tiles were created but not used */
  self->open = NULL;
  outlive (self, bundle);
  if (bundle->calls->len == 0)
    armilla_bundle_done (bundle);
  else
    ok = armilla_bundle_submit (bundle);
  leave_older (self);
  if (ok)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NO_WORKER,
                       "no worker can run small realisations: STARPU_NCPU may exclude those "
                       "that can");
}

static const ArmillaBundling bundling = { .tile = make_tile,
                                          .takes = takes,
                                          .add = add,
                                          .takes_step = takes_step,
                                          .add_step = add_step,
                                          .close = close_bundle };

/* Returns the number of workers that can run bundles of the graph; 0 unless the cores of one rank
 * run all tasks and memory is not limited. */
int
armilla_graph_bundle_workers (const ArmillaGraph *graph)
{
  return armilla_graph_stays_on_host (graph) && !graph->in_thread ? graph->runtime->cpu_workers : 0;
}

/* Bundles the tasks submitted from now on, until armilla_graph_bundle_end (). Blocks while too many
 * bundles are in flight. Does nothing if armilla_graph_bundle_workers () is 0. */
void
armilla_graph_bundle_begin (ArmillaGraph *graph)
{
  const int limit = BUNDLES_PER_WORKER * armilla_graph_bundle_workers (graph);

  if (limit == 0)
    return;
  if (!graph->bundles)
    graph->bundles = bundles_new (graph);
  armilla_bundle_runs_wait (graph->bundles->runs, limit);
  graph->bundling = &bundling;
}

/* Submits the tasks since armilla_graph_bundle_begin (). Returns whether StarPU accepted them. */
gboolean
armilla_graph_bundle_end (ArmillaGraph *graph, GError **error)
{
  const gboolean ok = armilla_graph_unbundle (graph, error);

  graph->bundling = NULL;
  armilla_extras_trim (graph->extras, graph);
  return ok;
}
