/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "codelets/common/fault.h"
#include "tasks/graph/blocks.h"
#include "tasks/graph/extras.h"
#include "tasks/graph/graph.h"
#include "tasks/graph/observer.h"
#include "tasks/graph/workers.h"
#include "tasks/runtime/view.h"

G_BEGIN_DECLS

/* Who asked for a task. */
typedef struct {
  ArmillaFault fault; /* the graph's latch, as those see it who work for this node */
  int number;         /* how many labels were made before; the same on every rank */
  const char *node;   /* name of a node; NULL for what no node asked for */
  const char *stage;  /* name of its stage; may be NULL */
  gint64 index;       /* number of the realisation */
  /* what a stage that could do its work in several ways has chosen, and why; may be NULL */
  const char *choice; /* how a stage that had one does its work, and why */
  double predicted;   /* seconds that this was predicted to take */
  /* how many tasks of a node that has chosen are being done */
  int running; /* this and the next two are guarded by the graph's lock */
  gint64 begun;       /* when the first of these began, microseconds */
  double seconds;     /* how long there were such tasks so far; 0: not yet */
} ArmillaLabel;

/* Tasks are submitted in epochs; the next one begins only when few are in flight. That bounds the
 * memory of data between two stages, on every rank alike. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaLabel *label; /* label of the node that began it */
  gint64 pending; /* local tasks and host steps not done yet, +1 while it is being submitted */
} ArmillaEpoch;

typedef struct _ArmillaInThread ArmillaInThread;

struct _ArmillaGraph {
  ArmillaRuntime *runtime;
  ArmillaView view;        /* ranks that share the graph */
  ArmillaTilingOptions tiling;
  ArmillaTuning *tuning; /* NULL: defaults; does not change while the graph lives */
  const char *tuning_workers;
  GString *cuts;         /* description of the tiling; used by the submitting thread only */
  ArmillaFault fault;
  int gpu_worker;          /* runs all tasks that a GPU can run; -1: any worker does */
  ArmillaObservers observers;
  struct
  {
    const ArmillaObserver *kind; /* NULL: tasks are run; otherwise only recorded */
    gpointer self;
  } taker;
  GPtrArray *labels;       /* ArmillaLabel, all so far */
  GPtrArray *notes;        /* utf8, warnings for the report; guarded by lock */
  ArmillaLabel *label; /* origin of the tasks being submitted; used by the submitting thread only */
  GStringChunk *names;     /* of labels */
  const char *step;        /* NULL: steps on the host are named after their stage in a trace */
  ArmillaBlame blame;      /* NULL: messages are left as they are */
  gpointer blame_user;
  GPtrArray *parts;        /* ArmillaOutputPart; used by the submitting thread only */
  GHashTable *apart;       /* folders of files that only rank 0 writes, and why; likewise */
  GPtrArray *movers;       /* ArmillaMover; NULL: blocks never change ranks */
  ArmillaCommitHook hook;  /* NULL: no function is called before outputs get their names */
  gpointer hook_user;
  GError *refused; /* why submission ended early; used by the submitting thread only */
  GMutex lock; /* guards all below */
  GCond changed;
  gint64 submitted, done;  /* local tasks and host steps */
  double work_asked, work_submitted; /* of jobs, see share.c */
  double work_now, parts_now; /* of the jobs being submitted; fraction of it that is */
  int times_now;              /* number of repetitions of these jobs */
  gint64 awaited;          /* number of them that must be done before the waiting thread is woken */
  gboolean ending;         /* whether the graph is waiting for all of them */
  gboolean rests;          /* whether the workers sleep as soon as these are done */
  ArmillaInThread *in_thread; /* runs the tasks without StarPU's workers; NULL: StarPU runs them */
  gint64 step_bytes; /* of tiles that steps on the host hold or wait for, if that is bounded */
  int epochs_in_flight;
  int epoch_limit; /* number that may be in flight, from the size of the last one */
  gboolean small_epochs; /* whether the tiles of an epoch are small */
  ArmillaEpoch *epoch;     /* the one being submitted to */
  gint64 epoch_number;     /* number of epochs so far; the same on every rank */
  gint64 last_epoch_over;  /* number of the last epoch that was waited for */
  GQueue jobs;             /* ArmillaJob, see jobs.c; used by the submitting thread only */
  GQueue idle_tiles;       /* see tile-pool.c; used by the submitting thread only */
  GQueue travelling_tiles; /* likewise */
  GQueue turning_tiles;    /* likewise */
  GPtrArray *outputs;      /* files without their final names, see commit.c */
  gboolean naming;         /* whether an I/O thread is naming files */
  GHashTable *ledger;      /* see ledger.h */
  GPtrArray *ring_blocks;  /* ArmillaRingBlocks, one per grid */
  GPtrArray *order_blocks; /* ArmillaOrderBlocks, one per layout */
  ArmillaTransforms tuned_for; /* transforms for which the tiling was tuned */
  int copies;                 /* set by armilla_graph_expect_copies(); 0: one */
  ArmillaWorth worth;         /* used by the submitting thread only */
  ArmillaExtras *extras;      /* used by the submitting thread only */
};

/* owner of a handle of which every rank has its own copy */
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
int armilla_graph_n_ranks_here (ArmillaGraph *graph);

/* StarPU's user data of a handle: the address of this after a task that writes the tile was
 * submitted to a graph whose blocks may move; or the #ArmillaInThread that may have tasks with the
 * tile. */
extern char armilla_tile_written;

void armilla_tile_register (ArmillaGraph *graph, starpu_data_handle_t handle, int owner);
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

/* Copies the value of a small tile to every rank; blocks. */
gboolean armilla_graph_fetch (ArmillaGraph *graph, const ArmillaTile *tile, double *values,
                              GError **error);

void armilla_cuts_init (ArmillaGraph *graph);
void armilla_cuts_clear (ArmillaGraph *graph);
gint64 armilla_graph_block_pairs (ArmillaGraph *graph, const ArmillaGrid *grid, int n_fields);
gint64 armilla_graph_m_blocks (ArmillaGraph *graph, ArmillaAlmLayout layout, int n_fields);
ArmillaRingBlocks *armilla_graph_ring_blocks (ArmillaGraph *graph, ArmillaGrid *grid, int n_fields,
                                              GError **error);
ArmillaOrderBlocks *armilla_graph_order_blocks (ArmillaGraph *graph, ArmillaAlmLayout layout,
                                                int n_fields);

G_END_DECLS
