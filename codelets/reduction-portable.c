/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ARMILLA_SIMD_PORTABLE
#define ARMILLA_REDUCTION armilla_theta_reduction_portable
#include "codelets/reduction-kernels.h"
