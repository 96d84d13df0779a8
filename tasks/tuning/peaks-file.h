/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peaks of this machine, measured once in a while: a traced run is not to wait for them. */
#pragma once

#include <armilla/error.h>

#include "codelets/peaks/peaks.h"

G_BEGIN_DECLS

/* StarPU runs; its workers pause where something is measured. */
void armilla_peaks_find (ArmillaPeaks *peaks);
/* Measures anew, in any case. */
void armilla_peaks_measure (ArmillaPeaks *peaks);

G_END_DECLS
