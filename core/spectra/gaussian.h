/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Covariances of the binned spectra of masked Gaussian skies, in plain arrays. */
#pragma once

#include "core/spectra/degree-bins.h"
#include "core/spectra/spectrum-roles.h"

G_BEGIN_DECLS

/* Conventions for the mixing of E and B in covariances. */
typedef enum {
  /* the covariance of E with B of a masked sky has the factor i (C_EE + C_BB) / 2, as in simulated
   * skies */
  ARMILLA_GAUSSIAN_MIXING_HALF,
  /* twice that factor, and the product of two such factors has the opposite sign, as in NaMaster */
  ARMILLA_GAUSSIAN_MIXING_NAMASTER
} ArmillaGaussianMixing;

/* Structure of the covariances of the spectra of masked Gaussian skies: the sums that they consist
 * of. */
typedef struct _ArmillaGaussian ArmillaGaussian;

/* spectra of skies, in this order: auto of the first, auto of the second, cross, transposed
 * cross */
#define ARMILLA_GAUSSIAN_INPUTS 4

/* Sum over the multipoles of two bins of coupling (@kind: 00, 0+, ++, --) times two spectra, where
 * the coupling is that of the products of two masks. @first, @second: the spectra: index of the
 * input (ARMILLA_GAUSSIAN_INPUTS) times the number of names, plus index of the name. @term: 0 if
 * each spectrum is an auto-spectrum of one sky, else 1. */
typedef struct {
  int term, kind, first, second;
} ArmillaGaussianSum;

/* A term of the covariance of spectra @a and @b: @factor times sum @sum. */
typedef struct {
  int a, b, sum;
  double factor;
} ArmillaGaussianUse;

struct _ArmillaGaussian {
  gint refs;
  gboolean cross;
  ArmillaPure pure;
  double mixing; /* factor of products of two pairs in which E and B are exchanged: 1/4, or -1 as
                  * in NaMaster */
  int n_names, n_spectra;
  GArray *sums, *uses;
};

/* Adds the contribution of a block of the coupling of the products of masks to sums[sum][bin][bin]:
 * @values, [kind of armilla_gaussian_kinds()][n_rows][n_columns]; @cl: [input][name][l]. */
void armilla_gaussian_add (const ArmillaGaussian *self, int term, const ArmillaDegreeBins *bins,
                           gint64 row, gint64 n_rows, gint64 column, gint64 n_columns,
                           const double *values, const double *cl, double *sums);
/* Computes covariance[spectrum a][spectrum b][bin of b][bin of a] of binned spectra from the
 * sums. */
void armilla_gaussian_end (const ArmillaGaussian *self, gint64 n_bins, const double *sums,
                           double *covariance);

ArmillaGaussian *armilla_gaussian_new (const GArray *spectra, const char *const *names,
                                       gboolean cross, ArmillaPure pure,
                                       ArmillaGaussianMixing mixing, GError **error);
ArmillaGaussian *armilla_gaussian_ref (ArmillaGaussian *self);
void armilla_gaussian_unref (gpointer user);
ArmillaCouplingKinds armilla_gaussian_kinds (const ArmillaGaussian *self, int term);
int armilla_gaussian_n_sums (const ArmillaGaussian *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaGaussian, armilla_gaussian_unref)

G_END_DECLS
