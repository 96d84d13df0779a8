/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions of maps with radial kernels. Every rank requests them in `build` in the same order;
 * they are computed after the function returns. */
#pragma once

#include <armilla/data.h>

#include "core/kernels/kernel.h"

G_BEGIN_DECLS

/* Options of the convolution by rings (Elsner and Wandelt 2011, section 4). */
typedef struct {
  double accuracy;    /* fraction of the rms of the convolved map that the error may have */
  double cut;         /* angle beyond which the kernel is taken as 0, radian */
  /* whether orders above n_phi / 2 of a ring are kept: in the map they are aliases of lower orders,
   * in the result they are aliased to lower orders */
  gboolean anti_ringing;
  /* for two rings with equal numbers of pixels whose azimuths differ by half a pixel: whether the
   * kernel is sampled at the shifted pixels, instead of shifting the map by phases of its modes */
  gboolean kernel_shift;
  gint64 polar_rings; /* number of rings next to each pole that are summed pixel by pixel */
  /* value, relative to the largest |b_l|, below which b_l is neglected; 0: a tenth of accuracy */
  double tolerance;
  /* whether all orders are kept, as needed for kernels whose b_l never vanish and grids of few
   * pixels: output rings that the kernel connects with rings of other azimuths are summed pixel by
   * pixel */
  gboolean exact;
} ArmillaRingConvolution;

typedef enum {
  /* the method with the lower predicted time that reaches the accuracy */
  ARMILLA_CONVOLVE_AUTO,
  ARMILLA_CONVOLVE_HARMONIC, /* through a_lm */
  ARMILLA_CONVOLVE_RING      /* ring by ring */
} ArmillaConvolveMethod;

/* Errors of a method, except for rounding. */
typedef struct {
  /* rms of the error divided by the rms of the convolved map (means subtracted), for white noise or
   * a large-scale sky, whichever is larger */
  double of_rest;
  /* error of the convolved map of constant value 1; 0 if it is included in of_rest */
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
