/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For stages with their own codelets: tiles of data, and submission of tasks. Includes StarPU's
 * header (pkg-config armilla-task), so armilla.h does not include this header.
 *
 * The thread that builds the graph calls all functions, on every rank in the same order: each rank
 * submits all tasks; StarPU runs each task on one rank and sends that rank the data that it
 * needs from other ranks. */
#pragma once

#include <armilla/codelet.h>
#include <armilla/graph.h>
#include <armilla/matrix.h>
#include <armilla/table-data.h>

G_BEGIN_DECLS

/**
 * ArmillaTile:
 * @handle: a StarPU vector of doubles
 * @owner: rank that owns the tile
 * @n: number of doubles
 *
 * A piece of data that tasks work on; see #ArmillaMap, #ArmillaAlm and #ArmillaCl for the order of
 * the numbers.
 */
typedef struct {
  starpu_data_handle_t handle;
  int owner;
  gint64 n;
} ArmillaTile;

/**
 * ArmillaUse:
 * @handle: handle of a tile
 * @mode: %STARPU_R, %STARPU_W, %STARPU_RW or %STARPU_SCRATCH
 *
 * Access of a task to a tile.
 */
typedef struct {
  starpu_data_handle_t handle;
  enum starpu_data_access_mode mode;
} ArmillaUse;

/**
 * ArmillaTileSet:
 * @number: index of the tiles, from 0
 * @count: number of tiles
 * @rank: rank that owns them
 * @n: of a map: pixels of each field; of a_lm: complex numbers of each field; of spectra:
 *   multipoles
 * @m_first: of a_lm: first order; of others: 0
 * @m_last: of a_lm: last order; of others: 0
 * @in: (array) (nullable): the tile of each input; %NULL for one of another kind
 * @out: (nullable): the tile of the output
 *
 * Corresponding tiles of several maps, a_lm or spectra. Spectra have one tile.
 */
typedef struct {
  int number, count, rank;
  gint64 n, m_first, m_last;
  const ArmillaTile *in[8];
  const ArmillaTile *out;
} ArmillaTileSet;

/**
 * ArmillaSubmitTiles:
 * @graph: the graph
 * @tiles: the tiles; valid until it returns
 * @user: argument of the caller
 * @error: return location
 *
 * Called once for each index, in order: submits the tasks that read the input tiles and write the
 * whole output tile.
 *
 * Returns: whether they were submitted
 */
typedef gboolean (*ArmillaSubmitTiles) (ArmillaGraph *graph, const ArmillaTileSet *tiles,
                                        gpointer user, GError **error);

/**
 * armilla_graph_each_tile:
 * @graph: a graph
 * @inputs: (array length=n_inputs): the first one must be a map, a_lm or spectra, unless there is
 *   @out. Others of the same kind must have the same pixels or the same layout; their fields may
 *   differ. Tiles of data of another kind are kept until all tasks are submitted
 * @n_inputs: number of inputs, 1 to 8
 * @out: (nullable): data of the kind and shape of the first input, and none of the inputs
 * @submit: submits the tasks of one index
 * @user: for @submit
 * @destroy: (nullable): frees @user when all tasks are submitted, or at once if the shapes differ
 * @error: return location
 *
 * Requests tasks tile by tile. Maps need not be complete in memory: tiles are computed shortly
 * before they are read, and freed afterwards unless another consumer needs them.
 *
 * Returns: whether the shapes agree; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean armilla_graph_each_tile (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                                  ArmillaData *out, ArmillaSubmitTiles submit, gpointer user,
                                  GDestroyNotify destroy, GError **error);

/**
 * ArmillaSubmit:
 * @graph: the graph
 * @user: argument of the caller
 * @error: return location
 *
 * Submits tasks and steps on the host.
 *
 * Returns: whether they were submitted
 */
typedef gboolean (*ArmillaSubmit) (ArmillaGraph *graph, gpointer user, GError **error);

