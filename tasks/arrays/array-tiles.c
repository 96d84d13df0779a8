/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/arrays/array-tiles.h"

#include "codelets/arrays/array-codelets.h"
#include "codelets/arrays/array-copy-math.h"
#include "codelets/common/devices.h"
#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"

/* above transforms: they wait for input, and output frees its tile */
#define PRIORITY 4
/* a_lm input comes after the tasks that read earlier a_lm, which free their tiles */
#define PRIORITY_ALM_IN -1
/* upper limit of armilla_cuda_fft_plans_scratch(), except for rings of millions of pixels */
#define FFT_SCRATCH ((gint64) 256 << 20)

/* Returns the GPU whose memory contains the array; -1: host memory; -2 with an error. */
static int
find_gpu (const ArmillaNamedArray *named, GError **error)
{
  g_autofree char *problem = NULL;
  int gpu;

  if (named->array->device == ARMILLA_HOST)
    return -1;
  gpu = armilla_cuda_find (named->array->device - 1, named->array->data, &problem);
  if (!problem)
    return gpu;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE, "%s: %s", named->name, problem);
  return -2;
}

/* Returns the common location of the arrays: a GPU, -1 for host memory; -2 with an error. */
static int
find_together (const ArmillaNamedArray *arrays, int n, GError **error)
{
  const int gpu = find_gpu (&arrays[0], error);

  for (int i = 1; i < n && gpu >= -1; i++)
    {
      const int other = arrays[i].array ? find_gpu (&arrays[i], error) : gpu;

      if (other == gpu)
        continue;
      if (other >= -1)
        g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                     "%s: it is in the memory of GPU %d, and %s in that of GPU %d; all arrays of "
                     "a call must be in one memory", arrays[i].name, other, arrays[0].name, gpu);
      return -2;
    }
  return gpu;
}

static gboolean
begin (ArmillaGraph *graph, const ArmillaNamedArray *arrays, int n, GError **error)
{
  const int gpu = find_together (arrays, n, error);

  if (gpu < -1)
    return FALSE;
  if (!armilla_graph_use_gpu (graph, gpu, error))
    {
      g_prefix_error (error, "%s: ", arrays[0].name);
      return FALSE;
    }
  for (int i = 0; i < n && gpu >= 0; i++)
    {
      g_autofree char *text
        = arrays[i].array ? armilla_cuda_wait (gpu, arrays[i].array->stream) : NULL;

      if (text)
        return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: %s", arrays[i].name, text);
    }
  return TRUE;
}

/* Makes the idle graph compute where the arrays are, after the caller's streams have finished with
 * them; CUDA reports the GPU of each address. Either all arrays are on GPUs or none is; NULL
 * arrays, except the first, are ignored. Collective. */
gboolean
armilla_array_begin (ArmillaGraph *graph, const ArmillaNamedArray *arrays, int n, GError **error)
{
  GError *local = NULL;

  begin (graph, arrays, n, &local);
  return armilla_graph_agree (graph, local, error);
}

/* Returns the addresses of the fields if all rows have the layout of a tile. */
static double **
find_fields (const ArmillaArrayRows *self)
{
  g_autofree double **fields = g_new (double *, self->n_rows);

  for (int f = 0; f < self->n_rows; f++)
    {
      const ArmillaArrayRow *row = &self->rows[f];

      if (!row->data || !armilla_array_row_is_whole (row))
        return NULL;
      fields[f] = (double *) (gpointer) row->data;
    }
  return g_steal_pointer (&fields);
}

/* Returns the address and strides of each field of the graph in the caller's array, by its copy and
 * component. A component that the array lacks reads as 0 and is not written. */
ArmillaArrayRows *
armilla_array_rows_new (const ArmillaArray *array, gboolean complex, int n_fields,
                        const int *copy, const int *component)
{
  ArmillaArrayRows *self = g_new0 (ArmillaArrayRows, 1);

  self->rows = g_new0 (ArmillaArrayRow, n_fields);
  self->n_rows = n_fields;
  self->where = array->device > 0 ? STARPU_CUDA : STARPU_CPU;
  for (int f = 0; f < n_fields; f++)
    self->rows[f]
      = (ArmillaArrayRow) { .data = component[f] < array->shape[1]
                                      ? (char *) array->data + copy[f] * array->strides[0]
                                          + component[f] * array->strides[1]
                                      : NULL,
                            .stride = array->strides[2],
                            .n_reals = complex ? 2 : 1,
                            .single = array->type == ARMILLA_FLOAT32 };
  self->fields = find_fields (self);
  return self;
}

void
armilla_array_rows_free (gpointer rows)
{
  ArmillaArrayRows *self = rows;

  g_free (self->rows);
  g_free (self->fields);
  g_free (self);
}

