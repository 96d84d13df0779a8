/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/program/commands.h"

#include <stdio.h>
#include <string.h>

#include "core/base/printable.h"
#include "core/base/quantity.h"
#include "tasks/data/need.h"
#include "tasks/runtime/share.h"
#include "tasks/runtime/runtime.h"
#include "workflows/file/workflow.h"
#include "workflows/file/links.h"
#include "workflows/program/reporting.h"
#include "workflows/run/progress.h"
#include "workflows/run/realisation.h"
#include "workflows/run/runner.h"

/* characters that need no quotes in a shell */
#define PLAIN                                                                                      \
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,@%"

typedef struct {
  ArmillaOverrides overrides;
  gboolean dry_run, quiet, log_time, overwrite, no_tuning, resume, precompute;
  char *trace, *report, *memory, *spill;
  double bytes; /* memory limit in bytes */
  char *command;
  char **files;
} RunWords;

static gboolean
check_run_words (RunWords *run)
{
  g_autoptr (GError) error = NULL;
  const char *what = run->resume   ? "--resume"
                     : run->memory ? "--memory"
                     : run->spill  ? "--spill"
                     : run->report ? "--report"
                                   : NULL;

  if (run->dry_run && what != NULL)
    return armilla_refuse ("armilla run: --dry-run computes nothing; leave out %s", what);
  if (!run->memory)
    return TRUE;
  if (armilla_quantity_parse (run->memory, ARMILLA_DIMENSION_BYTES, &run->bytes, &error)
      && run->bytes >= 0 && run->bytes <= 1e18)
    return TRUE;
  return armilla_refuse ("armilla run: --memory: %s",
                         error ? error->message : "must be a size from 0 B to 1e18 B");
}

static gboolean
parse_run_words (char **words, RunWords *run)
{
  const GOptionEntry entries[] = {
    ARMILLA_OVERRIDE_OPTIONS (run->overrides),
    { "dry-run", 0, 0, G_OPTION_ARG_NONE, &run->dry_run,
      "open the inputs and print the planned work", NULL },
    { "overwrite", 0, 0, G_OPTION_ARG_NONE, &run->overwrite, "replace existing outputs", NULL },
    { "no-tuning", 0, 0, G_OPTION_ARG_NONE, &run->no_tuning,
      "use defaults instead of the results of armilla tune", NULL },
    { "trace", 0, 0, G_OPTION_ARG_FILENAME, &run->trace,
      "write the trace of all tasks to FILE.json, for Perfetto and armilla trace", "FILE.json" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &run->report,
      "write a report of the run to FILE.html: graph, pictures, times, checksums",
      "FILE.html" },
    { "resume", 0, 0, G_OPTION_ARG_NONE, &run->resume,
      "keep a journal beside the outputs, and compute only what an interrupted run has not "
      "completed", NULL },
    { "memory", 0, 0, G_OPTION_ARG_STRING, &run->memory,
      "maximum memory of each process, such as 4GiB; tiles that do not fit are stored on a disk",
      "SIZE" },
    { "spill", 0, 0, G_OPTION_ARG_FILENAME, &run->spill,
      "folder for these tiles (default: TMPDIR or /var/tmp)", "FOLDER" },
    { "quiet", 0, 0, G_OPTION_ARG_NONE, &run->quiet, "print only errors", NULL },
    { "log-time", 0, 0, G_OPTION_ARG_NONE, &run->log_time,
      "print date and time in each line, and no progress bar", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  return armilla_parse_words (words, "FILE", "Runs a workflow.", entries, 1, 1, &run->files)
         && check_run_words (run);
}

static gboolean
parse_precompute_words (char **words, RunWords *run)
{
  const GOptionEntry entries[] = {
    ARMILLA_OVERRIDE_OPTIONS (run->overrides),
    { "quiet", 0, 0, G_OPTION_ARG_NONE, &run->quiet, "print only errors", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  run->precompute = run->no_tuning = TRUE;
  return armilla_parse_words (words, "FILE",
                              "Creates the tables of compressed Legendre matrices that the stages "
                              "of a workflow name with table.\nResumes an interrupted run.",
                              entries, 1, 1, &run->files);
}

static void
clear_run_words (RunWords *run)
{
  g_strfreev (run->overrides.set);
  g_strfreev (run->overrides.define);
  g_strfreev (run->files);
  g_free (run->trace);
  g_free (run->report);
  g_free (run->memory);
  g_free (run->spill);
  g_free (run->command);
}

static void
print_warnings (const RunWords *run, ArmillaRuntime *runtime)
{
  g_autofree char *warnings = armilla_runtime_warnings (runtime);

  if (warnings != NULL)
    armilla_log (run->log_time, "%s", warnings);
}

static void
print_spilled (const RunWords *run, ArmillaRuntime *runtime)
{
  g_autofree char *spilled = armilla_runtime_spilled (runtime);

  if (spilled != NULL)
    armilla_log (run->log_time, "%s\n", spilled);
}

/* Returns whether it is no mistake if the node is unused: it belongs to a definition with several
 * outputs. */
static gboolean
is_spare (const ArmillaWorkflow *workflow, const ArmillaNode *node)
{
  const char *slash = strrchr (node->name, '/');
  g_autofree char *name = slash != NULL ? g_strndup (node->name, slash - node->name) : NULL;
  const ArmillaUse *use = name != NULL ? armilla_use_find (workflow, name) : NULL;

  return use != NULL && armilla_definition_count (use->definition, ARMILLA_SLOT_OUTPUT) > 1;
}

/* Warns of outputs that no node reads, since usually a node was forgotten. */
static void
warn_unused (const RunWords *run, const ArmillaWorkflow *workflow)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, i);

      if (node->n_outputs > 0 && !armilla_output_is_used (workflow, (int) i, -1)
          && !is_spare (workflow, node))
        {
          g_autofree char *prefix = armilla_place_prefix (node->group->place, node->name, NULL);

          armilla_log (run->log_time, "%swarning: no node uses the output of this one\n", prefix);
        }
    }
}

/* Returns the command line, quoted so that a shell reads it as it is. */
static char *
quote_words (char **words)
{
  GString *text = g_string_new ("armilla");

  for (; *words != NULL; words++)
    {
      g_autofree char *quoted = g_shell_quote (*words);
      gboolean plain = strspn (*words, PLAIN) == strlen (*words);

      g_string_append_printf (text, " %s", plain ? *words : quoted);
    }
  return g_string_free (text, FALSE);
}

static ArmillaExit
plan (const ArmillaWorkflow *workflow, const ArmillaRunOptions *options, gboolean talks)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = armilla_plan (workflow, options, &error);

  if (text == NULL && talks)
    armilla_say (error);
  else if (talks)
    armilla_print (stdout, "%s", text);
  return text != NULL ? ARMILLA_EXIT_DONE : ARMILLA_EXIT_FAILED;
}

