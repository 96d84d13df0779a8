/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "workflows/program/commands.h"

#include <stdio.h>
#include <string.h>

#include "core/base/compare.h"
#include "core/fits/fields.h"
#include "core/grids/grid.h"
#include "core/kernels/kernel.h"
#include "tasks/benchmark/benchmark.h"
#include "tasks/graph/graph.h"
#include "tasks/runtime/share.h"
#include "tasks/runtime/runtime.h"
#include "tasks/trace/trace.h"
#include "workflows/text/problems.h"

#define DEFAULT_REPEATS 7
#define MAX_REPEATS 1000000

typedef struct {
  char *grid;
  gint64 nside, lmax, rings, longitudes, ring_block, m_blocks;
  int batch, threads, gpus, repeats;
  double theta_min, theta_max;
  gboolean resident, no_tuning, no_interpolation, step, json;
  double fwhm, accuracy, tolerance;
  char *spin, *method, *legendre, *table, *trace, *command;
  char **names;
} BenchWords;

static gboolean
parse_bench_words (char **words, BenchWords *bench)
{
  const GOptionEntry entries[] = {
    { "grid", 0, 0, G_OPTION_ARG_STRING, &bench->grid,
      "healpix (the default), gauss, or equiangular (Clenshaw-Curtis)", "KIND" },
    { "nside", 0, 0, G_OPTION_ARG_INT64, &bench->nside, "resolution of the HEALPix grid", "N" },
    { "lmax", 0, 0, G_OPTION_ARG_INT64, &bench->lmax, "highest multipole (HEALPix: 2 nside)", "N" },
    { "rings", 0, 0, G_OPTION_ARG_INT64, &bench->rings,
      "number of rings of the other grids (gauss: lmax + 1, equiangular: 2 lmax + 1)", "N" },
    { "longitudes", 0, 0, G_OPTION_ARG_INT64, &bench->longitudes,
      "pixels per ring of the other grids (2 lmax + 2)", "N" },
    { "theta-min", 0, 0, G_OPTION_ARG_DOUBLE, &bench->theta_min,
      "rings from this co-latitude on, in degrees (0)", "DEG" },
    { "theta-max", 0, 0, G_OPTION_ARG_DOUBLE, &bench->theta_max,
      "rings up to this co-latitude (180)", "DEG" },
    { "fwhm", 0, 0, G_OPTION_ARG_DOUBLE, &bench->fwhm,
      "convolve: full width of the Gaussian at half maximum, arcmin", "X" },
    { "method", 0, 0, G_OPTION_ARG_STRING, &bench->method,
      "convolve: ring (the default), or harmonic, to the lmax at which b_l becomes negligible",
      "METHOD" },
    { "accuracy", 0, 0, G_OPTION_ARG_DOUBLE, &bench->accuracy,
      "convolve: accuracy, as in the stage (1e-4)", "X" },
    { "batch", 0, 0, G_OPTION_ARG_INT, &bench->batch, "maps transformed together (1)", "N" },
    { "spin", 0, 0, G_OPTION_ARG_STRING, &bench->spin,
      "spins of the fields, separated by commas; above 0 that of a pair: 0,2 for I, Q, U (0)",
      "S" },
    { "legendre", 0, 0, G_OPTION_ARG_STRING, &bench->legendre,
      "method of the sum over multipoles: auto (the default), recurrence, or butterfly", "HOW" },
    { "table", 0, 0, G_OPTION_ARG_FILENAME, &bench->table,
      "file of compressed Legendre matrices; butterfly creates it if it does not exist", "FILE" },
    { "table-tolerance", 0, 0, G_OPTION_ARG_DOUBLE, &bench->tolerance,
      "tolerance of the table, as in the stages (1e-10)", "X" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &bench->threads,
      "CPU workers (as many as StarPU finds)", "N" },
    { "gpus", 0, 0, G_OPTION_ARG_INT, &bench->gpus, "GPUs (as many as StarPU finds)", "N" },
    { "repeats", 0, 0, G_OPTION_ARG_INT, &bench->repeats, "calls that are timed (7)", "N" },
    { "ring-block", 0, 0, G_OPTION_ARG_INT64, &bench->ring_block,
      "ring pairs per block (chosen for the grid)", "N" },
    { "m-blocks", 0, 0, G_OPTION_ARG_INT64, &bench->m_blocks, "m-blocks (chosen for lmax)", "N" },
    { "no-interpolation", 0, 0, G_OPTION_ARG_NONE, &bench->no_interpolation,
      "use the recurrence for every ring", NULL },
    { "resident", 0, 0, G_OPTION_ARG_NONE, &bench->resident,
      "input and result stay in the memory of the worker, such as a GPU's", NULL },
    { "no-tuning", 0, 0, G_OPTION_ARG_NONE, &bench->no_tuning,
      "use defaults instead of the results of armilla tune", NULL },
    { "step", 0, 0, G_OPTION_ARG_NONE, &bench->step,
      "read a line from standard input before each call, and print its seconds at once", NULL },
    { "trace", 0, 0, G_OPTION_ARG_FILENAME, &bench->trace,
      "write a trace of all tasks to FILE.json, for armilla trace; replaces it", "FILE.json" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &bench->json, "print JSON", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  *bench = (BenchWords) { .batch = 1, .threads = -1, .gpus = -1, .repeats = DEFAULT_REPEATS,
                          .theta_max = 180, .accuracy = 1e-4, .tolerance = 1e-10 };
  bench->command = g_strjoinv (" ", words);
  return armilla_parse_words (words, "alm2map|map2alm|convolve",
                              "Times a transform or a convolution: the median of single calls, "
                              "with tables and plans prepared.",
                              entries, 1, 1, &bench->names);
}

#define mistake(error, ...) \
  armilla_fail (error, ARMILLA_ERROR_VALUE, "armilla bench: " __VA_ARGS__)

/* Returns the index of @word among @words; -1 with an error if it is none of them. @what, @plural:
 * name of the option, for the message. */
static int
choose (const char *what, const char *plural, const char *const *words, const char *word,
        GError **error)
{
  g_autofree char *hint = NULL;

  for (int i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], word) == 0)
      return i;
  hint = armilla_suggest_text (word, plural, words);
  return mistake (error, "%s \"%s\"%s", what, word, hint) ? 0 : -1;
}

