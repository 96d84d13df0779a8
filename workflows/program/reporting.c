/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/program/reporting.h"

#include <glib/gstdio.h>

#include "tasks/runtime/share.h"
#include "tasks/runtime/runtime.h"
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

/* Opens the report, so that an error is reported before the first task. @trace: path of the trace
 * of the run; NULL: a temporary trace is made for the report. Collective; the same result on all
 * ranks. */
gboolean
armilla_reporting_begin (ArmillaReporting *self, const char *path, const char *trace,
                         gboolean overwrite, ArmillaRuntime *runtime, GError **error)
{
  GError *local = NULL;

  if (armilla_runtime_rank (runtime) == 0)
    begin (self, path, trace, overwrite, &local);
  else
    /* other ranks only need to know that there is a trace */
    self->trace = g_strdup (trace != NULL ? trace : path);
  return armilla_runtime_agree (runtime, local, error);
}

/* Writes the report on rank 0, after the trace was written. */
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

void
armilla_reporting_clear (ArmillaReporting *self)
{
  if (self->folder != NULL)
    {
      g_unlink (self->trace); /* the file does not exist after an early failure */
      g_rmdir (self->folder);
    }
  g_clear_pointer (&self->output, armilla_output_free);
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->trace, g_free);
}
