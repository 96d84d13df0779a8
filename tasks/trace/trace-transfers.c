/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records copies between the memory nodes of a process. StarPU itself reports only totals, but
 * calls a copy method in the interface of a handle. Tiles of a traced graph have StarPU's vector
 * interface with a copy method that measures the time. All else is unchanged, including the
 * interface number, by which StarPU-MPI recognises vectors. */
#include "config.h"

#include "tasks/trace/trace-private.h"

/* The trace that records copies, set before any handle has the interface below. Global, since
 * StarPU passes no user data to a copy method; there is one StarPU per process. */
static ArmillaTrace *copying;

static int
copy_any_to_any (void *from, unsigned from_node, void *to, unsigned to_node, void *async_data)
{
  const struct starpu_vector_interface *vector = from;
  ArmillaTraceTransfer record = { .start = starpu_timing_now (),
                                  .bytes = (double) vector->nx * (double) vector->elemsize,
                                  .from = (gint32) from_node,
                                  .to = (gint32) to_node };
  ArmillaTrace *trace;
  int status;

  status = starpu_interface_vector_ops.copy_methods->any_to_any (from, from_node, to, to_node,
                                                                  async_data);
  record.end = starpu_timing_now ();
  record.asynchronous = status != 0;
  trace = g_atomic_pointer_get (&copying);
  if (trace)
    {
      g_mutex_lock (&trace->lock);
      g_array_append_val (trace->transfers, record);
      g_mutex_unlock (&trace->lock);
    }
  return status;
}

/* From now on, records copies of tiles of armilla_trace_vector_register () in @trace. */
void
armilla_trace_transfers_begin (ArmillaTrace *trace)
{
  g_atomic_pointer_set (&copying, trace);
}

void
armilla_trace_transfers_end (void)
{
  g_atomic_pointer_set (&copying, NULL);
}

/* Returns the interface, to which StarPU keeps pointers as long as it runs. */
static struct starpu_data_interface_ops *
traced_ops (void)
{
  static struct starpu_data_copy_methods methods;
  static struct starpu_data_interface_ops ops;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      methods = *starpu_interface_vector_ops.copy_methods;
      methods.any_to_any = copy_any_to_any;
      ops = starpu_interface_vector_ops;
      ops.copy_methods = &methods;
      g_once_init_leave (&ready, 1);
    }
  return &ops;
}

/* Like starpu_vector_data_register (), for a vector without memory whose copies are recorded. */
void
armilla_trace_vector_register (starpu_data_handle_t *handle, uint32_t n)
{
  struct starpu_vector_interface vector = { .id = STARPU_VECTOR_INTERFACE_ID,
                                            .nx = n,
                                            .elemsize = sizeof (double),
                                            .allocsize = (size_t) n * sizeof (double) };

  starpu_data_register (handle, -1, &vector, traced_ops ());
}
