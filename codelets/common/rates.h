/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimated task times: cost divided by the peaks of the machine and by the share of the peak that
 * the codelet has reached so far. */
#pragma once

#include <armilla/codelet.h>

G_BEGIN_DECLS

/* Measurements of a codelet on this machine. Older ones have less weight. */
typedef struct {
  /* seconds that the measured tasks would have taken at the peaks, by kind of worker */
  double ideal[ARMILLA_KINDS];
  double took[ARMILLA_KINDS]; /* measured seconds without the fixed overhead of a task */
} ArmillaMeasuredRate;

typedef void (*ArmillaRateVisit) (const char *symbol, const ArmillaMeasuredRate *rate,
                                  gpointer user);

void armilla_rates_set_peaks (double core_flops, double core_bytes, double gpu_flops,
                              double gpu_bytes);
void armilla_rates_set_slow_gpu (int times);
void armilla_rates_prepare (ArmillaCodelet *codelet);
double armilla_rates_seconds (const ArmillaCodelet *codelet, ArmillaKind kind, ArmillaCost cost);
void armilla_rates_measured (ArmillaCodelet *codelet, ArmillaKind kind, ArmillaCost cost,
                             double seconds);
void armilla_rates_put (const char *symbol, const ArmillaMeasuredRate *rate);
void armilla_rates_each (ArmillaRateVisit visit, gpointer user);

/* Delays work that is queued on the stream later; returns a CUDA error. In builds with CUDA
 * only. */
int armilla_slow_gpu_wait (void *stream, double seconds);

G_END_DECLS
