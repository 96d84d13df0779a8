/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints of data: numbers are moved directly between the file and the data's memory, tables
 * and catalogues are serialised as a whole. */
#include "config.h"

#include <armilla/memory.h>

#include "core/catalogues/catalogue.h"
#include "tasks/data/checkpoint.h"
#include "tasks/data/lot.h"
#include "tasks/data/store.h"

static gboolean
save_piece (gpointer user, ArmillaPiece *piece, GError **error)
{
  return armilla_checkpoint_write (user, 8 * piece->place, piece->values, 8 * piece->n_values,
                                   error);
}

static gboolean
load_piece (gpointer user, ArmillaPiece *piece, GError **error)
{
  return armilla_checkpoint_read (user, 8 * piece->place, piece->values, 8 * piece->n_values,
                                  error);
}

/* Implements @save for data that consist of numbers. */
gboolean
armilla_numbers_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                      GError **error)
{
  return armilla_graph_drain (graph, data, save_piece, armilla_checkpoint_end, file,
                              armilla_checkpoint_free, error);
}

/* Implements @load for data that consist of numbers. */
gboolean
armilla_numbers_load (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                      GError **error)
{
  return armilla_graph_fill (graph, data, load_piece, file, armilla_checkpoint_free, error);
}

/* Writes the length of the description of the table, and the description. */
static gboolean
save_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  g_autoptr (GBytes) bytes = armilla_lot_pattern (piece->table);
  const gint64 size = (gint64) g_bytes_get_size (bytes);

  return armilla_checkpoint_write (user, 0, &size, sizeof size, error)
         && armilla_checkpoint_write (user, sizeof size, g_bytes_get_data (bytes, NULL), size,
                                      error);
}

static gboolean
load_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  g_autofree guint8 *bytes = NULL;
  g_autoptr (GBytes) all = NULL;
  gint64 size;

  if (!armilla_checkpoint_read (user, 0, &size, sizeof size, error)
      || !(bytes = armilla_try_new (guint8, size, "the table of a checkpoint", error))
      || !armilla_checkpoint_read (user, sizeof size, bytes, size, error))
    return FALSE;
  all = g_bytes_new_take (g_steal_pointer (&bytes), (gsize) size);
  piece->table = armilla_lot_parse_pattern (all);
  return TRUE;
}

/* Implements @save for tables. */
gboolean
armilla_table_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                    GError **error)
{
  return armilla_graph_drain (graph, data, save_table, armilla_checkpoint_end, file,
                              armilla_checkpoint_free, error);
}

/* Implements @load for tables. */
gboolean
armilla_table_load (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                    GError **error)
{
  return armilla_graph_fill (graph, data, load_table, file, armilla_checkpoint_free, error);
}

/* Header of the file of a catalogue; its columns follow. */
typedef struct {
  gint64 n, parts, n_patches, n_values, coordsys;
} CatalogueHead;

/* Reads or writes a column if the catalogue has it (@values is not NULL). @at: offset in the file,
 * advanced by the size of the column */
static gboolean
move_column (ArmillaCheckpoint *file, gboolean reads, gint64 *at, gpointer values, gint64 size,
             GError **error)
{
  const gint64 from = *at;

  if (!values)
    return TRUE;
  *at += size;
  return reads ? armilla_checkpoint_read (file, from, values, size, error)
               : armilla_checkpoint_write (file, from, values, size, error);
}

static gboolean
move_columns (ArmillaCheckpoint *file, gboolean reads, const ArmillaCatalogue *c, GError **error)
{
  double *const columns[] = { c->x, c->y, c->z, c->weight, c->g1, c->g2 };
  gint64 at = sizeof (CatalogueHead);
  gboolean ok = TRUE;

  for (gsize i = 0; ok && i < G_N_ELEMENTS (columns); i++)
    ok = move_column (file, reads, &at, columns[i], 8 * c->n, error);
  for (int k = 0; ok && k < c->n_values; k++)
    ok = move_column (file, reads, &at, c->values[k].value, 8 * c->n, error);
  return ok && move_column (file, reads, &at, c->patch, 4 * c->n, error);
}

/* Writes the catalogue on rank 0, since every rank has it. */
static gboolean
save_catalogue (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaCatalogue *c = piece->catalogue;
  const CatalogueHead head
    = { c->n, armilla_catalogue_parts (c), c->n_patches, c->n_values, c->coordsys };
  ArmillaCheckpoint *file = user;

  return armilla_graph_rank (file->graph) != 0
         || (armilla_checkpoint_write (file, 0, &head, sizeof head, error)
             && move_columns (file, FALSE, c, error));
}

/* The file, and an empty catalogue with the parts of those in the file. */
typedef struct {
  ArmillaCheckpoint *file;
  ArmillaCatalogue *like;
} Load;

static void
load_free (gpointer user)
{
  Load *load = user;

  armilla_checkpoint_free (load->file);
  armilla_catalogue_unref (load->like);
  g_free (load);
}

static gboolean
load_catalogue (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaCatalogue *like = ((Load *) user)->like;
  ArmillaCheckpoint *file = ((Load *) user)->file;
  g_autoptr (ArmillaCatalogue) c = NULL;
  CatalogueHead head;

  if (!armilla_checkpoint_read (file, 0, &head, sizeof head, error))
    return FALSE;
  if (head.parts != (gint64) armilla_catalogue_parts (like) || head.n_values != like->n_values)
    return armilla_fail (error, ARMILLA_ERROR_IO,
                         "checkpoint %s: its catalogue has other columns; remove the file",
                         file->path);
  c = armilla_catalogue_new (head.n, (ArmillaCatalogueParts) head.parts, error);
  for (int k = 0; c != NULL && k < like->n_values; k++)
    if (!armilla_catalogue_add_value (c, like->values[k].name, like->values[k].unit, error))
      return FALSE;
  if (c == NULL || !move_columns (file, TRUE, c, error))
    return FALSE;
  c->n_patches = (int) head.n_patches;
  c->coordsys = (char) head.coordsys;
  piece->catalogue = g_steal_pointer (&c);
  return TRUE;
}

/* Implements @save for catalogues. */
gboolean
armilla_catalogue_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                        GError **error)
{
  return armilla_graph_drain (graph, data, save_catalogue, armilla_checkpoint_end, file,
                              armilla_checkpoint_free, error);
}

/* Implements @load for catalogues, into objects of known parts. */
gboolean
armilla_catalogue_load (ArmillaData *data, ArmillaCatalogue *like, ArmillaGraph *graph,
                        ArmillaCheckpoint *file, GError **error)
{
  Load *load = g_new (Load, 1);

  *load = (Load) { file, armilla_catalogue_ref (like) };
  return armilla_graph_fill (graph, data, load_catalogue, load, load_free, error);
}
