/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table's orders on their way from the file to the tasks. On CPUs the tasks read the mapped file
 * itself, once its checksums were verified in an I/O thread. Where there are GPUs, I/O threads read
 * some orders at a time into few buffers that StarPU has pinned, and verify them, while workers sum
 * other orders; a task copies them to where the orders of an m-block are, on the GPU that will use
 * them. Pinning memory for all of a table would take longer than reading it, and would stop the
 * GPU's driver meanwhile. */
#include "config.h"

#include <string.h>

#include <armilla/memory.h>

#include "codelets/butterfly/butterfly-codelets.h"
#include "tasks/harmonic/legendre.h"

/* Words that are read at once for a GPU, unless an order alone has more. */
#define PIECE (8 << 20)
/* Buffers that go round on a rank: I/O threads fill some while others are copied. */
#define BUFFERS 4
/* What a trace calls the reading of a table. */
#define STEP "table"

/* What an I/O thread gets: the table outlives the tasks. @begin: where the first order begins */
typedef struct {
  const ArmillaLegendreTable *table;
  int m_block;
  gint64 m_first, m_last;
  gint64 begin;
} Load;

static gboolean
load_orders (gpointer user, double *const *buffers, GError **error)
{
  const Load *load = user;
  const ArmillaLegendreTable *table = load->table;
  const ArmillaButterflyBlock *block = &table->block[load->m_block];

  for (gint64 m = load->m_first; m <= load->m_last; m++)
    {
      const ArmillaLegendreEntry *entry = armilla_legendre_file_entry (table->file, m);
      double *words
        = buffers[0] + table->offsets[load->m_block][m - block->m_first] - load->begin;
      const char *wrong;

      if (table->piece > 0)
        memcpy (words, armilla_legendre_file_words (table->file, m), (gsize) entry->size);
      if (!armilla_legendre_file_verify (table->file, m, words, error))
        return FALSE;
      wrong = armilla_butterfly_check (words, entry->size / 8, block->lmax, m, block->n_pairs);
      if (wrong == NULL && ((const gint64 *) words)[ARMILLA_BUTTERFLY_WIDTH] > block->width)
        wrong = "it is wider than the index says";
      if (wrong != NULL)
        return armilla_fail (error, ARMILLA_ERROR_IO,
                             "%s: order %" G_GINT64_FORMAT " cannot be used, %s; remove the file "
                             "and make it anew with armilla precompute", table->path, m, wrong);
    }
  return TRUE;
}

/* @load: is copied */
static gboolean
submit_load (ArmillaLegendreTable *table, const Load *load, ArmillaTile *words, GError **error)
{
  const enum starpu_data_access_mode mode = table->piece > 0 ? STARPU_W : STARPU_RW;
  gboolean ok;

  table->graph->step = STEP;
  ok = armilla_host_step (table->graph, words->owner, words, &mode, 1, load_orders,
                          g_memdup2 (load, sizeof *load), g_free, error);
  table->graph->step = NULL;
  return ok;
}

/* The orders of an m-block from @load->m_first on that are read at once. Returns how many words
 * they take. */
static gint64
find_piece (const ArmillaLegendreTable *table, Load *load)
{
  const ArmillaButterflyBlock *block = &table->block[load->m_block];
  const gint64 *offsets = table->offsets[load->m_block];
  gint64 n = 0;

  load->begin = offsets[load->m_first - block->m_first];
  for (gint64 m = load->m_first; m <= block->m_last; m++)
    {
      const gint64 size = armilla_legendre_file_entry (table->file, m)->size / 8;
      const gint64 end = offsets[m - block->m_first] + size - load->begin;

      if (m > load->m_first && end > table->piece)
        break;
      n = end;
      load->m_last = m;
    }
  return n;
}

/* The next buffer of a rank, which whoever fills it gets when its last piece was copied. */
static gboolean
find_buffer (ArmillaLegendreTable *table, int owner, ArmillaTile *buffer, GError **error)
{
  ArmillaTile *next = &table->buffers[BUFFERS * owner + table->turn[owner]++ % BUFFERS];

  if (!next->handle && !armilla_tile_new (table->graph, owner, table->most_piece, next, error))
    return FALSE;
  *buffer = *next;
  return TRUE;
}

