/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads and saves the rates that codelets reach on cores and GPUs. */
#include "config.h"

#include "codelets/common/rates.h"
#include "tasks/runtime/runtime-private.h"
#include "tasks/tuning/peaks-file.h"

/* for tests with unequal workers: factor by which tasks on GPUs are slowed down */
#define SLOW_GPU "ARMILLA_TEST_SLOW_GPU"

/* Loads the rates from which expected times of tasks are computed; measures peaks if no file has
 * them. Does nothing without GPUs. */
void
armilla_runtime_find_rates (ArmillaRuntime *runtime)
{
  const char *said = g_getenv (SLOW_GPU);
  const int slow = said ? MAX (atoi (said), 1) : 1;
  const double begin = armilla_runtime_seconds ();
  ArmillaPeaks peaks;

  if (runtime->n_gpus == 0)
    return;
  if (armilla_peaks_find (&peaks))
    runtime->measuring += armilla_runtime_seconds () - begin;
  armilla_rates_set_slow_gpu (slow);
  armilla_rates_set_peaks (peaks.core_flops, peaks.core_bytes, peaks.gpu_flops / slow,
                           peaks.gpu_bytes / slow);
  armilla_rates_load ();
}

/* Saves the rates that tasks of this run have reached. */
void
armilla_runtime_keep_rates (ArmillaRuntime *runtime)
{
  if (runtime->n_gpus > 0)
    armilla_rates_save ();
}
