/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU kernels of the instruction sets share; internal to coupling*.c. */
#pragma once

#include "codelets/spectra/coupling.h"

typedef void ArmillaCouplingKernel (const ArmillaCouplingShape *shape, const double *table,
                                    double *below, double *above);
extern ArmillaCouplingKernel ARMILLA_EACH_ISA (armilla_coupling);
