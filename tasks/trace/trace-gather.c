/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the records of all ranks and the differences of their clocks on rank 0. */
#include "config.h"

#include <armilla/memory.h>

#include "tasks/trace/trace-private.h"

/* GVariant type of a rank's records: names, workers, kinds, nodes, host; then structures as arrays
 * of doubles, so that they are aligned; samples; clock */
#define PACKED "(asasasassadadadadadadasasad)"
#define ROUNDS 16             /* number of messages by which clocks are compared */
#define MAX_BYTES (1 << 30)  /* maximum bytes of a message */

G_STATIC_ASSERT (sizeof (ArmillaTraceTask) % sizeof (double) == 0);
G_STATIC_ASSERT (sizeof (ArmillaTraceMessage) % sizeof (double) == 0);
G_STATIC_ASSERT (sizeof (ArmillaTraceTransfer) % sizeof (double) == 0);
G_STATIC_ASSERT (sizeof (ArmillaTraceSpan) % sizeof (double) == 0);

static GVariant *
pack_structs (gconstpointer data, gsize n, gsize size)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, data, n * size / sizeof (double),
                                    sizeof (double));
}

static GVariant *
pack_tasks (const ArmillaTrace *trace)
{
  g_autoptr (GArray) tasks = g_array_new (FALSE, FALSE, sizeof (ArmillaTraceTask));

  for (int w = 0; w < trace->n_workers; w++)
    for (guint i = 0; i < trace->done[w]->len; i++)
      g_array_append_vals (tasks, g_ptr_array_index (trace->done[w], i), 1);
  for (guint i = 0; i < trace->host->len; i++)
    g_array_append_vals (tasks, g_ptr_array_index (trace->host, i), 1);
  return pack_structs (tasks->data, tasks->len, sizeof (ArmillaTraceTask));
}

static GVariant *
pack_names (const GPtrArray *names)
{
  return g_variant_new_strv ((const char *const *) names->pdata, names->len);
}

static GVariant *
pack_workers (gboolean kinds)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_STRING_ARRAY);
  for (unsigned w = 0; w < starpu_worker_get_count (); w++)
    {
      enum starpu_worker_archtype kind = starpu_worker_get_type ((int) w);
      char name[128];

      starpu_worker_get_name ((int) w, name, sizeof name);
      if (kinds)
        g_strlcpy (name, kind == STARPU_CPU_WORKER ? "CPU" : kind == STARPU_CUDA_WORKER ? "CUDA"
                                                                                        : "other",
                   sizeof name);
      g_variant_builder_add (&builder, "s", name);
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
pack_nodes (void)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_STRING_ARRAY);
  for (unsigned i = 0; i < starpu_memory_nodes_get_count (); i++)
    {
      char name[64];

      starpu_memory_node_get_name (i, name, sizeof name);
      g_variant_builder_add (&builder, "s", name);
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
pack_labels (const GPtrArray *labels, gboolean stages)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < labels->len; i++)
    {
      const ArmillaLabel *label = g_ptr_array_index (labels, i);
      const char *text = stages ? label->stage : label->node;

      g_variant_builder_add (&builder, "s", text ? text : "");
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
pack_indices (const GPtrArray *labels)
{
  g_autofree double *indices = g_new (double, labels->len + 1);

  for (guint i = 0; i < labels->len; i++)
    indices[i] = (double) ((const ArmillaLabel *) g_ptr_array_index (labels, i))->index;
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, indices, labels->len, sizeof *indices);
}

/* Returns (transfer full) the records of this rank. */
static GVariant *
pack (const ArmillaGraph *graph)
{
  ArmillaTrace *trace = armilla_graph_get_trace (graph);
  const double clock[] = { trace->offset[0],    trace->offset_at[0], trace->offset[1],
                           trace->offset_at[1], trace->begin,        starpu_timing_now () };
  GVariant *parts[] = { pack_names (trace->names),
                        pack_workers (FALSE),
                        pack_workers (TRUE),
                        pack_nodes (),
                        g_variant_new_string (g_get_host_name ()),
                        pack_tasks (trace),
                        pack_structs (trace->messages->data, trace->messages->len,
                                      sizeof (ArmillaTraceMessage)),
                        pack_structs (trace->transfers->data, trace->transfers->len,
                                      sizeof (ArmillaTraceTransfer)),
                        pack_structs (trace->spans->data, trace->spans->len,
                                      sizeof (ArmillaTraceSpan)),
                        armilla_trace_sampler_pack (trace->sampler),
                        g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, clock,
                                                   G_N_ELEMENTS (clock), sizeof clock[0]),
                        pack_labels (graph->labels, FALSE),
                        pack_labels (graph->labels, TRUE),
                        pack_indices (graph->labels) };

  return g_variant_ref_sink (g_variant_new_tuple (parts, G_N_ELEMENTS (parts)));
}

