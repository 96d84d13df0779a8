/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables are small and may contain strings, so they are stored on the host of rank 0; a tile of one
 * number represents each in the graph, and orders writing and reading. */
#include "config.h"

#include "core/tables/table.h"
#include "tasks/data/store.h"

#include <armilla/table-data.h>

struct _ArmillaTableData {
  ArmillaData parent_instance;
  ArmillaTile token;
  ArmillaTable **table; /* reference-counted box, which holds the table on rank 0 after the step
                         * that computes it; freed after the data and the last step that uses it */
};

G_DEFINE_FINAL_TYPE (ArmillaTableData, armilla_table_data, ARMILLA_TYPE_DATA)

static void
free_table (gpointer box)
{
  armilla_table_free (*(ArmillaTable **) box);
}

static void
box_unref (gpointer box)
{
  g_atomic_rc_box_release_full (box, free_table);
}

static void
armilla_table_data_drop (ArmillaData *data)
{
  armilla_tile_drop (&ARMILLA_TABLE_DATA (data)->token);
}

static void
armilla_table_data_finalize (GObject *object)
{
  box_unref (ARMILLA_TABLE_DATA (object)->table);
  G_OBJECT_CLASS (armilla_table_data_parent_class)->finalize (object);
}

static char *
armilla_table_data_describe (ArmillaData *data)
{
  (void) data;
  return g_strdup ("table");
}

/* Returns the tile that represents a table, owned by rank 0. */
static const ArmillaTile *
armilla_table_data_tiles (ArmillaData *data, ArmillaGraph *graph, GError **error)
{
  ArmillaTableData *self = ARMILLA_TABLE_DATA (data);

  if (!self->token.handle && !armilla_tile_new (graph, 0, 1, &self->token, error))
    return NULL;
  return &self->token;
}

static gboolean
armilla_table_data_cut (ArmillaData *data, ArmillaGraph *graph, ArmillaCut *cut, GError **error)
{
  (void) graph, (void) error;
  cut->n_tiles = 1;
  cut->host = g_atomic_rc_box_acquire (ARMILLA_TABLE_DATA (data)->table);
  cut->release = box_unref;
  return TRUE;
}

static gboolean
armilla_table_data_pieces (const ArmillaCut *cut, int tile, double *values, ArmillaHostPiece call,
                           gpointer user, GError **error)
{
  ArmillaTable **table = cut->host;
  ArmillaPiece piece = { .table = cut->writes ? NULL : *table };

  (void) tile;
  if (!call (user, &piece, error))
    return FALSE;
  if (cut->writes)
    {
      armilla_table_free (*table);
      *table = piece.table;
      values[0] = 0;
    }
  return TRUE;
}

static const ArmillaDataVerbs verbs = {
  .is_whole = TRUE,
  .need = armilla_need_whole,
  .cut = armilla_table_data_cut,
  .pieces = armilla_table_data_pieces,
  .tiles = armilla_table_data_tiles,
};

static void
armilla_table_data_class_init (ArmillaTableDataClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = armilla_table_data_finalize;
  ARMILLA_DATA_CLASS (klass)->drop = armilla_table_data_drop;
  ARMILLA_DATA_CLASS (klass)->describe = armilla_table_data_describe;
  ARMILLA_DATA_CLASS (klass)->save = armilla_table_save;
  ARMILLA_DATA_CLASS (klass)->load = armilla_table_load;
  ARMILLA_DATA_CLASS (klass)->verbs = &verbs;
}

static void
armilla_table_data_init (ArmillaTableData *self)
{
  self->table = g_atomic_rc_box_new0 (ArmillaTable *);
}

ArmillaTableData *
armilla_table_data_new (void)
{
  return g_object_new (ARMILLA_TYPE_TABLE_DATA, NULL);
}
