/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra of masked skies: coupling matrices, bins of degrees, bandpowers. A stage asks for them in
 * `build`, on every rank alike and in the same order. Bins and Gaussian covariances never change:
 * any threads may share them. */
#pragma once

#include <armilla/matrix.h>
#include <armilla/table-data.h>

G_BEGIN_DECLS

/**
 * ArmillaCouplingKinds:
 * @ARMILLA_COUPLING_KIND_00: two scalars
 * @ARMILLA_COUPLING_KIND_0P: a scalar and a field of spin 2
 * @ARMILLA_COUPLING_KIND_PP: two fields of spin 2, what stays: E E to E E
 * @ARMILLA_COUPLING_KIND_MM: two fields of spin 2, what mixes: B B to E E
 * @ARMILLA_COUPLING_KIND_0PURE: a scalar and a purified E or B
 * @ARMILLA_COUPLING_KIND_PPURE: E or B and a purified E or B
 * @ARMILLA_COUPLING_KIND_PUREPURE: two purified ones
 *
 * A set of coupling matrices. Their names are 00, 0+, ++, --, 0p, +p and pp, in this order.
 */
typedef enum {
  ARMILLA_COUPLING_KIND_00 = 1 << 0,
  ARMILLA_COUPLING_KIND_0P = 1 << 1,
  ARMILLA_COUPLING_KIND_PP = 1 << 2,
  ARMILLA_COUPLING_KIND_MM = 1 << 3,
  ARMILLA_COUPLING_KIND_0PURE = 1 << 4,
  ARMILLA_COUPLING_KIND_PPURE = 1 << 5,
  ARMILLA_COUPLING_KIND_PUREPURE = 1 << 6
} ArmillaCouplingKinds;

ArmillaMatrix *armilla_coupling_matrix_new (gint64 lmax, ArmillaCouplingKinds kinds);
gboolean armilla_graph_coupling (ArmillaGraph *graph, ArmillaCl *mask, gint64 mask_lmax,
                                 ArmillaMatrix *matrix, GError **error);

/**
 * ArmillaDegreeWeights:
 * @ARMILLA_DEGREE_WEIGHTS_UNIFORM: all degrees of a bin weigh the same
 * @ARMILLA_DEGREE_WEIGHTS_MODES: a degree weighs 2 l + 1
 *
 * How the degrees of a bin are averaged.
 */
typedef enum { ARMILLA_DEGREE_WEIGHTS_UNIFORM, ARMILLA_DEGREE_WEIGHTS_MODES } ArmillaDegreeWeights;

/**
 * ArmillaDegreeBins:
 * @refs: who holds them; see armilla_degree_bins_ref()
 * @lmax: highest degree of the spectra that are binned
 * @n: number of bins
 * @first: (array length=n): first degree of each
 * @last: (array length=n): last degree, which belongs to it
 * @effective: (array length=n): mean degree of each, weighed
 * @weights: (array): of each degree from 0 to @lmax in its bin, where they sum to 1; 0 outside
 * @factors: (array): what spectra are multiplied by before they are binned, and bandpowers divided
 *   by where they stand for a spectrum: 1, or l (l + 1) / 2 pi
 *
 * Bins of degrees: ascending, without overlap. Never changed once it is made.
 */
typedef struct {
  gint refs;
  gint64 lmax, n;
  gint64 *first, *last;
  double *effective, *weights, *factors;
} ArmillaDegreeBins;

ArmillaDegreeBins *armilla_degree_bins_new (const gint64 *edges, gint64 n_edges, gint64 lmax,
                                            ArmillaDegreeWeights weights, gboolean dl,
                                            GError **error);
ArmillaDegreeBins *armilla_degree_bins_ref (ArmillaDegreeBins *self);
void armilla_degree_bins_unref (gpointer self);
void armilla_degree_bins_average (const ArmillaDegreeBins *self, const double *cl, double *out);
ArmillaTable *armilla_degree_bins_table (const ArmillaDegreeBins *self, const char *name,
                                         const char *const *spectra, int n_spectra,
                                         const char *unit, const double *values);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaDegreeBins, armilla_degree_bins_unref)

/**
 * ArmillaPure:
 * @ARMILLA_PURE_NONE: neither
 * @ARMILLA_PURE_E: E
 * @ARMILLA_PURE_B: B
 * @ARMILLA_PURE_EB: both
 *
 * Which fields of a masked map are purified: nothing of the other one is in them.
 */
typedef enum {
  ARMILLA_PURE_NONE = 0,
  ARMILLA_PURE_E = 1 << 0,
  ARMILLA_PURE_B = 1 << 1,
  ARMILLA_PURE_EB = ARMILLA_PURE_E | ARMILLA_PURE_B
} ArmillaPure;