static gconstpointer
unpack_structs (GVariant *variant, gsize child, gsize size, gsize *n)
{
  g_autoptr (GVariant) part = g_variant_get_child_value (variant, child);
  gsize doubles;
  gconstpointer data = g_variant_get_fixed_array (part, &doubles, sizeof (double));

  *n = doubles * sizeof (double) / size;
  return data;
}

/* Sets the pointers of @rank into the variant, of which @rank holds a reference. */
static void
unpack (GVariant *variant, ArmillaTraceRank *rank)
{
  gsize n;

  rank->variant = variant;
  g_variant_get_child (variant, 0, "^a&s", &rank->names);
  g_variant_get_child (variant, 1, "^a&s", &rank->workers);
  g_variant_get_child (variant, 2, "^a&s", &rank->kinds);
  g_variant_get_child (variant, 3, "^a&s", &rank->nodes);
  g_variant_get_child (variant, 4, "&s", &rank->host);
  rank->tasks = unpack_structs (variant, 5, sizeof *rank->tasks, &rank->n_tasks);
  rank->messages = unpack_structs (variant, 6, sizeof *rank->messages, &rank->n_messages);
  rank->transfers = unpack_structs (variant, 7, sizeof *rank->transfers, &rank->n_transfers);
  rank->spans = unpack_structs (variant, 8, sizeof *rank->spans, &rank->n_spans);
  rank->samples = unpack_structs (variant, 9, sizeof (double), &rank->n_samples);
  rank->clock = unpack_structs (variant, 10, sizeof (double), &n);
  g_variant_get_child (variant, 11, "^a&s", &rank->label_nodes);
  g_variant_get_child (variant, 12, "^a&s", &rank->label_stages);
  rank->label_indices = unpack_structs (variant, 13, sizeof (double), &n);
  rank->n_nodes = g_strv_length ((char **) rank->nodes);
  rank->n_names = g_strv_length ((char **) rank->names);
  rank->n_samples /= 2 + rank->n_nodes;
}

void
armilla_trace_ranks_free (ArmillaTraceRank *ranks, int n)
{
  for (int r = 0; ranks && r < n; r++)
    {
      g_free (ranks[r].names);
      g_free (ranks[r].workers);
      g_free (ranks[r].kinds);
      g_free (ranks[r].nodes);
      g_free (ranks[r].label_nodes);
      g_free (ranks[r].label_stages);
      g_clear_pointer (&ranks[r].variant, g_variant_unref);
    }
  g_free (ranks);
}

#ifdef HAVE_MPI
static gboolean
check_mpi (int status, const char *call, GError **error)
{
  if (status == MPI_SUCCESS)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MPI, "the trace cannot be gathered: %s failed", call);
}

/* Returns the difference of this rank's clock and that of rank 0, from the message with the fastest
 * answer. */
static gboolean
ask_rank (ArmillaRuntime *runtime, int rank, double *offset, GError **error)
{
  double best = G_MAXDOUBLE;

  for (int i = 0; i < ROUNDS; i++)
    {
      double before = starpu_timing_now (), other_clock = 0, after;

      if (!check_mpi (MPI_Send (&before, 1, MPI_DOUBLE, rank, 0, runtime->comm), "MPI_Send", error)
          || !check_mpi (MPI_Recv (&other_clock, 1, MPI_DOUBLE, rank, 0, runtime->comm,
                                   MPI_STATUS_IGNORE),
                         "MPI_Recv", error))
        return FALSE;
      after = starpu_timing_now ();
      if (after - before >= best)
        continue;
      best = after - before;
      *offset = other_clock - (before + after) / 2;
    }
  return check_mpi (MPI_Send (offset, 1, MPI_DOUBLE, rank, 0, runtime->comm), "MPI_Send", error);
}

