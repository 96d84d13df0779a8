/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements armilla tune: supplies the search with transforms, and measures convolutions. */
#include "config.h"

#include "core/base/memory.h"
#include "tasks/benchmark/benchmark.h"
#include "tasks/benchmark/tune-search.h"
#include "tasks/benchmark/tune.h"
#include "tasks/convolution/convolve-plan.h"
#include "tasks/runtime/runtime.h"
#include "tasks/tuning/tuning-file.h"

#define CONVOLUTIONS 3 /* number of convolutions of each kind; the fastest counts */
/* calls after which StarPU knows the durations of tasks on each kind of worker */
#define LEARNING_CALLS 4

typedef struct {
  ArmillaRuntime *runtime;
  const ArmillaTuneOptions *options;
  gint64 begin, end;       /* begin and scheduled end of the tuning, us of the monotonic clock */
  ArmillaTuneClass klass;
  ArmillaGrid *grid;
  ArmillaTuning *found;
  GString *report;
} Tuner;

/* Transforms that are timed together: one per requested direction. */
typedef struct {
  ArmillaBenchmark *forth, *back;
} Transforms;

static void
transforms_free (gpointer data)
{
  Transforms *self = data;

  g_clear_pointer (&self->forth, armilla_benchmark_free);
  g_clear_pointer (&self->back, armilla_benchmark_free);
  g_free (self);
}

static gboolean
transforms_call (gpointer data, double *seconds, GError **error)
{
  const Transforms *self = data;
  double forth = 0, back = 0;

  if ((self->forth && !armilla_benchmark_call (self->forth, &forth, error))
      || (self->back && !armilla_benchmark_call (self->back, &back, error)))
    return FALSE;
  *seconds = forth + back;
  return TRUE;
}

static gpointer
transforms_new (gpointer user, ArmillaTransforms which, ArmillaTuning *tuning, GError **error)
{
  const Tuner *tuner = user;
  ArmillaBenchmarkCase what = { .grid = tuner->grid,
                                .layout = { tuner->klass.size, tuner->klass.size },
                                .batch = (int) tuner->klass.batch };
  Transforms *self = g_new0 (Transforms, 1);
  int calls = g_str_equal (tuner->klass.workers, "both") ? LEARNING_CALLS : 0;
  double seconds;
  gboolean ok = TRUE;

  armilla_runtime_set_tuning (tuner->runtime, tuning, tuner->klass.workers);
  if (which & ARMILLA_TRANSFORMS_SYNTHESIS)
    ok = (self->forth = armilla_benchmark_new (tuner->runtime, &what, error)) != NULL;
  what.analysis = TRUE;
  if (ok && which & ARMILLA_TRANSFORMS_ANALYSIS)
    ok = (self->back = armilla_benchmark_new (tuner->runtime, &what, error)) != NULL;
  for (int i = 0; ok && i < calls; i++)
    ok = transforms_call (self, &seconds, error);
  if (!ok)
    g_clear_pointer (&self, transforms_free);
  return self;
}

static gint64
now (gpointer user)
{
  (void) user;
  return g_get_monotonic_time ();
}

static void
tell (gpointer user, ArmillaTransforms which, const ArmillaTuneChoice *choice)
{
  static const char *const names[]
    = { "convolutions", "alm2map, ", "map2alm, ", "both in one graph, " };
  const Tuner *tuner = user;
  g_autofree char *text = choice ? armilla_tune_choice_text (choice) : NULL;
  g_autofree char *line = g_strdup_printf ("lmax %" G_GINT64_FORMAT ": %s%s", tuner->klass.size,
                                           names[which], text     ? text
                                                         : choice ? "defaults"
                                                                  : "");
  double since = (double) (g_get_monotonic_time () - tuner->begin);

  if (tuner->options->progress)
    tuner->options->progress (tuner->options->user,
                              MIN (since / MAX ((double) (tuner->end - tuner->begin), 1), 1),
                              line);
}

