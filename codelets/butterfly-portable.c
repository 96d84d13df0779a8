/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ARMILLA_SIMD_PORTABLE
#define ARMILLA_BUTTERFLY_KERNELS armilla_butterfly_kernels_portable
#include "codelets/butterfly-kernels.h"
