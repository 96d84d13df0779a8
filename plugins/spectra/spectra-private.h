/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the stages of spectra. */
#pragma once

#include "core/spectra/degree-bins.h"
#include "core/spectra/spectrum-roles.h"
#include "plugins/base/stage-util.h"

G_BEGIN_DECLS

/* Properties of bins and names of spectra; embedded in each stage's object. */
typedef struct {
  char *edges;
  gint64 delta, lmin, lmax;
  ArmillaDegreeWeights weights;
  gboolean dl;
  char *spectra;
} SpectraProperties;

void armilla_spectra_install (ArmillaStageClass *klass, gsize part);
ArmillaDegreeBins *armilla_spectra_bins (gpointer stage, const SpectraProperties *properties,
                                         gint64 lmax, GError **error);
/* Names of the purified fields: none, b, e or eb; purify accepts those after the first. */
extern const char *const armilla_spectra_pures[];
gboolean armilla_spectra_check_pure (ArmillaMatrix *coupling, ArmillaPure pure, GError **error);
char **armilla_spectra_names (const SpectraProperties *properties, ArmillaCl *cl, GError **error);

G_END_DECLS
