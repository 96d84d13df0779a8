/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/fault.h"

/**
 * armilla_fault_take:
 * @fault: a latch, or a view of one
 * @error: (transfer full): an error
 *
 * Latches @error if it is the first, and frees it otherwise. May be called from any thread; who set
 * the latch is to be read when no task can set it any more.
 */
void
armilla_fault_take (ArmillaFault *fault, GError *error)
{
  ArmillaFault *latch = fault->latch ? fault->latch : fault;

  if (g_atomic_pointer_compare_and_exchange (&latch->first, NULL, error))
    latch->by = fault;
  else
    g_error_free (error);
}

/**
 * armilla_fault_set:
 * @fault: a latch
 * @code: error code
 * @format: printf format of the message
 * @...: its arguments
 *
 * As armilla_fault_take(), with an error made here.
 */
void
armilla_fault_set (ArmillaFault *fault, ArmillaError code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  armilla_fault_take (fault, g_error_new_valist (ARMILLA_ERROR, code, format, args));
  va_end (args);
}

/**
 * armilla_fault_clear:
 * @fault: a latch that no task uses any more
 *
 * Frees the error and makes the latch as new.
 */
void
armilla_fault_clear (ArmillaFault *fault)
{
  g_clear_error (&fault->first);
  fault->by = NULL;
}