static gboolean
best_time (ArmillaBenchmark *benchmark, double *best, GError **error)
{
  *best = G_MAXDOUBLE;
  for (int i = 0; i < CONVOLUTIONS; i++)
    {
      double seconds;

      if (!armilla_benchmark_call (benchmark, &seconds, error))
        return FALSE;
      *best = MIN (*best, seconds);
    }
  return TRUE;
}

static gint64
percent (double seconds, double predicted)
{
  return (gint64) CLAMP (100 * seconds / predicted + 0.5, 1, 1e6);
}

/* Measures both methods of convolution relative to the predicted times, for a narrow Gaussian. */
static gboolean
measure_convolution (Tuner *tuner, ArmillaTuneChoice *choice, GError **error)
{
  const gint64 nside = tuner->grid->nside;
  g_autoptr (ArmillaKernel) kernel = NULL;
  g_autoptr (ArmillaBenchmark) ring = NULL, harmonic = NULL;
  ArmillaBenchmarkCase what = { .grid = tuner->grid, .batch = 1, .resident = TRUE };
  ArmillaConvolution both
    = { .ring = { .accuracy = 1e-4, .anti_ringing = TRUE, .kernel_shift = TRUE }, .lmax = -1 };
  ArmillaConvolvePrediction predicted;
  double of_ring, of_harmonic;

  if (nside < 8)
    return TRUE;
  kernel = armilla_kernel_new_gaussian (5.1 / (double) nside, error);
  if (!kernel)
    return FALSE;
  armilla_convolution_settle (&both, tuner->grid, kernel, NULL, 0);
  armilla_runtime_set_tuning (tuner->runtime, tuner->found, tuner->klass.workers);
  what.kernel = kernel;
  what.layout = (ArmillaAlmLayout) { both.lmax, both.lmax };
  harmonic = armilla_benchmark_new (tuner->runtime, &what, error);
  what.convolution = both.ring;
  ring = harmonic ? armilla_benchmark_new (tuner->runtime, &what, error) : NULL;
  if (!ring || !best_time (harmonic, &of_harmonic, error) || !best_time (ring, &of_ring, error))
    return FALSE;
  predicted = armilla_convolve_predict (
    armilla_benchmark_graph (ring),
    armilla_graph_ring_blocks (armilla_benchmark_graph (ring), tuner->grid, 1, NULL), kernel, &both,
    1);
  choice->value[ARMILLA_TUNE_CONVOLVE_RING] = percent (of_ring, predicted.ring);
  choice->value[ARMILLA_TUNE_CONVOLVE_HARMONIC] = percent (of_harmonic, predicted.harmonic);
  return TRUE;
}

/* Adds the measured ratios to the choices. */
static void
keep_convolution (Tuner *tuner, const ArmillaTuneChoice *measured)
{
  ArmillaTuneChoice choice;

  if (measured->value[ARMILLA_TUNE_CONVOLVE_RING] == 0)
    return;
  for (int p = 0; p < ARMILLA_TUNE_COUNT; p++)
    choice.value[p] = measured->value[p] > 0
                        ? measured->value[p]
                        : armilla_tuning_get (tuner->found, tuner->klass, p);
  armilla_tuning_set (tuner->found, tuner->klass, &choice);
  g_string_append_printf (tuner->report,
                          "lmax %" G_GINT64_FORMAT ": convolutions take %.2f of the predicted time "
                          "by rings, %.2f through a_lm\n",
                          tuner->klass.size,
                          0.01 * (double) measured->value[ARMILLA_TUNE_CONVOLVE_RING],
                          0.01 * (double) measured->value[ARMILLA_TUNE_CONVOLVE_HARMONIC]);
}

/* Returns whether two trials fit into memory, each with input and result of both directions. */
static gboolean
fits_memory (gint64 size, gint64 batch)
{
  double pixels = 3.0 * (double) size * (double) size, alm = (double) size * (double) size / 2;

  return 4 * (8 * pixels + 16 * alm) * (double) batch < armilla_memory_installed () / 2;
}

