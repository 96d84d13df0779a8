/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derives a node file from the traces of runs: the speeds of kernels and host steps, and the
 * overheads of the machine and StarPU. */
#include <string.h>

#include "core/base/compare.h"
#include "workflows/plan/forecast-run.h"
#include "workflows/trace/trace-reader.h"

/* If all samples have equal work, a fixed cost cannot be distinguished from a low rate. A time of
 * this many times that at peak rate is assumed to be a fixed cost. */
#define FAR_BELOW_PEAK 1000

/* parameters of a node file that traces of one rank do not contain */
#define NETWORK                                                                                    \
  "# Assumed, not measured: the network (100 Gbit/s), and the key other.\n"                       \
  "[network]\nbandwidth = 12.5 GB/s\nlatency = 2 us\nmessage = 10 us\n"
#define OTHER 0.5 /* default of "other" of the node file, us */
#define OUTLIER 10
#define OWN 7.0   /* default of "own" of the node file, us, if a trace has too few tasks */
#define TASK 5.0  /* default of "task" of the node file, us, if a trace has too few tasks */

/* A task, or the work at the end of a sink. */
typedef struct {
  double flops, bytes, seconds;
} Sample;

static const struct {
  const char *kind, *group;
} groups[] = { { "CPU", "cpu" }, { "CUDA", "cuda" }, { "host", "host" } };

#define N_GROUPS G_N_ELEMENTS (groups)

typedef struct {
  GHashTable *samples[N_GROUPS]; /* name -> GArray of Sample */
  GArray *own, *task; /* double: s between two submissions, and between two tasks of a worker */
  double start, peak[2][2];      /* start: s; peak: [core, GPU][flops, bytes] per second */
  double cores, memory, gpu_memory, device;
  int workers, gpus;
} Measured;

static void
add_sample (GHashTable *samples, const char *name, Sample sample)
{
  GArray *list = g_hash_table_lookup (samples, name);

  if (list == NULL)
    {
      list = g_array_new (FALSE, FALSE, sizeof (Sample));
      g_hash_table_insert (samples, g_strdup (name), list);
    }
  g_array_append_val (list, sample);
}

static void
add_event (Measured *m, const ArmillaTraceEvent *event)
{
  for (gsize k = 0; k < N_GROUPS; k++)
    if (strcmp (event->kind, groups[k].kind) == 0)
      {
        g_autofree char *end = g_strconcat (event->name, "-end", NULL);

        add_sample (m->samples[k], event->name,
                    (Sample) { event->flops, event->bytes, event->duration - event->finish });
        if (event->finish > 0)
          add_sample (m->samples[k], end, (Sample) { 0, event->finish_bytes, event->finish });
      }
}

static int
compare_submits (gconstpointer a, gconstpointer b)
{
  const ArmillaTraceEvent *const *x = a, *const *y = b;

  return ((*x)->submit > (*y)->submit) - ((*x)->submit < (*y)->submit);
}

/* Adds times between tasks of rank 0: between successive submissions, and between successive tasks
 * of a worker if the second was ready before the first had ended. */
static void
add_gaps (Measured *m, const ArmillaTraceFile *file)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();
  g_autofree const ArmillaTraceEvent **last = g_new0 (const ArmillaTraceEvent *,
                                                      file->workers->len);

  for (guint i = 0; i < file->events->len; i++)
    {
      const ArmillaTraceEvent *event = &g_array_index (file->events, ArmillaTraceEvent, i);
      double gap;

      if (event->worker < 0 || event->rank != 0)
        continue;
      g_ptr_array_add (tasks, (gpointer) event);
      if (last[event->worker] != NULL)
        {
          gap = event->start - (last[event->worker]->start + last[event->worker]->duration);
          if (gap >= 0 && event->ready <= event->start - gap)
            g_array_append_val (m->task, gap);
        }
      last[event->worker] = event;
    }
  g_ptr_array_sort (tasks, compare_submits);
  for (guint i = 1; i < tasks->len; i++)
    {
      const ArmillaTraceEvent *a = g_ptr_array_index (tasks, i - 1);
      const ArmillaTraceEvent *b = g_ptr_array_index (tasks, i);
      double gap = b->submit - a->submit;

      g_array_append_val (m->own, gap);
    }
}

