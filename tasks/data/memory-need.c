/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Minimum memory of a graph whose memory is limited. A worker holds all tiles of its task, and
 * waits while there is no room for one of them. If memory cannot hold the tasks of all workers,
 * workers could wait for each other forever; so such a limit is rejected before the first task. */
#include "config.h"

#include <math.h>

#include "tasks/data/data-private.h"
#include "tasks/data/need.h"

/* Number of tiles, in units of the a_lm of an m-block: the a_lm, the table of the recurrence, and
 * the a_lm in its basis (fields with spin need two of both). */
#define ALM_TILES 5
/* bytes of ring tables, plans and lists per ring of a grid (14 MB at nside 8192) */
#define RING_BYTES 512

static void
add (ArmillaNeed *need, ArmillaData *data)
{
  armilla_data_need (data, need);
}

/* Returns the bytes of tiles with which every worker can run its largest task, while steps on the
 * host hold a fourth of all tiles. */
static gint64
find_min_bytes (const ArmillaNeed *need)
{
  gint64 n_workers = starpu_worker_get_count ();
  gint64 modes = 4 * need->pairs * need->orders;
  gint64 delta = 4 * need->pairs * need->block_orders;
  gint64 ring_task = need->pixels + modes;
  gint64 whole = need->lmax > need->exact_lmax ? 4 * need->whole_pairs * need->block_orders : 0;
  /* the larger of: Delta of a ring block and of up to three blocks of the interpolation grid; Delta
   * of all rings before and after resampling */
  gint64 order_task = ALM_TILES * need->alm + MAX (4 * delta, 2 * whole);
  gint64 task = MAX (MAX (ring_task, order_task), need->task);

  return (gint64) sizeof (double)
           * MAX (n_workers * task / 3 * 4, 4 * MAX (need->largest, whole))
         + RING_BYTES * need->rings;
}

/* Checks that GPUs can hold the tasks of a transform between @a and @b: a ring block with all its
 * modes, or the tiles of an m-block twice. A quarter of the memory is left for scratch space, whose
 * size is not known yet: with less, StarPU was observed to wait forever. A task that is still too
 * large is rejected later by armilla_gpu_memory_where(). Succeeds if @a and @b are not a map and
 * a_lm with the same number of fields. */
static gboolean
check_transform (ArmillaGraph *graph, ArmillaData *a, ArmillaData *b, GError **error)
{
  const gint64 available = graph->runtime->gpu_bytes;
  ArmillaNeed need = { .graph = graph };
  gint64 bytes;

  add (&need, a);
  add (&need, b);
  bytes = (gint64) sizeof (double)
          * MAX (need.pixels + 4 * need.pairs * need.orders, 2 * need.alm);
  if (need.map_fields == 0 || need.map_fields != need.alm_fields || bytes <= available / 4 * 3)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "a task needs %.0f MiB of a GPU's memory in addition to scratch space, but "
                       "StarPU has %.0f MiB; choose a smaller ring-block (%" G_GINT64_FORMAT
                       " now) or more m-blocks, allow StarPU more (STARPU_LIMIT_CUDA_MEM), or "
                       "enable CPU workers for such tasks (STARPU_NCPU)",
                       ceil ((double) bytes / (1 << 20)),
                       floor ((double) available / (1 << 20)), need.block_pairs);
}

gboolean
armilla_graph_fits_gpu (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                        ArmillaData *const *outputs, int n_outputs, GError **error)
{
  int n = n_inputs + n_outputs;

  if (graph->runtime->gpu_bytes == 0 || graph->runtime->cpu_workers > 0)
    return TRUE;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      {
        ArmillaData *a = i < n_inputs ? inputs[i] : outputs[i - n_inputs];
        ArmillaData *b = j < n_inputs ? inputs[j] : outputs[j - n_inputs];

        if (a && b && !check_transform (graph, a, b, error))
          return FALSE;
      }
  return TRUE;
}

gboolean
armilla_graph_fits_better (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                           ArmillaData *const *outputs, int n_outputs, double held,
                           double *advised, GError **error)
{
  ArmillaBound *bound = graph->runtime->bound;
  g_autofree char *order = NULL, *smaller = NULL;
  ArmillaNeed need = { .graph = graph };
  double min_bytes, available, bytes, advice;
  gint64 done, submitted;

  armilla_graph_progress (graph, &done, &submitted);
  /* Checked before the first task; memory other than tiles may grow later by the reserve. */
  if (!bound || submitted > 0)
    return TRUE;
  for (int i = 0; i < n_inputs; i++)
    if (inputs[i])
      add (&need, inputs[i]);
  for (int i = 0; i < n_outputs; i++)
    add (&need, outputs[i]);
  min_bytes = (double) find_min_bytes (&need);
  bytes = (double) armilla_bound_bytes (bound);
  available = bytes - (double) armilla_bound_others (bound);
  advice = ceil ((bytes - available + min_bytes + held) / (16 << 20) + 1) * 16;
  if (min_bytes + held <= available || advice <= *advised)
    return TRUE;
  *advised = advice;
  if (held > 0)
    order = g_strdup_printf (" (and %.0f MiB for pixels in NESTED order, which are held until all "
                             "have arrived)", held / (1 << 20));
  if (need.block_pairs > 0)
    smaller = g_strdup_printf (", or a smaller ring-block (%" G_GINT64_FORMAT " now)",
                               need.block_pairs);
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "memory = %.0f MiB leaves %.0f MiB for tiles, and %u workers need %.0f MiB "
                       "for theirs%s; set memory = %.0f MiB, or use fewer workers (STARPU_NCPU)%s",
                       bytes / (1 << 20), MAX (available, 0) / (1 << 20),
                       starpu_worker_get_count (), min_bytes / (1 << 20), order ? order : "",
                       advice, smaller ? smaller : "");
}
