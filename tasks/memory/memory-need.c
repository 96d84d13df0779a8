/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a bounded graph needs at the least. A worker holds the tiles of its task, all of them, and
 * waits while there is no place for one. Where memory cannot hold what all workers hold, they could
 * wait for each other for ever, so such a bound is refused before the first task. */
#include "config.h"

#include <math.h>

#include "tasks/data/data-private.h"

/* In units of the a_lm of an m-block: these, the recurrence's table and the a_lm in its basis (for
 * pairs of a spin, which have more of both). */
#define ALM_TILES 5
/* Bytes that ring tables, plans and lists take for each ring of a grid (14 MB at nside 8192). */
#define RING_BYTES 512

typedef struct {
  ArmillaGraph *graph;
  gint64 pixels;  /* of the largest ring blocks of all maps, with their fields */
  gint64 rings;   /* of the grid that has most */
  gint64 largest; /* of them, and of the m-blocks */
  gint64 alm;     /* doubles of the largest m-blocks of all a_lm */
  gint64 block_pairs; /* of the largest ring block */
  gint64 pairs;   /* of the largest ring block, times fields */
  gint64 orders, block_orders; /* of the a_lm with the most orders: all, and in an m-block */
} Need;

static void
add_map (Need *need, ArmillaMap *map)
{
  const ArmillaGrid *grid = armilla_map_grid (map);
  int n_fields = armilla_map_n_fields (map);
  gint64 size = MIN (armilla_graph_block_pairs (need->graph, grid, n_fields), grid->n_pairs);
  gint64 most = 0;

  for (gint64 first = 0; size > 0 && first < grid->n_pairs; first += size)
    {
      gint64 sum = 0;

      for (gint64 p = first; p < MIN (first + size, grid->n_pairs); p++)
        {
          ArmillaRingPair pair = grid->pairs[p];

          sum += pair.north >= 0 ? grid->rings[pair.north].n_phi : 0;
          sum += pair.south >= 0 ? grid->rings[pair.south].n_phi : 0;
        }
      most = MAX (most, sum);
    }
  need->pixels += most * n_fields;
  need->rings = MAX (need->rings, grid->n_rings);
  need->largest = MAX (need->largest, most * n_fields);
  need->block_pairs = MAX (need->block_pairs, size);
  need->pairs = MAX (need->pairs, size * n_fields);
}

static void
add_alm (Need *need, ArmillaAlm *alm)
{
  ArmillaAlmLayout layout = armilla_alm_layout (alm);
  int n_fields = armilla_alm_n_fields (alm);
  ArmillaOrderBlocks *blocks;
  gint64 most = 0;

  if (!armilla_alm_layout_check (layout, NULL))
    return; /* the stage's graph says why */
  blocks = armilla_order_blocks_new (layout, n_fields,
                                     armilla_graph_m_blocks (need->graph, layout, n_fields),
                                     need->graph->view.n_ranks, need->graph->view.speeds);
  for (int b = 0; b < blocks->n; b++)
    most = MAX (most, 2 * n_fields * armilla_order_block_count (blocks, b));
  need->alm += most;
  need->largest = MAX (need->largest, most);
  need->orders = MAX (need->orders, layout.mmax + 1);
  need->block_orders = MAX (need->block_orders, blocks->most_orders);
  armilla_order_blocks_free (blocks);
}

static void
add (Need *need, ArmillaData *const *data, int n)
{
  for (int i = 0; i < n; i++)
    {
      if (data[i] && ARMILLA_IS_MAP (data[i]))
        add_map (need, ARMILLA_MAP (data[i]));
      if (data[i] && ARMILLA_IS_ALM (data[i]))
        add_alm (need, ARMILLA_ALM (data[i]));
    }
}

/* Bytes for tiles that go with all workers having their largest task, and steps on the host theirs,
 * which have a fourth of the whole. */
static gint64
find_least (const Need *need)
{
  gint64 n_workers = starpu_worker_get_count ();
  gint64 modes = 4 * need->pairs * need->orders;
  gint64 delta = 4 * need->pairs * need->block_orders;
  gint64 ring_task = need->pixels + modes;
  gint64 order_task = ALM_TILES * need->alm + 4 * delta; /* the tile, and those of the grid */

  return (gint64) sizeof (double)
           * MAX (n_workers * MAX (ring_task, order_task) / 3 * 4, 4 * need->largest)
         + RING_BYTES * need->rings;
}

