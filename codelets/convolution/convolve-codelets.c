/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/convolution/convolve-codelets.h"

#include "codelets/common/wrappers.h"

#ifdef HAVE_CUDA
#include "codelets/convolution/convolve-cuda.h"
#endif

#define GROUPS ((const ArmillaConvolveGroup *) STARPU_VECTOR_GET_PTR (buffers[0]))
#define FIRST ((const int32_t *) STARPU_VECTOR_GET_PTR (buffers[1]))
#define SLOTS(i) ((const ArmillaRingSlot *) STARPU_VECTOR_GET_PTR (buffers[i]))

CPU_WRAPPER (kernel_gridding, ArmillaConvolveArgs,
             armilla_kernel_gridding_cpu (&args.gridding, GROUPS, ARMILLA_BUFFER (1),
                                          ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                          ARMILLA_BUFFER (4), ARMILLA_BUFFER (5)))
CUDA_WRAPPER (kernel_gridding, ArmillaConvolveArgs,
              armilla_kernel_gridding_launch (&args.gridding, GROUPS, ARMILLA_BUFFER (1),
                                              ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                              ARMILLA_BUFFER (4), ARMILLA_BUFFER (5), stream))
CODELET (kernel_gridding, "1")

CPU_WRAPPER (theta_reduction, ArmillaConvolveArgs,
             armilla_theta_reduction_cpu (&args.reduction, GROUPS, FIRST, ARMILLA_BUFFER (2),
                                          ARMILLA_BUFFER (3), ARMILLA_BUFFER (4),
                                          ARMILLA_BUFFER (5)))
CUDA_WRAPPER (theta_reduction, ArmillaConvolveArgs,
              armilla_theta_reduction_launch (&args.reduction, GROUPS, FIRST, ARMILLA_BUFFER (2),
                                              ARMILLA_BUFFER (3), ARMILLA_BUFFER (4),
                                              ARMILLA_BUFFER (5), stream))
CODELET (theta_reduction, "1")

CPU_WRAPPER (polar_sum, ArmillaConvolveArgs,
             armilla_polar_sum_cpu (&args.polar, SLOTS (0), SLOTS (2), ARMILLA_BUFFER (1),
                                    ARMILLA_BUFFER (3), ARMILLA_BUFFER (4), ARMILLA_BUFFER (5),
                                    ARMILLA_BUFFER (6)))
CUDA_WRAPPER (polar_sum, ArmillaConvolveArgs,
              armilla_polar_sum_launch (&args.polar, SLOTS (0), SLOTS (2), ARMILLA_BUFFER (1),
                                        ARMILLA_BUFFER (3), ARMILLA_BUFFER (4), ARMILLA_BUFFER (5),
                                        ARMILLA_BUFFER (6), stream))
CODELET (polar_sum, "1")

CPU_WRAPPER (unseen_back, ArmillaConvolveArgs,
             armilla_unseen_back_cpu (args.n, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1)))
CUDA_WRAPPER (unseen_back, ArmillaConvolveArgs,
              armilla_unseen_back_launch (args.n, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), stream))
CODELET (unseen_back, "1")
