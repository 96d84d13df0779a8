/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ARMILLA_SIMD_PORTABLE
#define ARMILLA_PAIR_ITEM armilla_pair_item_portable
#include "codelets/pair-kernels.h"
