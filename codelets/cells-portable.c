/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ARMILLA_SIMD_PORTABLE
#define ARMILLA_CELLS_KERNELS armilla_cells_kernels_portable
#include "codelets/cells-kernels.h"