/* Submits the copies. The owner of a tile reads it from its array; all ranks write all tiles. */
static gboolean
submit (ArmillaGraph *graph, ArmillaCodelet *codelet, const ArmillaArrayRows *self,
        ArmillaArrayArgs *args, const ArmillaTile *tile, enum starpu_data_access_mode mode,
        const ArmillaRingBlock *block, GError **error)
{
  const ArmillaUse uses[] = { { tile->handle, mode },
                              { block ? block->slots_handle : NULL, STARPU_R },
                              { block ? block->first_pixel_handle : NULL, STARPU_R } };
  const int priority = !block && mode == STARPU_W ? PRIORITY_ALM_IN : PRIORITY;
  gboolean ok = TRUE;

  args->fault = armilla_graph_fault (graph);
  args->rows = self->rows;
  args->n_rows = self->n_rows;
  args->weighted = self->weighted;
  for (int rank = 0; ok && rank < graph->view.n_ranks; rank++)
    if (mode == STARPU_R || rank == tile->owner)
      ok = armilla_submit_to (graph, codelet, rank, self->where, args, sizeof *args, uses,
                              block ? 3 : 1, priority, error);
  return ok;
}

static gboolean
submit_rings (ArmillaGraph *graph, ArmillaCodelet *codelet, const ArmillaArrayRows *self,
              int number, const ArmillaTile *tile, enum starpu_data_access_mode mode,
              GError **error)
{
  const ArmillaRingBlocks *rings = self->rings;
  const ArmillaRingBlock *block = &rings->block[number];
  ArmillaArrayArgs args = { .n = block->n_pixels, .n_slots = 2 * block->n_pairs };

  return submit (graph, codelet, self, &args, tile, mode, block, error);
}

/* #ArmillaTileCall */
static gboolean
fill_rings (ArmillaGraph *graph, gpointer user, int number, const ArmillaTile *tile,
            GError **error)
{
  return submit_rings (graph, &armilla_array_read_rings_cl, user, number, tile, STARPU_W, error);
}

/* #ArmillaTileCall */
static gboolean
take_rings (ArmillaGraph *graph, gpointer user, int number, const ArmillaTile *tile,
            GError **error)
{
  return submit_rings (graph, &armilla_array_write_rings_cl, user, number, tile, STARPU_R, error);
}

/* Fills a map. Unless a consumer waits for the tiles, they are loaded when needed, again each time,
 * which avoids a second copy of the map. A GPU loads the whole map at once while it computes,
 * unless it reads the map in place. */
static gboolean
run_fill_map (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (job->out);
  ArmillaArrayRows *from = job->user;
  const ArmillaRingBlocks *rings = from->rings;
  const ArmillaTile *tiles = armilla_map_lazy_tiles (map, graph, error);
  gboolean ok = tiles != NULL;

  if (ok && (graph->runtime->bound || !graph->view.gpus || armilla_map_in_place (map))
      && !armilla_map_has_sinks (map))
    {
      armilla_map_set_source (map, fill_rings, from, NULL);
      return TRUE;
    }
  for (int b = 0; ok && b < rings->n; b++)
    ok = fill_rings (graph, from, b, &tiles[b], error)
         && armilla_map_tile_comes (map, graph, b, error);
  return ok;
}

static void
defer (ArmillaGraph *graph, gboolean (*run) (ArmillaGraph *, ArmillaJob *, GError **),
       ArmillaData *in, ArmillaData *out, ArmillaArrayRows *rows)
{
  const ArmillaJob job = { .run = run, .in = { in }, .out = out, .user = rows };

  armilla_graph_defer (graph, &job);
}

/* Copies a map to the array; its tiles exist already or are made on demand. */
static gboolean
run_drain_map (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (job->in[0]);
  ArmillaArrayRows *to = job->user;
  const ArmillaRingBlocks *rings = to->rings;
  const ArmillaTile *tiles = armilla_map_lazy_tiles (map, graph, error);
  gboolean ok = tiles != NULL;

  for (int b = 0; ok && b < rings->n; b++)
    ok = armilla_map_tile_begin (map, graph, b, error)
         && take_rings (graph, to, b, &tiles[b], error)
         && armilla_map_tile_end (map, graph, b, error);
  return ok;
}

static gboolean
copy_alm (ArmillaGraph *graph, ArmillaAlm *alm, const ArmillaArrayRows *rows,
          ArmillaCodelet *codelet, enum starpu_data_access_mode mode, GError **error)
{
  const ArmillaOrderBlocks *orders = armilla_alm_order_blocks (alm, graph);
  const ArmillaTile *tiles = armilla_alm_tiles (alm, graph, error);
  const gint64 lmax = orders->layout.lmax;
  gboolean ok = tiles != NULL;

  for (int b = 0; ok && b < orders->n && !armilla_alm_is_in_place (alm); b++)
    {
      ArmillaArrayArgs args
        = { .first = armilla_alm_index (lmax, orders->m_first[b], orders->m_first[b]),
            .n = armilla_order_block_count (orders, b) };

      ok = submit (graph, codelet, rows, &args, &tiles[b], mode, NULL, error);
    }
  return ok;
}

static gboolean
copy_cl (ArmillaGraph *graph, ArmillaCl *cl, const ArmillaArrayRows *rows, ArmillaCodelet *codelet,
         enum starpu_data_access_mode mode, GError **error)
{
  const ArmillaTile *tile = armilla_cl_tile (cl, graph, error);
  ArmillaArrayArgs args = { .n = armilla_cl_lmax (cl) + 1 };

