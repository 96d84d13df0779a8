/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* HEALPix's ring or pixel weights, from a file or computed. */

#include <armilla/armilla.h>

G_BEGIN_DECLS

typedef enum {
  ARMILLA_WEIGHTS_NONE,
  ARMILLA_WEIGHTS_RINGS,
  ARMILLA_WEIGHTS_PIXELS
} ArmillaWeightsKind;

/* Corrections to the quadrature weights: per ring from the north to the equator, or per class of
 * equivalent pixels. */
typedef struct {
  ArmillaWeightsKind kind;
  gint64 nside, n;
  double *factors;
  gboolean named;    /* whether a file name specifies them, the same on every rank */
  gboolean computed; /* whether they are computed rather than read */
  gboolean asked;    /* whether to compute them even if there is a file */
} ArmillaWeights;

gboolean armilla_weights_prepare (ArmillaWeights *self, const ArmillaStageContext *context,
                                  ArmillaWeightsKind kind, const char *value,
                                  const ArmillaGrid *grid, GError **error);
gboolean armilla_weights_build (ArmillaWeights *self, ArmillaGraph *graph, GError **error);
ArmillaMap *armilla_weights_map (ArmillaWeights *self, ArmillaGraph *graph, ArmillaGrid *grid,
                                 GError **error);
void armilla_weights_note (const ArmillaWeights *self, ArmillaData *data);

G_END_DECLS