static gboolean
answer (ArmillaRuntime *runtime, double *offset, GError **error)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      double asked, now;

      if (!check_mpi (MPI_Recv (&asked, 1, MPI_DOUBLE, 0, 0, runtime->comm, MPI_STATUS_IGNORE),
                      "MPI_Recv", error))
        return FALSE;
      now = starpu_timing_now ();
      if (!check_mpi (MPI_Send (&now, 1, MPI_DOUBLE, 0, 0, runtime->comm), "MPI_Send", error))
        return FALSE;
    }
  return check_mpi (MPI_Recv (offset, 1, MPI_DOUBLE, 0, 0, runtime->comm, MPI_STATUS_IGNORE),
                    "MPI_Recv", error);
}

static gboolean
send_bytes (ArmillaRuntime *runtime, GVariant *variant, GError **error)
{
  const char *data = g_variant_get_data (variant);
  gint64 size = (gint64) g_variant_get_size (variant);

  if (!check_mpi (MPI_Send (&size, 1, MPI_INT64_T, 0, 1, runtime->comm), "MPI_Send", error))
    return FALSE;
  for (gint64 at = 0; at < size; at += MAX_BYTES)
    if (!check_mpi (MPI_Send (data + at, (int) MIN (size - at, MAX_BYTES), MPI_BYTE, 0, 1,
                              runtime->comm),
                    "MPI_Send", error))
      return FALSE;
  return TRUE;
}

static GVariant *
receive_bytes (ArmillaRuntime *runtime, int rank, GError **error)
{
  g_autofree char *data = NULL;
  gint64 size = 0;

  if (!check_mpi (MPI_Recv (&size, 1, MPI_INT64_T, rank, 1, runtime->comm, MPI_STATUS_IGNORE),
                  "MPI_Recv", error))
    return NULL;
  data = armilla_try_new (char, size, "the trace of a rank", error);
  if (data == NULL)
    return NULL;
  for (gint64 at = 0; at < size; at += MAX_BYTES)
    if (!check_mpi (MPI_Recv (data + at, (int) MIN (size - at, MAX_BYTES), MPI_BYTE, rank, 1,
                              runtime->comm, MPI_STATUS_IGNORE),
                    "MPI_Recv", error))
      return NULL;
  gpointer bytes = g_steal_pointer (&data);
  return g_variant_ref_sink (g_variant_new_from_data (G_VARIANT_TYPE (PACKED), bytes, (gsize) size,
                                                      TRUE, g_free, bytes));
}
#endif

/* Compares this rank's clock with rank 0's at the beginning (0) or the end (1). Collective. */
gboolean
armilla_trace_clock (ArmillaGraph *graph, int which, GError **error)
{
  ArmillaTrace *trace = armilla_graph_get_trace (graph);
  gboolean ok = TRUE;

#ifdef HAVE_MPI
  ArmillaRuntime *runtime = graph->runtime;

  if (runtime->n_ranks > 1 && runtime->rank == 0)
    for (int r = 1; ok && r < runtime->n_ranks; r++)
      {
        double theirs = 0;

        ok = ask_rank (runtime, r, &theirs, error);
      }
  else if (runtime->n_ranks > 1)
    ok = answer (runtime, &trace->offset[which], error);
#else
  (void) error;
#endif
  trace->offset_at[which] = starpu_timing_now ();
  return ok;
}

/* Returns the records of all ranks on rank 0, NULL elsewhere, after all tasks. Collective. */
ArmillaTraceRank *
armilla_trace_gather (ArmillaGraph *graph, GError **error)
{
  ArmillaRuntime *runtime = graph->runtime;
  GVariant *own = pack (graph);
  ArmillaTraceRank *ranks = NULL;

#ifdef HAVE_MPI
  if (runtime->rank != 0)
    {
      send_bytes (runtime, own, error);
      g_variant_unref (own);
      return NULL;
    }
#else
  (void) error;
#endif
  ranks = g_new0 (ArmillaTraceRank, runtime->n_ranks);
  unpack (own, &ranks[0]);
#ifdef HAVE_MPI
  for (int r = 1; r < runtime->n_ranks; r++)
    {
      GVariant *theirs = receive_bytes (runtime, r, error);

      if (!theirs)
        {
          armilla_trace_ranks_free (ranks, r);
          return NULL;
        }
      unpack (theirs, &ranks[r]);
    }
#endif
  return ranks;
}
