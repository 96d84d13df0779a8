/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "codelets/common/fault.h"
#include "tasks/graph/blocks.h"
#include "tasks/graph/extras.h"
#include "tasks/graph/graph.h"
#include "tasks/graph/observer.h"
#include "tasks/graph/workers.h"
#include "tasks/runtime/team.h"
#include "tasks/runtime/view.h"

G_BEGIN_DECLS

/* Origin of tasks: a node of the workflow in one realisation. */
typedef struct {
  ArmillaFault fault; /* fault of the graph, as seen by tasks with this label: records the label of
                       * the failure */
  int number;         /* index of the label, equal on all ranks */
  const char *node;   /* name of the node; NULL if no node requested the tasks */
  const char *stage;  /* name of the node's stage; may be NULL */
  gint64 index;       /* number of the realisation */
  const char *choice; /* method that a stage with several methods has chosen, and the reason; may be
                       * NULL */
  double predicted;   /* predicted duration of that choice, s */
  /* number of running tasks of the node; counted only if @choice is set */
  int running; /* guarded by the graph's lock, like begun and seconds */
  gint64 begun;       /* time at which the first of the running tasks began, microseconds */
  double seconds;     /* time during which such tasks have been running, s; 0: none so far */
} ArmillaLabel;

/* Tasks are submitted in epochs (those of one ring block or one step of an algorithm); the next
 * epoch begins only when few are in flight. That bounds the memory of data between two stages, on
 * every rank alike. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaLabel *label; /* label of the node that began the epoch */
  gint64 pending; /* local tasks and host steps not completed, +1 while the epoch is being
                   * submitted */
} ArmillaEpoch;

typedef struct _ArmillaInThread ArmillaInThread;
typedef struct _ArmillaBundles ArmillaBundles;
typedef struct _ArmillaBundling ArmillaBundling;

struct _ArmillaGraph {
  ArmillaRuntime *runtime;
  ArmillaView view;        /* ranks that share the graph */
  ArmillaTilingOptions tiling;
  ArmillaTuning *tuning; /* NULL: defaults; does not change while the graph lives */
  const char *tuning_workers;
  GString *cuts;         /* description of the tiling; used by the submitting thread only */
  ArmillaFault fault;
  int gpu_worker;          /* worker that runs all tasks that a GPU can run; -1: any worker */
  ArmillaObservers observers;
  struct
  {
    const ArmillaObserver *kind; /* NULL: tasks are run; otherwise they are only recorded, in a
                                  * forecast */
    gpointer self;
  } taker;
  GPtrArray *labels;       /* ArmillaLabel, all labels so far */
  GPtrArray *notes;        /* utf8, warnings for the report; guarded by lock */
  ArmillaLabel *label; /* origin of the tasks being submitted; used by the submitting thread only */
  GStringChunk *names;     /* strings of the labels */
  const char *step;        /* name of host steps in a trace; NULL: the name of their stage */
  ArmillaBlame blame;      /* adds the place of a node to an error message; NULL: messages are
                            * unchanged */
  gpointer blame_user;
  GPtrArray *parts;        /* ArmillaOutputPart; used by the submitting thread only */
  GHashTable *apart;       /* (element-type utf8 utf8): folders in which only rank 0 writes files,
                            * with the reason; used by the submitting thread only */
  GPtrArray *movers;       /* ArmillaMover: tiles that move with their blocks; NULL: blocks never
                            * change ranks */
  ArmillaCommitHook hook;  /* called before outputs get their names; may be NULL */
  gpointer hook_user;
  GError *refused; /* error that ended submission early; used by the submitting thread only */
  GMutex lock; /* guards the following fields */
  GCond changed;
  gint64 submitted, done;  /* number of local tasks and host steps */
  double work_asked, work_submitted; /* estimated work of jobs, see share.c */
  double work_now, parts_now; /* work of the jobs being submitted, and the fraction of it that has
                               * been submitted */
  int times_now;              /* number of repetitions of these jobs */
  gint64 awaited;          /* number of tasks and host steps that must be completed to wake the
                            * waiting thread */
  gboolean ending;         /* whether the workers sleep when all tasks have ended */
  gboolean rests;          /* whether the workers sleep as soon as all tasks are completed */
  ArmillaInThread *in_thread; /* runs the tasks without StarPU's workers; NULL: StarPU runs them */
  ArmillaBundles *bundles; /* see bundle.c; NULL until tasks are bundled */
  /* functions of bundle.c while tasks are bundled; NULL: StarPU gets tasks one by one; used by the
   * submitting thread only */
  const ArmillaBundling *bundling;
  gint64 step_bytes; /* size of the tiles that host steps hold or wait for, if that is bounded */
  int epochs_in_flight;
  int epoch_limit; /* maximum number of epochs in flight, computed from the size of the last
                    * epoch */
  gboolean small_epochs; /* whether the tiles of an epoch are small */
  ArmillaEpoch *epoch;     /* epoch to which tasks are being submitted */
  gint64 epoch_number;     /* number of epochs so far; the same on every rank */
  gint64 last_epoch_over;  /* number of the last epoch known to be completed */
  GQueue jobs;             /* ArmillaJob, see jobs.c; used by the submitting thread only */
  /* tiles for reuse, see tile-pool.c; used by the submitting thread only, like the next two
   * queues */
  GQueue idle_tiles;
  GQueue travelling_tiles; /* tiles that ranks send to each other */
  GQueue turning_tiles;    /* tiles that one task fills and the next one reads */
  GPtrArray *outputs;      /* files without their final names, see commit.c */
  gboolean naming;         /* whether an I/O thread is renaming files */
  GHashTable *ledger;      /* files and objects of each node, see ledger.h */
  GPtrArray *ring_blocks;  /* ArmillaRingBlocks, one per grid */
  GPtrArray *order_blocks; /* ArmillaOrderBlocks, one per layout */
  ArmillaTransforms tuned_for; /* transforms for which the tiling was tuned */
  int copies; /* number of maps of one kind in a map, see armilla_graph_expect_copies(); 0: one */
  /* which kinds of workers are fast enough, see workers.c; used by the submitting thread only */
  ArmillaWorth worth;
  ArmillaExtras *extras;      /* used by the submitting thread only */
};

