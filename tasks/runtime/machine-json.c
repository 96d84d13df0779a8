/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes the machine as JSON. */
#include "config.h"

#include <unistd.h>

#include "codelets/common/devices.h"
#include "core/base/json-writer.h"
#include "core/base/memory.h"
#include "tasks/runtime/runtime-private.h"
#include "tasks/tuning/peaks-file.h"
#include "tasks/tuning/processor.h"

static void
write_peaks (ArmillaJson *json)
{
  ArmillaPeaks peaks;

  armilla_peaks_find (&peaks);
  armilla_json_number (json, "core_flops", peaks.core_flops, 0);
  armilla_json_number (json, "core_bytes", peaks.core_bytes, 0);
  if (starpu_cuda_worker_get_count () > 0)
    {
      g_autofree char *names = armilla_cuda_device_names ();

      armilla_json_string (json, "gpus", names);
      armilla_json_number (json, "gpu_flops", peaks.gpu_flops, 0);
      armilla_json_number (json, "gpu_bytes", peaks.gpu_bytes, 0);
    }
}

static void
write_machine (ArmillaJson *json, gconstpointer user)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format_iso8601 (now);
  g_autofree char *processor = armilla_machine_processor ();
  g_autofree char *starpu = NULL;
  const ArmillaRuntime *runtime = user;
  int version[3];

  starpu_get_version (&version[0], &version[1], &version[2]);
  starpu = g_strdup_printf ("%d.%d.%d", version[0], version[1], version[2]);
  armilla_json_open (json, NULL, '{');
  armilla_json_string (json, "program", PACKAGE_STRING);
  armilla_json_string (json, "date", date);
  armilla_json_string (json, "host", g_get_host_name ());
  armilla_json_string (json, "processor", processor);
  armilla_json_integer (json, "cores", sysconf (_SC_NPROCESSORS_ONLN));
  armilla_json_string (json, "starpu", starpu);
  armilla_json_integer (json, "ranks", runtime->n_ranks);
  armilla_json_string (json, "kernels", armilla_isa_name (runtime->isa));
  armilla_json_number (json, "memory", armilla_memory_installed (), 0);
  write_peaks (json);
  if (starpu_cuda_worker_get_count () > 0 && starpu_memory_nodes_get_count () > 1)
    {
      armilla_json_number (json, "gpu_memory", (double) runtime->gpu_bytes, 0);
      armilla_json_number (json, "gpu_link", 1e6 * starpu_transfer_bandwidth (0, 1), 0);
    }
  armilla_json_open (json, "workers", '[');
  for (unsigned w = 0; w < starpu_worker_get_count (); w++)
    {
      char name[128];

      starpu_worker_get_name ((int) w, name, sizeof name);
      armilla_json_string (json, NULL, name);
    }
  armilla_json_close (json, ']');
  armilla_json_close (json, '}');
}

/* Returns a JSON object: program, date, host, processor, number of cores, StarPU's version, ranks,
 * instruction set, measured peaks of a core (flop/s and bytes/s) and of the first GPU if one is
 * used, bytes of memory, and this rank's workers. */
char *
armilla_runtime_describe_json (ArmillaRuntime *runtime)
{
  return armilla_json_text (write_machine, runtime);
}
