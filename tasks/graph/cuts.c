/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Division of maps and a_lm into blocks, once per graph. */
#include "config.h"

#include "tasks/graph/graph-private.h"

static void
free_ring_blocks (gpointer data)
{
  ArmillaRingBlocks *blocks = data;

  for (int b = 0; b < blocks->n; b++)
    {
      if (blocks->block[b].pairs_handle)
        starpu_data_unregister (blocks->block[b].pairs_handle);
      if (blocks->block[b].slots_handle)
        {
          starpu_data_unregister (blocks->block[b].slots_handle);
          starpu_data_unregister (blocks->block[b].first_pixel_handle);
        }
    }
  armilla_ring_blocks_free (blocks);
}

static void
free_order_blocks (gpointer data)
{
  ArmillaOrderBlocks *blocks = data;

  for (int spin = 0; spin <= ARMILLA_SPIN_MAX; spin++)
    for (int b = 0; blocks->tables[spin] && b < blocks->n; b++)
      if (blocks->tables[spin][b].handle)
        starpu_data_unregister_no_coherency (blocks->tables[spin][b].handle);
  armilla_order_blocks_free (blocks);
}

void
armilla_cuts_init (ArmillaGraph *graph)
{
  graph->ring_blocks = g_ptr_array_new_with_free_func (free_ring_blocks);
  graph->order_blocks = g_ptr_array_new_with_free_func (free_order_blocks);
}

void
armilla_cuts_clear (ArmillaGraph *graph)
{
  g_ptr_array_unref (graph->ring_blocks);
  g_ptr_array_unref (graph->order_blocks);
}

static void
register_ring_tables (ArmillaGraph *graph, ArmillaRingBlocks *blocks)
{
  for (int b = 0; b < blocks->n; b++)
    {
      ArmillaRingBlock *block = &blocks->block[b];

      armilla_tile_register_table (graph, &block->pairs_handle, block->pairs,
                                   ARMILLA_PAIR_ROWS * block->n_pairs, sizeof (double));
      armilla_tile_register_table (graph, &block->slots_handle, block->slots, 2 * block->n_pairs,
                                   sizeof (ArmillaRingSlot));
      armilla_tile_register_table (graph, &block->first_pixel_handle, block->first_pixel,
                                   2 * block->n_pairs, sizeof (gint64));
    }
}

/* Adds a line to the description of the tiling: @what, and the origin of the sizes. */
static void
tell_cut (ArmillaGraph *graph, const char *what, gint64 given, gint64 tuned)
{
  if (given > 0)
    g_string_append_printf (graph->cuts, "%s (given)\n", what);
  else if (tuned > 0)
    g_string_append_printf (graph->cuts, "%s (tuned, %s)\n", what,
                            armilla_tuning_origin (graph->tuning));
  else
    g_string_append_printf (graph->cuts, "%s (default)\n", what);
}

static void
tell_rings (ArmillaGraph *graph, const ArmillaRingBlocks *blocks, gint64 tuned)
{
  g_autofree char *grid = armilla_grid_describe (blocks->grid);
  g_autofree char *what = g_strdup_printf (
    "%s: %d block%s of up to %" G_GINT64_FORMAT " ring pair%s", grid, blocks->n,
    blocks->n == 1 ? "" : "s", blocks->max_pairs, blocks->max_pairs == 1 ? "" : "s");

  tell_cut (graph, what, graph->tiling.ring_block, tuned);
}

static void
tell_orders (ArmillaGraph *graph, const ArmillaOrderBlocks *blocks, gint64 tuned)
{
  g_autofree char *what
    = g_strdup_printf ("lmax %" G_GINT64_FORMAT ": %d block%s of orders", blocks->layout.lmax,
                       blocks->n, blocks->n == 1 ? "" : "s");

  tell_cut (graph, what, graph->tiling.m_blocks, tuned);
}

_Static_assert (ARMILLA_INTERPOLATION_NEVER == 1 && ARMILLA_INTERPOLATION_ALWAYS == 2,
                "the numbers in the file");

/* Adds the tuned parameters that are not sizes of blocks. @where names the direction of the
 * transforms; it is empty if both directions have the same. */
static void
tell_kernels_of (ArmillaGraph *graph, ArmillaTransforms which, const char *where, gint64 lmax,
                 int n_fields)
{
  static const char *const interpolation[] = { "no", "always" };
  gint64 length = armilla_graph_tuned (graph, which, lmax, n_fields, ARMILLA_TUNE_VECTOR_LENGTH);
  gint64 wanted = armilla_graph_tuned (graph, which, lmax, n_fields, ARMILLA_TUNE_INTERPOLATION);
  const char *origin = graph->tuning ? armilla_tuning_origin (graph->tuning) : NULL;

  if (length > 0)
    g_string_append_printf (graph->cuts,
                            "lmax %" G_GINT64_FORMAT "%s: vectors of %" G_GINT64_FORMAT
                            " numbers at most (tuned, %s)\n",
                            lmax, where, length, origin);
  if (wanted > 0 && graph->tiling.interpolation == ARMILLA_INTERPOLATION_AUTO)
    g_string_append_printf (graph->cuts,
                            "lmax %" G_GINT64_FORMAT "%s: %s interpolation in theta (tuned, %s)\n",
                            lmax, where, interpolation[wanted - 1], origin);
}

static gboolean
kernels_differ (const ArmillaGraph *graph, gint64 lmax, int n_fields)
{
  static const ArmillaTuneName names[]
    = { ARMILLA_TUNE_VECTOR_LENGTH, ARMILLA_TUNE_INTERPOLATION };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (armilla_graph_tuned (graph, ARMILLA_TRANSFORMS_SYNTHESIS, lmax, n_fields, names[i])
        != armilla_graph_tuned (graph, ARMILLA_TRANSFORMS_ANALYSIS, lmax, n_fields, names[i]))
      return TRUE;
  return FALSE;
}