static gboolean
check_numbers (const BenchWords *bench, GError **error)
{
  const struct {
    const char *name;
    gint64 value, min, max;
  } numbers[] = {
    { "nside", bench->nside, 0, G_GINT64_CONSTANT (1) << 24 },
    { "lmax", bench->lmax, 0, G_GINT64_CONSTANT (1) << 24 },
    { "rings", bench->rings, 0, G_GINT64_CONSTANT (1) << 26 },
    { "longitudes", bench->longitudes, 0, G_GINT64_CONSTANT (1) << 26 },
    { "ring-block", bench->ring_block, 0, 1 << 20 },
    { "m-blocks", bench->m_blocks, 0, 1 << 20 },
    { "batch", bench->batch, 1, 65536 },
    { "threads", bench->threads, -1, 65536 },
    { "gpus", bench->gpus, -1, 65536 },
    { "repeats", bench->repeats, 1, MAX_REPEATS },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i].value < numbers[i].min || numbers[i].value > numbers[i].max)
      return mistake (error,
                      "--%s: %" G_GINT64_FORMAT " is not allowed; %" G_GINT64_FORMAT
                      " to %" G_GINT64_FORMAT " is",
                      numbers[i].name, numbers[i].value, MAX (numbers[i].min, 0),
                      numbers[i].max);
  return TRUE;
}

static gboolean
make_grid (const BenchWords *bench, ArmillaBenchmarkCase *what, GError **error)
{
  static const char *const kinds[] = { "healpix", "gauss", "equiangular", NULL };
  const char *kind = bench->grid != NULL ? bench->grid : kinds[0];
  gboolean healpix = strcmp (kind, "healpix") == 0, gauss = strcmp (kind, "gauss") == 0;
  gint64 lmax = bench->lmax > 0 ? bench->lmax : healpix ? 2 * bench->nside : 0;
  gint64 longitudes = bench->longitudes > 0 ? bench->longitudes : 2 * lmax + 2;
  gint64 rings = bench->rings > 0 ? bench->rings : gauss ? lmax + 1 : 2 * lmax + 1;
  g_autoptr (ArmillaGrid) whole = NULL;

  if (choose ("--grid: unknown kind of grid", "kinds", kinds, kind, error) < 0)
    return FALSE;
  if (healpix && (bench->nside == 0 || bench->rings > 0 || bench->longitudes > 0))
    return mistake (error, "a HEALPix grid requires --nside, and accepts neither --rings nor "
                           "--longitudes");
  if (!healpix && (bench->nside > 0 || lmax == 0))
    return mistake (error, "--grid %s requires --lmax, and does not accept --nside", kind);
  what->layout = (ArmillaAlmLayout) { lmax, lmax };
  whole = healpix ? armilla_grid_new_healpix (bench->nside, error)
          : gauss ? armilla_grid_new_gauss_legendre (rings, longitudes, error)
                  : armilla_grid_new_equiangular (ARMILLA_GRID_CLENSHAW_CURTIS, rings, longitudes,
                                                  error);
  if (whole != NULL)
    what->grid = armilla_grid_select_theta (whole, bench->theta_min * G_PI / 180,
                                            bench->theta_max * G_PI / 180, error);
  return what->grid != NULL;
}

