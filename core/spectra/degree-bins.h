/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multipole bins. Bins are immutable: any number of threads may share them. */
#pragma once

#include <armilla/table.h>

G_BEGIN_DECLS

/* Weights of the multipoles in a bin. */
typedef enum {
  ARMILLA_DEGREE_WEIGHTS_UNIFORM, /* all multipoles of a bin have equal weight */
  ARMILLA_DEGREE_WEIGHTS_MODES    /* the weight of a multipole is 2 l + 1 */
} ArmillaDegreeWeights;

/* Bins of multipoles, in ascending order and disjoint. Immutable. */
typedef struct {
  gint refs;         /* reference count; see armilla_degree_bins_ref() */
  gint64 lmax;       /* highest multipole of the binned spectra */
  gint64 n;          /* number of bins */
  gint64 *first;     /* (array length=n): first multipole of each bin */
  gint64 *last;      /* (array length=n): last multipole of each bin, inclusive */
  double *effective; /* (array length=n): weighted mean multipole of each bin */
  /* (array): weight of each multipole from 0 to lmax in its bin, with sum 1; 0 outside of bins */
  double *weights;
  /* (array): factor by which spectra are multiplied before binning, and bandpowers divided to give
   * a spectrum: 1, or l (l + 1) / 2 pi */
  double *factors;
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

G_END_DECLS
