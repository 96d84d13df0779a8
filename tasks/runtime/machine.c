/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes the machine as text. */
#include "config.h"

#include <unistd.h>

#include "codelets/common/devices.h"
#include "codelets/peaks/peaks.h"
#include "core/base/memory.h"
#include "tasks/runtime/runtime-private.h"
#include "tasks/tuning/launch.h"
#include "tasks/tuning/peaks-file.h"

#define GIB (1024.0 * 1024.0 * 1024.0)

static void
describe_workers (GString *text)
{
  for (unsigned w = 0; w < starpu_worker_get_count (); w++)
    {
      char name[128];

      starpu_worker_get_name ((int) w, name, sizeof name);
      g_string_append_printf (text, "  worker %-3u %s\n", w, name);
    }
}

static void
describe_memory (GString *text)
{
  unsigned n = starpu_memory_nodes_get_count ();

  for (unsigned i = 0; i < n; i++)
    {
      starpu_ssize_t total = starpu_memory_get_total (i);
      char name[64];

      starpu_memory_node_get_name (i, name, sizeof name);
      if (i != STARPU_MAIN_RAM && total >= 0)
        g_string_append_printf (text, "  memory %-3u %s, %.1f GiB\n", i, name,
                                (double) total / GIB);
      else
        g_string_append_printf (text, "  memory %-3u %s, %.1f GiB in the machine\n", i, name,
                                armilla_memory_installed () / GIB);
    }
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      if (i != j)
        g_string_append_printf (text, "  memory %u to %u: %.2f GB/s\n", i, j,
                                starpu_transfer_bandwidth (i, j) * 1e-3);
}

static void
describe_peaks (GString *text)
{
  ArmillaPeaks peaks;

  armilla_peaks_measure (&peaks);
  g_string_append_printf (text,
                          "  one core   %.1f Gflop/s (double, multiply and add), copies %.1f GB/s "
                          "(read + written)\n",
                          peaks.core_flops * 1e-9, peaks.core_bytes * 1e-9);
#ifdef HAVE_CUDA
  for (int d = 0; d < armilla_cuda_device_count (); d++)
    if (armilla_peaks_measure_gpu (&peaks, d) == 0)
      g_string_append_printf (text,
                              "  GPU %-6d %.1f Gflop/s (double, multiply and add), copies "
                              "%.1f GB/s (read + written)\n",
                              d, peaks.gpu_flops * 1e-9, peaks.gpu_bytes * 1e-9);
    else
      g_string_append_printf (text, "  GPU %-6d cannot be measured\n", d);
#endif
}

/* Returns lines of text: versions, ranks, workers, memory, the peaks of a core and of each GPU
 * (measured now), and the bandwidths that StarPU measured. */
char *
armilla_runtime_describe (ArmillaRuntime *runtime)
{
  GString *text = g_string_new (NULL);
  int version[3];

  starpu_get_version (&version[0], &version[1], &version[2]);
  g_string_append_printf (text, "%s %s\n", PACKAGE_NAME, PACKAGE_VERSION);
  g_string_append_printf (text, "  host       %s, %ld cores, %d for this process\n",
                          g_get_host_name (), sysconf (_SC_NPROCESSORS_ONLN),
                          runtime->cores_bound);
  g_string_append_printf (text, "  StarPU     %d.%d.%d, at most %d CPU workers, CUDA %s\n",
                          version[0], version[1], version[2], STARPU_MAXCPUS,
#ifdef STARPU_USE_CUDA
                          "on"
#else
                          "off"
#endif
  );
  g_string_append_printf (text, "  MPI        %s\n",
#ifdef HAVE_MPI
                          runtime->mpi ? "on" : "built in, not used: not started by mpirun"
#else
                          "off"
#endif
  );
  g_string_append_printf (text, "  ranks      %d\n", runtime->n_ranks);
  g_string_append_printf (text, "  kernels    %s\n", armilla_isa_name (runtime->isa));
  describe_peaks (text);
  describe_workers (text);
  describe_memory (text);
  return g_string_free (text, FALSE);
}

/* Returns warnings about conditions that make the run slow (armilla_launch_warnings()), problems
 * with StarPU's folder, and settings without effect, such as a spill disk in memory; and a note if
 * the machine was measured. NULL if there is none. */
char *
armilla_runtime_warnings (ArmillaRuntime *runtime)
{
  g_autofree char *launch
    = armilla_launch_warnings (runtime->launched, runtime->n_ranks, runtime->mpi);
  g_autofree char *bound = runtime->bound ? armilla_bound_warning (runtime->bound) : NULL;
  g_autofree char *measured = NULL;
  g_autofree char *cores = NULL;

  if (runtime->measuring > 0)
    measured = g_strdup_printf ("measured the speed of cores and GPUs (done once per machine) in "
                                "%.1f s\n", runtime->measuring);
  if (runtime->n_sharing > 0)
    cores = g_strdup_printf ("%d ranks on %s divide its cores: %d for this one\n",
                             runtime->n_sharing, g_get_host_name (), runtime->cores_bound);
  if (!bound && !launch && !measured && !cores && !runtime->note)
    return NULL;
  return g_strconcat (runtime->note ? runtime->note : "", runtime->note ? "\n" : "",
                      bound ? bound : "", measured ? measured : "", cores ? cores : "", launch,
                      NULL);
}
