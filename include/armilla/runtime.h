/* SPDX-License-Identifier: GPL-3.0-or-later */
/* StarPU, MPI and the graphs of a run, for programs. The thread that started the runtime calls
 * these functions, on every rank in the same order, unless their description says that any thread
 * may. */
#pragma once

#include <armilla/graph.h>
#include <armilla/output.h>

G_BEGIN_DECLS

/**
 * ArmillaRuntime:
 *
 * StarPU, with MPI when the program was launched by mpirun (or another launcher that sets its
 * variables) or if a communicator is given, and the I/O threads. There is at most one runtime in a
 * process; after armilla_runtime_stop() another one may be started. The library never exits, forks
 * or installs signal handlers. A program may cancel a run with armilla_runtime_cancel(), for
 * example when it receives a signal.
 */
typedef struct _ArmillaRuntime ArmillaRuntime;

/**
 * ArmillaProcess:
 * @user: argument of each function; any of these may be %NULL
 * @begins: called first, before other threads and MPI are started. An error makes the start fail on
 *   all ranks
 * @ended: called last, after StarPU, MPI and the threads have stopped
 * @abandons: called if this rank fails while others wait for it and cannot be informed: it should
 *   print the reason and call armilla_runtime_end_ranks(). If it is %NULL or returns, the failing
 *   call returns too, and the other ranks wait until they are killed
 * @dies: called in any thread if memory for a tile cannot be allocated: it prints @reason and ends
 *   the process, without allocating memory. If it is %NULL or returns, StarPU tries the allocation
 *   again until it succeeds
 * @waits: called if the start waits for another process, so that it can be reported
 *
 * Callbacks of a program that owns its process: signals, exit statuses and messages.
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
 * @trace: (nullable): path to which the trace of a graph will be written
 * @memory: bytes of the machine's memory that this process may use; 0: all
 * @spill: (nullable): folder for tiles that do not fit in memory; %NULL: the folder in the
 *   environment variable TMPDIR, or /var/tmp
 * @tell: (nullable): called with the error of a failed start on one rank, before any rank ends
 * @process: (nullable): callbacks of the program; must outlive the runtime
 * @cores: number of CPU workers; 0: the value of the environment variable STARPU_NCPU, or one per
 *   core
 * @without_gpus: whether to use no GPUs, whatever the value of STARPU_NCUDA
 * @alone: whether this process computes alone even if a launcher started others with it
 * @communicator: (nullable): a pointer to an MPI_Comm whose ranks share the work; the caller has
 *   initialised MPI with MPI_THREAD_MULTIPLE and finalises it after armilla_runtime_stop(). %NULL:
 *   all ranks started by the launcher, or this process alone
 *
 * Options of the runtime; they must be the same on all ranks.
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
 * Starts StarPU, with MPI if a launcher started this process.
 *
 * Returns: (transfer full) (nullable): the runtime; %NULL with %ARMILLA_ERROR_NO_WORKER or
 *   %ARMILLA_ERROR_MPI
 */
ArmillaRuntime *armilla_runtime_start (GError **error);

/**
 * armilla_runtime_start_with:
 * @options: options
 * @error: return location
 *
 * Like armilla_runtime_start(). With @trace, a StarPU built with FxT records its own events too;
 * armilla_runtime_stop() writes them beside the trace. With bounded memory, %ARMILLA_ERROR_MEMORY
 * means that the program alone needs more, and %ARMILLA_ERROR_IO that the folder is not writable.
 *
 * Returns: (transfer full) (nullable): the runtime; %NULL on failure, with the error of the lowest
 *   rank that failed on all ranks
 */
ArmillaRuntime *armilla_runtime_start_with (const ArmillaRuntimeOptions *options, GError **error);

/**
 * armilla_runtime_stop:
 * @runtime: (transfer full): the runtime; its graphs must be freed before
 *
 * Stops StarPU, MPI and the threads.
 */
void armilla_runtime_stop (ArmillaRuntime *runtime);

/**
 * armilla_runtime_cancel:
 * @runtime: the runtime
 * @why: the reason, such as "SIGTERM"; less than 128 bytes
 *
 * Makes the running graphs fail with %ARMILLA_ERROR_CANCELLED: tasks that have not begun do
 * nothing, and incomplete files are removed. If there is no graph, the next one is cancelled.
 * Thread-safe, and never waits: call it again after some milliseconds if it returned %FALSE.
 *
 * Returns: whether it succeeded; %FALSE while another thread uses the list of graphs
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
 * Makes MPI end all ranks, including this one; for @abandons and @dies of #ArmillaProcess. Returns
 * only if MPI is not used or fails to end the ranks. Any thread may call it.
 */
void armilla_runtime_end_ranks (void);

/**
 * ArmillaInterpolation:
 * @ARMILLA_INTERPOLATION_AUTO: interpolate if that is faster
 * @ARMILLA_INTERPOLATION_NEVER: run the recurrence on every ring of the map
 * @ARMILLA_INTERPOLATION_ALWAYS: interpolate whenever the rings allow it
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
 * @ring_block: ring pairs per block; 0: the default for the grid
 * @m_blocks: number of blocks of orders; 0: the default for lmax
 * @interpolation: whether to interpolate in theta
 *
 * Division of data into tiles, independent of the machine.
 */
typedef struct {
  gint64 ring_block;
  gint64 m_blocks;
  ArmillaInterpolation interpolation;
} ArmillaTilingOptions;

/**
 * armilla_graph_new:
 * @runtime: the runtime; must outlive the graph
 * @options: (nullable): division of data into tiles
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
 * Waits for the submitted tasks, then frees the graph. Outputs that were not renamed are removed.
 */
void armilla_graph_free (ArmillaGraph *graph);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaGraph, armilla_graph_free)

G_END_DECLS
