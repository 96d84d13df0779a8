/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observers of submission: traces, load balancing, forecasts (which replace StarPU). Submission
 * calls them through a table of functions, and so does not depend on them. */
#pragma once

#include <armilla/codelet.h>
#include <armilla/graph.h>

#include "tasks/graph/blocks.h"

G_BEGIN_DECLS

/* A task that is being submitted, on every rank alike. */
typedef struct {
  ArmillaCodelet *codelet; /* codelet of the task */
  int rank;                /* rank that runs it */
  const void *args;        /* argument struct of the codelet, plain values */
  gsize args_size;         /* size of args */
  const ArmillaUse *uses;  /* (array length=n_uses): buffers, in the codelet's order */
  int n_uses;              /* number of buffers */
  int priority;            /* priority; tasks with higher values run first */
  ArmillaCost cost;        /* work of the task, computed by the cost function of its codelet */
} ArmillaTaskCall;

void armilla_task_call_find_cost (ArmillaTaskCall *call);

/* A step on the host that is being submitted, on every rank alike. */
typedef struct {
  int rank;                                  /* rank that runs it */
  const ArmillaTile *tiles;                  /* tiles that it accesses */
  const enum starpu_data_access_mode *modes; /* access modes of the tiles */
  int n_tiles;                               /* number of tiles */
} ArmillaStepCall;

/* Events of a step on the host. */
typedef enum {
  ARMILLA_STEP_READY,  /* its tiles are available */
  ARMILLA_STEP_BEGINS, /* it begins in its I/O thread */
  ARMILLA_STEP_ENDS,   /* it has ended; the last event */
  ARMILLA_STEP_REFUSED /* its submission failed; the last event */
} ArmillaStepEvent;

/* A kind of observer; all members except free may be NULL. The submitting thread calls them, on
 * every rank alike, unless stated otherwise. */
typedef struct {
  /* replaces StarPU for a task; then the graph runs no task */
  gboolean (*take_task) (gpointer self, ArmillaGraph *graph, const ArmillaTaskCall *call,
                         GError **error);
  /* replaces the I/O threads for a step on the host */
  gboolean (*take_step) (gpointer self, ArmillaGraph *graph, const ArmillaStepCall *call,
                         GError **error);
  /* called for each task; may put a callback of its own before *@done. Returns the new argument of
   * *@done: @work itself, or memory that is freed by g_free() if StarPU rejects the task */
  gpointer (*task) (gpointer self, ArmillaGraph *graph, const ArmillaTaskCall *call,
                    void (**done) (void *), gpointer work);
  /* called for each step on the host; returns the argument of step_event, or NULL if it wants no
   * events */
  gpointer (*step) (gpointer self, ArmillaGraph *graph, const ArmillaStepCall *call);
  /* called at each event of a step, in any thread */
  void (*step_event) (gpointer step, ArmillaStepEvent event);
  /* replaces StarPU in registering a vector of doubles, without memory */
  void (*make_tile) (starpu_data_handle_t *handle, uint32_t n);
  /* called for each new handle, whose address may be that of a freed one */
  void (*tile_made) (gpointer self, starpu_data_handle_t handle);
  /* called after the submitting thread waited for a tile */
  void (*fetched) (gpointer self, ArmillaGraph *graph, const ArmillaTile *tile);
  /* called at the start of an epoch; at most @limit epochs are in flight */
  void (*epoch) (gpointer self, int limit);
  /* called before the tasks of a job are submitted */
  void (*job_begins) (gpointer self, ArmillaGraph *graph);
  void (*job_ends) (gpointer self, ArmillaGraph *graph); /* called after the tasks of a job are
                                                          * submitted */
  void (*abandoned) (gpointer self); /* called if the process is about to exit during a run */
  void (*free) (gpointer self); /* frees the observer after all tasks have ended */
} ArmillaObserver;

#define ARMILLA_MAX_OBSERVERS 4

/* The observers of a graph in the order of registration. */
typedef struct {
  struct
  {
    const ArmillaObserver *kind;
    gpointer self;
  } list[ARMILLA_MAX_OBSERVERS];
  int n;
} ArmillaObservers;

/* callback after a task, with the memory of observers that put theirs before it */
typedef struct {
  void (*done) (void *);
  gpointer work;
  gpointer put[ARMILLA_MAX_OBSERVERS];
  int n_put;
} ArmillaTaskEnd;

/* Calls a function of all observers that have it; its first argument is the observer's state. */
#define ARMILLA_OBSERVERS_CALL(observers, member, ...)                                             \
  G_STMT_START                                                                                     \
  {                                                                                                \
    for (int observer_ = 0; observer_ < (observers)->n; observer_++)                               \
      if ((observers)->list[observer_].kind->member)                                               \
        (observers)->list[observer_].kind->member (                                                \
          (observers)->list[observer_].self __VA_OPT__ (, ) __VA_ARGS__);                          \
  }                                                                                                \
  G_STMT_END

void armilla_observers_add (ArmillaObservers *self, const ArmillaObserver *kind, gpointer state);
gpointer armilla_observers_find (const ArmillaObservers *self, const ArmillaObserver *kind);
void armilla_observers_task (ArmillaObservers *self, ArmillaGraph *graph,
                             const ArmillaTaskCall *call, ArmillaTaskEnd *end);
void armilla_task_end_drop (ArmillaTaskEnd *end);
void armilla_observers_make_tile (const ArmillaObservers *self, starpu_data_handle_t *handle,
                                  uint32_t n);
void armilla_observers_free (ArmillaObservers *self);

G_END_DECLS
