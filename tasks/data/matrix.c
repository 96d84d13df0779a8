/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/checkpoint.h>
#include <armilla/matrix.h>
#include <armilla/task.h>
#include <string.h>

#include "tasks/data/data-private.h"

#define BLOCK ARMILLA_MATRIX_BLOCK

struct _ArmillaMatrix {
  ArmillaData parent_instance;
  ArmillaMatrixHeader *header;
  gint64 n_down, n_across; /* blocks */
  ArmillaTile *tiles;      /* [down][across]; NULL before the first use */
};

G_DEFINE_FINAL_TYPE (ArmillaMatrix, armilla_matrix, ARMILLA_TYPE_DATA)

static void
armilla_matrix_drop (ArmillaData *data)
{
  ArmillaMatrix *self = ARMILLA_MATRIX (data);

  for (gint64 i = 0; self->tiles && i < self->n_down * self->n_across; i++)
    armilla_tile_drop (&self->tiles[i]);
  g_clear_pointer (&self->tiles, g_free);
}

static void
armilla_matrix_finalize (GObject *object)
{
  g_free (ARMILLA_MATRIX (object)->tiles);
  armilla_matrix_header_free (ARMILLA_MATRIX (object)->header);
  G_OBJECT_CLASS (armilla_matrix_parent_class)->finalize (object);
}

static char *
armilla_matrix_describe (ArmillaData *data)
{
  const ArmillaMatrixHeader *header = ARMILLA_MATRIX (data)->header;

  return g_strdup_printf ("matrix: %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT ", %d field%s",
                          header->rows.n, header->columns.n, header->n_fields,
                          header->n_fields == 1 ? "" : "s");
}

static double
armilla_matrix_bytes (ArmillaData *data)
{
  const ArmillaMatrixHeader *header = ARMILLA_MATRIX (data)->header;

  return 8.0 * (double) header->rows.n * (double) header->columns.n * header->n_fields;
}

/* A task makes a block and the one across the diagonal; steps on the host have one. */
static void
armilla_matrix_need (ArmillaData *data, ArmillaNeed *need)
{
  const ArmillaMatrixHeader *header = ARMILLA_MATRIX (data)->header;
  const gint64 block = MIN (header->rows.n, BLOCK) * MIN (header->columns.n, BLOCK)
                       * header->n_fields;

  need->task = MAX (need->task, 2 * block);
  need->largest = MAX (need->largest, block);
}

/* A block of a checkpoint lies as it does in its tile, field by field. */
typedef struct {
  ArmillaCheckpoint *file;
  gint64 n_rows, n_columns;
} Store;

static gint64
place (const Store *store, int field, gint64 row, gint64 n_rows, gint64 column)
{
  return 8 * ((field * store->n_rows + row) * store->n_columns + column * n_rows);
}

static gboolean
save_block (gpointer user, int field, gint64 row, gint64 n_rows, gint64 column, gint64 n_columns,
            double *values, GError **error)
{
  const Store *store = user;

  return armilla_checkpoint_write (store->file, place (store, field, row, n_rows, column), values,
                                   8 * n_rows * n_columns, error);
}

static gboolean
load_block (gpointer user, int field, gint64 row, gint64 n_rows, gint64 column, gint64 n_columns,
            double *values, GError **error)
{
  const Store *store = user;

  return armilla_checkpoint_read (store->file, place (store, field, row, n_rows, column), values,
                                  8 * n_rows * n_columns, error);
}

static gboolean
end_save (gpointer user, GError **error)
{
  return armilla_checkpoint_end (((Store *) user)->file, error);
}

static void
store_free (gpointer user)
{
  armilla_checkpoint_free (((Store *) user)->file);
  g_free (user);
}

static Store *
store_new (ArmillaData *data, ArmillaCheckpoint *file)
{
  const ArmillaMatrixHeader *header = ARMILLA_MATRIX (data)->header;
  Store *store = g_new (Store, 1);

  *store = (Store) { file, header->rows.n, header->columns.n };
  return store;
}

static gboolean
armilla_matrix_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                     GError **error)
{
  return armilla_graph_drain_matrix (graph, ARMILLA_MATRIX (data), save_block, end_save,
                                     store_new (data, file), store_free, error);
}

static gboolean
armilla_matrix_load (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                     GError **error)
{
  return armilla_graph_fill_matrix (graph, ARMILLA_MATRIX (data), load_block,
                                    store_new (data, file), store_free, error);
}

static void
armilla_matrix_class_init (ArmillaMatrixClass *klass)
{
  ArmillaDataClass *data = ARMILLA_DATA_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = armilla_matrix_finalize;
  data->drop = armilla_matrix_drop;
  data->describe = armilla_matrix_describe;
  data->bytes = armilla_matrix_bytes;
  data->need = armilla_matrix_need;
  data->save = armilla_matrix_save;
  data->load = armilla_matrix_load;
}

static void
armilla_matrix_init (ArmillaMatrix *self)
{
  (void) self;
}

ArmillaMatrix *
armilla_matrix_new (ArmillaMatrixHeader *header)
{
  ArmillaMatrix *self = g_object_new (ARMILLA_TYPE_MATRIX, NULL);

  self->header = header;
  self->n_down = (header->rows.n + BLOCK - 1) / BLOCK;
  self->n_across = (header->columns.n + BLOCK - 1) / BLOCK;
  return self;
}

