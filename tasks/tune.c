/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for what is fast on this machine: one parameter after the other, each candidate in
 * turn with the best so far, call by call, so that what else the machine does meets both alike. */
#include "config.h"

#include <armilla/benchmark.h>
#include <armilla/tuning.h>
#include <unistd.h>

#include "tasks/blocks.h"
#include "tasks/convolve-plan.h"
#include "tasks/runtime-private.h"
#include "tasks/tuning-file.h"

#define FEWEST_ROUNDS 3
#define MOST_ROUNDS 9
#define ROUNDS_SECONDS 1.5 /* of a comparison, where that allows for more than the fewest rounds */
#define HOPELESS 1.15      /* slower than this in the first round: no second one */
#define WORTH_MOVING 0.98  /* times beyond this share are noise */
#define WORTH_KEEPING 0.97 /* of the defaults' time, in the end */
/* Calls that StarPU needs to learn how long tasks take on each kind of worker. */
#define LEARNING_CALLS 4

typedef struct {
  ArmillaRuntime *runtime;
  const ArmillaTuneOptions *options;
  gint64 begin, end;       /* of all, in microseconds */
  gint64 due;              /* end of what is tried now */
  ArmillaTuneClass klass;
  ArmillaGrid *grid;
  ArmillaTuning *found;
  GString *report;
} Tuner;

/* Both directions with one choice. */
typedef struct {
  ArmillaTuneChoice choice;
  ArmillaBenchmark *forth, *back;
} Trial;

static void
trial_free (Trial *trial)
{
  g_clear_pointer (&trial->forth, armilla_benchmark_free);
  g_clear_pointer (&trial->back, armilla_benchmark_free);
  g_free (trial);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Trial, trial_free)

static gboolean
trial_call (Trial *trial, double *seconds, GError **error)
{
  double back;

  if (!armilla_benchmark_call (trial->forth, seconds, error)
      || !armilla_benchmark_call (trial->back, &back, error))
    return FALSE;
  *seconds += back;
  return TRUE;
}

