/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the speeds of ranks from the durations of their tasks. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ARMILLA_MEASURED_KINDS 2     /* kinds of workers: CPU, CUDA */
#define ARMILLA_MEASURED_CODELETS 64 /* maximum number of codelets of a graph that are measured */

/* Measurements of a rank since the last exchange; the same size on all ranks. */
typedef struct {
  /* [kind of worker][codelet]: work of completed tasks, in a unit that may differ between
   * codelets */
  double work[ARMILLA_MEASURED_KINDS][ARMILLA_MEASURED_CODELETS];
  /* [kind of worker][codelet]: seconds that these tasks took */
  double busy[ARMILLA_MEASURED_KINDS][ARMILLA_MEASURED_CODELETS];
  double workers[ARMILLA_MEASURED_KINDS]; /* [kind of worker]: number of workers */
  /* CPU time of CPU workers relative to the time they were runnable; 0: unknown */
  double share;
  double seconds;                         /* seconds since the last exchange */
  double talk;                            /* seconds that the exchange took */
} ArmillaMeasured;

gboolean armilla_measured_speeds (const ArmillaMeasured *ranks, int n_ranks, double *prices,
                                  double *speeds, gboolean *known);

G_END_DECLS
