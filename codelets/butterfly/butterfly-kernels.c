/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of the nodes of a butterfly, compiled once for each instruction set. */
#include "codelets/butterfly/butterfly-products.h"

const ArmillaButterflyKernels SIMD_NAME (armilla_butterfly_kernels)
  = { node_forward, node_transposed };
