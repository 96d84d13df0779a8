/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/fields/random-codelets.h"

#include "codelets/common/wrappers.h"

#ifdef HAVE_CUDA
#include "codelets/fields/random-cuda.h"
#endif

CPU_WRAPPER (random_alm, ArmillaRandomArgs,
             armilla_random_cpu (&args.shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1)))
CUDA_WRAPPER (random_alm, ArmillaRandomArgs,
              armilla_random_launch (&args.shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), stream))
CODELET (random_alm, "1")