static Trial *
trial_new (Tuner *tuner, const ArmillaTuneChoice *choice, GError **error)
{
  ArmillaBenchmarkCase what = { .grid = tuner->grid,
                                .layout = { tuner->klass.size, tuner->klass.size },
                                .batch = (int) tuner->klass.batch };
  g_autoptr (ArmillaTuning) tuning = armilla_tuning_copy (tuner->found);
  g_autoptr (Trial) trial = g_new0 (Trial, 1);
  int calls = g_str_equal (tuner->klass.workers, "both") ? LEARNING_CALLS : 0;
  double seconds;

  trial->choice = *choice;
  armilla_tuning_set (tuning, tuner->klass, choice);
  armilla_runtime_set_tuning (tuner->runtime, tuning, tuner->klass.workers);
  trial->forth = armilla_benchmark_new (tuner->runtime, &what, error);
  what.analysis = TRUE;
  if (trial->forth)
    trial->back = armilla_benchmark_new (tuner->runtime, &what, error);
  if (!trial->back)
    return NULL;
  for (int i = 0; i < calls; i++)
    if (!trial_call (trial, &seconds, error))
      return NULL;
  return g_steal_pointer (&trial);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* @ratio: the median of b's time in a's. A challenger @b that is hopeless gets one round only. */
static gboolean
compare (Trial *a, Trial *b, gboolean give_up, double *ratio, GError **error)
{
  g_autoptr (GArray) ratios = g_array_new (FALSE, FALSE, sizeof (double));
  double spent = 0;

  while (ratios->len < FEWEST_ROUNDS || (spent < ROUNDS_SECONDS && ratios->len < MOST_ROUNDS))
    {
      double of_a, of_b;

      if (!trial_call (a, &of_a, error) || !trial_call (b, &of_b, error))
        return FALSE;
      spent += of_a + of_b;
      of_b /= MAX (of_a, 1e-6); /* the clock's grain */
      g_array_append_val (ratios, of_b);
      if (give_up && of_b > HOPELESS)
        break;
    }
  g_array_sort (ratios, compare_doubles);
  *ratio = g_array_index (ratios, double, ratios->len / 2);
  return TRUE;
}

static char *
choice_text (const ArmillaTuneChoice *choice)
{
  GString *text = g_string_new (NULL);

  for (int p = 0; p < ARMILLA_TUNE_COUNT; p++)
    if (choice->value[p] > 0)
      g_string_append_printf (text, "%s%s = %" G_GINT64_FORMAT, text->len ? ", " : "",
                              armilla_tune_parameter (p)->key, choice->value[p]);
  return g_string_free (text, text->len == 0);
}

static void
tell (const Tuner *tuner, const ArmillaTuneChoice *choice)
{
  g_autofree char *text = choice_text (choice);
  g_autofree char *line = g_strdup_printf ("lmax %" G_GINT64_FORMAT ": %s", tuner->klass.size,
                                           text ? text : "defaults");
  double now = (double) (g_get_monotonic_time () - tuner->begin);

  if (tuner->options->progress)
    tuner->options->progress (tuner->options->user,
                              MIN (now / MAX ((double) (tuner->end - tuner->begin), 1), 1), line);
}

/* *@best becomes @choice where that is faster. */
static gboolean
challenge (Tuner *tuner, Trial **best, const ArmillaTuneChoice *choice, GError **error)
{
  g_autoptr (Trial) trial = NULL;
  double ratio;

  tell (tuner, choice);
  trial = trial_new (tuner, choice, error);
  if (!trial || !compare (*best, trial, TRUE, &ratio, error))
    return FALSE;
  if (ratio < WORTH_MOVING)
    {
      Trial *loser = *best;

      *best = g_steal_pointer (&trial);
      trial = loser;
    }
  return TRUE;
}

static gboolean
search_parameter (Tuner *tuner, ArmillaTuneName name, Trial **best, GError **error)
{
  const ArmillaTuneParameter *parameter = armilla_tune_parameter (name);

  for (int i = 0; i < ARMILLA_TUNE_CANDIDATES && parameter->candidates[i] > 0; i++)
    {
      ArmillaTuneChoice choice = (*best)->choice;

      /* larger ones all mean the same: one tile */
      if (parameter->candidates[i] > tuner->klass.size || g_get_monotonic_time () > tuner->due)
        break;
      choice.value[name] = parameter->candidates[i];
      if (!challenge (tuner, best, &choice, error))
        return FALSE;
    }
  return TRUE;
}

/* Takes what was found if it is still better when compared with the defaults again. */
static gboolean
conclude (Tuner *tuner, Trial *best, GError **error)
{
  ArmillaTuneChoice choice = { { 0 } };
  g_autofree char *text = choice_text (&best->choice);
  double ratio = 1;

  if (text)
    {
      g_autoptr (Trial) defaults = trial_new (tuner, &choice, error);

      if (!defaults || !compare (defaults, best, FALSE, &ratio, error))
        return FALSE;
      if (ratio < WORTH_KEEPING)
        choice = best->choice;
      else
        g_clear_pointer (&text, g_free);
    }
  armilla_tuning_set (tuner->found, tuner->klass, &choice);
  if (text)
    g_string_append_printf (tuner->report,
                            "lmax %" G_GINT64_FORMAT ": %s; %.2f times as fast as the defaults\n",
                            tuner->klass.size, text, 1 / ratio);
  else
    g_string_append_printf (tuner->report,
                            "lmax %" G_GINT64_FORMAT ": nothing is better than the defaults\n",
                            tuner->klass.size);
  return TRUE;
}

/* Least time of a few calls. */
static gboolean
best_time (ArmillaBenchmark *benchmark, double *best, GError **error)
{
  *best = G_MAXDOUBLE;
  for (int i = 0; i < FEWEST_ROUNDS; i++)
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

/* How long both ways to convolve take, in the predicted time: with a Gaussian of five pixels. */
static gboolean
measure_convolution (Tuner *tuner, ArmillaTuneChoice *choice, GError **error)
{
  const gint64 nside = tuner->grid->nside;
  g_autoptr (ArmillaKernel) kernel = NULL;
  g_autoptr (ArmillaBenchmark) ring = NULL, harmonic = NULL;
  ArmillaBenchmarkCase what = { .grid = tuner->grid, .batch = 1, .resident = TRUE };
  ArmillaConvolution both
    = { .ring = { .accuracy = 1e-4, .anti_ringing = TRUE, .kernel_shift = TRUE } };
  ArmillaConvolvePrediction predicted;
  double of_ring, of_harmonic;

  if (nside < 8)
    return TRUE;
  kernel = armilla_kernel_new_gaussian (5.1 / (double) nside, error);
  if (!kernel)
    return FALSE;
  both.lmax = armilla_kernel_band_limit (kernel, 1e-5, 4 * nside);
  both.ring.cut = armilla_kernel_choose_cut (kernel, 5e-6, NULL, 4 * nside, &both.truncation);
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

/* Adds that to what was found. */
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
                          "by rings, %.2f by way of a_lm\n",
                          tuner->klass.size,
                          0.01 * (double) measured->value[ARMILLA_TUNE_CONVOLVE_RING],
                          0.01 * (double) measured->value[ARMILLA_TUNE_CONVOLVE_HARMONIC]);
}

/* Two trials at once, each with the input and the result of both directions. */
static gboolean
fits_memory (gint64 size)
{
  double pixels = 3.0 * (double) size * (double) size, alm = (double) size * (double) size / 2;
  double bytes = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGE_SIZE);

  return 4 * (8 * pixels + 16 * alm) < bytes / 2;
}