static gboolean
tune_batch (Tuner *tuner, gint64 batch, gint64 due, GError **error)
{
  const ArmillaTuneTimer timer
    = { transforms_new, transforms_call, transforms_free, now, tell, tuner };

  tuner->klass.batch = batch;
  if (fits_memory (tuner->klass.size, batch))
    return armilla_tune_search (&timer, tuner->klass, due, tuner->found, tuner->report, error);
  g_string_append_printf (tuner->report,
                          "lmax %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                          " maps: not enough memory\n",
                          tuner->klass.size, batch);
  return TRUE;
}

static gboolean
tune_size (Tuner *tuner, gint64 size, gint64 due, GError **error)
{
  static const gint64 one = 1;
  const int n = MAX (tuner->options->n_batches, 1);
  const gint64 *batches = tuner->options->n_batches > 0 ? tuner->options->batches : &one;
  ArmillaTuneChoice convolution = { { 0 } };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (MAX (size / 2, 1), error);

  if (!grid)
    return FALSE;
  tuner->klass = (ArmillaTuneClass) { armilla_tuning_workers (), size, 1, ARMILLA_TRANSFORMS_NONE };
  tuner->grid = grid;
  tell (tuner, ARMILLA_TRANSFORMS_NONE, NULL);
  if (!measure_convolution (tuner, &convolution, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      gint64 start = g_get_monotonic_time ();

      if (!tune_batch (tuner, batches[i], start + (due - start) / (n - i), error))
        return FALSE;
    }
  tuner->klass.batch = 1;
  keep_convolution (tuner, &convolution);
  return TRUE;
}

/* Tunes all sizes; each gets twice the time of the preceding one. */
static gboolean
tune_sizes (Tuner *tuner, GError **error)
{
  const ArmillaTuneOptions *options = tuner->options;

  for (int i = 0; i < options->n_sizes; i++)
    {
      gint64 start = g_get_monotonic_time ();
      double shares = (double) ((G_GINT64_CONSTANT (1) << (options->n_sizes - i)) - 1);
      gint64 due = start + (gint64) ((double) MAX (tuner->end - start, 0) / shares);

      if (i > 0 && start > tuner->end)
        g_string_append_printf (tuner->report, "lmax %" G_GINT64_FORMAT ": no time left\n",
                                options->sizes[i]);
      else if (!fits_memory (options->sizes[i], 1))
        g_string_append_printf (tuner->report, "lmax %" G_GINT64_FORMAT ": not enough memory\n",
                                options->sizes[i]);
      else if (!tune_size (tuner, options->sizes[i], due, error))
        return FALSE;
    }
  return TRUE;
}

/* Times transforms with parameters other than the defaults, and saves the faster ones in the file
 * armilla_tuning_path(), together with earlier results for other sizes and workers. The file is
 * unchanged if tuning fails or is interrupted. Returns whether a file was written. @report:
 * results, a line per size (may be NULL). */
gboolean
armilla_runtime_tune (ArmillaRuntime *runtime, const ArmillaTuneOptions *options, char **report,
                      GError **error)
{
  Tuner tuner = { .runtime = runtime, .options = options, .begin = g_get_monotonic_time () };
  g_autofree char *path = armilla_tuning_path ();
  g_autofree char *remark = NULL;
  gboolean ok;

  *report = NULL;
  if (armilla_runtime_n_ranks (runtime) > 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "tuning requires a single rank; start it without mpirun");
  if (!armilla_runtime_load_tuning (runtime, &remark, error))
    return FALSE;
  tuner.end = tuner.begin + (gint64) (options->seconds * G_USEC_PER_SEC);
  tuner.found = armilla_tuning_copy (runtime->tuning);
  tuner.report = g_string_new (NULL);
  ok = tune_sizes (&tuner, error) && armilla_tuning_save (tuner.found, path, error);
  armilla_runtime_set_tuning (runtime, NULL, runtime->tuning_workers);
  if (ok)
    *report = g_string_free (g_steal_pointer (&tuner.report), FALSE);
  else
    g_string_free (tuner.report, TRUE);
  armilla_tuning_unref (tuner.found);
  return ok;
}
