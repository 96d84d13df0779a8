/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that random-kernels.c defines for random.c, once for each instruction set. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/fields/random.h"

/* See armilla_random_cpu(); @count: armilla_random_count(). */
typedef void ArmillaRandomKernel (const ArmillaRandomShape *shape, int64_t count,
                                  const double *factor, double *out);

extern ArmillaRandomKernel ARMILLA_EACH_ISA (armilla_random_draw);

/* See armilla_random_noise(). */
typedef void ArmillaNoiseKernel (uint64_t seed, uint64_t realisation, int n_fields, int64_t first,
                                 int64_t n, double *const *out);

extern ArmillaNoiseKernel ARMILLA_EACH_ISA (armilla_noise_draw);
