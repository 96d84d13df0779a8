/* SPDX-License-Identifier: GPL-3.0-or-later */
/* StarPU, MPI and the graphs of a run, for programs. Functions are called by the thread that has
 * started the runtime, on every rank alike and in the same order, unless they say that any thread
 * may call them. */
#pragma once

#include <armilla/graph.h>
#include <armilla/output.h>

G_BEGIN_DECLS

/**
 * ArmillaRuntime:
 *
 * StarPU, with MPI when the program was launched by mpirun (or another launcher that sets its
 * variables) or gives a communicator, and the I/O threads. One at a time in a process; after
 * armilla_runtime_stop() another one may be started. The library is a guest in its process: it
 * takes no signals, makes no processes and never ends the one it is in. Who wants to cancel a run,
 * for a signal or any other reason, calls armilla_runtime_cancel().
 */
typedef struct _ArmillaRuntime ArmillaRuntime;

/**
 * ArmillaProcess:
 * @user: handed to each of the functions, any of which may be %NULL
 * @begins: called first, before there are other threads and before MPI starts. An error fails the
 *   start, on all ranks
 * @ended: called last
 * @abandons: called where this rank fails and others wait for it with no way to be told: it is to
 *   say why and call armilla_runtime_end_ranks(). Where it is %NULL or returns, the call that
 *   failed returns, too, and the other ranks wait until they are killed
 * @dies: called in any thread if memory for a tile cannot be allocated: it prints @reason and ends
 *   the process, without allocating memory. If it is %NULL or returns, StarPU tries the allocation
 *   again until it succeeds
 * @waits: called where the start waits for another process: it may report it
 *
 * What the program to which a process belongs does about a runtime: signals, exit statuses and
 * messages are its own.
 */
typedef struct {
  gpointer user;
  gboolean (*begins) (gpointer user, ArmillaRuntime *runtime, GError **error);
  void (*ended) (gpointer user);
  void (*abandons) (gpointer user, const GError *error);
  void (*dies) (gpointer user, const char *reason);
  void (*waits) (gpointer user, const char *text);
} ArmillaProcess;

/**
 * ArmillaRuntimeOptions:
 * @trace: (nullable): where the trace of a graph will be written
 * @memory: what this process may take of the machine's memory, in bytes; 0: all
 * @spill: (nullable): folder for tiles that find no place in memory; %NULL: that of the environment
 *   variable TMPDIR, or /var/tmp
 * @tell: (nullable): what a start that fails says why with: called on one rank, before any ends
 * @process: (nullable): what the program does about the runtime; must outlive it
 * @cores: number of CPU workers; 0: as the environment variable STARPU_NCPU says, or one a core
 * @without_gpus: whether GPUs are left alone, whatever STARPU_NCUDA says
 * @alone: whether this process works for itself even where a launcher started others with it
 * @communicator: (nullable): a pointer to an MPI_Comm of the caller's, who has started MPI with
 *   MPI_THREAD_MULTIPLE and ends it after armilla_runtime_stop(): its ranks share the work. %NULL:
 *   all ranks that a launcher has started, or this process alone
 *
 * How the runtime shall work; the same on all ranks.
 */
typedef struct {
  const char *trace;
  gint64 memory;
  const char *spill;
  void (*tell) (const GError *error);
  const ArmillaProcess *process;
  int cores;
  gboolean without_gpus;
  gboolean alone;
  const void *communicator;
} ArmillaRuntimeOptions;

/**
 * armilla_runtime_start:
 * @error: return location
 *
 * Starts StarPU, with MPI when a launcher started this process.
 *
 * Returns: (transfer full) (nullable): the runtime; %ARMILLA_ERROR_NO_WORKER or %ARMILLA_ERROR_MPI
 */
ArmillaRuntime *armilla_runtime_start (GError **error);

/**
 * armilla_runtime_start_with:
 * @options: how it shall work
 * @error: return location
 *
 * As armilla_runtime_start(). A StarPU that was built with FxT records its own events from its
 * start on where there will be a trace; armilla_runtime_stop() writes them beside it. Where memory
 * is bounded, %ARMILLA_ERROR_MEMORY says that the program alone takes more, and %ARMILLA_ERROR_IO
 * that the folder cannot be written to.
 *
 * Returns: (transfer full) (nullable): the runtime; otherwise all ranks have the error of the
 *   lowest rank that has one
 */
