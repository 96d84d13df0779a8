/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peaks of this machine, measured once in a while, and the shares of them that codelets reach. */
#pragma once

#include <armilla/error.h>

#include "codelets/peaks/peaks.h"

G_BEGIN_DECLS

/* StarPU runs; its workers pause where something is measured. */
gboolean armilla_peaks_find (ArmillaPeaks *peaks);
/* Measures anew, in any case. */
void armilla_peaks_measure (ArmillaPeaks *peaks);
gboolean armilla_peaks_load (const char *path, ArmillaPeaks *peaks);
void armilla_rates_load (void);
void armilla_rates_read (const char *path);
void armilla_rates_save (void);

G_END_DECLS
