/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms by a table of compressed Legendre matrices. An m-block is summed on all rings of the
 * grid at once; then its Delta is copied to the ring blocks, or before, for an adjoint, collected
 * from them. So Delta of all rings is in memory. */
#include "config.h"

#include "codelets/butterfly/butterfly-codelets.h"
#include "core/base/memory.h"
#include "tasks/harmonic/legendre.h"
#include "tasks/harmonic/transform.h"

#define GIB (1024.0 * 1024.0 * 1024.0)

typedef struct _ArmillaButterflyTransform Butterfly;

struct _ArmillaButterflyTransform {
  ArmillaLegendreTable *table;
  gboolean *use;      /* [m-block]: whether the table is used */
  ArmillaTile *whole; /* [m-block]: Delta on all rings, while it is in use */
  ArmillaTile scratch;
  int n_done;         /* ring blocks submitted in this pass */
};

static gint64
n_pairs_of (const ArmillaTransform *t)
{
  return t->rings->grid->n_pairs;
}

/* Returns the number of doubles of Delta of the largest m-block on all rings. */
static gint64
whole_size (const ArmillaTransform *t)
{
  return 4 * n_pairs_of (t) * t->n_fields * t->orders->max_orders;
}

/* Returns the reason why a transform cannot use a table; NULL if it can. */
static const char *
why_not (const ArmillaTransform *t)
{
  if (t->resample)
    return "tables are for the weighted rings of the map, and here the quadrature of the rings is "
           "not exact up to lmax: the analysis resamples them in theta";
  if (t->n_groups != 1 || t->groups[0].spin != 0)
    return "tables require scalar fields, but there are others";
  return NULL;
}

/* Returns, on all ranks alike, whether the file exists. */
static gboolean
file_exists (ArmillaTransform *t, const char *path)
{
  GError *missing = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    g_set_error (&missing, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s does not exist", path);
  return armilla_graph_agree (t->graph, missing, NULL);
}

/* Limits the number of m-blocks that use the table: their Delta on all rings must fit into half of
 * this rank's share of the memory. With the method auto the others use the recurrence. */
static gboolean
find_room (ArmillaTransform *t, ArmillaLegendre kind, int *n_used, GError **error)
{
  double need = 0, available;
  GError *local = NULL, *full = NULL;

  for (int b = 0; b < t->orders->n; b++)
    if (t->butterfly->use[b] && t->orders->owner[b] == t->graph->view.rank)
      need += 8 * (double) whole_size (t);
  if (armilla_memory_available (&available, &local)
      && need > 0.5 * available / armilla_graph_n_local_ranks (t->graph))
    g_set_error (&local, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                 "a transform by table needs %.3g GiB for Delta of all rings, more than half of "
                 "this rank's memory; set legendre = recurrence, or use more nodes "
                 "(ARMILLA_MEMORY=SIZE if a node has more)", need / GIB);
  if (armilla_graph_agree (t->graph, local, &full))
    return TRUE;
  if (kind == ARMILLA_LEGENDRE_BUTTERFLY || !g_error_matches (full, ARMILLA_ERROR,
                                                              ARMILLA_ERROR_MEMORY))
    {
      g_propagate_error (error, full);
      return FALSE;
    }
  g_error_free (full);
  memset (t->butterfly->use, 0, sizeof (gboolean) * (gsize) t->orders->n);
  *n_used = 0;
  armilla_graph_tell_once (t->graph, "table %s: Delta of all rings does not fit into half of the "
                                     "memory: all orders by recurrence\n",
                                     t->butterfly->table->path);
  return TRUE;
}

static gboolean
begin_tiles (ArmillaTransform *t, GError **error)
{
  Butterfly *by = t->butterfly;
  gint64 scratch = 1;

  for (int b = 0; b < t->orders->n; b++)
    if (by->use[b])
      {
        ArmillaButterflyBlock block = by->table->block[b];

        block.n_fields = t->n_fields;
        scratch = MAX (scratch, armilla_butterfly_apply_scratch (&block));
      }
  return armilla_tile_new (t->graph, 0, scratch, &by->scratch, error);
}

/* Opens the table of the node, if any, and chooses the m-blocks that use it.
 * armilla_transform_butterfly_clear () must follow, even on failure. */
gboolean
armilla_transform_butterfly_begin (ArmillaTransform *t, GError **error)
{
  const ArmillaLegendreOptions *options = t->legendre;
  const gboolean wanted = options->kind == ARMILLA_LEGENDRE_BUTTERFLY;
  const char *reason = why_not (t);
  int n_used;

  if (options->kind == ARMILLA_LEGENDRE_RECURRENCE || !options->table || (reason && !wanted))
    return TRUE;
  if (reason)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "legendre = butterfly: %s; set legendre = auto or recurrence", reason);
  if (!wanted && t->graph->view.gpus)
    {
      armilla_graph_tell_once (t->graph, "table %s is not used: all orders by recurrence, which is "
                                         "faster if GPUs compute\n", options->table);
      return TRUE;
    }
  if (!wanted && !file_exists (t, options->table))
    {
      armilla_transform_tell_no_table (t, options);
      return TRUE;
    }
  t->butterfly = g_new0 (Butterfly, 1);
  t->butterfly->use = g_new0 (gboolean, t->orders->n);
  t->butterfly->whole = g_new0 (ArmillaTile, t->orders->n);
  if (!armilla_graph_legendre_table (t->graph, t->rings, t->orders, options, &t->butterfly->table,
                                     error))
    return FALSE;
  n_used = armilla_transform_choose_table (t, t->butterfly->table,
                                           options->kind == ARMILLA_LEGENDRE_BUTTERFLY,
                                           t->butterfly->use);
  if (!find_room (t, options->kind, &n_used, error))
    return FALSE;
  armilla_transform_tell_table (t, t->butterfly->table, t->butterfly->use, n_used);
  return begin_tiles (t, error);
}