/* Reads the spins of the fields; a spin above 0 stands for a pair of fields. */
static gboolean
read_spins (const BenchWords *bench, ArmillaBenchmarkCase *what, GError **error)
{
  g_auto (GStrv) words = g_strsplit (bench->spin != NULL ? bench->spin : "0", ",", -1);
  gint64 spin;

  for (char **word = words; *word != NULL; word++, what->n_spins++)
    {
      if (what->n_spins == ARMILLA_BENCHMARK_SPINS
          || !g_ascii_string_to_signed (g_strstrip (*word), 10, 0, ARMILLA_SPIN_MAX, &spin, NULL))
        return mistake (error,
                        "--spin: \"%s\" is not a list of up to %d integers from 0 to %d",
                        bench->spin, ARMILLA_BENCHMARK_SPINS, ARMILLA_SPIN_MAX);
      what->spins[what->n_spins] = (int) spin;
    }
  return TRUE;
}

/* Creates a Gaussian kernel and the options of its convolution, with the defaults of the stage
 * convolve. */
static gboolean
make_kernel (const BenchWords *bench, ArmillaBenchmarkCase *what, GError **error)
{
  static const char *const methods[] = { "ring", "harmonic", NULL };
  const char *method = bench->method != NULL ? bench->method : methods[0];
  const gboolean harmonic = strcmp (method, "harmonic") == 0;
  ArmillaConvolution both
    = { .method = harmonic ? ARMILLA_CONVOLVE_HARMONIC : ARMILLA_CONVOLVE_RING,
        .ring = { .accuracy = bench->accuracy, .anti_ringing = TRUE, .kernel_shift = TRUE },
        .lmax = -1 };

  if (strcmp (bench->names[0], "convolve") != 0)
    return (bench->fwhm == 0 && bench->method == NULL)
           || mistake (error, "--fwhm and --method require convolve");
  if (choose ("--method: unknown method", "methods", methods, method, error) < 0)
    return FALSE;
  if (!(bench->accuracy >= 1e-12 && bench->accuracy <= 0.1))
    return mistake (error, "--accuracy: %g; must be from 1e-12 to 0.1", bench->accuracy);
  if (bench->fwhm == 0)
    return mistake (error, "convolve requires --fwhm");
  if (bench->spin != NULL)
    return mistake (error, "convolve accepts scalar fields only, without --spin");
  what->kernel = armilla_kernel_new_gaussian (bench->fwhm * G_PI / 10800, error);
  if (what->kernel == NULL)
    return FALSE;
  armilla_convolution_settle (&both, what->grid, what->kernel, NULL, 0);
  if (harmonic)
    what->layout = (ArmillaAlmLayout) { both.lmax, both.lmax };
  else
    what->convolution = both.ring;
  return TRUE;
}

/* Reads the method of sums over multipoles, whose names are those of the stages' property. */
static gboolean
read_legendre (const BenchWords *bench, ArmillaBenchmarkCase *what, GError **error)
{
  static const char *const kinds[] = { "auto", "recurrence", "butterfly", NULL };
  const char *kind = bench->legendre != NULL ? bench->legendre : kinds[0];
  int number;

  _Static_assert (ARMILLA_LEGENDRE_AUTO == 0 && ARMILLA_LEGENDRE_RECURRENCE == 1
                    && ARMILLA_LEGENDRE_BUTTERFLY == 2, "kinds[] has another order");
  if (strcmp (bench->names[0], "convolve") == 0)
    return (bench->legendre == NULL && bench->table == NULL)
           || mistake (error, "--legendre and --table require alm2map or map2alm");
  number = choose ("--legendre: unknown method", "ways", kinds, kind, error);
  if (number < 0)
    return FALSE;
  what->legendre = (ArmillaLegendreOptions) { .kind = (ArmillaLegendre) number,
                                              .table = bench->table,
                                              .tolerance = bench->tolerance };
  if (what->legendre.kind == ARMILLA_LEGENDRE_BUTTERFLY && bench->table == NULL)
    return mistake (error, "--legendre butterfly requires --table");
  if (!(bench->tolerance >= 1e-14 && bench->tolerance <= 1))
    return mistake (error, "--table-tolerance: %g; must be from 1e-14 to 1",
                    bench->tolerance);
  return TRUE;
}