static gboolean
names_table (const ArmillaWorkflow *workflow)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    if (armilla_node_has_table (armilla_workflow_node (workflow, (int) i)))
      return TRUE;
  return FALSE;
}

/* Returns whether the shape of a node that uses a table of Legendre matrices is known only during
 * the run. */
static gboolean
needs_written (const ArmillaWorkflow *workflow)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    if (armilla_workflow_node (workflow, (int) i)->phase > 0
        && armilla_node_has_table (armilla_workflow_node (workflow, (int) i)))
      return TRUE;
  return FALSE;
}

/* Starts the runtime. @workflow: NULL on a rank that cannot read it, which gets the settings of
 * other ranks; @local: error of this rank, or NULL */
static ArmillaRuntime *
start_runtime (const RunWords *words, const ArmillaWorkflow *workflow, GError *local,
               ArmillaExit *status)
{
  ArmillaRuntimeOptions options = { .trace = words->trace, .spill = words->spill };

  if (words->memory != NULL)
    options.memory = (gint64) words->bytes;
  else if (workflow != NULL)
    options.memory = (gint64) workflow->memory;
  if (options.spill == NULL && workflow != NULL)
    options.spill = workflow->spill;
  return armilla_start (&options, local, status);
}

static gboolean
load (const RunWords *words, ArmillaLoaded *loaded, GError **error)
{
  const ArmillaWorkflow *workflow;

  if (!armilla_load (words->files[0], &words->overrides, loaded, error))
    return FALSE;
  workflow = loaded->workflow;
  if (words->precompute && !names_table (workflow))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: no stage names a table; set table = FILE in an alm2map or map2alm",
                         workflow->document->path);
  if (words->precompute && needs_written (workflow))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: a node that names a table depends on a file that the run writes; "
                         "create that file first, in another workflow",
                         workflow->document->path);
  if ((words->resume || workflow->checkpoint > 0)
      && g_str_equal (words->files[0], "-"))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: a journal is named after the file of its workflow; save the workflow "
                         "in a file, or leave out %s", workflow->document->path,
                         words->resume ? "--resume" : "checkpoint");
  if ((words->spill == NULL && workflow->spill == NULL) || words->dry_run
      || (words->memory != NULL ? words->bytes : workflow->memory) > 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s: spill has no effect without memory = SIZE or --memory SIZE; set one of "
                       "them, or leave it out", workflow->document->path);
}

static void
print_trace (const RunWords *words, ArmillaRuntime *runtime, gboolean failed)
{
  const char *paje = armilla_runtime_paje (runtime);

  if (paje != NULL && failed)
    armilla_log (words->log_time, "trace in %s (no Paje trace of a run that has failed)\n",
                 words->trace);
  else if (paje != NULL)
    armilla_log (words->log_time, "trace in %s, Paje trace in %s\n", words->trace, paje);
  else
    armilla_log (words->log_time,
                 "trace in %s (no Paje trace: StarPU has no FxT, or STARPU_FXT_TRACE is 0)\n",
                 words->trace);
}