/* Fills the tile of an m-block, piece by piece. */
static gboolean
submit_pieces (ArmillaLegendreTable *table, int m_block, ArmillaTile *words, GError **error)
{
  const ArmillaButterflyBlock *block = &table->block[m_block];
  Load load = { .table = table, .m_block = m_block };

  for (load.m_first = block->m_first; load.m_first <= block->m_last;
       load.m_first = load.m_last + 1)
    {
      ArmillaButterflyLoadArgs args = { .fault = armilla_graph_fault (table->graph) };
      const gboolean first = load.m_first == block->m_first;
      ArmillaTile piece;

      args.n = find_piece (table, &load);
      args.at = load.begin;
      if (!find_buffer (table, words->owner, &piece, error))
        return FALSE;
      ArmillaUse uses[] = { { piece.handle, STARPU_R },
                            { words->handle, first ? STARPU_W : STARPU_RW } };

      if (!submit_load (table, &load, &piece, error)
          || !armilla_submit (table->graph, &armilla_butterfly_load_cl, words->owner, &args,
                              sizeof args, uses, G_N_ELEMENTS (uses), 0, error))
        return FALSE;
    }
  return TRUE;
}

/* The mapped file as a tile of the rank that needs it. */
static void
register_file (ArmillaLegendreTable *table, int m_block, ArmillaTile *words)
{
  const ArmillaButterflyBlock *block = &table->block[m_block];
  const gboolean here = words->owner == table->graph->view.rank;

  starpu_vector_data_register (
    &words->handle, here ? STARPU_MAIN_RAM : -1,
    here ? (uintptr_t) armilla_legendre_file_words (table->file, block->m_first) : 0,
    (uint32_t) block->n_words, sizeof (double));
  armilla_tile_register (table->graph, words->handle, words->owner);
}

/**
 * armilla_legendre_table_take:
 * @table: a table
 * @m_block: number of an m-block whose orders it has
 * @words: (out): the orders, for armilla_legendre_table_give()
 * @error: return location
 *
 * Returns: whether the orders will be there for tasks that are submitted from now on
 */
gboolean
armilla_legendre_table_take (ArmillaLegendreTable *table, int m_block, ArmillaTile *words,
                             GError **error)
{
  const ArmillaButterflyBlock *block = &table->block[m_block];
  const Load all = { .table = table, .m_block = m_block, .m_first = block->m_first,
                     .m_last = block->m_last };
  const int owner = table->orders->owner[m_block];
  ArmillaTile *kept = &table->words[m_block];

  if (table->piece > 0 && !table->keep)
    return armilla_tile_borrow_in_turn (table->graph, owner, table->most_words, words, error)
           && submit_pieces (table, m_block, words, error);
  if (!kept->handle)
    {
      *kept = (ArmillaTile) { .owner = owner, .n = block->n_words };
      if (table->piece == 0)
        {
          register_file (table, m_block, kept);
          if (!submit_load (table, &all, kept, error))
            return FALSE;
        }
      else if (!armilla_tile_new (table->graph, owner, kept->n, kept, error)
               || !submit_pieces (table, m_block, kept, error))
        return FALSE;
    }
  *words = *kept;
  return TRUE;
}

/**
 * armilla_legendre_table_give:
 * @table: a table
 * @words: orders whose tasks are submitted
 */
void
armilla_legendre_table_give (ArmillaLegendreTable *table, ArmillaTile *words)
{
  if (table->piece > 0 && !table->keep)
    armilla_tile_return_in_turn (table->graph, words);
}

/* Which orders an m-block has, and where. */
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
  if (block->n_words > G_MAXINT32) /* more than a tile can hold */
    block->n_words = 0;
  table->most_words = MAX (table->most_words, block->n_words);
}

/* How many words the largest piece has. */
static void
find_pieces (ArmillaLegendreTable *table)
{
  for (int b = 0; b < table->orders->n; b++)
    if (table->block[b].n_words > 0)
      for (Load load = { .m_block = b, .m_first = table->block[b].m_first };
           load.m_first <= table->block[b].m_last; load.m_first = load.m_last + 1)
        table->most_piece = MAX (table->most_piece, find_piece (table, &load));
}

/* Whether a table takes half of the memory of any rank's machine at most: all ranks read it once,
 * or all read it again for each transform. */
