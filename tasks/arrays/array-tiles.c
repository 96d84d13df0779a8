/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/arrays/array-tiles.h"

#include "codelets/arrays/array-codelets.h"
#include "codelets/arrays/array-copy-math.h"
#include "codelets/common/devices.h"
#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"

/* higher than the priorities of transforms: they wait for input, and output frees its tile */
#define PRIORITY 4
/* input of a_lm is less urgent than the tasks that read earlier a_lm, which free their tiles */
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
                     "%s: is in the memory of GPU %d, but %s in that of GPU %d; all arrays of a "
                     "call must be in one memory", arrays[i].name, other, arrays[0].name, gpu);
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

/* Makes the idle graph compute on the device that holds the arrays, after the caller's streams have
 * finished with them; CUDA reports the GPU of each address. Either all arrays are on GPUs or none
 * is; NULL arrays, except the first, are ignored. Collective. */
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

/* Returns the address of number 0, which the array need not contain: tasks add the position of a
 * number to it. */
static char *
address (const ArmillaArray *array, gint64 first, int copy, int component)
{
  const gint64 offset
    = copy * array->strides[0] + component * array->strides[1] - first * array->strides[2];

  return (char *) ((guintptr) array->data + (guintptr) offset);
}

/* Returns the address and strides of each field of the graph in the caller's array, by its copy and
 * component. The array begins with number @first of a field. A component that the array lacks reads
 * as 0 and is not written. */
