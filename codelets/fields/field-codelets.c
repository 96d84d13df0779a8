/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/fields/field-codelets.h"

#include "codelets/common/wrappers.h"

#ifdef HAVE_CUDA
#include "codelets/fields/field-ops-cuda.h"
#endif

#define SLOTS(i) ((const ArmillaRingSlot *) STARPU_VECTOR_GET_PTR (buffers[i]))

CPU_WRAPPER (zero, ArmillaVectorArgs,
             armilla_vector_combine_cpu (args.n, 0, NULL, 0, NULL, ARMILLA_BUFFER (0) + args.first))
CUDA_WRAPPER (zero, ArmillaVectorArgs,
              armilla_vector_combine_launch (args.n, 0, NULL, 0, NULL,
                                             ARMILLA_BUFFER (0) + args.first, stream))
CODELET (zero, "1")

CPU_WRAPPER (combine, ArmillaVectorArgs,
             armilla_vector_combine_cpu (args.n, args.alpha, ARMILLA_BUFFER (0), args.beta,
                                         ARMILLA_BUFFER (1), ARMILLA_BUFFER (1)))
CUDA_WRAPPER (combine, ArmillaVectorArgs,
              armilla_vector_combine_launch (args.n, args.alpha, ARMILLA_BUFFER (0), args.beta,
                                             ARMILLA_BUFFER (1), ARMILLA_BUFFER (1), stream))
CODELET (combine, "1")

CPU_WRAPPER (step, ArmillaVectorArgs,
             armilla_vector_step_cpu (args.n, args.alpha, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                      ARMILLA_BUFFER (2), ARMILLA_BUFFER (3), ARMILLA_BUFFER (3)))
CUDA_WRAPPER (step, ArmillaVectorArgs,
              armilla_vector_step_launch (args.n, args.alpha, ARMILLA_BUFFER (0),
                                          ARMILLA_BUFFER (1), ARMILLA_BUFFER (2),
                                          ARMILLA_BUFFER (3), ARMILLA_BUFFER (3), stream))
CODELET (step, "1")

CPU_WRAPPER (turn, ArmillaVectorArgs,
             armilla_vector_step_cpu (args.n, args.alpha, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                      ARMILLA_BUFFER (3), ARMILLA_BUFFER (2), ARMILLA_BUFFER (3)))
CUDA_WRAPPER (turn, ArmillaVectorArgs,
              armilla_vector_step_launch (args.n, args.alpha, ARMILLA_BUFFER (0),
                                          ARMILLA_BUFFER (1), ARMILLA_BUFFER (3),
                                          ARMILLA_BUFFER (2), ARMILLA_BUFFER (3), stream))
CODELET (turn, "1")

CPU_WRAPPER (residual, ArmillaVectorArgs,
             armilla_vector_residual_cpu (args.n, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                          ARMILLA_BUFFER (1)))
CUDA_WRAPPER (residual, ArmillaVectorArgs,
              armilla_vector_residual_launch (args.n, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                              ARMILLA_BUFFER (1), stream))
CODELET (residual, "1")

CPU_WRAPPER (dot, ArmillaAlmArgs,
             armilla_alm_dot_cpu (&args.shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                  ARMILLA_BUFFER (2)))
CUDA_WRAPPER (dot, ArmillaAlmArgs,
              armilla_alm_dot_launch (&args.shape, &args.parts, ARMILLA_BUFFER (0),
                                      ARMILLA_BUFFER (1), ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                      stream))
CODELET (dot, "1")

CPU_WRAPPER (scale_alm, ArmillaAlmArgs,
             armilla_alm_scale_cpu (&args.shape, args.n_copies, args.n_windows, args.lmax_window,
                                    ARMILLA_BUFFER (1), ARMILLA_BUFFER (0), ARMILLA_BUFFER (2)))
CUDA_WRAPPER (scale_alm, ArmillaAlmArgs,
              armilla_alm_scale_launch (&args.shape, args.n_copies, args.n_windows,
                                        args.lmax_window, ARMILLA_BUFFER (1), ARMILLA_BUFFER (0),
                                        ARMILLA_BUFFER (2), stream))
CODELET (scale_alm, "1")

CPU_WRAPPER (spectra, ArmillaAlmArgs,
             armilla_alm_spectra_cpu (&args.shape, args.n_spectra, args.lmax_spectra,
                                      ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), ARMILLA_BUFFER (2)))
CUDA_WRAPPER (spectra, ArmillaAlmArgs,
              armilla_alm_spectra_launch (&args.shape, &args.parts, args.n_spectra,
                                          args.lmax_spectra, ARMILLA_BUFFER (0),
                                          ARMILLA_BUFFER (1), ARMILLA_BUFFER (2), stream))
CODELET (spectra, "1")

CPU_WRAPPER (spectra_finish, ArmillaAlmArgs,
             armilla_spectra_finish_cpu (args.lmax_spectra, args.n_spectra, ARMILLA_BUFFER (0)))
CUDA_WRAPPER (spectra_finish, ArmillaAlmArgs,
              armilla_spectra_finish_launch (args.lmax_spectra, args.n_spectra, ARMILLA_BUFFER (0),
                                             stream))
CODELET (spectra_finish, "1")

CPU_WRAPPER (moments, ArmillaDipoleArgs,
             armilla_dipole_moments_cpu (&args.shape, SLOTS (0), ARMILLA_BUFFER (1),
                                         ARMILLA_BUFFER (2), ARMILLA_BUFFER (3)))
CUDA_WRAPPER (moments, ArmillaDipoleArgs,
              armilla_dipole_moments_launch (&args.shape, SLOTS (0), ARMILLA_BUFFER (1),
                                             ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                             ARMILLA_BUFFER (4), stream))
CODELET (moments, "1")

CPU_WRAPPER (remove_dipole, ArmillaDipoleArgs,
             armilla_dipole_remove_cpu (&args.shape, SLOTS (0), ARMILLA_BUFFER (1),
                                        ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                        ARMILLA_BUFFER (4)))
CUDA_WRAPPER (remove_dipole, ArmillaDipoleArgs,
              armilla_dipole_remove_launch (&args.shape, SLOTS (0), ARMILLA_BUFFER (1),
                                            ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                            ARMILLA_BUFFER (4), stream))
CODELET (remove_dipole, "1")

/**
 * armilla_dot_scratch:
 *
 * Returns: doubles of scratch that armilla_dot_cl needs
 */
gint64
armilla_dot_scratch (void)
{
#ifdef HAVE_CUDA
  return ARMILLA_DOT_SCRATCH;
#else
  return 0;
#endif
}

/**
 * armilla_moments_scratch:
 * @shape: a ring block
 *
 * Returns: doubles of scratch that armilla_moments_cl needs
 */
gint64
armilla_moments_scratch (const ArmillaDipoleShape *shape)
{
#ifdef HAVE_CUDA
  return armilla_dipole_scratch_size (shape);
#else
  (void) shape;
  return 0;
#endif
}
