/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ARMILLA_SIMD_PORTABLE
#define ARMILLA_THETA_KERNELS armilla_theta_kernels_portable
#include "codelets/theta-kernels.h"
