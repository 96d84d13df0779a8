/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandpowers from binned coupling matrices. Raw arrays. */
#pragma once

#include <armilla/spectra.h>

G_BEGIN_DECLS

/* binned[bin][column ..] += weights and factors of a block of rows of a coupling matrix:
 * @values, [n_rows][n_columns]. */
void armilla_decouple_add (const ArmillaDegreeBins *bins, gint64 row, gint64 n_rows, gint64 column,
                           gint64 n_columns, const double *values, double *binned);

/**
 * ArmillaDecoupleInput:
 * @bins: the bins
 * @spectra: (element-type ArmillaSpectrum): the spectra
 * @binned: by kind (00, 0+, ++, --): [bin][l], l = 0..lmax of @bins; %NULL where it is not needed
 * @windows: beams and windows of pixels of both fields, [l]: of two scalars, a scalar and a field
 *   of spin 2, such a field and a scalar, two of spin 2
 * @cl: [spectrum][n_l]: pseudo-spectra, with what does not belong to the sky subtracted
 * @n_l: numbers of a spectrum
 */
typedef struct {
  const ArmillaDegreeBins *bins;
  const GArray *spectra;
  const double *binned[4];
  const double *windows[4];
  const double *cl;
  gint64 n_l;
} ArmillaDecoupleInput;

/* bandpowers: [spectrum][bin]; windows: [armilla_spectra_window_names()][bin][l]. Fails with
 * %ARMILLA_ERROR_NUMERIC where a matrix is singular. */
gboolean armilla_decouple_solve (const ArmillaDecoupleInput *in, double *bandpowers,
                                 double *windows, GError **error);

G_END_DECLS
