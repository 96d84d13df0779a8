/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples the memory in use, in a thread of its own, a hundred times a second. In long runs every
 * other sample is dropped and the rate is halved, so that the number of samples is bounded. */
#include "config.h"

#include "tasks/memory/memory-use.h"
#include "tasks/trace/trace-private.h"

#define FIRST_INTERVAL 10000 /* initial interval, microseconds */
#define MAX_SAMPLES 4096

struct _ArmillaTraceSampler {
  GThread *thread;
  GMutex lock;
  GCond changed;
  gboolean stopped;
  gint64 interval;
  unsigned n_nodes;
  GArray *samples; /* double, [sample][2 + n_nodes] */
};

static void
take_sample (ArmillaTraceSampler *self)
{
  double now = starpu_timing_now (), value = armilla_memory_resident ();

  g_array_append_val (self->samples, now);
  g_array_append_val (self->samples, value);
  for (unsigned i = 0; i < self->n_nodes; i++)
    {
      value = armilla_memory_used_on (i);
      g_array_append_val (self->samples, value);
    }
}

/* Drops every other sample and halves the sampling rate. */
static void
thin_out (ArmillaTraceSampler *self)
{
  const guint width = 2 + self->n_nodes, n = self->samples->len / width;
  double *values = (double *) (void *) self->samples->data;

  if (n < MAX_SAMPLES)
    return;
  for (guint i = 0; i < n / 2; i++)
    for (guint j = 0; j < width; j++)
      values[i * width + j] = values[2 * i * width + j];
  g_array_set_size (self->samples, n / 2 * width);
  self->interval *= 2;
}

static gpointer
sample (gpointer data)
{
  ArmillaTraceSampler *self = data;
  gint64 next = g_get_monotonic_time ();

  g_mutex_lock (&self->lock);
  while (!self->stopped)
    {
      take_sample (self);
      thin_out (self);
      next = MAX (next + self->interval, g_get_monotonic_time ());
      while (!self->stopped && g_cond_wait_until (&self->changed, &self->lock, next))
        ;
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* Starts sampling the memory; takes one sample if no thread can be started. */
ArmillaTraceSampler *
armilla_trace_sampler_new (void)
{
  ArmillaTraceSampler *self = g_new0 (ArmillaTraceSampler, 1);

  self->n_nodes = starpu_memory_nodes_get_count ();
  self->interval = FIRST_INTERVAL;
  self->samples = g_array_new (FALSE, FALSE, sizeof (double));
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->thread = g_thread_try_new ("memory", sample, self, NULL);
  if (!self->thread)
    take_sample (self);
  return self;
}

void
armilla_trace_sampler_stop (ArmillaTraceSampler *self)
{
  if (!self->thread)
    return;
  g_mutex_lock (&self->lock);
  self->stopped = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  g_thread_join (self->thread);
  self->thread = NULL;
}

/* Returns the samples, double, [sample][2 + n_nodes]: time, resident memory, each node, as a
 * floating GVariant. */
GVariant *
armilla_trace_sampler_pack (ArmillaTraceSampler *self)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->samples->data, self->samples->len,
                                    sizeof (double));
}

void
armilla_trace_sampler_free (ArmillaTraceSampler *self)
{
  armilla_trace_sampler_stop (self);
  g_array_unref (self->samples);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}