static void
add_file (Measured *m, const ArmillaTraceFile *file)
{
  int workers = 0, gpus = 0;

  for (guint i = 0; i < file->workers->len; i++)
    {
      const ArmillaTraceWorker *worker = &g_array_index (file->workers, ArmillaTraceWorker, i);

      workers += worker->rank == 0 && strcmp (worker->kind, "CPU") == 0;
      gpus += worker->rank == 0 && strcmp (worker->kind, "CUDA") == 0;
    }
  m->workers = MAX (m->workers, workers);
  m->gpus = MAX (m->gpus, gpus);
  m->cores = MAX (m->cores, file->cores);
  m->memory = MAX (m->memory, file->memory);
  m->gpu_memory = MAX (m->gpu_memory, file->gpu_memory);
  m->device = MAX (m->device, file->device);
  for (int i = 0; i < 2; i++)
    {
      m->peak[i][0] = MAX (m->peak[i][0], file->peak[i].flops);
      m->peak[i][1] = MAX (m->peak[i][1], file->peak[i].bytes);
    }
  if (file->start > 0)
    m->start = m->start > 0 ? MIN (m->start, file->start) : file->start;
  for (guint i = 0; i < file->events->len; i++)
    add_event (m, &g_array_index (file->events, ArmillaTraceEvent, i));
  add_gaps (m, file);
}

/* Returns the mean, in microseconds, without values of many times the median, in which a thread
 * waited; @fallback if there are too few values. */
static double
usual (GArray *seconds, double fallback)
{
  double sum = 0, max_seconds;
  guint n = 0;

  if (seconds->len == 0)
    return fallback;
  g_array_sort (seconds, armilla_compare_doubles);
  max_seconds = OUTLIER * g_array_index (seconds, double, seconds->len / 2);
  while (n < seconds->len && g_array_index (seconds, double, n) <= max_seconds)
    sum += g_array_index (seconds, double, n++);
  return MAX (1e6 * sum / n, 0.01);
}

/* Finds the fixed cost per task by least squares, such that the total time is that of the trace and
 * no work is faster than the peak. @flops: work is flops, otherwise bytes; @peak: s per unit of
 * work. */
static double
fit_fixed (const GArray *list, gboolean flops, double peak)
{
  double n = (double) list->len, w = 0, t = 0, ww = 0, wt = 0, slope, spread;

  for (guint i = 0; i < list->len; i++)
    {
      const Sample *sample = &g_array_index (list, Sample, i);
      double work = flops ? sample->flops : sample->bytes;

      w += work;
      t += sample->seconds;
      ww += work * work;
      wt += work * sample->seconds;
    }
  spread = n * ww - w * w;
  if (spread > 1e-6 * n * ww)
    slope = MAX ((n * wt - w * t) / spread, peak);
  else
    slope = t > FAR_BELOW_PEAK * peak * w && peak > 0 ? peak : t / w;
  return MAX ((t - slope * w) / n, 0);
}

static void
append_rate (GString *text, const char *name, const GArray *list, const double *peak)
{
  Sample sum = { 0, 0, 0 };
  double fixed;

  for (guint i = 0; i < list->len; i++)
    {
      const Sample *sample = &g_array_index (list, Sample, i);

      sum.flops += sample->flops;
      sum.bytes += sample->bytes;
      sum.seconds += sample->seconds;
    }
  if (MAX (sum.flops, sum.bytes) > 0)
    {
      double rate = peak[sum.flops > 0 ? 0 : 1];

      fixed = fit_fixed (list, sum.flops > 0, rate > 0 ? 1 / rate : 0);
      sum.seconds -= fixed * (double) list->len;
    }
  else
    {
      fixed = sum.seconds / (double) list->len;
      sum.seconds = 0;
    }
  armilla_node_model_print_rate (text, name, fixed, sum.flops, sum.bytes, sum.seconds);
}

