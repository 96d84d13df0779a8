/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observers of submission, or replacements of StarPU: traces, the balance of ranks, forecasts.
 * Submission calls them through one table and depends on none of them. */
#pragma once

#include <armilla/codelet.h>
#include <armilla/graph.h>

#include "tasks/graph/blocks.h"

G_BEGIN_DECLS

/* A task as it is submitted, on every rank alike. */
typedef struct {
  ArmillaCodelet *codelet; /* what to do */
  int rank;                /* rank that does it */
  const void *args;        /* plain struct that the codelet unpacks */
  gsize args_size;         /* its size */
  const ArmillaUse *uses;  /* (array length=n_uses): buffers, in the codelet's order */
  int n_uses;              /* how many */
  int priority;            /* higher goes first */
  ArmillaCost cost;        /* its work, as its codelet says */
} ArmillaTaskCall;

void armilla_task_call_find_cost (ArmillaTaskCall *call);

/* A step on the host as it is submitted, on every rank alike. */
typedef struct {
  int rank;                                  /* rank that does it */
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

/* A kind of observer; all members except free may be NULL. All are called by the submitting thread,
 * on every rank alike, unless stated otherwise. */
typedef struct {
  /* takes a task in StarPU's place; then nothing of the graph is run */
  gboolean (*take_task) (gpointer self, ArmillaGraph *graph, const ArmillaTaskCall *call,
                         GError **error);
  /* likewise, a step on the host */
  gboolean (*take_step) (gpointer self, ArmillaGraph *graph, const ArmillaStepCall *call,
                         GError **error);
  /* hears of a task; may put a call-back of its own before done. Returns what is for done now:
   * work, or what g_free() frees where StarPU does not take the task */
  gpointer (*task) (gpointer self, ArmillaGraph *graph, const ArmillaTaskCall *call,
                    void (**done) (void *), gpointer work);
  /* hears of a step on the host; returns what is for step_event, NULL: it wants no events */
  gpointer (*step) (gpointer self, ArmillaGraph *graph, const ArmillaStepCall *call);
  /* hears what happens to a step; in any thread */
  void (*step_event) (gpointer step, ArmillaStepEvent event);
  /* registers a vector of doubles without memory in StarPU's place */
  void (*make_tile) (starpu_data_handle_t *handle, uint32_t n);
  /* hears of a new handle, perhaps where another one was before */
  void (*tile_made) (gpointer self, starpu_data_handle_t handle);
  /* hears that the submitting thread waited for a tile */
  void (*fetched) (gpointer self, ArmillaGraph *graph, const ArmillaTile *tile);
  /* hears that a new epoch begins, while at most so many are in flight */
  void (*epoch) (gpointer self, int limit);
  /* is called before the tasks of a job are submitted */
  void (*job_begins) (gpointer self, ArmillaGraph *graph);
  void (*job_ends) (gpointer self, ArmillaGraph *graph); /* and afterwards */
  void (*abandoned) (gpointer self); /* the process is about to end without an end of the run */
  void (*free) (gpointer self);                          /* frees it; no task is left */
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

/* callback after a task, including those that observers inserted before it */
typedef struct {
  void (*done) (void *);
  gpointer work;
  gpointer put[ARMILLA_MAX_OBSERVERS];
  int n_put;
} ArmillaTaskEnd;

/* Calls a member of all observers that have it, with their state first. */
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
