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
 *   failed returns, too, and the other ranks wait until somebody ends them
 * @dies: called in any thread if memory for a tile cannot be allocated: it prints @reason and ends
 *   the process, without allocating memory. If it is %NULL or returns, StarPU tries the allocation
 *   again until it succeeds
 * @waits: called where the start waits for another process: it may say so
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

const char *armilla_runtime_launcher (void);
ArmillaRuntime *armilla_runtime_start (GError **error);
ArmillaRuntime *armilla_runtime_start_with (const ArmillaRuntimeOptions *options, GError **error);
const char *armilla_runtime_paje (ArmillaRuntime *runtime);
void armilla_runtime_stop (ArmillaRuntime *runtime);
gboolean armilla_runtime_cancel (ArmillaRuntime *runtime, const char *why);
void armilla_runtime_uncancel (ArmillaRuntime *runtime);
void armilla_runtime_describe_wait (ArmillaRuntime *runtime, char *text, gsize size);
void armilla_runtime_end_ranks (void);
int armilla_runtime_rank (ArmillaRuntime *runtime);
int armilla_runtime_n_ranks (ArmillaRuntime *runtime);
int armilla_runtime_n_ranks_here (ArmillaRuntime *runtime);
char *armilla_runtime_describe (ArmillaRuntime *runtime);
char *armilla_runtime_describe_json (ArmillaRuntime *runtime);
char *armilla_runtime_warnings (ArmillaRuntime *runtime);
gint64 armilla_runtime_memory (ArmillaRuntime *runtime);
char *armilla_runtime_spilled (ArmillaRuntime *runtime);
char *armilla_runtime_kind (ArmillaRuntime *runtime);
gint64 armilla_runtime_most (ArmillaRuntime *runtime, gint64 number);
gboolean armilla_runtime_share (ArmillaRuntime *runtime, GByteArray *bytes, GError **error);
GPtrArray *armilla_runtime_collect (ArmillaRuntime *runtime, GByteArray *own, GError **error);
double armilla_runtime_seconds (void);
void armilla_runtime_rest (ArmillaRuntime *runtime);

/**
 * armilla_runtime_agree:
 * @runtime: the runtime
 * @local: (nullable) (transfer full): this rank's error, or NULL when all is well here
 * @error: return location
 *
 * Collective: every rank calls it at the same point.
 *
 * Returns: on all ranks, %TRUE when no rank has an error; otherwise %FALSE, with the error of the
 * lowest rank that has one; those with code %ARMILLA_ERROR_NUMERIC come last, since they may be
 * what the failure of another rank led to
 */
gboolean armilla_runtime_agree (ArmillaRuntime *runtime, GError *local, GError **error);

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

ArmillaGraph *armilla_graph_new (ArmillaRuntime *runtime, const ArmillaTilingOptions *options,
                                 GError **error);
ArmillaGraph *armilla_graph_new_alone (ArmillaRuntime *runtime,
                                       const ArmillaTilingOptions *options, GError **error);

/**
 * armilla_graph_set_label:
 * @graph: a graph
 * @node: name of a node of the workflow; copied
 * @stage: name of its stage; copied
 * @index: number of the realisation
 *
 * Says who asks for what is asked for from now on. Every rank makes the same calls. Errors of tasks
 * and traces name the node.
 */
void armilla_graph_set_label (ArmillaGraph *graph, const char *node, const char *stage,
                              gint64 index);

/**
 * ArmillaBlame:
 * @user: what the caller gave
 * @node: (nullable): the node whose task failed; %NULL where that is not known
 * @index: number of the realisation
 * @error: (inout): the error, set; its message may be prefixed
 *
 * Puts the place of a node before the message of an error.
 */
typedef void (*ArmillaBlame) (gpointer user, const char *node, gint64 index, GError **error);

void armilla_graph_set_blame (ArmillaGraph *graph, ArmillaBlame blame, gpointer user);

/**
 * ArmillaCommitHook:
 * @user: what the caller gave
 * @output: an output that is complete, on the disk, and has no name yet
 * @error: where to put an error
 *
 * Called in any thread before an output gets its name.
 * Returns: FALSE with @error set fails the run, and the output goes away
 */
typedef gboolean (*ArmillaCommitHook) (gpointer user, ArmillaOutput *output, GError **error);

void armilla_graph_set_commit_hook (ArmillaGraph *graph, ArmillaCommitHook hook, gpointer user);

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
 * armilla_graph_progress:
 * @graph: a graph
 * @done: (out): number of tasks of this rank that are done
 * @submitted: (out): number of tasks submitted on this rank
 *
 * May be called from any thread.
 */
void armilla_graph_progress (ArmillaGraph *graph, gint64 *done, gint64 *submitted);

/**
 * armilla_graph_share:
 * @graph: a graph
 *
 * May be called from any thread. Tasks that are not submitted yet count by the shapes of the data.
 *
 * Returns: about how much of what was asked for is done on this rank, from 0 to 1
 */
double armilla_graph_share (ArmillaGraph *graph);

/**
 * armilla_graph_watch:
 * @graph: a graph without tasks
 *
 * Has the graph note which tasks run, for armilla_graph_at_work().
 */
void armilla_graph_watch (ArmillaGraph *graph);

/**
 * armilla_graph_at_work:
 * @graph: a graph
 *
 * May be called from any thread.
 *
 * Returns: (transfer none) (nullable): the node that tasks of this rank are done for now; %NULL
 *   where that is not known, or nobody has called armilla_graph_watch()
 */
const char *armilla_graph_at_work (ArmillaGraph *graph);

/**
 * armilla_graph_cut:
 * @graph: a graph
 * @data: data that will be in it, or could be
 * @error: return location
 *
 * Cuts data into tiles now. The first map of a grid and the first a_lm of a layout decide for all
 * of the graph: a run that leaves some of them out must still cut as one that does not.
 *
 * Returns: whether they can be cut
 */
