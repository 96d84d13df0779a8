/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaFault:
 * @latch: (nullable): the latch that this is a view of; %NULL for a latch
 * @first: the first error; set once, atomically (latches only)
 * @by: (nullable): the view that set it (latches only)
 *
 * A latch that holds the first error of a run. Codelets look at it before they work and do nothing
 * once it is set: their outputs are garbage from then on, so sinks look at it too before a file
 * gets its name. Who shall be known by an error gets a view of its own.
 */
typedef struct _ArmillaFault ArmillaFault;
struct _ArmillaFault {
  ArmillaFault *latch;
  GError *first;
  const ArmillaFault *by;
};

static inline gboolean
armilla_fault_is_set (ArmillaFault *fault)
{
  ArmillaFault *latch = fault->latch ? fault->latch : fault;

  return g_atomic_pointer_get (&latch->first) != NULL;
}

void armilla_fault_take (ArmillaFault *fault, GError *error);
void armilla_fault_set (ArmillaFault *fault, ArmillaError code, const char *format, ...)
  G_GNUC_PRINTF (3, 4);
void armilla_fault_clear (ArmillaFault *fault);

G_END_DECLS
