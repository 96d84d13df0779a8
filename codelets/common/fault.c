/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/common/fault.h"

#ifdef HAVE_CUDA
#include <cuda_runtime.h>
#endif

gboolean
armilla_fault_is_set (ArmillaFault *fault)
{
  ArmillaFault *latch = fault->latch ? fault->latch : fault;

  return g_atomic_pointer_get (&latch->first) != NULL
         || (fault->apart && g_atomic_pointer_get (&fault->first) != NULL);
}

/* Returns whether an error concerns the values of one output only, so that other outputs can still
 * be computed. A full disk or a signal concerns all of them. */
static gboolean
is_own (const GError *error)
{
  return error->domain == ARMILLA_ERROR
         && (error->code == ARMILLA_ERROR_VALUE || error->code == ARMILLA_ERROR_SHAPE
             || error->code == ARMILLA_ERROR_UNKNOWN || error->code == ARMILLA_ERROR_NUMERIC);
}

/* Takes ownership of error: latches it if it is the first one, and frees it otherwise. Thread-safe,
 * but latch->by must be read only after all tasks that may set the latch have ended. */
void
armilla_fault_take (ArmillaFault *fault, GError *error)
{
  ArmillaFault *latch = fault->latch && !(fault->apart && is_own (error)) ? fault->latch : fault;

  if (g_atomic_pointer_compare_and_exchange (&latch->first, NULL, error))
    latch->by = fault;
  else
    g_error_free (error);
}

void
armilla_fault_set (ArmillaFault *fault, ArmillaError code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  armilla_fault_take (fault, g_error_new_valist (ARMILLA_ERROR, code, format, args));
  va_end (args);
}

void
armilla_fault_check_cuda (ArmillaFault *fault, const char *what, int cuda_error)
{
#ifdef HAVE_CUDA
  const char *says = cudaGetErrorString ((cudaError_t) cuda_error);
#else
  const char *says = "an error";
#endif

  if (cuda_error != 0)
    armilla_fault_set (fault, ARMILLA_ERROR_CUDA, "%s: CUDA says \"%s\" (%d)", what, says,
                       cuda_error);
}

/* Frees the error and resets the latch. No task may be using it. */
void
armilla_fault_clear (ArmillaFault *fault)
{
  g_clear_error (&fault->first);
  fault->by = NULL;
}

/* Returns whether a GPU task has data of only one realisation. Otherwise latches an error of the
 * program, since only CPU kernels support several. */
gboolean
armilla_fault_one_sky (ArmillaFault *fault, const char *codelet, int n_skies)
{
  if (n_skies > 1)
    armilla_fault_set (fault, ARMILLA_ERROR_CUDA, "internal error: %s: %d realisations in one "
                       "GPU task", codelet, n_skies);
  return n_skies <= 1;
}