ArmillaRuntime *armilla_runtime_start_with (const ArmillaRuntimeOptions *options, GError **error);

/**
 * armilla_runtime_stop:
 * @runtime: (transfer full): the runtime; its graphs are freed already
 *
 * Stops StarPU, MPI and the threads.
 */
void armilla_runtime_stop (ArmillaRuntime *runtime);

/**
 * armilla_runtime_cancel:
 * @runtime: the runtime
 * @why: what stops it: "SIGTERM", less than 128 bytes
 *
 * Makes the graphs that run fail, with %ARMILLA_ERROR_CANCELLED: tasks that have not begun do
 * nothing, and files that are not whole go away. Where there is no graph, the next one is
 * cancelled. May be called in any thread, and never waits: a thread that waits for signals may call
 * it again after some milliseconds where it returned %FALSE.
 *
 * Returns: whether it could be done: not while another thread uses the list of graphs
 */
gboolean armilla_runtime_cancel (ArmillaRuntime *runtime, const char *why);

/**
 * armilla_runtime_rank:
 * @runtime: the runtime
 *
 * Returns: number of this rank, from 0
 */
int armilla_runtime_rank (ArmillaRuntime *runtime);

/**
 * armilla_runtime_n_ranks:
 * @runtime: the runtime
 *
 * Returns: number of ranks of the run
 */
int armilla_runtime_n_ranks (ArmillaRuntime *runtime);

/**
 * armilla_runtime_end_ranks:
 *
 * Has MPI end all ranks, this one among them; for @abandons and @dies of #ArmillaProcess. Returns
 * if there is no MPI, or if MPI does not end them. Any thread may call it.
 */
void armilla_runtime_end_ranks (void);

/**
 * ArmillaInterpolation:
 * @ARMILLA_INTERPOLATION_AUTO: interpolate where it costs less
 * @ARMILLA_INTERPOLATION_NEVER: recur to every ring of the map
 * @ARMILLA_INTERPOLATION_ALWAYS: interpolate wherever the rings allow it
 *
 * Whether the recurrence runs on equidistant rings, fewer than the map has, from which those of the
 * map are interpolated, with an error below that of the recurrence.
 */
typedef enum {
  ARMILLA_INTERPOLATION_AUTO,
  ARMILLA_INTERPOLATION_NEVER,
  ARMILLA_INTERPOLATION_ALWAYS
} ArmillaInterpolation;

/**
 * ArmillaTilingOptions:
 * @ring_block: ring pairs a block, 0 for the default of the grid
 * @m_blocks: number of blocks of orders, 0 for the default of lmax
 * @interpolation: whether to interpolate in theta
 *
 * How data are cut into tiles; never depends on the machine.
 */
typedef struct {
  gint64 ring_block;
  gint64 m_blocks;
  ArmillaInterpolation interpolation;
} ArmillaTilingOptions;

/**
 * armilla_graph_new:
 * @runtime: the runtime; must outlive the graph
 * @options: (nullable): how to cut data into tiles
 * @error: return location
 *
 * Returns: (transfer full): an empty graph; %ARMILLA_ERROR_VALUE for negative options
 */
ArmillaGraph *armilla_graph_new (ArmillaRuntime *runtime, const ArmillaTilingOptions *options,
                                 GError **error);

/**
 * armilla_graph_wait:
 * @graph: a graph
 * @error: return location
 *
 * Collective: waits for all tasks and files, agrees on failures, renames outputs.
 *
 * Returns: whether no rank failed; otherwise the error of the lowest rank that did
 */
gboolean armilla_graph_wait (ArmillaGraph *graph, GError **error);

/**
 * armilla_graph_free:
 * @graph: (transfer full): a graph
 *
 * Waits for what was submitted, then frees the graph. Outputs that were not renamed are removed.
 */
void armilla_graph_free (ArmillaGraph *graph);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaGraph, armilla_graph_free)

G_END_DECLS
