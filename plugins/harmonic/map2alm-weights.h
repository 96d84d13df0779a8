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

/* Factors of the quadrature weights: for each ring from the north pole to the equator, or for each
 * class of pixels that symmetries of the grid map to each other. */
typedef struct {
  ArmillaWeightsKind kind;
  gint64 nside, n;
  double *factors;
  gboolean named;    /* whether the user has given a file name, the same on every rank */
  gboolean computed; /* whether they are computed rather than read */
  gboolean asked;    /* whether the user wants them computed even if there is a file */
} ArmillaWeights;

gboolean armilla_weights_prepare (ArmillaWeights *self, const ArmillaStageContext *context,
                                  ArmillaWeightsKind kind, const char *value,
                                  const ArmillaGrid *grid, GError **error);
gboolean armilla_weights_build (ArmillaWeights *self, ArmillaGraph *graph, GError **error);
ArmillaMap *armilla_weights_map (ArmillaWeights *self, ArmillaGraph *graph, ArmillaGrid *grid,
                                 GError **error);
void armilla_weights_note (const ArmillaWeights *self, ArmillaData *data);

G_END_DECLS