static void
append_groups (GString *text, const Measured *m)
{
  for (gsize k = 0; k < N_GROUPS; k++)
    {
      g_autoptr (GList) names
        = g_list_sort (g_hash_table_get_keys (m->samples[k]), (GCompareFunc) strcmp);

      if (names != NULL)
        g_string_append_printf (text, "[%s]\n", groups[k].group);
      for (GList *i = names; i != NULL; i = i->next)
        append_rate (text, i->data, g_hash_table_lookup (m->samples[k], i->data),
                     m->peak[strcmp (groups[k].group, "cuda") == 0]);
    }
}

static void
append_machine (GString *text, const Measured *m)
{
  g_string_append_printf (text, "[node]\nworkers = %d\n", MAX (m->workers, 1));
  if (m->gpus > 0)
    g_string_append_printf (text, "gpus = %d\n", m->gpus);
  if (m->cores > 0)
    g_string_append_printf (text, "cores = %.0f\n", m->cores);
  if (m->memory > 0)
    g_string_append_printf (text, "memory = %.0f B\n", m->memory);
  if (m->gpus > 0 && m->gpu_memory > 0)
    g_string_append_printf (text, "gpu-memory = %.0f B\n", m->gpu_memory);
  g_string_append (text, NETWORK);
  if (m->gpus > 0 && m->device > 0)
    g_string_append_printf (text, "device = %.4g GB/s\n", 1e-9 * m->device);
  g_string_append_printf (text, "[starpu]\nown = %.3g us\nother = %.3g us\ntask = %.3g us\n",
                          usual (m->own, OWN), OTHER, usual (m->task, TASK));
  if (m->start > 0)
    g_string_append_printf (text, "start = %.4g us\n", 1e6 * m->start);
  for (int i = 0; i < (m->gpus > 0 ? 2 : 1); i++)
    if (m->peak[0][0] > 0 && m->peak[i][0] > 0)
      g_string_append_printf (text, "%s%s-flops = %.4g Gflop/s\n%s-bytes = %.4g GB/s\n",
                              i == 0 ? "[peaks]\n" : "", i == 0 ? "core" : "gpu",
                              1e-9 * m->peak[i][0], i == 0 ? "core" : "gpu",
                              1e-9 * m->peak[i][1]);
}

/* Returns a node file, for armilla_node_model_read (), of the traces' machine. */
char *
armilla_measure_rates (char *const *traces, GError **error)
{
  Measured m = { .own = g_array_new (FALSE, FALSE, sizeof (double)),
                 .task = g_array_new (FALSE, FALSE, sizeof (double)) };
  GString *text = g_string_new ("# By armilla plan --measure, from");
  gboolean ok = TRUE;

  for (gsize k = 0; k < N_GROUPS; k++)
    m.samples[k] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) g_array_unref);
  for (; ok && *traces != NULL; traces++)
    {
      g_autoptr (ArmillaTraceFile) file = armilla_trace_file_read (*traces, error);
      g_autofree char *name = g_path_get_basename (*traces);

      ok = file != NULL;
      g_string_append_printf (text, " %s", g_strdelimit (name, "\r\n", '?'));
      if (ok)
        add_file (&m, file);
    }
  g_string_append_c (text, '\n');
  append_machine (text, &m);
  append_groups (text, &m);
  for (gsize k = 0; k < N_GROUPS; k++)
    g_hash_table_unref (m.samples[k]);
  g_array_unref (m.own);
  g_array_unref (m.task);
  return g_string_free (text, !ok);
}