const ArmillaMatrixHeader *
armilla_matrix_header (ArmillaMatrix *self)
{
  return self->header;
}

int
armilla_matrix_find (ArmillaMatrix *self, const char *name)
{
  for (int f = 0; f < self->header->n_fields; f++)
    if (strcmp (self->header->names[f], name) == 0)
      return f;
  return -1;
}

const ArmillaTile *
armilla_matrix_tiles (ArmillaMatrix *self, ArmillaGraph *graph, GError **error)
{
  const gint64 n_ranks = armilla_graph_n_ranks (graph);

  if (self->tiles)
    return self->tiles;
  self->tiles = g_new0 (ArmillaTile, self->n_down * self->n_across);
  for (gint64 i = 0; i < self->n_down; i++)
    for (gint64 j = 0; j < self->n_across; j++)
      {
        const gint64 n_rows = MIN (BLOCK, self->header->rows.n - i * BLOCK);
        const gint64 n_columns = MIN (BLOCK, self->header->columns.n - j * BLOCK);
        const gint64 far = MAX (i, j), near = MIN (i, j);

        if (!armilla_tile_new (graph, (int) ((far * (far + 1) / 2 + near) % n_ranks),
                               n_rows * n_columns * self->header->n_fields,
                               &self->tiles[i * self->n_across + j], error))
          {
            armilla_matrix_drop (ARMILLA_DATA (self));
            return NULL;
          }
      }
  return self->tiles;
}

/* What the steps of a source or sink share. */
typedef struct {
  gint refs, left;
  ArmillaHostMatrix each;
  ArmillaHostDone done;
  gpointer user;
  GDestroyNotify destroy;
} End;

typedef struct {
  End *end;
  gint64 row, n_rows, column, n_columns;
  int n_fields;
} Step;

/* What is to be submitted: threads of I/O let go of no data, so steps do not hold them. */
typedef struct {
  End *end;
  ArmillaMatrix *matrix;
  enum starpu_data_access_mode mode;
} Walk;

static void
end_unref (End *end)
{
  if (!g_atomic_int_dec_and_test (&end->refs))
    return;
  if (end->destroy)
    end->destroy (end->user);
  g_free (end);
}

static void
step_free (gpointer user)
{
  end_unref (((Step *) user)->end);
  g_free (user);
}

static void
walk_free (gpointer user)
{
  Walk *walk = user;

  end_unref (walk->end);
  g_object_unref (walk->matrix);
  g_free (walk);
}

static gboolean
run_step (gpointer user, double *const *buffers, GError **error)
{
  const Step *step = user;
  End *end = step->end;

  for (int f = 0; f < step->n_fields; f++)
    if (!end->each (end->user, f, step->row, step->n_rows, step->column, step->n_columns,
                    buffers[0] + f * step->n_rows * step->n_columns, error))
      return FALSE;
  return !g_atomic_int_dec_and_test (&end->left) || !end->done || end->done (end->user, error);
}

/* Sources run where the tiles are, sinks on rank 0. */
static gboolean
submit_walk (ArmillaGraph *graph, gpointer user, GError **error)
{
  const Walk *walk = user;
  ArmillaMatrix *matrix = walk->matrix;
  const ArmillaTile *tiles = armilla_matrix_tiles (matrix, graph, error);
  gboolean ok = tiles != NULL;

  for (gint64 b = 0; ok && b < matrix->n_down * matrix->n_across; b++)
    {
      const gint64 row = b / matrix->n_across * BLOCK, column = b % matrix->n_across * BLOCK;
      Step *step = g_new (Step, 1);

      *step = (Step) { walk->end, row, MIN (BLOCK, matrix->header->rows.n - row), column,
                       MIN (BLOCK, matrix->header->columns.n - column),
                       matrix->header->n_fields };
      g_atomic_int_inc (&walk->end->refs);
      ok = armilla_host_step (graph, walk->mode == STARPU_R ? 0 : tiles[b].owner, &tiles[b],
                              &walk->mode, 1, run_step, step, step_free, error);
    }
  return ok;
}

static void
ask_for_walk (ArmillaGraph *graph, ArmillaMatrix *matrix, enum starpu_data_access_mode mode,
              const End *what)
{
  Walk *walk = g_new (Walk, 1);
  End *end = g_memdup2 (what, sizeof *what);
  ArmillaData *input = ARMILLA_DATA (matrix);

  end->refs = 1;
  end->left = (gint) (matrix->n_down * matrix->n_across);
  *walk = (Walk) { end, g_object_ref (matrix), mode };
  armilla_graph_later (graph, &input, mode == STARPU_R ? 1 : 0, submit_walk, walk, walk_free);
}

gboolean
armilla_graph_fill_matrix (ArmillaGraph *graph, ArmillaMatrix *matrix, ArmillaHostMatrix fill,
                           gpointer user, GDestroyNotify destroy, GError **error)
{
  const End end = { .each = fill, .user = user, .destroy = destroy };

  (void) error;
  ask_for_walk (graph, matrix, STARPU_W, &end);
  return TRUE;
}

gboolean
armilla_graph_drain_matrix (ArmillaGraph *graph, ArmillaMatrix *matrix, ArmillaHostMatrix take,
                            ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                            GError **error)
{
  const End end = { .each = take, .done = done, .user = user, .destroy = destroy };

  (void) error;
  ask_for_walk (graph, matrix, STARPU_R, &end);
  return TRUE;
}