ArmillaArrayRows *
armilla_array_rows_new (const ArmillaArray *array, gboolean complex, int n_fields, gint64 first,
                        const int *copy, const int *component)
{
  ArmillaArrayRows *self = g_new0 (ArmillaArrayRows, 1);

  self->rows = g_new0 (ArmillaArrayRow, n_fields);
  self->n_rows = n_fields;
  self->where = array->device > 0 ? STARPU_CUDA : STARPU_CPU;
  for (int f = 0; f < n_fields; f++)
    self->rows[f]
      = (ArmillaArrayRow) { .data = component[f] < array->shape[1]
                                      ? address (array, first, copy[f], component[f]) : NULL,
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

/* Submits the copies of a tile. Its owner reads it from the array; all ranks write it. */
static gboolean
copy_tile (ArmillaGraph *graph, const ArmillaArrayRows *self, int number, const ArmillaTile *tile,
           gboolean fills, GError **error)
{
  const ArmillaRingBlocks *rings = self->rings;
  const ArmillaOrderBlocks *orders = self->orders;
  const ArmillaRingBlock *block = rings ? &rings->block[number] : NULL;
  ArmillaCodelet *codelet
    = block ? (fills ? &armilla_array_read_rings_cl : &armilla_array_write_rings_cl)
            : (fills ? &armilla_array_read_cl : &armilla_array_write_cl);
  const ArmillaUse uses[] = { { tile->handle, fills ? STARPU_W : STARPU_R },
                              { block ? block->slots_handle : NULL, STARPU_R },
                              { block ? block->first_pixel_handle : NULL, STARPU_R } };
  ArmillaArrayArgs args = { .fault = armilla_graph_fault (graph), .rows = self->rows,
                            .n_rows = self->n_rows, .weighted = self->weighted, .n = self->n };
  gboolean ok = TRUE;

  if (block)
    {
      args.n = block->n_pixels;
      args.n_slots = 2 * block->n_pairs;
    }
  else if (orders)
    {
      args.first = armilla_alm_index (orders->layout.lmax, orders->m_first[number],
                                      orders->m_first[number]);
      args.n = armilla_order_block_count (orders, number);
    }
  for (int rank = 0; ok && rank < graph->view.n_ranks; rank++)
    if (!fills || rank == tile->owner)
      ok = armilla_submit_to (graph, codelet, rank, self->where, &args, sizeof args, uses,
                              block ? 3 : 1, block || !fills ? PRIORITY : PRIORITY_ALM_IN, error);
  return ok;
}

/* #ArmillaTileCall */
static gboolean
fill_tile (ArmillaGraph *graph, gpointer user, int number, const ArmillaTile *tile, GError **error)
{
  return copy_tile (graph, user, number, tile, TRUE, error);
}

/* #ArmillaTileCall */
static gboolean
take_tile (ArmillaGraph *graph, gpointer user, int number, const ArmillaTile *tile, GError **error)
{
  return copy_tile (graph, user, number, tile, FALSE, error);
}

/* Fills data. Unless a consumer waits for the tiles of a map, they are loaded when needed, again
 * each time, which avoids a second copy of the map. A GPU loads the whole map at once while it
 * computes, unless it reads the map in place. */
static gboolean
run_fill (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaDataVerbs *verbs = armilla_data_verbs (job->out);
  ArmillaArrayRows *from = job->user;
  const ArmillaTile *tiles = armilla_data_tiles (job->out, graph, error);
  const gboolean lazy = graph->runtime->bound || !graph->view.gpus || from->in_place;
  gboolean ok = tiles != NULL;

  if (!ok || (verbs->renew ? lazy && verbs->renew (job->out, fill_tile, from, NULL)
                           : from->in_place))
    return ok;
  for (int b = 0; ok && b < from->n_tiles; b++)
    ok = fill_tile (graph, from, b, &tiles[b], error)
         && armilla_data_tile_pass (job->out, graph, b, error);
  return ok;
}

/* Copies data to the array; the tiles exist already or are made on demand. */
static gboolean
run_drain (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaArrayRows *to = job->user;
  const ArmillaTile *tiles = armilla_data_tiles (job->in[0], graph, error);
  gboolean ok = tiles != NULL;

  for (int b = 0; ok && b < to->n_tiles && !to->in_place; b++)
    ok = armilla_data_tile_begin (job->in[0], graph, b, error)
         && take_tile (graph, to, b, &tiles[b], error)
         && armilla_data_tile_end (job->in[0], graph, b, error);
  return ok;
}

static gboolean
set_cut (ArmillaGraph *graph, ArmillaData *data, ArmillaArrayRows *rows, GError **error)
{
  ArmillaCut cut = { .writes = TRUE };

  if (!armilla_data_cut (data, graph, &cut, error))
    return FALSE;
  rows->rings = cut.rings;
  rows->orders = cut.orders;
  rows->n_tiles = cut.n_tiles;
  rows->n = cut.n_rows / cut.n_fields;
  return TRUE;
}

/* Makes the array the source of a map, of a_lm or of spectra that have no source yet. Imaginary
 * parts of m = 0 are read as 0. */
gboolean
armilla_array_fill (ArmillaGraph *graph, ArmillaData *data, ArmillaArrayRows *from, GError **error)
{
  const ArmillaJob job = { .run = run_fill, .out = data, .user = from };

  if (!set_cut (graph, data, from, error))
    return FALSE;
  for (int f = 0; from->orders && f < from->n_rows; f++)
    from->rows[f].n_zonal = ((const ArmillaOrderBlocks *) from->orders)->layout.lmax + 1;
  armilla_graph_defer (graph, &job);
  return TRUE;
}

/* Returns whether all tasks that use the array run on the device that holds it, and its layout is
 * that of a tile. */
static gboolean
is_at_hand (const ArmillaGraph *graph, const ArmillaArrayRows *rows)
{
  return rows->fields && graph->view.n_ranks == 1 && !graph->bundling
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

/* Returns whether a GPU can read the array in place: fields are equally spaced, and the memory of
 * the GPU can hold every ring block with its Fourier transforms, so that no block is computed on
 * cores. */
static gboolean
gpu_can_reach (ArmillaGraph *graph, ArmillaMap *map, gint64 mmax, const ArmillaArrayRows *rows)
{
  const ArmillaRingBlocks *rings = armilla_map_ring_blocks (map, graph, NULL);
  const gint64 gpu_bytes = graph->runtime->gpu_bytes;

  if (!rings || (rows->n_rows > 1 && !are_apart (rows, rows->fields[1] - rows->fields[0])))
    return FALSE;
  return gpu_bytes == 0
         || (gint64) sizeof (double) * rows->n_rows
                * (4 * rings->max_pairs * (mmax + 1) + rings->max_pixels)
              <= gpu_bytes - FFT_SCRATCH;
}

/* Lets transforms read or write the array without tiles if possible: one rank, all tasks on the
 * device that holds the array, layout of a tile. Returns whether it is possible. The map must still
 * be filled for other readers. */
gboolean
armilla_array_in_place (ArmillaGraph *graph, ArmillaMap *map, gint64 mmax, ArmillaArrayRows *rows)
{
  if (rows->weighted || !is_at_hand (graph, rows)
      || (rows->where == STARPU_CUDA && !gpu_can_reach (graph, map, mmax, rows)))
    return FALSE;
  armilla_map_set_in_place (map, rows->fields);
  return rows->in_place = TRUE;
}

/* Makes the parts of the array the tiles of the a_lm if possible: one rank, all tasks on the device
 * that holds the array, one field or one m-block, layout of a tile, no tiles yet. The a_lm must
 * still be filled or drained. */
void
armilla_array_alm_in_place (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaArrayRows *rows)
{
  const gint64 count = armilla_alm_count (armilla_alm_layout (alm));

  rows->in_place
    = is_at_hand (graph, rows)
      && (rows->n_rows == 1
          || (armilla_alm_order_blocks (alm, graph)->n == 1 && are_apart (rows, 2 * count)))
      && armilla_alm_set_in_place (
        alm, rows->fields[0],
        rows->where == STARPU_CUDA
          ? (int) starpu_worker_get_memory_node ((unsigned) graph->gpu_worker) : STARPU_MAIN_RAM);
}

/* Writes a map, a_lm or spectra to an array, each tile as soon as it exists. */
gboolean
armilla_array_drain (ArmillaGraph *graph, ArmillaData *data, ArmillaArrayRows *to, GError **error)
{
  const ArmillaDataVerbs *verbs = armilla_data_verbs (data);
  const ArmillaJob job = { .run = run_drain, .in = { data }, .user = to };

  if (!set_cut (graph, data, to, error))
    return FALSE;
  if (!verbs->listen || !verbs->listen (data, take_tile, to, NULL))
    armilla_graph_defer (graph, &job);
  return TRUE;
}