  return tile && submit (graph, codelet, rows, &args, tile, mode, NULL, error);
}

/* Copies a_lm or spectra from an array or to it. */
static gboolean
run_copy (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaData *data = job->out ? job->out : job->in[0];
  ArmillaCodelet *codelet = job->out ? &armilla_array_read_cl : &armilla_array_write_cl;
  const enum starpu_data_access_mode mode = job->out ? STARPU_W : STARPU_R;

  return ARMILLA_IS_ALM (data)
           ? copy_alm (graph, ARMILLA_ALM (data), job->user, codelet, mode, error)
           : copy_cl (graph, ARMILLA_CL (data), job->user, codelet, mode, error);
}

/* Makes the array the source of a map, a_lm or spectra without one. Imaginary parts of m = 0 read
 * as 0. */
gboolean
armilla_array_fill (ArmillaGraph *graph, ArmillaData *data, ArmillaArrayRows *from, GError **error)
{
  const gboolean map = ARMILLA_IS_MAP (data);

  if (map && !(from->rings = armilla_map_ring_blocks (ARMILLA_MAP (data), graph, error)))
    return FALSE;
  for (int f = 0; ARMILLA_IS_ALM (data) && f < from->n_rows; f++)
    from->rows[f].n_zonal = armilla_alm_layout (ARMILLA_ALM (data)).lmax + 1;
  defer (graph, map ? run_fill_map : run_copy, NULL, data, from);
  return TRUE;
}

/* Returns whether all tasks that use the array run where it is, and its layout is that of a
 * tile. */
static gboolean
is_at_hand (const ArmillaGraph *graph, const ArmillaArrayRows *rows)
{
  return rows->fields && graph->view.n_ranks == 1
         && (graph->gpu_worker >= 0 ? rows->where == STARPU_CUDA : !graph->view.gpus);
}

/* Returns whether the distance between consecutive fields is @distance doubles. */
static gboolean
are_apart (const ArmillaArrayRows *rows, gint64 distance)
{
  for (int f = 1; f < rows->n_rows; f++)
    if (rows->fields[f] - rows->fields[f - 1] != distance)
      return FALSE;
  return TRUE;
}

/* Returns whether a GPU can read the array in place: fields are equally spaced, and every ring
 * block with its Fourier transforms fits, so that none is left to cores. */
static gboolean
gpu_can_reach (ArmillaGraph *graph, ArmillaMap *map, gint64 mmax, const ArmillaArrayRows *rows)
{
  const ArmillaRingBlocks *rings = armilla_map_ring_blocks (map, graph, NULL);
  const gint64 most = graph->runtime->gpu_bytes;

  if (!rings || (rows->n_rows > 1 && !are_apart (rows, rows->fields[1] - rows->fields[0])))
    return FALSE;
  return most == 0
         || (gint64) sizeof (double) * rows->n_rows
                * (4 * rings->max_pairs * (mmax + 1) + rings->max_pixels)
              <= most - FFT_SCRATCH;
}

/* Lets transforms read or write the array without tiles if possible: one rank, all tasks where the
 * array is, layout of a tile. Returns whether it is possible. The map must still be filled for
 * other readers. */
gboolean
armilla_array_in_place (ArmillaGraph *graph, ArmillaMap *map, gint64 mmax,
                        const ArmillaArrayRows *rows)
{
  if (rows->weighted || !is_at_hand (graph, rows)
      || (rows->where == STARPU_CUDA && !gpu_can_reach (graph, map, mmax, rows)))
    return FALSE;
  armilla_map_set_in_place (map, rows->fields);
  return TRUE;
}

/* Makes the array's parts the tiles of the a_lm if possible: one rank, all tasks where the array
 * is, one field or one m-block, layout of a tile. The a_lm must still be filled or drained. */
void
armilla_array_alm_in_place (ArmillaGraph *graph, ArmillaAlm *alm, const ArmillaArrayRows *rows)
{
  const gint64 count = armilla_alm_count (armilla_alm_layout (alm));

  if (is_at_hand (graph, rows)
      && (rows->n_rows == 1
          || (armilla_alm_order_blocks (alm, graph)->n == 1 && are_apart (rows, 2 * count))))
    armilla_alm_set_in_place (alm, rows->fields[0],
                              rows->where == STARPU_CUDA
                                ? (int) starpu_worker_get_memory_node ((unsigned) graph->gpu_worker)
                                : STARPU_MAIN_RAM);
}

/* Writes a map, a_lm or spectra to an array, each tile as soon as it exists. */
gboolean
armilla_array_drain (ArmillaGraph *graph, ArmillaData *data, ArmillaArrayRows *to, GError **error)
{
  const gboolean map = ARMILLA_IS_MAP (data);

  if (map && !(to->rings = armilla_map_ring_blocks (ARMILLA_MAP (data), graph, error)))
    return FALSE;
  if (map && !armilla_map_has_come (ARMILLA_MAP (data)))
    armilla_map_add_sink (ARMILLA_MAP (data), take_rings, to, NULL);
  else
    defer (graph, map ? run_drain_map : run_copy, data, NULL, to);
  return TRUE;
}
