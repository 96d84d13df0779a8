/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ARMILLA_SIMD_PORTABLE
#define ARMILLA_TRIPLE_LEAF armilla_triple_leaf_portable
#include "codelets/triple-kernels.h"