/* Returns whether the m-block is summed by a table. */
gboolean
armilla_transform_butterfly_has (const ArmillaTransform *t, int m_block)
{
  return t->butterfly && t->butterfly->use[m_block];
}

static ArmillaButterflyArgs
butterfly_args (const ArmillaTransform *t, int m_block)
{
  ArmillaButterflyArgs args = { .fault = armilla_graph_fault (t->graph),
                                .block = t->butterfly->table->block[m_block] };

  args.block.n_fields = t->n_fields;
  return args;
}

static gboolean
borrow_whole (ArmillaTransform *t, int m_block, GError **error)
{
  return armilla_tile_borrow (t->graph, t->orders->owner[m_block], whole_size (t),
                              &t->butterfly->whole[m_block], error);
}

/* Submits the sum of an m-block over all rings; or its adjoint, which is added to the m-block's
 * sum. */
static gboolean
sum_whole (ArmillaTransform *t, int m_block, GError **error)
{
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  Butterfly *by = t->butterfly;
  ArmillaButterflyArgs args = butterfly_args (t, m_block);
  ArmillaTile words;

  if (!(synthesis ? borrow_whole (t, m_block, error)
                  : armilla_transform_complete_sum (t, m_block, error))
      || !armilla_legendre_table_take (by->table, m_block, &words, error))
    return FALSE;
  const starpu_data_handle_t prepared = t->groups[0].prepared[m_block].handle;
  const starpu_data_handle_t whole = by->whole[m_block].handle;
  ArmillaUse uses[] = { { words.handle, STARPU_R },
                        { by->table->offsets_handle[m_block], STARPU_R },
                        { synthesis ? prepared : whole, STARPU_R },
                        { synthesis ? whole : prepared, synthesis ? STARPU_W : STARPU_RW },
                        { by->scratch.handle, STARPU_SCRATCH } };

  return armilla_submit (t->graph,
                         synthesis ? &armilla_butterfly_synthesis_cl
                                   : &armilla_butterfly_adjoint_cl,
                         t->orders->owner[m_block], &args, sizeof args, uses, G_N_ELEMENTS (uses),
                         PRIORITY_DELTA, error);
}

/* Submits the tasks that copy Delta to a ring block; before the first of them, the sum on all
 * rings. For an adjoint, keeps the tile until all ring blocks are submitted. */
gboolean
armilla_transform_butterfly (ArmillaTransform *t, int m_block, const ArmillaRingBlock *rings,
                             const ArmillaTile *tile, GError **error)
{
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  ArmillaTile *whole = &t->butterfly->whole[m_block];
  const gboolean fresh = !whole->handle;

  if (fresh && !(synthesis ? sum_whole (t, m_block, error) : borrow_whole (t, m_block, error)))
    return FALSE;
  return armilla_transform_copy_whole (t, m_block, rings, tile, whole, fresh, error);
}

/* Must be called after each ring block. After the last one of a pass it frees the kept tiles, for
 * an adjoint after submitting the transposed sums. */
gboolean
armilla_transform_butterfly_end (ArmillaTransform *t, GError **error)
{
  Butterfly *by = t->butterfly;

  if (!by)
    return TRUE;
  by->n_done = (by->n_done + 1) % t->rings->n;
  for (int b = 0; by->n_done == 0 && b < t->orders->n; b++)
    {
      if (by->use[b] && !armilla_transform_is_synthesis (t) && !sum_whole (t, b, error))
        return FALSE;
      armilla_tile_return (t->graph, &by->whole[b]);
    }
  return TRUE;
}

void
armilla_transform_butterfly_clear (ArmillaTransform *t)
{
  if (!t->butterfly)
    return;
  for (int b = 0; b < t->orders->n; b++)
    armilla_tile_return (t->graph, &t->butterfly->whole[b]);
  armilla_tile_drop (&t->butterfly->scratch);
  g_free (t->butterfly->use);
  g_free (t->butterfly->whole);
  g_clear_pointer (&t->butterfly, g_free);
}
