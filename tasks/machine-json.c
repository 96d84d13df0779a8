/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What StarPU found, for programs. */
#include "config.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "codelets/devices.h"
#include "codelets/peaks.h"
#include "tasks/machine.h"
#include "tasks/runtime-private.h"

/* The text after "KEY :" in a line of /proc/cpuinfo. */
static char *
cpuinfo (const char *key)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line; line++)
    {
      const char *colon = strchr (*line, ':');

      if (colon && g_str_has_prefix (*line, key))
        return g_strstrip (g_strdup (colon + 1));
    }
  return NULL;
}

/**
 * armilla_machine_processor:
 *
 * Returns: (transfer full): what the processor calls itself, or the name of its architecture
 */
char *
armilla_machine_processor (void)
{
  char *name = cpuinfo ("model name");
  struct utsname system;

  if (!name || name[0] == '\0')
    {
      g_free (name);
      name = g_strdup (uname (&system) == 0 ? system.machine : "unknown");
    }
  return name;
}

static void
append_string (GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  g_string_append_c (text, '"');
  for (const char *p = valid; *p; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (text, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (text, "\\u%04x", (guint) (guchar) *p);
    else
      g_string_append_c (text, *p);
  g_string_append_c (text, '"');
}

static void
append_member (GString *text, const char *name, const char *value)
{
  g_string_append_printf (text, "\"%s\": ", name);
  append_string (text, value);
  g_string_append (text, ", ");
}

static void
append_workers (GString *text)
{
  g_string_append (text, "\"workers\": [");
  for (unsigned w = 0; w < starpu_worker_get_count (); w++)
    {
      char name[128];

      starpu_worker_get_name ((int) w, name, sizeof name);
      g_string_append (text, w ? ", " : "");
      append_string (text, name);
    }
  g_string_append (text, "]");
}

/**
 * armilla_runtime_describe_json:
 * @runtime: the runtime
 *
 * Returns: (transfer full): an object of JSON: program, date, host, processor, number of cores,
 *   StarPU's version, ranks, instruction set, what a core reaches (measured now; flop/s and
 *   bytes/s), the same of the first GPU where any is used, and this rank's workers
 */
char *
armilla_runtime_describe_json (ArmillaRuntime *runtime)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format_iso8601 (now);
  g_autofree char *processor = armilla_machine_processor ();
  GString *text = g_string_new ("{");
  ArmillaPeaks peaks = { 0 };
  int version[3];

  starpu_get_version (&version[0], &version[1], &version[2]);
  starpu_pause (); /* idle workers spin */
  armilla_peaks_measure_core (&peaks);
#ifdef HAVE_CUDA
  if (starpu_cuda_worker_get_count () > 0 && armilla_peaks_measure_gpu (&peaks, 0) != 0)
    peaks.gpu_flops = peaks.gpu_bytes = 0; /* JSON's reader sees that it is not known */
#endif
  starpu_resume ();
  append_member (text, "program", PACKAGE_STRING);
  append_member (text, "date", date);
  append_member (text, "host", g_get_host_name ());
  append_member (text, "processor", processor);
  g_string_append_printf (text, "\"cores\": %ld, ", sysconf (_SC_NPROCESSORS_ONLN));
  g_string_append_printf (text, "\"starpu\": \"%d.%d.%d\", ", version[0], version[1], version[2]);
  g_string_append_printf (text, "\"ranks\": %d, ", runtime->n_ranks);
  append_member (text, "kernels", armilla_isa_name (runtime->isa));
  g_string_append_printf (text, "\"core_flops\": %.4g, \"core_bytes\": %.4g, ", peaks.core_flops,
                          peaks.core_bytes);
  if (starpu_cuda_worker_get_count () > 0)
    {
      g_autofree char *names = armilla_cuda_device_names ();

      append_member (text, "gpus", names);
      g_string_append_printf (text, "\"gpu_flops\": %.4g, \"gpu_bytes\": %.4g, ", peaks.gpu_flops,
                              peaks.gpu_bytes);
    }
  append_workers (text);
  g_string_append (text, "}");
  return g_string_free (text, FALSE);
}
