/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions of maps with radial kernels. Every rank requests them in `build` in the same order;
 * they are computed after the function returns. */
#pragma once

#include <armilla/data.h>

#include "core/kernels/kernel.h"

G_BEGIN_DECLS

/* Options of the convolution by rings (Elsner and Wandelt 2011, section 4). */
typedef struct {
  double accuracy;    /* relative error allowed for omitting orders of the kernel */
  double cut;         /* angle beyond which the kernel is taken as 0, radian */
  /* whether orders beyond half the pixels of a ring are kept: those of the map are aliases of lower
   * ones, those of the result are aliased back */
  gboolean anti_ringing;
  /* whether the kernel is sampled at half steps between rings of equal length whose pixels differ
   * by half a pixel, instead of shifting the map by its phases */
  gboolean kernel_shift;
  gint64 polar_rings; /* rings next to each pole that are summed directly */
  /* part of the window that is negligible, relative to its largest b_l; 0: a tenth of accuracy */
  double tolerance;
  /* whether all orders are kept, for kernels whose window does not end and grids of few pixels:
   * rings whose pixels do not match are then summed directly */
  gboolean exact;
} ArmillaRingConvolution;

typedef enum {
  /* the method with the lower predicted time, of those that reach the accuracy */
  ARMILLA_CONVOLVE_AUTO,
  ARMILLA_CONVOLVE_HARMONIC, /* through a_lm */
  ARMILLA_CONVOLVE_RING      /* ring by ring */
} ArmillaConvolveMethod;

/* Errors of a method, except for rounding. */
typedef struct {
  /* root mean square of the error relative to the convolved map without its mean, for white noise
   * or a sky of large scales, whichever is larger */
  double of_rest;
  /* error caused by a mean of 1; 0 if it is at most of_rest times the convolved mean */
  double of_mean;
} ArmillaConvolveError;

/* A convolution whose method may be undecided. */
typedef struct {
  ArmillaConvolveMethod method;
  ArmillaRingConvolution ring;     /* options by rings; a cut of 0 is chosen automatically */
  gint64 lmax;                     /* highest multipole through a_lm; -1 is chosen automatically */
  /* error of the method by rings; armilla_convolution_settle() sets it */
  ArmillaConvolveError by_rings;
  ArmillaConvolveError by_degrees; /* error of the method through a_lm; armilla_convolution_settle()
                                    * sets it */
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