/* owner of a tile of which every rank has its own copy */
#ifdef HAVE_MPI
#define ARMILLA_OWNER_EACH STARPU_MPI_PER_NODE
#else
#define ARMILLA_OWNER_EACH (-2)
#endif

void armilla_graph_blame (ArmillaGraph *graph, const ArmillaLabel *label, GError **error);
const ArmillaLabel *armilla_graph_culprit (ArmillaGraph *graph);
void armilla_graph_label_free (gpointer data);
const ArmillaLabel *armilla_graph_label_of (const ArmillaGraph *graph,
                                            const ArmillaFault *fault);

ArmillaGraph *armilla_graph_new_with_view (ArmillaRuntime *runtime, const ArmillaView *view,
                                           const ArmillaTilingOptions *options, GError **error);
gboolean armilla_graph_use_gpu (ArmillaGraph *graph, int device, GError **error);
gboolean armilla_submit_to (ArmillaGraph *graph, ArmillaCodelet *codelet, int rank, gint32 where,
                            const void *args, gsize args_size, const ArmillaUse *uses, int n_uses,
                            int priority, GError **error);
GPtrArray *armilla_graph_due_new (void);
GError *armilla_graph_name_outputs (ArmillaGraph *graph);
gboolean armilla_graph_agree (ArmillaGraph *graph, GError *local, GError **error);
void armilla_balance_watch (ArmillaGraph *graph);
const double *armilla_graph_speeds (const ArmillaGraph *graph);
void armilla_output_part_free (gpointer part);
GError *armilla_graph_join_parts (ArmillaGraph *graph);
int armilla_graph_n_local_ranks (ArmillaGraph *graph);

/* User data of the handle of a tile that is not, or not only, accessed through StarPU (by bundles,
 * or in the submitting thread). The user data of other handles are NULL. */
typedef struct _ArmillaTileMark {
  /* called before the tile is dropped; returns TRUE if it has dropped the tile itself; may be
   * NULL */
  gboolean (*drop) (struct _ArmillaTileMark *self, starpu_data_handle_t handle);
} ArmillaTileMark;

/* mark of a tile that some task has written, in a graph whose blocks may move to other ranks */
extern ArmillaTileMark armilla_tile_written;

double *armilla_tile_memory (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile,
                             GError **error);
gboolean armilla_tile_from_words (ArmillaGraph *graph, int owner, gconstpointer words, gint64 n,
                                  ArmillaTile *tile, GError **error);