static gboolean
make_case (const BenchWords *bench, ArmillaBenchmarkCase *what, GError **error)
{
  static const char *const names[] = { "alm2map", "map2alm", "convolve", NULL };

  if (choose ("unknown benchmark", "benchmarks", names, bench->names[0], error) < 0)
    return FALSE;
  *what = (ArmillaBenchmarkCase) {
    .analysis = strcmp (bench->names[0], "map2alm") == 0,
    .batch = bench->batch,
    .resident = bench->resident,
    .tiling = { bench->ring_block, bench->m_blocks,
                bench->no_interpolation ? ARMILLA_INTERPOLATION_NEVER
                                        : ARMILLA_INTERPOLATION_AUTO },
  };
  return check_numbers (bench, error) && read_spins (bench, what, error)
         && read_legendre (bench, what, error) && make_grid (bench, what, error)
         && make_kernel (bench, what, error);
}

static void
print_json (ArmillaRuntime *runtime, ArmillaBenchmark *benchmark, const BenchWords *bench,
            const ArmillaBenchmarkCase *what, double median, double best, int repeats)
{
  g_autofree char *machine = armilla_runtime_describe_json (runtime);

  printf ("{\"machine\": %s,\n \"results\": [\n", machine);
  printf ("  {\"name\": \"%s%s%s%s%s\", \"nside\": %" G_GINT64_FORMAT
          ", \"lmax\": %" G_GINT64_FORMAT ", \"batch\": %d, \"seconds\": %.6f, "
          "\"best_seconds\": %.6f, \"flops\": %.6g, "
          "\"bytes\": %.6g, \"repeats\": %d}\n ]}\n",
          bench->names[0], what->grid->kind == ARMILLA_GRID_HEALPIX ? "" : " ",
          what->grid->kind == ARMILLA_GRID_HEALPIX ? "" : bench->grid,
          bench->spin != NULL ? " spin " : "", bench->spin != NULL ? bench->spin : "",
          what->grid->nside,
          what->layout.lmax, what->batch, median, best, armilla_benchmark_flops (benchmark),
          armilla_benchmark_bytes (benchmark), repeats);
}

static void
print_table (ArmillaBenchmark *benchmark, const BenchWords *bench, const ArmillaBenchmarkCase *what,
             double median, double best, int repeats)
{
  g_autofree char *grid = armilla_grid_describe (what->grid);
  g_autofree char *cuts = armilla_graph_cuts (armilla_benchmark_graph (benchmark));
  double flops = armilla_benchmark_flops (benchmark), bytes = armilla_benchmark_bytes (benchmark);

  printf ("%s, %s, lmax %" G_GINT64_FORMAT ", %d map%s\n", bench->names[0], grid,
          what->layout.lmax, what->batch, what->batch == 1 ? "" : "s");
  if (bench->spin != NULL)
    printf ("  spin    %s\n", bench->spin);
  printf ("  median  %.6f s of %d call%s\n", median, repeats, repeats == 1 ? "" : "s");
  printf ("  best    %.6f s\n", best);
  printf ("  first   %.6f s, with tables and plans\n", armilla_benchmark_first_seconds (benchmark));
  if (what->batch > 1)
    printf ("  a map   %.6f s\n", median / what->batch);
  printf ("  needs   %.4g flop, %.1f Gflop/s; at least %.4g bytes, %.2f GB/s\n", flops,
          flops / median * 1e-9, bytes, bytes / median * 1e-9);
  armilla_print_indented (stdout, cuts);
}

/* Waits until rank 0 has read a line from standard input. Returns whether there was one, on all
 * ranks. */