static gboolean
tune_size (Tuner *tuner, gint64 size, GError **error)
{
  ArmillaTuneChoice defaults = { { 0 } }, convolution = { { 0 } };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (MAX (size / 2, 1), error);
  Trial *best;
  gboolean ok = TRUE;

  if (!grid)
    return FALSE;
  tuner->klass = (ArmillaTuneClass) { armilla_tuning_workers (), size, 1 };
  tuner->grid = grid;
  tell (tuner, &defaults);
  if (!measure_convolution (tuner, &convolution, error))
    return FALSE;
  best = trial_new (tuner, &defaults, error);
  if (!best)
    return FALSE;
  for (int p = 0; ok && p < ARMILLA_TUNE_COUNT; p++)
    ok = search_parameter (tuner, p, &best, error);
  ok = ok && conclude (tuner, best, error);
  trial_free (best);
  if (ok)
    keep_convolution (tuner, &convolution);
  return ok;
}

/* Each size gets twice the time of the one before. */
static gboolean
tune_sizes (Tuner *tuner, GError **error)
{
  const ArmillaTuneOptions *options = tuner->options;

  for (int i = 0; i < options->n_sizes; i++)
    {
      gint64 now = g_get_monotonic_time ();
      double shares = (double) ((G_GINT64_CONSTANT (1) << (options->n_sizes - i)) - 1);

      if (i > 0 && now > tuner->end)
        g_string_append_printf (tuner->report, "lmax %" G_GINT64_FORMAT ": no time left\n",
                                options->sizes[i]);
      else if (!fits_memory (options->sizes[i]))
        g_string_append_printf (tuner->report, "lmax %" G_GINT64_FORMAT ": not enough memory\n",
                                options->sizes[i]);
      else
        {
          tuner->due = now + (gint64) ((double) MAX (tuner->end - now, 0) / shares);
          if (!tune_size (tuner, options->sizes[i], error))
            return FALSE;
        }
    }
  return TRUE;
}

/**
 * armilla_runtime_tune:
 * @runtime: a runtime of one rank
 * @options: what to try
 * @report: (out) (transfer full) (nullable): what was found, a line for each size
 * @error: return location
 *
 * Times transforms with other choices than the defaults, and keeps what is faster in the file that
 * armilla_runtime_tuning_path() names, together with what was found earlier for other sizes and
 * workers. The file stays as it was when this fails or is interrupted. Where the runtime was
 * started with STARPU_CALIBRATE set, StarPU's models learn by the way.
 *
 * Returns: whether a file was written
 */
gboolean
armilla_runtime_tune (ArmillaRuntime *runtime, const ArmillaTuneOptions *options, char **report,
                      GError **error)
{
  Tuner tuner = { .runtime = runtime, .options = options, .begin = g_get_monotonic_time () };
  g_autofree char *path = armilla_runtime_tuning_path (runtime);
  g_autofree char *remark = NULL;
  gboolean ok;

  *report = NULL;
  if (armilla_runtime_n_ranks (runtime) > 1)
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                           "tuning is for one rank; start it without mpirun");
      return FALSE;
    }
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
