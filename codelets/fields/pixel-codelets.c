/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/fields/pixel-codelets.h"

#include "codelets/common/wrappers.h"

#ifdef HAVE_CUDA
#include "codelets/fields/pixel-ops-cuda.h"
#endif

CPU_WRAPPER (pixel_weights, ArmillaPixelArgs,
             armilla_pixel_weights_cpu (args.n_fields * args.n_pixels, args.flag,
                                        ARMILLA_BUFFER (0), ARMILLA_BUFFER (1)))
CUDA_WRAPPER (pixel_weights, ArmillaPixelArgs,
              armilla_pixel_weights_launch (args.n_fields * args.n_pixels, args.flag,
                                            ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), stream))
CODELET (pixel_weights, "1")

CPU_WRAPPER (pixel_mask, ArmillaPixelArgs,
             armilla_pixel_mask_cpu (args.n_fields, args.n_pixels, args.n_weights, args.flag,
                                     ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), ARMILLA_BUFFER (2)))
CUDA_WRAPPER (pixel_mask, ArmillaPixelArgs,
              armilla_pixel_mask_launch (args.n_fields, args.n_pixels, args.n_weights, args.flag,
                                         ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                         ARMILLA_BUFFER (2), stream))
CODELET (pixel_mask, "1")

CPU_WRAPPER (pixel_scale, ArmillaPixelArgs,
             armilla_pixel_scale_cpu (args.n_fields * args.n_pixels, args.alpha,
                                      ARMILLA_BUFFER (0), ARMILLA_BUFFER (1)))
CUDA_WRAPPER (pixel_scale, ArmillaPixelArgs,
              armilla_pixel_scale_launch (args.n_fields * args.n_pixels, args.alpha,
                                          ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), stream))
CODELET (pixel_scale, "1")

CPU_WRAPPER (pixel_combine, ArmillaPixelArgs,
             armilla_pixel_combine_cpu (args.n_fields * args.n_pixels, args.alpha,
                                        ARMILLA_BUFFER (0), args.beta, ARMILLA_BUFFER (1),
                                        ARMILLA_BUFFER (1)))
CUDA_WRAPPER (pixel_combine, ArmillaPixelArgs,
              armilla_pixel_combine_launch (args.n_fields * args.n_pixels, args.alpha,
                                            ARMILLA_BUFFER (0), args.beta, ARMILLA_BUFFER (1),
                                            ARMILLA_BUFFER (1), stream))
CODELET (pixel_combine, "1")