/**
 * ArmillaSpectrum:
 * @name: its pair of fields, a letter each; E and B have spin 2, others none
 * @source: number of the pseudo-spectrum it is made of; those of exchanged skies come after the
 *   others
 * @own: the matrix by which it is coupled to itself
 * @mixed: 1 or -1: what -- makes of its partner is added to it, or subtracted; without a partner
 *   (EB of a field with itself, which is BE as well) what it makes of itself; 0: nothing is
 * @partner: number of the spectrum that it is mixed with, or -1
 *
 * What a spectrum is for its coupling.
 */
typedef struct {
  char name[3];
  int source;
  ArmillaCouplingKinds own;
  int mixed;
  int partner;
} ArmillaSpectrum;

const char *armilla_spectrum_pair (const char *name);
GArray *armilla_spectra_roles (const char *const *names, int n_names, gboolean exchanged,
                               ArmillaPure pure, GError **error);
ArmillaCouplingKinds armilla_spectra_kinds (const GArray *spectra);
char **armilla_spectra_window_names (const GArray *spectra);

/**
 * ArmillaDecoupling:
 * @cl: pseudo-spectra
 * @exchanged: (nullable): pseudo-spectra of the same fields with the two skies exchanged: BE for EB
 * @noise: (nullable): what is subtracted from them: as many spectra
 * @beam: (nullable): b_l of the first sky's fields: one column, or one for scalars and one for E, B
 * @beam2: (nullable): likewise of the second sky; %NULL: that of the first
 * @pixels: (nullable): likewise the window of the pixels, of both skies
 * @sigma: width of a Gaussian beam of both skies, radian; 0: none
 * @coupling: the matrices 00, 0+, ++, -- that the spectra need, from l = 0 on
 * @bins: the bins, up to a degree that all of these have
 * @spectra: (element-type ArmillaSpectrum): what armilla_spectra_roles() says
 *
 * How bandpowers are made from pseudo-spectra.
 */
typedef struct {
  ArmillaCl *cl, *exchanged, *noise, *beam, *beam2, *pixels;
  double sigma;
  ArmillaMatrix *coupling;
  ArmillaDegreeBins *bins;
  const GArray *spectra;
} ArmillaDecoupling;

/**
 * ArmillaGaussianMixing:
 * @ARMILLA_GAUSSIAN_MIXING_HALF: E with B of a masked sky has i (C_EE + C_BB) / 2: as simulated
 *   skies do
 * @ARMILLA_GAUSSIAN_MIXING_NAMASTER: twice that, and products have the other sign: as NaMaster
 *
 * What a covariance has of E and B that change places.
 */
typedef enum {
  ARMILLA_GAUSSIAN_MIXING_HALF,
  ARMILLA_GAUSSIAN_MIXING_NAMASTER
} ArmillaGaussianMixing;

/**
 * ArmillaGaussian:
 *
 * What covariances of the spectra of masked Gaussian skies are made of.
 */
typedef struct _ArmillaGaussian ArmillaGaussian;

ArmillaGaussian *armilla_gaussian_new (const GArray *spectra, const char *const *names,
                                       gboolean cross, ArmillaPure pure,
                                       ArmillaGaussianMixing mixing, GError **error);
ArmillaGaussian *armilla_gaussian_ref (ArmillaGaussian *self);
void armilla_gaussian_unref (gpointer user);
ArmillaCouplingKinds armilla_gaussian_kinds (const ArmillaGaussian *self, int term);
int armilla_gaussian_n_sums (const ArmillaGaussian *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaGaussian, armilla_gaussian_unref)

gboolean armilla_decoupling_check (const ArmillaDecoupling *self, GError **error);
gboolean armilla_graph_decouple (ArmillaGraph *graph, const ArmillaDecoupling *what,
                                 ArmillaTableData *table, ArmillaMatrix *windows, GError **error);
gboolean armilla_graph_covariance (ArmillaGraph *graph, const ArmillaDecoupling *what,
                                   ArmillaGaussian *gaussian, ArmillaCl *const *cl,
                                   ArmillaMatrix *const *masks, ArmillaMatrix *covariance,
                                   GError **error);
gboolean armilla_graph_bandpowers (ArmillaGraph *graph, ArmillaCl *cl, ArmillaDegreeBins *bins,
                                   const char *const *names, ArmillaTableData *table,
                                   GError **error);
gboolean armilla_windows_check (ArmillaCl *cl, const char *const *names, ArmillaDegreeBins *bins,
                                ArmillaMatrix *windows, GError **error);
gboolean armilla_graph_expect_bandpowers (ArmillaGraph *graph, ArmillaCl *cl,
                                          const char *const *names, ArmillaDegreeBins *bins,
                                          ArmillaMatrix *windows, ArmillaTableData *table,
                                          GError **error);

G_END_DECLS
