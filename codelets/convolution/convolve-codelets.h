/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/convolution/convolve.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;               /* error latch of this rank */
  union {
    ArmillaGriddingShape gridding;
    ArmillaReductionShape reduction;
    ArmillaPolarShape polar;
    gint64 n;                        /* pixels checked by unseen_back */
  };
} ArmillaConvolveArgs;

/* Buffers: 0 R groups, 1 R table, 2 R terms, 3 R pairs of the output block, 4 R pairs of the input
 * block, 5 W values. */
extern ArmillaCodelet armilla_kernel_gridding_cl;
/* Buffers: 0 R groups, 1 R first, 2 R table, 3 R values, 4 R input modes, 5 W (fresh) or RW output
 * modes. */
extern ArmillaCodelet armilla_theta_reduction_cl;
/* Buffers: 0 R slots and 1 R pairs of the output block, 2 R slots and 3 R pairs of the input block,
 * 4 R terms, 5 R input pixels, 6 RW output pixels, 7 SCRATCH of armilla_polar_scratch_size(). */
extern ArmillaCodelet armilla_polar_sum_cl;
/* Buffers: 0 R input pixels, 1 RW output pixels. */
extern ArmillaCodelet armilla_unseen_back_cl;

ArmillaCost armilla_kernel_gridding_cost (const ArmillaGriddingShape *shape);
ArmillaCost armilla_theta_reduction_cost (const ArmillaReductionShape *shape);

G_END_DECLS
