/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latch that holds the first error of a run. Any thread may call these functions. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaFault:
 *
 * A latch that holds the first error of a run. Once it is set, tasks do nothing: their outputs are
 * undefined, and no file gets its final name. It belongs to the run and outlives its tasks; any
 * thread may use it.
 */
typedef struct _ArmillaFault ArmillaFault;

/**
 * armilla_fault_is_set:
 * @fault: the latch of a run
 *
 * Thread-safe.
 *
 * Returns: whether the run has failed
 */
gboolean armilla_fault_is_set (ArmillaFault *fault);

/**
 * armilla_fault_set:
 * @fault: the latch of a run
 * @code: error code
 * @format: printf format of the message
 * @...: its arguments
 *
 * Makes the run fail with this error unless it has failed already. Thread-safe.
 */
void armilla_fault_set (ArmillaFault *fault, ArmillaError code, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

/**
 * armilla_fault_check_cuda:
 * @fault: the latch of a run
 * @what: name of the codelet
 * @cuda_error: what a CUDA call returned
 *
 * Makes the run fail with %ARMILLA_ERROR_CUDA unless @cuda_error is 0, cudaSuccess. Thread-safe.
 */
void armilla_fault_check_cuda (ArmillaFault *fault, const char *what, int cuda_error);

G_END_DECLS
