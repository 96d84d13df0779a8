/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/program/reporting.h"

#include <glib/gstdio.h>

#include "workflows/report/report.h"

static gboolean
make_folder (ArmillaReporting *self, GError **error)
{
  g_autoptr (GError) why = NULL;

  self->folder = g_dir_make_tmp ("armilla-XXXXXX", &why);
  if (self->folder == NULL)
    return armilla_fail (error, ARMILLA_ERROR_IO,
                         "--report: no folder for the trace: %s; set TMPDIR", why->message);
  self->trace = g_build_filename (self->folder, "trace.json", NULL);
  return TRUE;
}

static gboolean
begin (ArmillaReporting *self, const char *path, const char *trace, gboolean overwrite,
       GError **error)
{
  self->output = armilla_output_new (path, overwrite, error);
  if (self->output == NULL)
    {
      g_prefix_error (error, "--report: ");
      return FALSE;
    }
  self->trace = g_strdup (trace);
  return trace != NULL || make_folder (self, error);
}

/**
 * armilla_reporting_begin:
 * @self: zero
 * @path: where the report goes
 * @trace: (nullable): where the trace of the run goes, if one is wanted
 * @overwrite: whether a file at @path may be replaced
 * @runtime: the runtime
 * @error: return location
 *
 * Opens the file, so that what cannot be written is known before the first task. Collective.
 *
 * Returns: whether it can be written, the same on all ranks; %ARMILLA_ERROR_IO otherwise
 */
gboolean
armilla_reporting_begin (ArmillaReporting *self, const char *path, const char *trace,
                         gboolean overwrite, ArmillaRuntime *runtime, GError **error)
{
  GError *local = NULL;

  if (armilla_runtime_rank (runtime) == 0)
    begin (self, path, trace, overwrite, &local);
  else
    self->trace = g_strdup (trace != NULL ? trace : path); /* rank 0 writes it */
  return armilla_runtime_agree (runtime, local, error);
}

/**
 * armilla_reporting_end:
 * @self: a report
 * @result: what the run has left; its trace was written
 * @command: the command line
 * @runtime: the runtime
 * @error: return location
 *
 * Writes the report. For rank 0.
 *
 * Returns: whether it is there; %ARMILLA_ERROR_IO otherwise
 */
gboolean
armilla_reporting_end (ArmillaReporting *self, const ArmillaRunResult *result, const char *command,
                       ArmillaRuntime *runtime, GError **error)
{
  g_autofree char *machine = armilla_runtime_describe (runtime);
  g_autoptr (ArmillaTraceFile) trace = armilla_trace_file_read (self->trace, error);
  const ArmillaReport report
    = { result->tally->workflow, result->tally, trace, command, machine };

  if (trace != NULL && armilla_report_write (&report, self->output, error))
    return TRUE;
  g_prefix_error (error, "no report: ");
  return FALSE;
}

/**
 * armilla_reporting_clear:
 * @self: a report, written or not
 */
void
armilla_reporting_clear (ArmillaReporting *self)
{
  if (self->folder != NULL)
    {
      g_unlink (self->trace); /* there is none after an early failure */
      g_rmdir (self->folder);
    }
  g_clear_pointer (&self->output, armilla_output_free);
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->trace, g_free);
}
