/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Covariances of the binned spectra of masked Gaussian skies. Raw arrays. */
#pragma once

#include <armilla/spectra.h>

G_BEGIN_DECLS

/* Spectra of skies, in this order: of the first with itself, of the second, of the first with the
 * second, of the second with the first. */
#define ARMILLA_GAUSSIAN_INPUTS 4

/* A sum over the degrees of two bins of a coupling (@kind: 00, 0+, ++, --) of the products of two
 * masks times two spectra, each the number of an input times the number of names, plus that of a
 * name. @term: 0 where each spectrum is of one sky, else 1. */
typedef struct {
  int term, kind, first, second;
} ArmillaGaussianSum;

/* The covariance of spectra @a and @b has @factor times sum @sum. */
typedef struct {
  int a, b, sum;
  double factor;
} ArmillaGaussianUse;

struct _ArmillaGaussian {
  gint refs;
  gboolean cross;
  ArmillaPure pure;
  double mixing; /* factor of what two pairs make whose E and B have changed places */
  int n_names, n_spectra;
  GArray *sums, *uses;
};

/* sums[sum][bin][bin] += what a block of the coupling of the products of masks adds: @values,
 * [kind of armilla_gaussian_kinds()][n_rows][n_columns]; @cl: [input][name][l]. */
void armilla_gaussian_add (const ArmillaGaussian *self, int term, const ArmillaDegreeBins *bins,
                           gint64 row, gint64 n_rows, gint64 column, gint64 n_columns,
                           const double *values, const double *cl, double *sums);
/* covariance[spectrum a][spectrum b][bin of b][bin of a] <- of binned spectra, from the sums. */
void armilla_gaussian_end (const ArmillaGaussian *self, gint64 n_bins, const double *sums,
                           double *covariance);

G_END_DECLS
