/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands share: words of the command line, workflow files, messages. */
#include "workflows/program/commands.h"
#include "workflows/program/process.h"

#include <armilla/tuning.h>
#include <stdio.h>

#include "core/base/printable.h"
#include "workflows/file/load.h"

/**
 * armilla_say:
 * @error: an error
 *
 * Writes an error to standard error. A message that begins with the place in a workflow file stands
 * alone, so that editors find the line. Only a list of problems has several lines.
 */
void
armilla_say (const GError *error)
{
  gboolean list = g_error_matches (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE);
  g_autofree char *text = armilla_printable (error->message, list);

  armilla_print (stderr, "%s\n", text);
}

/**
 * armilla_start:
 * @options: (nullable): how the runtime shall work
 * @local: (nullable) (transfer full): what this process has found wrong already
 * @status: (out): where there is no runtime, what to exit with
 *
 * Starts the runtime of a command. All ranks start it, also those that have found something wrong:
 * only so can one of them say that for all before the launcher ends them.
 *
 * Returns: (transfer full) (nullable): the runtime, when no rank has found anything wrong;
 *   otherwise it has been said, once, what is
 */
ArmillaRuntime *
armilla_start (const ArmillaRuntimeOptions *options, GError *local, ArmillaExit *status)
{
  ArmillaRuntimeOptions with = options ? *options : (ArmillaRuntimeOptions) { 0 };
  g_autoptr (GError) error = NULL;
  ArmillaRuntime *runtime;

  *status = ARMILLA_EXIT_USAGE;
  if (local != NULL && armilla_runtime_launcher () == NULL)
    {
      armilla_say (local);
      g_error_free (local);
      return NULL;
    }
  with.tell = armilla_say;
  with.process = &armilla_process;
  runtime = armilla_runtime_start_with (&with, NULL);
  if (runtime == NULL)
    {
      *status = local != NULL ? ARMILLA_EXIT_USAGE : ARMILLA_EXIT_FAILED;
      g_clear_error (&local);
      return NULL;
    }
  if (armilla_runtime_agree (runtime, local, &error))
    return runtime;
  if (armilla_runtime_rank (runtime) == 0)
    armilla_say (error);
  armilla_runtime_stop (runtime);
  return NULL;
}

/**
 * armilla_refuse:
 * @format: as of printf(): what is wrong with the command line
 *
 * Says it, once for all processes that a launcher has started with that command line.
 *
 * Returns: %FALSE
 */
gboolean
armilla_refuse (const char *format, ...)
{
  g_autofree char *text = NULL;
  ArmillaExit status;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  /* there is no runtime where anything is wrong */
  armilla_start (NULL, g_error_new_literal (ARMILLA_ERROR, ARMILLA_ERROR_VALUE, text), &status);
  return FALSE;
}

/**
 * armilla_print_indented:
 * @file: where to
 * @text: lines
 *
 * Writes each line after two blanks.
 */
void
armilla_print_indented (FILE *file, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0')
      armilla_print (file, "  %s\n", *line);
}

static void
set_number (const char *name, int n)
{
  g_autofree char *text = g_strdup_printf ("%d", n);

  if (n >= 0)
    g_setenv (name, text, TRUE);
}

/**
 * armilla_set_workers:
 * @threads: number of CPU workers, negative for what StarPU finds
 * @gpus: number of GPUs, negative for what StarPU finds
 *
 * Says how many workers the runtime is to have. StarPU takes that from the environment, so this is
 * for the time before the first thread.
 */
void
armilla_set_workers (int threads, int gpus)
{
  set_number ("STARPU_NCPU", threads);
  set_number ("STARPU_NCUDA", gpus);
}

/**
 * armilla_use_tuning:
 * @runtime: the runtime
 * @silent: whether to say nothing
 * @error: return location
 *
 * Lets the graphs to come use what armilla tune has found. A file that cannot be used is told on
 * rank 0, and ignored.
 *
 * Returns: %FALSE only when the ranks cannot agree
 */
gboolean
armilla_use_tuning (ArmillaRuntime *runtime, gboolean silent, GError **error)
{
  g_autofree char *remark = NULL;

  if (!armilla_runtime_load_tuning (runtime, &remark, error))
    return FALSE;
  if (remark != NULL && !silent && armilla_runtime_rank (runtime) == 0)
    armilla_print (stderr, "armilla: %s\n", remark);
  return TRUE;
}

/**
 * armilla_parse_words:
 * @words: name of the command and the words after it
 * @arguments: what may stand after the options, for --help
 * @summary: what the command does, for --help
 * @entries: (nullable): options
 * @minimum: how many words must be left after the options
 * @maximum: how many may be left
 * @rest: (out) (transfer full) (array zero-terminated=1): those words
 *
 * Takes the options out of the words of a command. With --help it prints help and exits with 0, as
 * GOption does.
 *
 * Returns: whether the words are right; if not, it has been said what is wrong
 */
gboolean
armilla_parse_words (char **words, const char *arguments, const char *summary,
                     const GOptionEntry *entries, int minimum, int maximum, char ***rest)
{
  g_autoptr (GOptionContext) context = g_option_context_new (arguments);
  g_autofree char *name = g_strconcat ("armilla ", words[0], NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) copy = g_strdupv (words);
  int n;

  g_free (copy[0]);
  copy[0] = g_strdup (name);
  g_set_prgname (name);
  g_option_context_set_summary (context, summary);
  if (entries != NULL)
    g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse_strv (context, &copy, &error))
    return armilla_refuse ("%s: %s; see %s --help", name, error->message, name);
  n = (int) g_strv_length (copy) - 1;
  if (n > 0 && g_str_equal (copy[1], "--"))
    {
      g_free (copy[1]);
      for (int i = 1; i <= n; i++)
        copy[i] = copy[i + 1];
      n--;
    }
  if (n < minimum || n > maximum)
    return armilla_refuse ("usage: %s %s; see %s --help", name, arguments, name);
  *rest = g_strdupv (copy + 1);
  return TRUE;
}

/**
 * armilla_load:
 * @path: a workflow file; - is standard input
 * @overrides: what the command line changes
 * @loaded: (out caller-allocates): the workflow; zero-filled
 * @error: return location
 *
 * Loads the plugins, reads a workflow file and validates it.
 *
 * Returns: whether it can be run, and armilla_registry_warnings() are to be told; otherwise
 *   %ARMILLA_ERROR_PARSE with all its problems and those warnings, one a line, or why a folder of
 *   plugins or the file could not be read
 */
gboolean
armilla_load (const char *path, const ArmillaOverrides *overrides, ArmillaLoaded *loaded,
              GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  if (g_str_equal (path, "-") && armilla_runtime_launcher () != NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "a workflow from standard input would reach one rank only (%s is set); "
                         "write it to a file", armilla_runtime_launcher ());
  loaded->registry = armilla_registry_new ();
  if (!armilla_registry_load_default (loaded->registry, error))
    return FALSE;
  text = armilla_workflow_read (path, &length, error);
  if (text == NULL)
    return FALSE;
  if (g_str_equal (path, "-"))
    path = ARMILLA_STANDARD_INPUT;
  loaded->workflow = armilla_workflow_load (loaded->registry, path, text, length, overrides, error);
  return loaded->workflow != NULL;
}

/**
 * armilla_loaded_clear:
 * @loaded: a workflow, or zeros
 */
void
armilla_loaded_clear (ArmillaLoaded *loaded)
{
  g_clear_pointer (&loaded->workflow, armilla_workflow_free);
  g_clear_pointer (&loaded->registry, armilla_registry_free);
}
