/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What collect-kernels.c gives to vector-ops.c, once for each instruction set. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/fields/collect-math.h"

/* armilla_collect_add() of one realisation, for some numbers of a tile: @n values and, at @at, as
 * many sums of each array. */
typedef void ArmillaCollectKernel (const ArmillaCollectShape *shape, int64_t n,
                                   const double *values, double *at);

extern ArmillaCollectKernel ARMILLA_EACH_ISA (armilla_collect_some);
