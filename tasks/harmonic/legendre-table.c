/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes the orders of a table to tasks, which read them from the mapped file after an I/O thread
 * has verified the checksums. */
#include "config.h"

#include <string.h>

#include "tasks/harmonic/legendre.h"

/* name in a trace of the step that reads a table */
#define STEP "table"

/* Argument of an I/O thread: the table outlives the tasks. */
typedef struct {
  const ArmillaLegendreTable *table;
  int m_block;
} Check;

static gboolean
check_orders (gpointer user, double *const *buffers, GError **error)
{
  const Check *check = user;
  const ArmillaLegendreTable *table = check->table;
  const ArmillaButterflyBlock *block = &table->block[check->m_block];

  for (gint64 m = block->m_first; m <= block->m_last; m++)
    {
      const ArmillaLegendreEntry *entry = armilla_legendre_file_entry (table->file, m);
      const double *words = buffers[0] + table->offsets[check->m_block][m - block->m_first];
      const char *wrong;

      if (!armilla_legendre_file_verify (table->file, m, words, error))
        return FALSE;
      wrong = armilla_butterfly_check (words, entry->size / 8, block->lmax, m, block->n_pairs);
      if (wrong == NULL && ((const gint64 *) words)[ARMILLA_BUTTERFLY_WIDTH] > block->width)
        wrong = "it is larger than its entry in the index";
      if (wrong != NULL)
        return armilla_fail (error, ARMILLA_ERROR_IO,
                             "%s: order %" G_GINT64_FORMAT " cannot be used, %s; remove the file "
                             "and create it again with armilla precompute", table->path,
                             m, wrong);
    }
  return TRUE;
}

static gboolean
submit_check (ArmillaLegendreTable *table, int m_block, ArmillaTile *words, GError **error)
{
  const enum starpu_data_access_mode mode = STARPU_RW;
  Check *check = g_new (Check, 1);
  gboolean ok;

  *check = (Check) { table, m_block };
  table->graph->step = STEP;
  ok = armilla_host_step (table->graph, words->owner, words, &mode, 1, check_orders, check, g_free,
                          error);
  table->graph->step = NULL;
  return ok;
}

/* Registers the mapped file as a tile of the rank that needs it. */
static void
register_file (ArmillaLegendreTable *table, int m_block, ArmillaTile *words)
{
  const ArmillaButterflyBlock *block = &table->block[m_block];
  const gboolean own = words->owner == table->graph->view.rank;

  starpu_vector_data_register (
    &words->handle, own ? STARPU_MAIN_RAM : -1,
    own ? (uintptr_t) armilla_legendre_file_words (table->file, block->m_first) : 0,
    (uint32_t) block->n_words, sizeof (double));
  armilla_tile_register (table->graph, words->handle, words->owner);
}

/* Sets @words to the tile with the compressed orders of an m-block, for tasks submitted later. */
gboolean
armilla_legendre_table_take (ArmillaLegendreTable *table, int m_block, ArmillaTile *words,
                             GError **error)
{
  ArmillaTile *kept = &table->words[m_block];

  if (!kept->handle)
    {
      *kept = (ArmillaTile) { .owner = table->orders->owner[m_block],
                              .n = table->block[m_block].n_words };
      register_file (table, m_block, kept);
      if (!submit_check (table, m_block, kept, error))
        return FALSE;
    }
  *words = *kept;
  return TRUE;
}

/* Finds the orders of an m-block and their offsets in the file. */
static void
find_block (ArmillaLegendreTable *table, int b)
{
  const ArmillaLegendreKey *key = armilla_legendre_file_key (table->file);
  const gint64 first = table->orders->m_first[b], last = table->orders->m_last[b];
  const gint64 begin = armilla_legendre_file_entry (table->file, first)->offset;
  gint64 end = begin;
  ArmillaButterflyBlock *block = &table->block[b];

  *block = (ArmillaButterflyBlock) { .lmax = key->lmax, .m_first = first, .m_last = last,
                                     .n_pairs = key->n_pairs,
                                     .isa = (int32_t) table->graph->view.isa };
  table->offsets[b] = g_new0 (gint64, last - first + 1);
  for (gint64 m = first; m <= last; m++)
    {
      const ArmillaLegendreEntry *entry = armilla_legendre_file_entry (table->file, m);

      if (entry->size == 0 || entry->offset < end)
        {
          block->n_words = 0;
          return;
        }
      table->offsets[b][m - first] = (entry->offset - begin) / 8;
      end = entry->offset + entry->size;
      block->n_words = (end - begin) / 8;
      block->width = MAX (block->width, entry->width);
      block->elements += entry->elements;
    }
  if (block->n_words > G_MAXINT32) /* larger than a tile may be */
    block->n_words = 0;
}

static void
register_offsets (ArmillaLegendreTable *table)
{
  for (int b = 0; b < table->orders->n; b++)
    armilla_tile_register_table (table->graph, &table->offsets_handle[b], table->offsets[b],
                                 table->orders->m_last[b] - table->orders->m_first[b] + 1,
                                 sizeof (gint64));
}

static void
free_table (gpointer data)
{
  ArmillaLegendreTable *table = data;

  armilla_mover_free (table->mover);
  for (int b = 0; b < table->orders->n; b++)
    {
      if (table->words[b].handle)
        starpu_data_unregister_no_coherency (table->words[b].handle);
      starpu_data_unregister (table->offsets_handle[b]);
      g_free (table->offsets[b]);
    }
  g_free (table->block);
  g_free (table->offsets);
  g_free (table->offsets_handle);
  g_free (table->words);
  armilla_legendre_file_free (table->file);
  g_free (table->path);
  g_free (table);
}

static const ArmillaExtraKind tables_kind = { .free = free_table };

/* Returns the table that the options name, opened at the first call. All ranks read the same file
 * and agree on whether it is for this grid and lmax. */
gboolean
armilla_graph_legendre_table (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                              ArmillaOrderBlocks *orders, const ArmillaLegendreOptions *options,
                              ArmillaLegendreTable **table, GError **error)
{
  g_autoptr (ArmillaLegendreFile) file = NULL;
  GPtrArray *all = armilla_extras_get (graph->extras, &tables_kind);
  GError *local = NULL;
  ArmillaLegendreKey key;

  for (guint i = 0; i < all->len; i++)
    {
      *table = g_ptr_array_index (all, i);
      if ((*table)->rings == rings && (*table)->orders == orders
          && strcmp ((*table)->path, options->table) == 0)
        return TRUE;
    }
  armilla_legendre_key_init (&key, rings->grid, orders->layout, options->tolerance);
  file = armilla_legendre_file_open (options->table, &local);
  if (file)
    armilla_legendre_file_fits (file, &key, &local);
  if (!armilla_graph_agree (graph, local, error))
    return FALSE;
  *table = g_new0 (ArmillaLegendreTable, 1);
  (*table)->path = g_strdup (options->table);
  (*table)->file = g_steal_pointer (&file);
  (*table)->graph = graph;
  (*table)->rings = rings;
  (*table)->orders = orders;
  (*table)->block = g_new0 (ArmillaButterflyBlock, orders->n);
  (*table)->offsets = g_new0 (gint64 *, orders->n);
  (*table)->offsets_handle = g_new0 (starpu_data_handle_t, orders->n);
  (*table)->words = g_new0 (ArmillaTile, orders->n);
  for (int b = 0; b < orders->n; b++)
    find_block (*table, b);
  register_offsets (*table);
  (*table)->mover = armilla_mover_new_remade (graph, (*table)->words, orders);
  g_ptr_array_add (all, *table);
  return TRUE;
}
