/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions shared by the commands: parsing words, loading workflow files, messages. */
#include "workflows/program/commands.h"
#include "workflows/program/signals.h"

#include <stdio.h>

#include "core/base/printable.h"
#include "plugins/builtin/builtin.h"
#include "tasks/runtime/share.h"
#include "tasks/runtime/runtime.h"
#include "workflows/file/load.h"

/* Prints an error. There is no prefix "armilla: " before a place in a workflow file, so that
 * editors find the line. Only lists of problems are printed in several lines. */
void
armilla_say (const GError *error)
{
  gboolean list = g_error_matches (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE);
  g_autofree char *text = armilla_printable (error->message, list);

  armilla_print (stderr, "%s\n", text);
}

/* Starts the runtime of a command, also on ranks that have an error @local (taken): then one rank
 * reports it for all before the launcher kills them. Returns NULL after an error, which was
 * reported once, and sets the exit status. */
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

/* Reports an error of the command line, once for all processes of a launcher. Returns FALSE. */
gboolean
armilla_refuse (const char *format, ...)
{
  g_autofree char *text = NULL;
  ArmillaExit status;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  /* an error is reported without a runtime */
  armilla_start (NULL, g_error_new_literal (ARMILLA_ERROR, ARMILLA_ERROR_VALUE, text), &status);
  return FALSE;
}

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

/* Sets the numbers of workers by environment variables of StarPU; a negative number leaves the
 * choice to StarPU. Must be called before the first thread starts. */
void
armilla_set_workers (int threads, int gpus)
{
  set_number ("STARPU_NCPU", threads);
  set_number ("STARPU_NCUDA", gpus);
}

/* Makes later graphs use the results of `armilla tune`. Rank 0 prints why an unusable file is
 * ignored, unless @silent. Returns FALSE only if the ranks cannot agree. */
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

/* Parses the options of a command, and stores the remaining words, whose number must be between
 * @minimum and @maximum, in @rest. Prints help and exits with 0 for --help, as GOption does.
 * Returns FALSE after an error, which is reported. */
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

/* Loads the plugins, and reads and validates a workflow file ("-": standard input). After success
 * the caller prints armilla_registry_warnings (); after a failure ARMILLA_ERROR_PARSE contains them
 * and all problems, one per line. */
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

void
armilla_loaded_clear (ArmillaLoaded *loaded)
{
  g_clear_pointer (&loaded->workflow, armilla_workflow_free);
  g_clear_pointer (&loaded->registry, armilla_registry_free);
}