/* Writes the report, even after a failure, and prints the paths of trace and report. If a report
 * cannot be written, a successful run fails. */
static void
end_run (const RunWords *words, ArmillaReporting *reporting, const ArmillaRunResult *result,
         ArmillaRuntime *runtime, gboolean silent, GError **failure)
{
  const char *path = reporting->output != NULL ? armilla_output_path (reporting->output) : NULL;
  g_autoptr (GError) error = NULL;

  if (result->traced && words->trace != NULL && !silent)
    print_trace (words, runtime, *failure != NULL);
  if (result->untraced != NULL && path != NULL)
    armilla_print (stderr, "armilla: no report in %s: %s\n", path, result->untraced);
  if (result->untraced != NULL && words->trace != NULL && armilla_runtime_rank (runtime) == 0)
    armilla_print (stderr, "armilla: no trace in %s: %s\n", words->trace, result->untraced);
  if (!result->traced || path == NULL)
    return;
  if (!armilla_reporting_end (reporting, result, words->command, runtime, &error))
    {
      if (*failure == NULL)
        g_propagate_error (failure, g_steal_pointer (&error));
      else
        armilla_say (error);
    }
  else if (!silent)
    armilla_log (words->log_time, "report in %s\n", path);
}

/* Runs the workflow; the ranks agree on the exit status. */
static gboolean
run_workflow (const RunWords *words, const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
              ArmillaRunOptions *options, GError **error)
{
  const char *path = words->report != NULL ? words->report : workflow->report;
  g_auto (ArmillaReporting) reporting = { NULL, NULL, NULL };
  g_auto (ArmillaRunResult) result = { NULL, FALSE, NULL };
  GError *failure = NULL;

  if (path != NULL && !words->precompute
      && !armilla_reporting_begin (&reporting, path, words->trace,
                                   words->overwrite || workflow->overwrite || words->resume,
                                   runtime, error))
    return FALSE;
  if (reporting.trace != NULL)
    options->trace = reporting.trace;
  options->result = &result;
  if (!words->no_tuning && !armilla_use_tuning (runtime, options->silent, error))
    return FALSE;
  armilla_run (workflow, runtime, options, &failure);
  end_run (words, &reporting, &result, runtime, options->silent, &failure);
  if (failure == NULL && !options->silent)
    print_spilled (words, runtime);
  return armilla_runtime_agree (runtime, failure, error);
}

/* Runs the workflow, or describes its plan (--dry-run). @runtime: NULL for a plan, which one
 * process makes */
static ArmillaExit
run_loaded (const RunWords *words, const ArmillaLoaded *loaded, ArmillaRuntime *runtime)
{
  gboolean talks = runtime == NULL || armilla_runtime_rank (runtime) == 0;
  ArmillaRunOptions options = { .overwrite = words->overwrite,
                                .precompute = words->precompute,
                                .silent = words->quiet || !talks,
                                .log_time = words->log_time,
                                .resume = words->resume,
                                .trace = words->trace,
                                .command = words->command };
  g_autoptr (GError) error = NULL;

  if (!options.silent)
    armilla_log (words->log_time, "%s", armilla_registry_warnings (loaded->registry));
  if (!options.silent && !words->precompute)
    warn_unused (words, loaded->workflow);
  if (words->dry_run)
    return plan (loaded->workflow, &options, talks);
  if (!options.silent)
    print_warnings (words, runtime);
  if (run_workflow (words, loaded->workflow, runtime, &options, &error))
    return ARMILLA_EXIT_DONE;
  if (talks)
    armilla_say (error);
  return ARMILLA_EXIT_FAILED;
}

static ArmillaExit
run_command (char **words, gboolean (*parse) (char **words, RunWords *run))
{
  RunWords run = { 0 };
  ArmillaExit status = ARMILLA_EXIT_USAGE;

  run.command = quote_words (words);
  if (parse (words, &run))
    {
      g_auto (ArmillaLoaded) loaded = { NULL, NULL };
      ArmillaRuntime *runtime = NULL;
      GError *local = NULL;
      gboolean alone;

      load (&run, &loaded, &local);
      alone = local == NULL && run.dry_run && armilla_runtime_launcher () == NULL;
      if (!alone)
        runtime = start_runtime (&run, local == NULL ? loaded.workflow : NULL, local, &status);
      if (alone || runtime != NULL)
        status = run_loaded (&run, &loaded, runtime);
      if (runtime != NULL)
        armilla_runtime_stop (runtime);
    }
  clear_run_words (&run);
  return status;
}

ArmillaExit
armilla_command_run (char **words)
{
  return run_command (words, parse_run_words);
}

ArmillaExit
armilla_command_precompute (char **words)
{
  return run_command (words, parse_precompute_words);
}