gboolean armilla_graph_cut (ArmillaGraph *graph, ArmillaData *data, GError **error);

/**
 * armilla_graph_fits_gpu:
 * @graph: a graph
 * @inputs: (array length=n_inputs): what a node reads; any may be %NULL
 * @n_inputs: how many
 * @outputs: (array length=n_outputs): what it makes
 * @n_outputs: how many
 * @error: return location
 *
 * Where a rank has GPUs and no CPU workers, its GPUs must hold any task whole.
 *
 * Returns: whether they hold those of a transform between what the node has, as far as is known
 *   before tasks are made; %ARMILLA_ERROR_MEMORY otherwise, which says what would do
 */
gboolean armilla_graph_fits_gpu (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                                 ArmillaData *const *outputs, int n_outputs, GError **error);

void armilla_graph_set_label_apart (ArmillaGraph *graph);
gboolean armilla_graph_check_apart (ArmillaGraph *graph, GError **error);

/**
 * armilla_graph_fits:
 * @graph: a graph
 * @inputs: (array length=n_inputs): what a node reads; any may be %NULL
 * @n_inputs: how many
 * @outputs: (array length=n_outputs): what it makes
 * @n_outputs: how many
 * @held: bytes that the node holds beside tiles
 * @error: return location
 *
 * Returns: whether @held and the tiles of the node's tasks have place within the memory that the
 *   runtime was given, where it was; %ARMILLA_ERROR_MEMORY otherwise, which says what would do
 */
gboolean armilla_graph_fits (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                             ArmillaData *const *outputs, int n_outputs, double held,
                             GError **error);

/**
 * armilla_graph_fits_better:
 * @graph: a graph
 * @inputs: (array length=n_inputs): what a node reads; any may be %NULL
 * @n_inputs: how many
 * @outputs: (array length=n_outputs): what it makes
 * @n_outputs: how many
 * @held: bytes that the node holds beside tiles
 * @advised: (inout): MiB that nodes before this one need, 0 at first
 * @error: return location
 *
 * As armilla_graph_fits(), for one node after the other of a run: it fails only if the node needs
 * more than those before it, so that the last error gives what is enough for all of them.
 *
 * Returns: whether there is place, or @advised is enough for this node, too
 */
gboolean armilla_graph_fits_better (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                                    ArmillaData *const *outputs, int n_outputs, double held,
                                    double *advised, GError **error);
/**
 * armilla_graph_cuts:
 * @graph: a graph
 *
 * Returns: (transfer full): how the data of the graph were cut into tiles so far, a line for each
 *   grid and each layout of a_lm: how many and how large, and who chose that: "default", "given"
 *   (by #ArmillaTilingOptions), or "tuned", with the file
 */
char *armilla_graph_cuts (ArmillaGraph *graph);

/**
 * armilla_graph_choices:
 * @graph: a graph
 *
 * Returns: (transfer full): a line for each node that could do its work in several ways: which it
 *   has chosen and why, how long that was predicted to take and, once it is done, how long it took
 *   from its first task's submission to its last task's end; a line where cores or GPUs of this
 *   rank did nothing, since the others are so much faster; a line for each folder to which not all
 *   ranks can write; and those of armilla_graph_note()
 */
char *armilla_graph_choices (ArmillaGraph *graph);

/* Files that several ranks write, which get their names with armilla_graph_wait(); the same number
 * on every rank. */
int armilla_graph_n_parts (ArmillaGraph *graph);

/**
 * ArmillaDeal:
 *
 * Deals realisations to ranks, each of which computes whole ones in a graph of
 * armilla_graph_new_alone(). Ranks that are faster get more.
 */
typedef struct _ArmillaDeal ArmillaDeal;

/**
 * ArmillaDealt:
 * @user: what the caller gave
 * @index: number of the realisation
 *
 * Called on rank 0, in any thread, when a realisation is dealt to a rank.
 */
typedef void (*ArmillaDealt) (gpointer user, gint64 index);

ArmillaDeal *armilla_deal_new (ArmillaRuntime *runtime, ArmillaGraph *graph, GArray *left,
                               GArray *lots, gint64 most, ArmillaDealt hear, gpointer user,
                               GError **error);
gint64 armilla_deal_next (ArmillaDeal *self, gboolean failed, gint64 *n);
void armilla_deal_begun (ArmillaDeal *self);
char *armilla_deal_describe (const ArmillaDeal *self);
void armilla_deal_free (ArmillaDeal *self);

/* So many names of the files of a node are kept in its entry. */
#define ARMILLA_LEDGER_MAX_NAMES 32

/**
 * ArmillaLedgerEntry:
 * @names: of the files that got their names
 * @first: (element-type utf8): the first of those names
 * @bytes: size of the files
 * @seconds: that this rank has spent reading, drawing and writing for the node
 * @objects: of the catalogues that it was given by a file, or made
 *
 * What a node has done outside of tasks, in all realisations of this rank.
 */
typedef struct {
  ArmillaNamePattern names;
  GPtrArray *first;
  double bytes, seconds;
  gint64 objects;
} ArmillaLedgerEntry;

const ArmillaLedgerEntry *armilla_graph_ledger (ArmillaGraph *graph, const char *node);

/**
 * armilla_graph_failed:
 * @graph: a graph
 *
 * Returns: whether the run has failed already on this rank; submission goes on, as no-ops
 */
gboolean armilla_graph_failed (ArmillaGraph *graph);
void armilla_graph_free (ArmillaGraph *graph);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaDeal, armilla_deal_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaGraph, armilla_graph_free)

G_END_DECLS
