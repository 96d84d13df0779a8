/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Covariances of the binned spectra of masked Gaussian skies. Raw arrays. */
#pragma once

#include "core/spectra/degree-bins.h"
#include "core/spectra/spectrum-roles.h"

G_BEGIN_DECLS

/* What a covariance has of E and B that change places. */
typedef enum {
  /* E with B of a masked sky has i (C_EE + C_BB) / 2: as simulated skies do */
  ARMILLA_GAUSSIAN_MIXING_HALF,
  ARMILLA_GAUSSIAN_MIXING_NAMASTER /* twice that, and products have the other sign: as NaMaster */
} ArmillaGaussianMixing;

/* What covariances of the spectra of masked Gaussian skies are made of. */
typedef struct _ArmillaGaussian ArmillaGaussian;

/* spectra of skies, in this order: auto of the first, auto of the second, cross, transposed
 * cross */
#define ARMILLA_GAUSSIAN_INPUTS 4

/* A sum over the multipoles of two bins of a coupling (@kind: 00, 0+, ++, --) of the products of
 * two masks times two spectra, each the number of an input times the number of names, plus that of
 * a name. @term: 0 if each spectrum is an auto-spectrum of one sky, else 1. */
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
  double mixing; /* factor of products of two pairs in which E and B are exchanged */
  int n_names, n_spectra;
  GArray *sums, *uses;
};

/* sums[sum][bin][bin] += contribution of a block of the coupling of the products of masks: @values,
 * [kind of armilla_gaussian_kinds()][n_rows][n_columns]; @cl: [input][name][l]. */
void armilla_gaussian_add (const ArmillaGaussian *self, int term, const ArmillaDegreeBins *bins,
                           gint64 row, gint64 n_rows, gint64 column, gint64 n_columns,
                           const double *values, const double *cl, double *sums);
/* covariance[spectrum a][spectrum b][bin of b][bin of a] <- covariance of binned spectra, from the
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
