/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandpowers from binned coupling matrices, which are plain arrays. */
#pragma once

#include "core/spectra/degree-bins.h"

G_BEGIN_DECLS

/* Adds weighted sums of a block of rows of a coupling matrix, @values [n_rows][n_columns], to
 * binned[bin][column ..]. */
void armilla_decouple_add (const ArmillaDegreeBins *bins, gint64 row, gint64 n_rows, gint64 column,
                           gint64 n_columns, const double *values, double *binned);

/* number of matrices; their order is that of ArmillaCouplingKinds */
#define ARMILLA_COUPLING_N_KINDS 7
#define ARMILLA_COUPLING_MINUS 3
extern const char *const armilla_coupling_kind_names[ARMILLA_COUPLING_N_KINDS];

typedef struct {
  const ArmillaDegreeBins *bins;
  const GArray *spectra;
  /* for each matrix, [bin][l], l = 0..lmax of bins; NULL if not needed */
  const double *binned[ARMILLA_COUPLING_N_KINDS];
  /* beams and pixel windows of both fields, [l]: two scalars, a scalar and spin 2, spin 2 and a
   * scalar, two of spin 2 */
  const double *windows[4];
} ArmillaDecoupleInput;

/* Computes bandpowers from binned pseudo-spectra. @in must outlive it. */
typedef struct _ArmillaDecoupler ArmillaDecoupler;

ArmillaDecoupler *armilla_decoupler_new (const ArmillaDecoupleInput *in);
void armilla_decoupler_free (ArmillaDecoupler *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaDecoupler, armilla_decoupler_free)

/* Computes @bandpowers from binned pseudo-spectra, both [spectrum][side][bin], for any number of
 * right-hand sides. Fails with %ARMILLA_ERROR_NUMERIC if a matrix is singular. */
gboolean armilla_decoupler_apply (ArmillaDecoupler *self, gint64 n_sides, const double *averages,
                                  double *bandpowers, GError **error);
/* Computes windows, [armilla_spectra_window_names()][bin][l]. Fails with %ARMILLA_ERROR_NUMERIC if
 * a matrix is singular. */
gboolean armilla_decoupler_windows (ArmillaDecoupler *self, double *windows, GError **error);

G_END_DECLS