static gboolean
agree_to_keep (ArmillaGraph *graph, const ArmillaLegendreFile *file, double memory)
{
  GError *large = NULL;

  if ((double) armilla_legendre_file_size (file) > 0.5 * memory)
    g_set_error_literal (&large, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY, "the table is large");
  return armilla_graph_agree (graph, large, NULL);
}

static void
register_offsets (ArmillaLegendreTable *table)
{
  for (int b = 0; b < table->orders->n; b++)
    {
      const gint64 n = table->orders->m_last[b] - table->orders->m_first[b] + 1;

      starpu_vector_data_register (&table->offsets_handle[b], STARPU_MAIN_RAM,
                                   (uintptr_t) table->offsets[b], (uint32_t) n, sizeof (gint64));
      armilla_tile_register (table->graph, table->offsets_handle[b], ARMILLA_OWNER_EACH);
    }
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
  for (int i = 0; i < BUFFERS * table->graph->view.n_ranks; i++)
    if (table->buffers[i].handle)
      starpu_data_unregister_no_coherency (table->buffers[i].handle);
  g_free (table->buffers);
  g_free (table->turn);
  g_free (table->block);
  g_free (table->offsets);
  g_free (table->offsets_handle);
  g_free (table->words);
  armilla_legendre_file_free (table->file);
  g_free (table->path);
  g_free (table);
}

static gpointer
create_tables (ArmillaGraph *graph)
{
  (void) graph;
  return g_ptr_array_new_with_free_func (free_table);
}

static void
free_tables (gpointer tables)
{
  g_ptr_array_unref (tables);
}

static const ArmillaExtraKind tables_kind = { .create = create_tables, .free = free_tables };

/**
 * armilla_graph_legendre_tables:
 * @graph: a graph
 *
 * Returns: (transfer none) (element-type ArmillaLegendreTable): the tables that were opened
 */
GPtrArray *
armilla_graph_legendre_tables (ArmillaGraph *graph)
{
  return armilla_extras_get (graph->extras, graph, &tables_kind);
}

/**
 * armilla_graph_legendre_table:
 * @graph: a graph
 * @rings: ring blocks of the grid
 * @orders: m-blocks
 * @options: which file, and what is expected of it
 * @table: (out) (transfer none): the table, opened once a graph
 * @error: return location
 *
 * Opens a table. All ranks look at the same file; they agree on whether it can be used.
 *
 * Returns: whether there is one that fits the workflow; %ARMILLA_ERROR_IO, %ARMILLA_ERROR_SHAPE or
 *   %ARMILLA_ERROR_VALUE otherwise
 */
gboolean
armilla_graph_legendre_table (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                              ArmillaOrderBlocks *orders, const ArmillaLegendreOptions *options,
                              ArmillaLegendreTable **table, GError **error)
{
  g_autoptr (ArmillaLegendreFile) file = NULL;
  GPtrArray *all = armilla_graph_legendre_tables (graph);
  GError *local = NULL;
  ArmillaLegendreKey key;
  double memory = 0;

  for (guint i = 0; i < all->len; i++)
    {
      *table = g_ptr_array_index (all, i);
      if ((*table)->rings == rings && (*table)->orders == orders
          && strcmp ((*table)->path, options->table) == 0)
        return TRUE;
    }
  armilla_legendre_key_init (&key, rings->grid, orders->layout, options->tolerance);
  file = armilla_legendre_file_open (options->table, &local);
  if (file && armilla_legendre_file_fits (file, &key, &local))
    armilla_memory_there (&memory, &local);
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
  (*table)->buffers = g_new0 (ArmillaTile, BUFFERS * graph->view.n_ranks);
  (*table)->turn = g_new0 (guint, graph->view.n_ranks);
  (*table)->keep = agree_to_keep (graph, (*table)->file, memory);
  (*table)->piece = graph->table_piece > 0 ? graph->table_piece : graph->view.gpus ? PIECE : 0;
  for (int b = 0; b < orders->n; b++)
    find_block (*table, b);
  find_pieces (*table);
  register_offsets (*table);
  (*table)->mover = armilla_mover_new_remade (graph, (*table)->words, orders);
  g_ptr_array_add (all, *table);
  return TRUE;
}