/**
 * armilla_graph_later:
 * @graph: a graph
 * @inputs: (array length=n_inputs): data that the tasks will read; their tiles are kept until then
 * @n_inputs: number of inputs, 0 to 8
 * @submit: submits the tasks
 * @user: for @submit
 * @destroy: (nullable): frees @user when all tasks are submitted
 *
 * Requests any tasks. Stages do not submit tasks in build: all requests are recorded and submitted
 * in order, so that tiles are computed when their consumers are known.
 */
void armilla_graph_later (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                          ArmillaSubmit submit, gpointer user, GDestroyNotify destroy);

/**
 * armilla_tile_new:
 * @graph: a graph
 * @owner: rank that owns the tile
 * @n: number of doubles
 * @tile: (out): the tile
 * @error: return location
 *
 * Creates a handle without memory; StarPU allocates the memory on the worker that first writes the
 * tile.
 *
 * Returns: whether it succeeded; %ARMILLA_ERROR_MEMORY if it exceeds the limits of StarPU
 */
gboolean armilla_tile_new (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile,
                           GError **error);

/**
 * armilla_tile_drop:
 * @tile: a tile
 *
 * Unregisters the tile when the tasks submitted so far no longer need it.
 */
void armilla_tile_drop (ArmillaTile *tile);

/**
 * armilla_cl_tile:
 * @self: spectra
 * @graph: a graph
 * @error: return location
 *
 * Returns: (transfer none) (nullable): the only tile, owned by rank 0 and created by the first
 *   call; %NULL with %ARMILLA_ERROR_MEMORY if it exceeds the limits of StarPU
 */
const ArmillaTile *armilla_cl_tile (ArmillaCl *self, ArmillaGraph *graph, GError **error);

/**
 * armilla_matrix_tiles:
 * @self: matrices
 * @graph: a graph
 * @error: return location
 *
 * Returns: (transfer none) (nullable) (array): the tiles, [block of rows][block of columns],
 *   registered at the first call
 */
const ArmillaTile *armilla_matrix_tiles (ArmillaMatrix *self, ArmillaGraph *graph,
                                         GError **error);

/**
 * armilla_submit:
 * @graph: a graph
 * @codelet: the codelet
 * @rank: rank that runs the task
 * @args: plain struct that the codelet unpacks
 * @args_size: size of @args, bytes
 * @uses: (array length=n_uses): buffers, in the codelet's order
 * @n_uses: number of buffers, at least 1; may exceed STARPU_NMAXBUFS
 * @priority: higher goes first
 * @error: return location
 *
 * Submits one task. The same call is made on every rank; StarPU-MPI sends @rank the data that it
 * lacks.
 *
 * Returns: whether StarPU accepted it; %ARMILLA_ERROR_NO_WORKER if no worker can run it,
 *   %ARMILLA_ERROR_MEMORY if none has the memory for it
 */
gboolean armilla_submit (ArmillaGraph *graph, ArmillaCodelet *codelet, int rank, const void *args,
                         gsize args_size, const ArmillaUse *uses, int n_uses, int priority,
                         GError **error);

/**
 * ArmillaHostStep:
 * @user: argument of the caller
 * @buffers: (array): the memory of each tile
 * @error: return location
 *
 * Work on the host: called in an I/O thread when the tiles are in main memory, unless the run has
 * failed.
 *
 * Returns: %FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostStep) (gpointer user, double *const *buffers, GError **error);

/**
 * armilla_host_step:
 * @graph: a graph
 * @rank: rank that runs the step
 * @tiles: (array length=n_tiles): tiles that the step accesses; those that it writes must be owned
 *   by @rank
 * @modes: (array length=n_tiles): access mode of each tile
 * @n_tiles: number of tiles
 * @step: called in an I/O thread of @rank with the tiles' memory, unless the run has failed
 * @user: for @step
 * @destroy: (nullable): frees @user, on every rank
 * @error: return location
 *
 * Adds a step on the host to the graph; the same call is made on every rank.
 *
 * Returns: whether StarPU accepted it
 */
gboolean armilla_host_step (ArmillaGraph *graph, int rank, const ArmillaTile *tiles,
                            const enum starpu_data_access_mode *modes, int n_tiles,
                            ArmillaHostStep step, gpointer user, GDestroyNotify destroy,
                            GError **error);

G_END_DECLS
