/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/matrix.h>
#include <armilla/task.h>
#include <string.h>

#include "tasks/data/store.h"

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

/* Adds the memory of a task, which computes a block and its mirror image across the diagonal; steps
 * on the host use one block. */
static void
armilla_matrix_need (ArmillaData *data, ArmillaNeed *need)
{
  const ArmillaMatrixHeader *header = ARMILLA_MATRIX (data)->header;
  const gint64 block = MIN (header->rows.n, BLOCK) * MIN (header->columns.n, BLOCK)
                       * header->n_fields;

  need->task = MAX (need->task, 2 * block);
  need->largest = MAX (need->largest, block);
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

static const ArmillaTile *
armilla_matrix_verb_tiles (ArmillaData *data, ArmillaGraph *graph, GError **error)
{
  return armilla_matrix_tiles (ARMILLA_MATRIX (data), graph, error);
}

static gboolean
armilla_matrix_cut (ArmillaData *data, ArmillaGraph *graph, ArmillaCut *cut, GError **error)
{
  ArmillaMatrix *self = ARMILLA_MATRIX (data);

  (void) graph, (void) error;
  cut->n_tiles = (int) (self->n_down * self->n_across);
  cut->n_fields = self->header->n_fields;
  cut->n_rows = self->header->rows.n;
  cut->n_columns = self->header->columns.n;
  return TRUE;
}

/* Enumerates the pieces of a tile: the block of one field each; in a checkpoint, the whole tile. */
static gboolean
armilla_matrix_pieces (const ArmillaCut *cut, int tile, double *values, ArmillaHostPiece call,
                       gpointer user, GError **error)
{
  const gint64 n_across = (cut->n_columns + BLOCK - 1) / BLOCK;
  const gint64 row = tile / n_across * BLOCK, column = tile % n_across * BLOCK;
  const gint64 n = MIN (BLOCK, cut->n_rows - row), n_columns = MIN (BLOCK, cut->n_columns - column);

  for (int f = 0; f < cut->n_fields; f++)
    {
      ArmillaPiece piece = { .field = f, .first = row, .last = row + n - 1, .n = n,
                             .first_column = column, .n_columns = n_columns,
                             .values = values + f * n * n_columns, .n_values = n * n_columns,
                             .place = (f * cut->n_rows + row) * cut->n_columns + column * n };

      if (!call (user, &piece, error))
        return FALSE;
    }
  return TRUE;
}

static const ArmillaDataVerbs verbs = {
  .need = armilla_matrix_need,
  .cut = armilla_matrix_cut,
  .pieces = armilla_matrix_pieces,
  .tiles = armilla_matrix_verb_tiles,
};

static void
armilla_matrix_class_init (ArmillaMatrixClass *klass)
{
  ArmillaDataClass *data = ARMILLA_DATA_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = armilla_matrix_finalize;
  data->drop = armilla_matrix_drop;
  data->describe = armilla_matrix_describe;
  data->bytes = armilla_matrix_bytes;
  data->save = armilla_numbers_save;
  data->load = armilla_numbers_load;
  data->verbs = &verbs;
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
