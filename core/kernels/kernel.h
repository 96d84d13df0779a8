/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Radial kernels and their windows; pixel windows. Kernels are immutable: threads may share
 * them. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A radial kernel K(theta) = sum_l (2l + 1) / (4 pi) b_l P_l(cos theta) and its window b_l.
 * Immutable and reference-counted. It is defined by its window (Gaussian, needlet, table of b_l),
 * which is 0 beyond its highest multipole; or by its profile (top hat, table of angles and values),
 * which is 0 beyond its last angle. */
typedef struct _ArmillaKernel ArmillaKernel;

ArmillaKernel *armilla_kernel_new_gaussian (double fwhm, GError **error);
ArmillaKernel *armilla_kernel_new_needlet (double scale, int order, GError **error);
ArmillaKernel *armilla_kernel_new_window (const double *window, gint64 lmax, GError **error);
ArmillaKernel *armilla_kernel_new_top_hat (double radius, GError **error);
ArmillaKernel *armilla_kernel_new_profile (const double *theta, const double *value, gint64 n,
                                           GError **error);
ArmillaKernel *armilla_kernel_normalised (ArmillaKernel *kernel, GError **error);
ArmillaKernel *armilla_kernel_ref (ArmillaKernel *kernel);
void armilla_kernel_unref (ArmillaKernel *kernel);
gboolean armilla_kernel_equal (const ArmillaKernel *a, const ArmillaKernel *b);

const char *armilla_kernel_describe (const ArmillaKernel *kernel);
double armilla_kernel_support (const ArmillaKernel *kernel);
gint64 armilla_kernel_lmax (const ArmillaKernel *kernel);
void armilla_kernel_window (const ArmillaKernel *kernel, gint64 lmax, double *window);
void armilla_kernel_profile (const ArmillaKernel *kernel, const double *chord, gint64 n,
                             double *value);
gint64 armilla_kernel_band_limit (const ArmillaKernel *kernel, double tolerance, gint64 limit);

/* doubles per interval of a table: a polynomial of degree 7 */
#define ARMILLA_KERNEL_TERMS 8

/* A truncated kernel, tabulated by the chord c (the square root of the argument of Elsner and
 * Wandelt (2011), eq. 9) up to a right angle, and beyond by the chord from the antipode: K = sum_k
 * terms[i][k] t^k, where i + t is scale times c, or scale times 2 sqrt 2 - sqrt (4 - c^2). Kernels
 * are even functions of both, so they are as smooth at 0 and at pi as elsewhere. The error is below
 * 1e-13 of K(0) for kernels that have a window; for a profile, where its spline is smooth. */
typedef struct {
  /* angle beyond which the kernel is taken as 0, radian; the kernel is not 0 at cut itself */
  double cut;
  /* square of the chord of cut, 4 sin^2 (cut / 2); infinite if cut is pi, since the squared chord
   * of antipodes may round to more than 4 */
  double chord2;
  double scale; /* intervals per unit of the chord */
  gint64 n;     /* number of intervals */
  /* (array): [n][ARMILLA_KERNEL_TERMS]: coefficients in t, the position within an interval, 0..1 */
  double *terms;
} ArmillaKernelTable;

ArmillaKernelTable *armilla_kernel_tabulate (const ArmillaKernel *kernel, double cut);
void armilla_kernel_table_free (ArmillaKernelTable *table);
double armilla_kernel_table_value (const ArmillaKernelTable *table, double chord2);
void armilla_kernel_table_window (const ArmillaKernelTable *table, gint64 lmax, double *window);

/* Convolutions must be accurate for maps whose mean is up to this many times their fluctuations, as
 * in maps of the CMB temperature. */
#define ARMILLA_KERNEL_MEAN 1e5

double armilla_kernel_mean_weight (const double *window, gint64 lmax, double pixel);
double armilla_kernel_truncation_error (const ArmillaKernel *kernel, double cut, const double *cl,
                                        gint64 lmax, double pixel, double *of_mean);
double armilla_kernel_choose_cut (const ArmillaKernel *kernel, double accuracy, const double *cl,
                                  gint64 lmax, double pixel);

/* Maximum nside of armilla_pixel_window_compute(), whose time is proportional to its square. */
#define ARMILLA_PIXEL_WINDOW_MAX_NSIDE 2048

gboolean armilla_pixel_window_compute (gint64 nside, gint64 lmax, double *scalar, double *spin2,
                                       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaKernel, armilla_kernel_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaKernelTable, armilla_kernel_table_free)

G_END_DECLS
