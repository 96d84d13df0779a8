/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/program/commands.h"

#include <armilla/quantity.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/printable.h"
#include "core/base/quantity.h"
#include "tasks/benchmark/tune.h"
#include "tasks/tuning/tuning-file.h"

#define DEFAULT_TIME "2 min"
#define MAX_SIZES 16

typedef struct {
  char *time, *sizes, *batches;
  int threads, gpus;
  double seconds;
  gint64 size[MAX_SIZES];
  int n_sizes;
  gint64 batch[MAX_SIZES];
  int n_batches;
  char **rest;
} TuneWords;

static gboolean
parse_list (const char *option, const char *list, gint64 min, gint64 max, gint64 *numbers,
            int *n)
{
  g_auto (GStrv) words = g_strsplit (list, ",", -1);

  for (char **word = words; *word != NULL; word++)
    if (*n == MAX_SIZES
        || !g_ascii_string_to_signed (g_strstrip (*word), 10, min, max, &numbers[(*n)++], NULL))
      return armilla_refuse ("armilla tune: --%s: \"%s\" is not a list of up to %d integers from "
                             "%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                             ", separated by commas",
                             option, list, MAX_SIZES, min, max);
  return TRUE;
}

static gboolean
parse_tune_words (char **words, TuneWords *tune)
{
  const GOptionEntry entries[] = {
    { "time", 0, 0, G_OPTION_ARG_STRING, &tune->time, "duration of the search (" DEFAULT_TIME ")",
      "TIME" },
    { "sizes", 0, 0, G_OPTION_ARG_STRING, &tune->sizes,
      "highest multipoles to search for, each a power of two (512,1024,2048,4096)", "N,N..." },
    { "batches", 0, 0, G_OPTION_ARG_STRING, &tune->batches,
      "numbers of maps transformed together to search for, each a power of two (1)", "N,N..." },
    { "threads", 0, 0, G_OPTION_ARG_INT, &tune->threads,
      "CPU workers (as many as StarPU finds)", "N" },
    { "gpus", 0, 0, G_OPTION_ARG_INT, &tune->gpus, "GPUs (as many as StarPU finds)", "N" },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  g_autoptr (GError) error = NULL;

  tune->threads = tune->gpus = -1;
  if (!armilla_parse_words (words, "",
                            "Lets StarPU learn the durations of tasks on this machine, searches "
                            "for the tiles that make transforms fast, and saves the results for "
                            "run and bench.",
                            entries, 0, 0, &tune->rest))
    return FALSE;
  if (!armilla_quantity_parse (tune->time ? tune->time : DEFAULT_TIME, ARMILLA_DIMENSION_TIME,
                               &tune->seconds, &error)
      || tune->seconds < 0)
    return armilla_refuse ("armilla tune: --time: %s", error ? error->message : "is negative");
  return parse_list ("sizes", tune->sizes ? tune->sizes : "512,1024,2048,4096", 2, 65536,
                     tune->size, &tune->n_sizes)
         && parse_list ("batches", tune->batches ? tune->batches : "1", 1, 65536, tune->batch,
                        &tune->n_batches);
}

/* Prints the progress, on a terminal in one line that changes. */
static void
show_progress (gpointer user, double share, const char *what)
{
  const gboolean *terminal = user;

  if (*terminal)
    fprintf (stderr, "\r%3d%%  %s\033[K", (int) (100 * share), what);
  else
    fprintf (stderr, "%3d%%  %s\n", (int) (100 * share), what);
  fflush (stderr);
}

static ArmillaExit
run_tune (const TuneWords *tune)
{
  gboolean terminal = isatty (STDERR_FILENO), ok;
  ArmillaTuneOptions options
    = { tune->seconds, tune->size,  tune->n_sizes,  show_progress,
        &terminal,     tune->batch, tune->n_batches };
  g_autoptr (GError) error = NULL;
  g_autofree char *report = NULL;
  g_autofree char *path = NULL;
  ArmillaRuntime *runtime;
  ArmillaExit status;
  gboolean talks;

  armilla_set_workers (tune->threads, tune->gpus);
  runtime = armilla_start (NULL, NULL, &status);
  if (runtime == NULL)
    return status;
  path = armilla_tuning_path ();
  talks = armilla_runtime_rank (runtime) == 0;
  ok = armilla_runtime_tune (runtime, &options, &report, &error);
  if (talks && terminal)
    fputs ("\r\033[K", stderr);
  if (ok)
    armilla_print (stdout, "%skept in %s\n", report, path);
  else if (talks) /* all ranks have the same values */
    armilla_say (error);
  armilla_runtime_stop (runtime);
  return ok ? ARMILLA_EXIT_DONE : ARMILLA_EXIT_FAILED;
}

ArmillaExit
armilla_command_tune (char **words)
{
  TuneWords tune = { 0 };
  ArmillaExit status = ARMILLA_EXIT_USAGE;

  if (parse_tune_words (words, &tune))
    status = run_tune (&tune);
  g_free (tune.time);
  g_free (tune.sizes);
  g_free (tune.batches);
  g_strfreev (tune.rest);
  return status;
}
