/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coupling matrices, decoupled spectra and bandpowers as jobs of a graph. Every rank calls these
 * functions in `build` in the same order; they are computed after the function returns. */
#pragma once

#include <armilla/data.h>
#include <armilla/matrix.h>
#include <armilla/table-data.h>

#include "core/spectra/degree-bins.h"
#include "core/spectra/gaussian.h"

G_BEGIN_DECLS

ArmillaMatrix *armilla_coupling_matrix_new (gint64 lmax, ArmillaCouplingKinds kinds);
gboolean armilla_graph_coupling (ArmillaGraph *graph, ArmillaCl *mask, gint64 mask_lmax,
                                 ArmillaMatrix *matrix, GError **error);

/* Inputs of bandpowers from pseudo-spectra. */
typedef struct {
  ArmillaCl *cl;           /* pseudo-spectra */
  /* pseudo-spectra with the two skies exchanged, such as BE for EB; may be NULL */
  ArmillaCl *exchanged;
  ArmillaCl *noise;        /* noise to subtract, as many spectra; may be NULL */
  /* b_l of the first sky: one column for all fields, or one for scalars and one for E and B; may be
   * NULL */
  ArmillaCl *beam;
  ArmillaCl *beam2;        /* b_l of the second sky; NULL: equal to beam */
  ArmillaCl *pixels;       /* pixel window of both skies; may be NULL */
  double sigma;            /* width of a Gaussian beam of both skies, radian; 0: none */
  /* the matrices 00, 0+, ++, -- that the spectra need, with rows and columns from l = 0 on */
  ArmillaMatrix *coupling;
  ArmillaDegreeBins *bins; /* bins, whose highest multipole all inputs contain */
  const GArray *spectra;   /* (element-type ArmillaSpectrum): result of armilla_spectra_roles() */
} ArmillaDecoupling;

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
