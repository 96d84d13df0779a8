/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ARMILLA_SIMD_PORTABLE
#define ARMILLA_DELTA_KERNELS armilla_delta_kernels_portable
#include "codelets/delta-kernels.h"
