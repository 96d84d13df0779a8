/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast ranks are, from what their tasks took. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ARMILLA_MEASURED_KINDS 2     /* of workers: CPU, CUDA */
#define ARMILLA_MEASURED_CODELETS 64 /* further codelets of a graph do not count */

/* What a rank tells the others of the time since they talked last; the same size everywhere. */
typedef struct {
  /* [kind of worker][codelet]: what tasks that are done had to do, in any unit a codelet */
  double work[ARMILLA_MEASURED_KINDS][ARMILLA_MEASURED_CODELETS];
  /* [kind of worker][codelet]: how long they took, s */
  double busy[ARMILLA_MEASURED_KINDS][ARMILLA_MEASURED_CODELETS];
  double workers[ARMILLA_MEASURED_KINDS]; /* [kind of worker]: how many there are */
  /* how much of the time in which CPU workers could have run they did; 0: not known */
  double share;
  double seconds;                         /* since the last exchange */
  double talk;                            /* how long that took */
} ArmillaMeasured;

gboolean armilla_measured_speeds (const ArmillaMeasured *ranks, int n_ranks, double *prices,
                                  double *speeds, gboolean *known);

G_END_DECLS
