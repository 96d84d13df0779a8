/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/rotation/rotate-codelets.h"

#include "codelets/common/wrappers.h"

#ifdef HAVE_CUDA
#include "codelets/rotation/rotate-cuda.h"
#endif

CPU_WRAPPER (rotate, ArmillaRotateArgs,
             armilla_rotate_cpu (&args.shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                 ARMILLA_BUFFER (2)))
CUDA_WRAPPER (rotate, ArmillaRotateArgs,
              armilla_rotate_launch (&args.shape, &args.parts, ARMILLA_BUFFER (0),
                                     ARMILLA_BUFFER (1), ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                     stream))
CODELET (rotate, "1")

/**
 * armilla_rotate_scratch:
 * @shape: a rotation of one block into another
 *
 * Returns: doubles of scratch that armilla_rotate_cl needs
 */
gint64
armilla_rotate_scratch (const ArmillaRotateShape *shape)
{
#ifdef HAVE_CUDA
  return armilla_rotate_scratch_size (shape);
#else
  (void) shape;
  return 0;
#endif
}
