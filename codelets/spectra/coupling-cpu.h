/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that the CPU kernels of all instruction sets share; internal to coupling*.c. */
#pragma once

#include "codelets/spectra/coupling.h"

typedef void ArmillaCouplingKernel (const ArmillaCouplingShape *shape, const double *table,
                                    double *below, double *above);
extern ArmillaCouplingKernel ARMILLA_EACH_ISA (armilla_coupling);
