/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/graph.h>
#include <armilla/kernel.h>

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
 *
 * How to convolve ring by ring (Elsner and Wandelt 2011, section 4).
 */
typedef struct {
  double accuracy, cut;
  gboolean anti_ringing, kernel_shift;
  gint64 polar_rings;
} ArmillaRingConvolution;

/**
 * ArmillaConvolveMethod:
 * @ARMILLA_CONVOLVE_AUTO: whichever is predicted to take less time
 * @ARMILLA_CONVOLVE_HARMONIC: by way of a_lm
 * @ARMILLA_CONVOLVE_RING: ring by ring
 */
typedef enum {
  ARMILLA_CONVOLVE_AUTO,
  ARMILLA_CONVOLVE_HARMONIC,
  ARMILLA_CONVOLVE_RING
} ArmillaConvolveMethod;

/**
 * ArmillaConvolution:
 * @method: how to convolve
 * @ring: how to do it ring by ring
 * @truncation: error that the cut makes, as armilla_kernel_truncation_error() says
 * @lmax: highest degree by way of a_lm
 *
 * A convolution whose method may still be open.
 */
typedef struct {
  ArmillaConvolveMethod method;
  ArmillaRingConvolution ring;
  double truncation;
  gint64 lmax;
} ArmillaConvolution;

gint64 armilla_convolve_degrees (const ArmillaGrid *grid);
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