static void
tell_kernels (ArmillaGraph *graph, gint64 lmax, int n_fields)
{
  const ArmillaTransforms which = graph->tuned_for ? graph->tuned_for : ARMILLA_TRANSFORMS_BOTH;

  if (which == ARMILLA_TRANSFORMS_BOTH && !kernels_differ (graph, lmax, n_fields))
    {
      tell_kernels_of (graph, ARMILLA_TRANSFORMS_SYNTHESIS, "", lmax, n_fields);
      return;
    }
  if (which & ARMILLA_TRANSFORMS_SYNTHESIS)
    tell_kernels_of (graph, ARMILLA_TRANSFORMS_SYNTHESIS, ", alm2map", lmax, n_fields);
  if (which & ARMILLA_TRANSFORMS_ANALYSIS)
    tell_kernels_of (graph, ARMILLA_TRANSFORMS_ANALYSIS, ", map2alm", lmax, n_fields);
}

/* Returns the number of ring pairs per block: set by the caller, tuned, or the default of the
 * grid. */
gint64
armilla_graph_block_pairs (ArmillaGraph *graph, const ArmillaGrid *grid, int n_fields)
{
  gint64 tuned = armilla_graph_tuned (graph, graph->tuned_for, grid->n_pairs, n_fields,
                                      ARMILLA_TUNE_RING_BLOCK);
  gint64 chosen = graph->tiling.ring_block ? graph->tiling.ring_block : tuned;

  return chosen ? chosen : armilla_ring_blocks_default (grid, graph->view.gpus);
}

/* Returns the number of m-blocks: set by the caller, tuned, or the default for the workers; 0: as
 * chosen by armilla_order_blocks_new(). */
gint64
armilla_graph_m_blocks (ArmillaGraph *graph, ArmillaAlmLayout layout, int n_fields)
{
  gint64 tuned = armilla_graph_tuned (graph, graph->tuned_for, layout.lmax, n_fields,
                                      ARMILLA_TUNE_M_BLOCKS);
  gint64 chosen = graph->tiling.m_blocks ? graph->tiling.m_blocks : tuned;

  return chosen ? chosen
                : armilla_order_blocks_default (
                    layout, MIN (graph->view.gpu_ranks, graph->view.n_ranks),
                    graph->view.gpus);
}

/* Returns the ring blocks of a grid, which have @n_pairs pairs unless they exist already. */
static ArmillaRingBlocks *
get_ring_blocks (ArmillaGraph *graph, ArmillaGrid *grid, gint64 n_pairs, gint64 tuned,
                 GError **error)
{
  ArmillaRingBlocks *blocks;

  for (guint i = 0; i < graph->ring_blocks->len; i++)
    {
      blocks = g_ptr_array_index (graph->ring_blocks, i);
      if (blocks->grid == grid || armilla_grid_equal (blocks->grid, grid))
        return blocks;
    }
  blocks = armilla_ring_blocks_new (grid, n_pairs, graph->view.n_ranks,
                                    armilla_graph_speeds (graph), error);
  if (!blocks)
    return NULL;
  tell_rings (graph, blocks, tuned);
  register_ring_tables (graph, blocks);
  g_ptr_array_add (graph->ring_blocks, blocks);
  return blocks;
}

/* Returns the ring blocks of a grid with their tables, created once per graph; NULL on error. The
 * first map of a grid determines the blocks for the whole graph, whatever the fields of later
 * maps. */
ArmillaRingBlocks *
armilla_graph_ring_blocks (ArmillaGraph *graph, ArmillaGrid *grid, int n_fields, GError **error)
{
  gint64 tuned = armilla_graph_tuned (graph, graph->tuned_for, grid->n_pairs, n_fields,
                                      ARMILLA_TUNE_RING_BLOCK);

  return get_ring_blocks (graph, grid, armilla_graph_block_pairs (graph, grid, n_fields), tuned,
                          error);
}

/* Like armilla_graph_ring_blocks (), for the grid that a stage uses internally: @n_pairs is the
 * default number of pairs in a block. */
ArmillaRingBlocks *
armilla_graph_ring_blocks_of (ArmillaGraph *graph, ArmillaGrid *grid, gint64 n_pairs,
                              GError **error)
{
  const gint64 set = graph->tiling.ring_block;

  return get_ring_blocks (graph, grid, set ? set : n_pairs, 0, error);
}

/* Returns the m-blocks of a layout, created once per graph. The first a_lm of a layout determine
 * the blocks for the whole graph, whatever the fields of later ones. */
ArmillaOrderBlocks *
armilla_graph_order_blocks (ArmillaGraph *graph, ArmillaAlmLayout layout, int n_fields)
{
  gint64 tuned = armilla_graph_tuned (graph, graph->tuned_for, layout.lmax, n_fields,
                                      ARMILLA_TUNE_M_BLOCKS);
  ArmillaOrderBlocks *blocks;

  for (guint i = 0; i < graph->order_blocks->len; i++)
    {
      blocks = g_ptr_array_index (graph->order_blocks, i);
      if (blocks->layout.lmax == layout.lmax && blocks->layout.mmax == layout.mmax)
        return blocks;
    }
  blocks = armilla_order_blocks_new (layout, n_fields,
                                     armilla_graph_m_blocks (graph, layout, n_fields),
                                     graph->view.n_ranks, armilla_graph_speeds (graph));
  tell_orders (graph, blocks, tuned);
  tell_kernels (graph, layout.lmax, n_fields);
  g_ptr_array_add (graph->order_blocks, blocks);
  return blocks;
}
