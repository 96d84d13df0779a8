/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps convolved with radial kernels. A stage asks for these in `build`, on every rank alike and in
 * the same order; nothing is computed before the function returns. */
#pragma once

#include <armilla/data.h>

#include "core/kernels/kernel.h"

G_BEGIN_DECLS

/* How to convolve ring by ring (Elsner and Wandelt 2011, section 4). */
typedef struct {
  double accuracy;    /* error that may come from leaving out orders of the kernel, relative */
  double cut;         /* angle beyond which the kernel is taken as 0, radian */
  /* whether orders beyond half the pixels of a ring are kept: those of the map repeat the lower
   * ones, those of the result are folded back */
  gboolean anti_ringing;
  /* whether, between rings of equal length whose pixels lie half a pixel apart, the kernel is
   * sampled in between instead of shifting the map by its phases */
  gboolean kernel_shift;
  gint64 polar_rings; /* rings next to each pole that are summed pixel by pixel */
  /* what of the window does not matter, as a part of its largest b_l; 0: a tenth of accuracy */
  double tolerance;
  /* whether all orders are taken, for kernels whose window does not end and on grids of few pixels:
   * rings whose pixels do not match are then summed pixel by pixel */
  gboolean exact;
} ArmillaRingConvolution;

typedef enum {
  /* of those that reach the accuracy, whichever is predicted to take less time */
  ARMILLA_CONVOLVE_AUTO,
  ARMILLA_CONVOLVE_HARMONIC, /* through a_lm */
  ARMILLA_CONVOLVE_RING      /* ring by ring */
} ArmillaConvolveMethod;

/* What a method errs by, roundings apart. */
typedef struct {
  /* root of the mean square of the error over that of the convolved map, for a map without a mean:
   * white noise, or a sky of large scales, whichever has the larger one */
  double of_rest;
  /* what a mean of 1 adds to the error; 0 where this is no more than of_rest of the convolved mean
   */
  double of_mean;
} ArmillaConvolveError;

/* A convolution whose method may still be open. */
typedef struct {
  ArmillaConvolveMethod method;    /* how to convolve */
  ArmillaRingConvolution ring;     /* how to do it ring by ring; a cut of 0 has it chosen */
  gint64 lmax;                     /* highest degree through a_lm; -1 has it chosen */
  /* what the method by rings errs by; set by armilla_convolution_settle() */
  ArmillaConvolveError by_rings;
  ArmillaConvolveError by_degrees; /* what the method through a_lm errs by; likewise */
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
