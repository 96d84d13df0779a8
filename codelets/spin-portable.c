/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ARMILLA_SIMD_PORTABLE
#define ARMILLA_SPIN_KERNELS armilla_spin_kernels_portable
#include "codelets/spin-kernels.h"
