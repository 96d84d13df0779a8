/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cached peak rates of this machine, and the fractions of them that codelets reach. */
#pragma once

#include <armilla/error.h>

#include "codelets/peaks/peaks.h"

G_BEGIN_DECLS

/* Requires a running StarPU, whose workers are paused during a measurement. */
gboolean armilla_peaks_find (ArmillaPeaks *peaks);
/* Measures even if the peaks are cached. */
void armilla_peaks_measure (ArmillaPeaks *peaks);
gboolean armilla_peaks_load (const char *path, ArmillaPeaks *peaks);
void armilla_rates_load (void);
void armilla_rates_read (const char *path);
void armilla_rates_save (void);

G_END_DECLS
