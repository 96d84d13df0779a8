/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps convolved with radial kernels. A stage asks for these in `build`, on every rank alike and in
 * the same order; nothing is computed before the function returns. */
#pragma once

#include <armilla/data.h>

#include "core/kernels/kernel.h"

G_BEGIN_DECLS

/**
 * ArmillaRingConvolution:
 * @accuracy: error that may come from leaving out orders of the kernel, relative
 * @cut: angle beyond which the kernel is taken as 0, radian
 * @anti_ringing: whether orders beyond half the pixels of a ring are kept: those of the map repeat
 *   the lower ones, those of the result are folded back
 * @kernel_shift: whether, between rings of equal length whose pixels lie half a pixel apart, the
 *   kernel is sampled in between instead of shifting the map by its phases
 * @polar_rings: rings next to each pole that are summed pixel by pixel
 * @tolerance: what of the window does not matter, as a part of its largest b_l; 0: a tenth of
 *   @accuracy
 * @exact: whether all orders are taken, for kernels whose window does not end and on grids of few
 *   pixels: rings whose pixels do not match are then summed pixel by pixel
 *
 * How to convolve ring by ring (Elsner and Wandelt 2011, section 4).
 */
typedef struct {
  double accuracy, cut;
  gboolean anti_ringing, kernel_shift;
  gint64 polar_rings;
  double tolerance;
  gboolean exact;
} ArmillaRingConvolution;

/**
 * ArmillaConvolveMethod:
 * @ARMILLA_CONVOLVE_AUTO: of those that reach the accuracy, whichever is predicted to take less
 *   time
 * @ARMILLA_CONVOLVE_HARMONIC: through a_lm
 * @ARMILLA_CONVOLVE_RING: ring by ring
 */
typedef enum {
  ARMILLA_CONVOLVE_AUTO,
  ARMILLA_CONVOLVE_HARMONIC,
  ARMILLA_CONVOLVE_RING
} ArmillaConvolveMethod;

/**
 * ArmillaConvolveError:
 * @of_rest: root of the mean square of the error over that of the convolved map, for a map without
 *   a mean: white noise, or a sky of large scales, whichever has the larger one
 * @of_mean: what a mean of 1 adds to the error; 0 where this is no more than @of_rest of the
 *   convolved mean
 *
 * What a method errs by, roundings apart.
 */
typedef struct {
  double of_rest, of_mean;
} ArmillaConvolveError;

/**
 * ArmillaConvolution:
 * @method: how to convolve
 * @ring: how to do it ring by ring; a cut of 0 has it chosen
 * @lmax: highest degree through a_lm; -1 has it chosen
 * @by_rings: what the method by rings errs by; set by armilla_convolution_settle()
 * @by_degrees: what the method through a_lm errs by; likewise
 *
 * A convolution whose method may still be open.
 */
typedef struct {
  ArmillaConvolveMethod method;
  ArmillaRingConvolution ring;
  gint64 lmax;
  ArmillaConvolveError by_rings, by_degrees;
} ArmillaConvolution;

void armilla_convolution_settle (ArmillaConvolution *what, const ArmillaGrid *grid,
                                 const ArmillaKernel *kernel, const double *cl, gint64 lmax);
gint64 armilla_convolve_degrees (const ArmillaGrid *grid);
gboolean armilla_convolve_check_width (const ArmillaKernel *kernel, const ArmillaGrid *grid,
                                       GError **error);
gboolean armilla_convolve_check_spins (const int *spins, int n_fields, GError **error);
gboolean armilla_graph_convolve (ArmillaGraph *graph, ArmillaMap *map, ArmillaKernel *kernel,
                                 const ArmillaConvolution *what, ArmillaMap *out, GError **error);
gboolean armilla_graph_convolve_rings (ArmillaGraph *graph, ArmillaMap *map, ArmillaKernel *kernel,
                                       const ArmillaRingConvolution *options, ArmillaMap *out,
                                       GError **error);
gboolean armilla_graph_convolve_harmonic (ArmillaGraph *graph, ArmillaMap *map,
                                          ArmillaKernel *kernel, gint64 lmax, ArmillaMap *out,
                                          GError **error);

G_END_DECLS