void armilla_tile_register (ArmillaGraph *graph, starpu_data_handle_t handle, int owner);
/* Registers a table of @n elements, which every rank has in its memory and tasks only read. */
void armilla_tile_register_table (ArmillaGraph *graph, starpu_data_handle_t *handle,
                                  gconstpointer elements, gint64 n, gsize size);
gboolean armilla_tile_borrow (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile,
                              GError **error);
void armilla_tile_return (ArmillaGraph *graph, ArmillaTile *tile);
gboolean armilla_tile_borrow_to_send (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile,
                                      GError **error);
void armilla_tile_return_sent (ArmillaGraph *graph, ArmillaTile *tile);
gboolean armilla_tile_borrow_in_turn (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile,
                                      GError **error);
void armilla_tile_return_in_turn (ArmillaGraph *graph, ArmillaTile *tile);
void armilla_tile_pool_trim (ArmillaGraph *graph, gboolean all);

void armilla_graph_add_choice (ArmillaGraph *graph, double predicted, const char *format, ...)
  G_GNUC_PRINTF (3, 4);
gint64 armilla_graph_tuned (const ArmillaGraph *graph, ArmillaTransforms which, gint64 size,
                            gint64 batch, ArmillaTuneName name);
void armilla_graph_expect_copies (ArmillaGraph *graph, int n);
int armilla_graph_fields_of_one (const ArmillaGraph *graph, int n_fields);
gint32 armilla_graph_isa (const ArmillaGraph *graph, ArmillaTransforms which, gint64 lmax,
                          int n_fields);
void armilla_graph_next_epoch (ArmillaGraph *graph);
void armilla_graph_next_epoch_of (ArmillaGraph *graph, gint64 bytes, gint64 wanted);
ArmillaEpoch *armilla_graph_enter (ArmillaGraph *graph);
void armilla_epoch_leave (ArmillaEpoch *epoch);
void armilla_work_begins (void *epoch);
void armilla_work_ends (void *epoch);
void armilla_work_done (void *epoch);
gboolean armilla_graph_can_claim (ArmillaGraph *graph, const ArmillaTile *tiles, int n_tiles,
                                  GError **error);
void armilla_graph_claim (ArmillaGraph *graph, gint64 bytes);
void armilla_graph_unclaim (ArmillaGraph *graph, gint64 bytes);
void armilla_graph_part_begins (ArmillaGraph *graph, int n);
void armilla_graph_wait_change (ArmillaGraph *graph);
void armilla_graph_wait_done (ArmillaGraph *graph, gint64 n);

/* Submits the tasks that are bundled so far, before other tasks access their tiles. */
gboolean armilla_graph_unbundle (ArmillaGraph *graph, GError **error);

/* Runs work of the host on the calling thread and a team, see armilla_runtime_use_cores (). */
void armilla_graph_use_cores (ArmillaGraph *graph, gint64 n_tasks, ArmillaTeamRun run,
                              gpointer user);
/* Copies a tile to every rank and waits for it. Returns its values, which remain until
 * starpu_data_release (); NULL on error. */
const double *armilla_graph_hold (ArmillaGraph *graph, const ArmillaTile *tile, GError **error);
/* Copies the value of a small tile to every rank; blocks. */
gboolean armilla_graph_fetch (ArmillaGraph *graph, const ArmillaTile *tile, double *values,
                              GError **error);

void armilla_cuts_init (ArmillaGraph *graph);
void armilla_cuts_clear (ArmillaGraph *graph);
gint64 armilla_graph_block_pairs (ArmillaGraph *graph, const ArmillaGrid *grid, int n_fields);
gint64 armilla_graph_m_blocks (ArmillaGraph *graph, ArmillaAlmLayout layout, int n_fields);
ArmillaRingBlocks *armilla_graph_ring_blocks (ArmillaGraph *graph, ArmillaGrid *grid, int n_fields,
                                              GError **error);
ArmillaRingBlocks *armilla_graph_ring_blocks_of (ArmillaGraph *graph, ArmillaGrid *grid,
                                                 gint64 n_pairs, GError **error);
ArmillaOrderBlocks *armilla_graph_order_blocks (ArmillaGraph *graph, ArmillaAlmLayout layout,
                                                int n_fields);

G_END_DECLS
