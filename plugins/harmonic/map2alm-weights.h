/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Weights of HEALPix's rings or pixels, from a file or computed. */

#include <armilla/armilla.h>

G_BEGIN_DECLS

typedef enum {
  ARMILLA_WEIGHTS_NONE,
  ARMILLA_WEIGHTS_RINGS,
  ARMILLA_WEIGHTS_PIXELS
} ArmillaWeightsKind;

/* Factors of the quadrature weights: of the rings from the north to the equator, or of the classes
 * of pixels. */
typedef struct {
  ArmillaWeightsKind kind;
  gint64 nside, n;
  double *factors;
  gboolean named;    /* by a file's name, which means the same on every rank */
  gboolean computed; /* rather than read */
  gboolean asked;    /* to compute them even where there is a file */
} ArmillaWeights;

gboolean armilla_weights_prepare (ArmillaWeights *self, const ArmillaStageContext *context,
                                  ArmillaWeightsKind kind, const char *value,
                                  const ArmillaGrid *grid, GError **error);
gboolean armilla_weights_build (ArmillaWeights *self, ArmillaGraph *graph, GError **error);
ArmillaMap *armilla_weights_map (ArmillaWeights *self, ArmillaGraph *graph, ArmillaGrid *grid,
                                 GError **error);
void armilla_weights_note (const ArmillaWeights *self, ArmillaData *data);

G_END_DECLS
