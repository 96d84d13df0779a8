/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cached peaks of this machine, and the fractions of them that codelets reach. */
#pragma once

#include <armilla/error.h>

#include "codelets/peaks/peaks.h"

G_BEGIN_DECLS

/* Requires a running StarPU, whose workers pause during a measurement. */
gboolean armilla_peaks_find (ArmillaPeaks *peaks);
/* Always measures again. */
void armilla_peaks_measure (ArmillaPeaks *peaks);
gboolean armilla_peaks_load (const char *path, ArmillaPeaks *peaks);
void armilla_rates_load (void);
void armilla_rates_read (const char *path);
void armilla_rates_save (void);

G_END_DECLS
