/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/graph/observer.h"

void
armilla_task_call_find_cost (ArmillaTaskCall *call)
{
  starpu_data_handle_t *handles = g_newa (starpu_data_handle_t, (gsize) call->n_uses);

  for (int i = 0; i < call->n_uses; i++)
    handles[i] = call->uses[i].handle;
  call->cost = call->codelet->cost (call->args, handles);
}

void
armilla_observers_add (ArmillaObservers *self, const ArmillaObserver *kind, gpointer state)
{
  g_return_if_fail (self->n < ARMILLA_MAX_OBSERVERS);
  self->list[self->n].kind = kind;
  self->list[self->n].self = state;
  self->n++;
}

/* Returns the state of the observer of that kind; NULL if there is none. */
gpointer
armilla_observers_find (const ArmillaObservers *self, const ArmillaObserver *kind)
{
  for (int i = 0; i < self->n; i++)
    if (self->list[i].kind == kind)
      return self->list[i].self;
  return NULL;
}

void
armilla_observers_task (ArmillaObservers *self, ArmillaGraph *graph, const ArmillaTaskCall *call,
                        ArmillaTaskEnd *end)
{
  end->n_put = 0;
  for (int i = 0; i < self->n; i++)
    {
      gpointer work = end->work;

      if (self->list[i].kind->task)
        end->work = self->list[i].kind->task (self->list[i].self, graph, call, &end->done, work);
      if (end->work != work)
        end->put[end->n_put++] = end->work;
    }
}

/* Frees the data of observers. */
void
armilla_task_end_drop (ArmillaTaskEnd *end)
{
  for (int i = 0; i < end->n_put; i++)
    g_free (end->put[i]);
}

/* Registers a vector without memory; StarPU allocates it on the worker that first writes it. @n:
 * number of doubles. */
void
armilla_observers_make_tile (const ArmillaObservers *self, starpu_data_handle_t *handle,
                             uint32_t n)
{
  const ArmillaObserver *maker = NULL;

  for (int i = 0; i < self->n && !maker; i++)
    if (self->list[i].kind->make_tile)
      maker = self->list[i].kind;
  if (maker)
    maker->make_tile (handle, n);
  else
    starpu_vector_data_register (handle, -1, 0, n, sizeof (double));
  ARMILLA_OBSERVERS_CALL (self, tile_made, *handle);
}

void
armilla_observers_free (ArmillaObservers *self)
{
  while (self->n > 0)
    {
      self->n--;
      self->list[self->n].kind->free (self->list[self->n].self);
    }
}
