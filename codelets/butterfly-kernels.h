/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The products of a butterfly's nodes, compiled once for each instruction set. */
#pragma once

#include "codelets/butterfly-products.h"

const ArmillaButterflyKernels ARMILLA_BUTTERFLY_KERNELS = { node_forward, node_transposed };
