/* SPDX-License-Identifier: GPL-3.0-or-later */
/* StarPU asks for the expected time of a task on each worker whenever it schedules one. The cost of
 * a task is computed once, at submission, and stored with it; this file converts it to seconds. No
 * calibration runs are needed: for a codelet that was never measured on this machine, the share of
 * the peak measured on the developers' machines is assumed. */
#include "config.h"

#include "codelets/common/rates.h"

/* overhead of scheduler and driver per task, s; on a GPU including a few kernel launches */
static const double fixed[ARMILLA_KINDS] = { 5e-6, 35e-6 };
/* default for codelets without a declared share of the peak */
#define UNKNOWN_SHARE 0.4
/* peaks assumed without measurement: a core and a GPU of 2022; only their ratio matters */
#define NOMINAL { { 50e9, 15e9 }, { 10e12, 1.5e12 } }
/* The default share has the weight of measured tasks that take this many seconds at the peak. */
#define PRIOR 2e-3
/* Older measurements lose weight once tasks that take this many seconds at the peak were
 * measured. */
#define MEMORY 0.5

struct _ArmillaRecord {
  ArmillaMeasuredRate rate;
  double share[ARMILLA_KINDS]; /* atomic: read by the scheduler, in any thread; 0: not measured */
};

typedef struct {
  double flops, bytes;
} Peak;

static Peak peaks[ARMILLA_KINDS] = NOMINAL;
static GMutex lock;         /* guards the variables below and the measurements of all records */
static GHashTable *records; /* symbol -> struct _ArmillaRecord; never freed, as codelets point to
                             * them */
static int slow_gpu = 1;

static double
read_atomic (const double *value)
{
  double result;

  __atomic_load (value, &result, __ATOMIC_RELAXED);
  return result;
}

static void
write_atomic (double *value, double wanted)
{
  __atomic_store (value, &wanted, __ATOMIC_RELAXED);
}

/* Returns the performance model of a codelet; NULL unless the macros of this version made it. */
static ArmillaCodeletModel *
model_of (const struct starpu_codelet *cl)
{
  return cl->model && cl->model->arch_cost_function == armilla_codelet_expected
           ? (ArmillaCodeletModel *) cl->model
           : NULL;
}

/* Returns the seconds that the work takes at the peak. */
static double
ideal_seconds (ArmillaKind kind, ArmillaCost cost)
{
  return MAX (cost.flops / peaks[kind].flops, cost.bytes / peaks[kind].bytes);
}

/* Returns the cost that was attached to the task at submission. */
static ArmillaCost
cost_of (const struct starpu_task *task)
{
  return (ArmillaCost) { task->flops, (double) GPOINTER_TO_SIZE (task->sched_data) };
}

static double
default_share (const ArmillaCodeletModel *model, ArmillaKind kind)
{
  const double said = kind == ARMILLA_KIND_CORE ? model->core_share : model->gpu_share;

  return said > 0 ? said : UNKNOWN_SHARE;
}

static double
model_seconds (const ArmillaCodeletModel *model, ArmillaKind kind, ArmillaCost cost)
{
  const double measured = model->record ? read_atomic (&model->record->share[kind]) : 0;
  const double share = measured > 0 ? measured : default_share (model, kind);

  return fixed[kind] + ideal_seconds (kind, cost) / share;
}

/* Returns the record of a codelet, creating it if needed. The caller holds the lock. */
static struct _ArmillaRecord *
find_record (const char *symbol)
{
  struct _ArmillaRecord *record;

  if (!records)
    records = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  record = g_hash_table_lookup (records, symbol);
  if (!record)
    {
      record = g_new0 (struct _ArmillaRecord, 1);
      g_hash_table_insert (records, g_strdup (symbol), record);
    }
  return record;
}

/* Sets the share of the peak of a record from its measurements and the default @fallback. The
 * caller holds the lock. */
static void
find_share (struct _ArmillaRecord *record, ArmillaKind kind, double fallback)
{
  const double ideal = record->rate.ideal[kind], took = record->rate.took[kind];

  if (ideal > 0)
    write_atomic (&record->share[kind], (ideal + PRIOR) / (took + PRIOR / fallback));
}

/* Sets the peaks per core and per GPU from which times are estimated. Call it while no task runs.
 * Values that are not positive are ignored. */
void
armilla_rates_set_peaks (double core_flops, double core_bytes, double gpu_flops, double gpu_bytes)
{
  if (core_flops > 0 && core_bytes > 0)
    peaks[ARMILLA_KIND_CORE] = (Peak) { core_flops, core_bytes };
  if (gpu_flops > 0 && gpu_bytes > 0)
    peaks[ARMILLA_KIND_GPU] = (Peak) { gpu_flops, gpu_bytes };
}

