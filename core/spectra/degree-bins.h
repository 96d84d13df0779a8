/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multipole bins. Bins are immutable: any number of threads may share them. */
#pragma once

#include <armilla/table.h>

G_BEGIN_DECLS

/* How the degrees of a bin are averaged. */
typedef enum {
  ARMILLA_DEGREE_WEIGHTS_UNIFORM, /* all degrees of a bin weigh the same */
  ARMILLA_DEGREE_WEIGHTS_MODES    /* a degree weighs 2 l + 1 */
} ArmillaDegreeWeights;

/* Bins of degrees: ascending, without overlap. Never changed once it is made. */
typedef struct {
  gint refs;         /* who holds them; see armilla_degree_bins_ref() */
  gint64 lmax;       /* highest degree of the spectra that are binned */
  gint64 n;          /* number of bins */
  gint64 *first;     /* (array length=n): first degree of each */
  gint64 *last;      /* (array length=n): last degree, which belongs to it */
  double *effective; /* (array length=n): mean degree of each, weighed */
  /* (array): of each degree from 0 to lmax in its bin, where they sum to 1; 0 outside */
  double *weights;
  /* (array): what spectra are multiplied by before they are binned, and bandpowers divided by where
   * they stand for a spectrum: 1, or l (l + 1) / 2 pi */
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
