/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codelets on the tiles of maps: masks, sums. */
#pragma once

#include <armilla/codelet.h>

#include "codelets/fields/pixel-ops.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault; /* error latch of this rank */
  gint64 n_fields;     /* number of fields */
  gint64 n_pixels;     /* number of pixels of each field */
  gint64 n_weights;    /* number of fields of the weights: 1, or n_fields (mask) */
  /* pixel_weights: whether all pixels that are not UNSEEN get the weight 1; pixel_mask: whether
   * masked pixels become UNSEEN instead of 0 */
  gboolean flag;
  double alpha;        /* factor of x (scale, combine) */
  double beta;         /* factor of y (combine) */
} ArmillaPixelArgs;

/* Buffers: 0 R mask, 1 W weights, both of n_fields. */
extern ArmillaCodelet armilla_pixel_weights_cl;
/* Buffers: 0 R map, 1 R weights, 2 W out. */
extern ArmillaCodelet armilla_pixel_mask_cl;
/* Buffers: 0 R x, 1 W y. y <- alpha x */
extern ArmillaCodelet armilla_pixel_scale_cl;
/* Buffers: 0 R x, 1 RW y. y <- alpha x + beta y */
extern ArmillaCodelet armilla_pixel_combine_cl;

G_END_DECLS
