/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells which node is running: the one whose task or host step ended last; before any has ended,
 * the one whose task was submitted first. */
#include "config.h"

#include "tasks/graph/graph-private.h"

typedef struct {
  GMutex lock;
  const ArmillaLabel *label; /* NULL: no task submitted yet */
} AtWork;

/* A task, or a step on the host. */
typedef struct {
  AtWork *at_work;
  const ArmillaLabel *label;
  void (*done) (void *);
  gpointer work;
} Piece;

static Piece *
piece_new (AtWork *self, const ArmillaLabel *label)
{
  Piece *piece = g_new0 (Piece, 1);

  piece->at_work = self;
  piece->label = label;
  g_mutex_lock (&self->lock);
  if (!self->label && label->node)
    self->label = label;
  g_mutex_unlock (&self->lock);
  return piece;
}

static void
piece_end (Piece *piece)
{
  g_mutex_lock (&piece->at_work->lock);
  if (piece->label->node)
    piece->at_work->label = piece->label;
  g_mutex_unlock (&piece->at_work->lock);
  g_free (piece);
}

static void
task_done (void *data)
{
  const Piece piece = *(Piece *) data;

  piece_end (data);
  piece.done (piece.work);
}

static gpointer
see_task (gpointer self, ArmillaGraph *graph, const ArmillaTaskCall *call, void (**done) (void *),
          gpointer work)
{
  Piece *piece;

  if (call->rank != graph->view.rank)
    return work;
  piece = piece_new (self, graph->label);
  piece->done = *done;
  piece->work = work;
  *done = task_done;
  return piece;
}

static gpointer
see_step (gpointer self, ArmillaGraph *graph, const ArmillaStepCall *call)
{
  return call->rank == graph->view.rank ? piece_new (self, graph->label) : NULL;
}

static void
see_step_event (gpointer step, ArmillaStepEvent event)
{
  if (event == ARMILLA_STEP_ENDS)
    piece_end (step);
  else if (event == ARMILLA_STEP_REFUSED)
    g_free (step);
}

static void
at_work_free (gpointer data)
{
  AtWork *self = data;

  g_mutex_clear (&self->lock);
  g_free (self);
}

static const ArmillaObserver observer
  = { .task = see_task, .step = see_step, .step_event = see_step_event, .free = at_work_free };

void
armilla_graph_watch (ArmillaGraph *graph)
{
  AtWork *self = g_new0 (AtWork, 1);

  g_mutex_init (&self->lock);
  armilla_observers_add (&graph->observers, &observer, self);
}

const char *
armilla_graph_at_work (ArmillaGraph *graph)
{
  AtWork *self = armilla_observers_find (&graph->observers, &observer);
  const char *node;

  if (!self)
    return NULL;
  g_mutex_lock (&self->lock);
  node = self->label ? self->label->node : NULL;
  g_mutex_unlock (&self->lock);
  return node;
}