/* Bytes that a task of a transform between the two has at least: a ring block with all its modes,
 * or a block of orders twice. Scratch space comes on top, which is not known yet; then the task
 * itself is refused, see armilla_gpu_memory_where(). */
static gint64
find_largest_task (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm, Need *need)
{
  *need = (Need) { .graph = graph };
  add_map (need, map);
  add_alm (need, alm);
  return (gint64) sizeof (double)
         * MAX (need->pixels + 4 * need->pairs * need->orders, 2 * need->alm);
}

/* Whether GPUs hold the tasks of a transform of @alm to each map that may be the other side. A
 * quarter is left to scratch space: with less StarPU was seen to wait for ever for room. */
static gboolean
check_transforms (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaData *const *data, int n,
                  GError **error)
{
  const gint64 there = graph->runtime->gpu_bytes;

  for (int i = 0; i < n; i++)
    {
      Need need;
      gint64 bytes;

      if (!data[i] || !ARMILLA_IS_MAP (data[i])
          || armilla_map_n_fields (ARMILLA_MAP (data[i])) != armilla_alm_n_fields (alm))
        continue;
      bytes = find_largest_task (graph, ARMILLA_MAP (data[i]), alm, &need);
      if (bytes <= there / 4 * 3)
        continue;
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                   "a task needs %.0f MiB of a GPU's memory and scratch space beside it, and "
                   "StarPU has %.0f MiB; choose a smaller ring-block (%" G_GINT64_FORMAT
                   " now) or more m-blocks, give it more (STARPU_LIMIT_CUDA_MEM), or leave such "
                   "tasks to CPU workers (STARPU_NCPU)",
                   ceil ((double) bytes / (1 << 20)), floor ((double) there / (1 << 20)),
                   need.block_pairs);
      return FALSE;
    }
  return TRUE;
}

/* documented in armilla/runtime.h */
gboolean
armilla_graph_fits_gpu (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                        ArmillaData *const *outputs, int n_outputs, GError **error)
{
  if (graph->runtime->gpu_bytes == 0 || graph->runtime->cpu_workers > 0)
    return TRUE;
  for (int i = 0; i < n_inputs + n_outputs; i++)
    {
      ArmillaData *data = i < n_inputs ? inputs[i] : outputs[i - n_inputs];

      if (data && ARMILLA_IS_ALM (data)
          && (!check_transforms (graph, ARMILLA_ALM (data), inputs, n_inputs, error)
              || !check_transforms (graph, ARMILLA_ALM (data), outputs, n_outputs, error)))
        return FALSE;
    }
  return TRUE;
}

/* documented in armilla/runtime.h */
gboolean
armilla_graph_fits (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                    ArmillaData *const *outputs, int n_outputs, double held, GError **error)
{
  ArmillaBound *bound = graph->runtime->bound;
  g_autofree char *order = NULL;
  Need need = { .graph = graph };
  double least, there, bytes;
  gint64 done, submitted;

  armilla_graph_progress (graph, &done, &submitted);
  /* Later what is no tile has grown, which was allowed for. */
  if (!bound || submitted > 0)
    return TRUE;
  add (&need, inputs, n_inputs);
  add (&need, outputs, n_outputs);
  least = (double) find_least (&need);
  there = (double) armilla_bound_for_tiles (bound);
  if (least + held <= there)
    return TRUE;
  bytes = (double) armilla_bound_bytes (bound);
  if (held > 0)
    order = g_strdup_printf (" (and %.0f MiB for pixels in NESTED order, which are held until all "
                             "are there)", held / (1 << 20));
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
               "memory = %.0f MiB leaves %.0f MiB for tiles, and %u workers need %.0f MiB for "
               "theirs%s; memory = %.0f MiB would do, or fewer workers (STARPU_NCPU), or a smaller "
               "ring-block (%" G_GINT64_FORMAT " now)",
               bytes / (1 << 20), there / (1 << 20), starpu_worker_get_count (),
               least / (1 << 20), order ? order : "",
               ceil ((bytes - there + least + held) / (16 << 20) + 1) * 16, need.block_pairs);
  return FALSE;
}
