/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peaks of this machine, measured once in a while: a traced run is not to wait for them. */
#pragma once

#include <armilla/error.h>

#include "codelets/peaks/peaks.h"

G_BEGIN_DECLS

/* StarPU runs; its workers pause where something is measured. */
void armilla_peaks_find (ArmillaPeaks *peaks);
/* What was measured before; measures nothing. */
gboolean armilla_peaks_kept (ArmillaPeaks *peaks);
/* Measures anew, in any case. */
void armilla_peaks_measure (ArmillaPeaks *peaks);
/* Where they are kept. */
char *armilla_peaks_path (void);

G_END_DECLS
