/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The products of a butterfly's nodes, compiled once for each instruction set. */
#include "codelets/butterfly/butterfly-products.h"

const ArmillaButterflyKernels SIMD_NAME (armilla_butterfly_kernels)
  = { node_forward, node_transposed };
