/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/fault.h>

G_BEGIN_DECLS

/* A latch holds the first error of a run. A view of the latch, which sets it, identifies the part
 * of the graph that failed. */
struct _ArmillaFault {
  ArmillaFault *latch;    /* the latch of which this is a view; NULL for a latch */
  GError *first; /* the first error; set once, atomically (in latches, and in views with @apart) */
  const ArmillaFault *by; /* the view that set the latch (latches only); may be NULL */
  gboolean apart; /* whether errors in values are kept in this view instead of the latch, because no
                   * other output depends on these values */
};

void armilla_fault_take (ArmillaFault *fault, GError *error);
gboolean armilla_fault_one_sky (ArmillaFault *fault, const char *codelet, int n_skies);
void armilla_fault_clear (ArmillaFault *fault);

G_END_DECLS
