/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long tasks take: their cost over the peaks of the machine, and over the share of a peak that
 * each codelet has reached so far. */
#pragma once

#include <armilla/codelet.h>

G_BEGIN_DECLS

/**
 * ArmillaMeasuredRate:
 * @ideal: seconds that the measured tasks of a codelet would have taken at the peaks, by kind of
 *   worker
 * @took: seconds that they took, less what any task takes
 *
 * What was measured of a codelet on this machine. Older measurements count less.
 */
typedef struct {
  double ideal[ARMILLA_KINDS], took[ARMILLA_KINDS];
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

/* In builds with CUDA only: what is queued on a stream after it waits so long; a CUDA error. */
int armilla_slow_gpu_wait (void *stream, double seconds);

G_END_DECLS