static gboolean
next_step (ArmillaRuntime *runtime)
{
  g_autoptr (GError) end = NULL;
  GError *local = NULL;
  char line[256];

  armilla_runtime_pause (runtime);
  if (armilla_runtime_rank (runtime) == 0 && fgets (line, sizeof line, stdin) == NULL)
    g_set_error_literal (&local, ARMILLA_ERROR, ARMILLA_ERROR_CANCELLED, "end of the input");
  return armilla_runtime_agree (runtime, local, &end);
}

static gboolean
call_all (ArmillaRuntime *runtime, ArmillaBenchmark *benchmark, const BenchWords *bench,
          GArray *times, GError **error)
{
  double seconds;

  while ((int) times->len < bench->repeats && (!bench->step || next_step (runtime)))
    {
      if (!armilla_benchmark_call (benchmark, &seconds, error))
        return FALSE;
      g_array_append_val (times, seconds);
      if (bench->step && armilla_runtime_rank (runtime) == 0)
        {
          printf ("%.6f\n", seconds);
          fflush (stdout);
        }
    }
  return TRUE;
}

static gboolean
call_and_trace (ArmillaRuntime *runtime, ArmillaBenchmark *benchmark, const BenchWords *bench,
                GArray *times, GError **error)
{
  ArmillaGraph *graph = armilla_benchmark_graph (benchmark);
  ArmillaTraceInfo info = { .program = PACKAGE_STRING,
                            .command = bench->command,
                            .workflow = bench->names[0] };
  g_autoptr (ArmillaOutput) output = NULL;
  GError *local = NULL;

  if (bench->trace == NULL)
    return call_all (runtime, benchmark, bench, times, error);
  if (armilla_runtime_rank (runtime) == 0)
    output = armilla_output_new (bench->trace, TRUE, &local);
  return armilla_runtime_agree (runtime, local, error) && armilla_graph_trace (graph, error)
         && call_all (runtime, benchmark, bench, times, error)
         && armilla_graph_write_trace (graph, &info, output, error);
}

static gboolean
measure (ArmillaRuntime *runtime, const BenchWords *bench, const ArmillaBenchmarkCase *what,
         GError **error)
{
  g_autoptr (ArmillaBenchmark) benchmark = armilla_benchmark_new (runtime, what, error);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  gboolean talks = armilla_runtime_rank (runtime) == 0;
  double seconds;

  if (benchmark == NULL || !call_and_trace (runtime, benchmark, bench, times, error))
    return FALSE;
  if (!talks || bench->step || times->len == 0)
    return TRUE;
  g_array_sort (times, armilla_compare_doubles);
  seconds = g_array_index (times, double, times->len / 2);
  if (bench->json)
    print_json (runtime, benchmark, bench, what, seconds, g_array_index (times, double, 0),
                (int) times->len);
  else
    print_table (benchmark, bench, what, seconds, g_array_index (times, double, 0),
                 (int) times->len);
  return TRUE;
}

static ArmillaExit
run_bench (const BenchWords *bench)
{
  ArmillaBenchmarkCase what = { 0 };
  g_autoptr (GError) error = NULL;
  GError *local = NULL;
  ArmillaRuntime *runtime;
  ArmillaExit status;

  if (make_case (bench, &what, &local))
    armilla_set_workers (bench->threads, bench->gpus);
  runtime = armilla_start (NULL, local, &status);
  if (runtime != NULL)
    {
      status = ARMILLA_EXIT_DONE;
      if ((!bench->no_tuning && !armilla_use_tuning (runtime, FALSE, &error))
          || !measure (runtime, bench, &what, &error))
        {
          status = ARMILLA_EXIT_FAILED;
          if (armilla_runtime_rank (runtime) == 0) /* all ranks have the same values */
            armilla_say (error);
        }
      armilla_runtime_stop (runtime);
    }
  g_clear_pointer (&what.grid, armilla_grid_unref);
  g_clear_pointer (&what.kernel, armilla_kernel_unref);
  return status;
}

ArmillaExit
armilla_command_bench (char **words)
{
  BenchWords bench;
  ArmillaExit status = ARMILLA_EXIT_USAGE;

  if (parse_bench_words (words, &bench))
    status = run_bench (&bench);
  g_free (bench.grid);
  g_free (bench.spin);
  g_free (bench.trace);
  g_free (bench.command);
  g_free (bench.method);
  g_free (bench.legendre);
  g_free (bench.table);
  g_strfreev (bench.names);
  return status;
}