#ifdef HAVE_CUDA
/* Replaces the CUDA function of a codelet in tests: runs it, then delays the stream until a GPU
 * with the slower peaks would have finished. */
static void
run_slowly (void *buffers[], void *args)
{
  const struct starpu_task *task = starpu_task_get_current ();
  const ArmillaCodeletModel *model = model_of (task->cl);
  const double seconds = ideal_seconds (ARMILLA_KIND_GPU, cost_of (task))
                         / default_share (model, ARMILLA_KIND_GPU);

  model->gpu_function (buffers, args);
  if (armilla_slow_gpu_wait (starpu_cuda_get_local_stream (), seconds * (slow_gpu - 1) / slow_gpu)
      != 0)
    g_warning ("cannot delay the task of a simulated slow GPU: CUDA error");
}
#endif

/* For tests of unequal workers in CUDA builds: GPUs behave as if they were times slower than the
 * peaks of armilla_rates_set_peaks (). Applies to codelets prepared later. */
void
armilla_rates_set_slow_gpu (int times)
{
  slow_gpu = times;
}

/* Looks up earlier measurements of a codelet before its first task is submitted. */
void
armilla_rates_prepare (ArmillaCodelet *codelet)
{
  ArmillaCodeletModel *model = model_of (&codelet->cl);

  if (!model || g_atomic_pointer_get (&model->record))
    return;
  g_mutex_lock (&lock);
  if (!model->record)
    {
      struct _ArmillaRecord *record = find_record (model->model.symbol);

      for (int kind = 0; kind < ARMILLA_KINDS; kind++)
        find_share (record, kind, default_share (model, kind));
#ifdef HAVE_CUDA
      if (slow_gpu > 1 && codelet->cl.cuda_funcs[0])
        {
          model->gpu_function = codelet->cl.cuda_funcs[0];
          codelet->cl.cuda_funcs[0] = run_slowly;
        }
#endif
      g_atomic_pointer_set (&model->record, record);
    }
  g_mutex_unlock (&lock);
}

/* Returns the seconds that a task of this cost is expected to take on a worker of this kind. */
double
armilla_rates_seconds (const ArmillaCodelet *codelet, ArmillaKind kind, ArmillaCost cost)
{
  const ArmillaCodeletModel *model = model_of (&codelet->cl);

  return model ? model_seconds (model, kind, cost)
               : fixed[kind] + ideal_seconds (kind, cost) / UNKNOWN_SHARE;
}

double
armilla_codelet_expected (struct starpu_task *task, struct starpu_perfmodel_arch *worker,
                          unsigned implementation)
{
  const ArmillaKind kind = worker->devices[0].type == STARPU_CPU_WORKER
                             ? ARMILLA_KIND_CORE
                             : ARMILLA_KIND_GPU;

  (void) implementation;
  return 1e6
         * model_seconds ((const ArmillaCodeletModel *) task->cl->model, kind, cost_of (task));
}

/* Updates the expected share of the peak from a measured task of a prepared codelet.
 * Thread-safe. */
void
armilla_rates_measured (ArmillaCodelet *codelet, ArmillaKind kind, ArmillaCost cost,
                        double seconds)
{
  const ArmillaCodeletModel *model = model_of (&codelet->cl);
  const double ideal = ideal_seconds (kind, cost);
  struct _ArmillaRecord *record;

  if (!model || !model->record || !(ideal > 0))
    return;
  record = model->record;
  g_mutex_lock (&lock);
  if (record->rate.ideal[kind] > MEMORY)
    {
      record->rate.ideal[kind] /= 2;
      record->rate.took[kind] /= 2;
    }
  record->rate.ideal[kind] += ideal;
  /* If the clock is too coarse for the task, its time must not become 0. */
  record->rate.took[kind] += MAX (seconds - fixed[kind], ideal / 4);
  find_share (record, kind, default_share (model, kind));
  g_mutex_unlock (&lock);
}

/* Sets the rate that an earlier run measured; used for codelets prepared later. */
void
armilla_rates_put (const char *symbol, const ArmillaMeasuredRate *rate)
{
  g_mutex_lock (&lock);
  find_record (symbol)->rate = *rate;
  g_mutex_unlock (&lock);
}

void
armilla_rates_each (ArmillaRateVisit visit, gpointer user)
{
  GHashTableIter iter;
  gpointer symbol, record;

  g_mutex_lock (&lock);
  if (records)
    {
      g_hash_table_iter_init (&iter, records);
      while (g_hash_table_iter_next (&iter, &symbol, &record))
        visit (symbol, &((struct _ArmillaRecord *) record)->rate, user);
    }
  g_mutex_unlock (&lock);
}
