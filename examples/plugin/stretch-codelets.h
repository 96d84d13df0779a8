/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/task.h>

G_BEGIN_DECLS

/**
 * StretchArgs:
 * @fault: the latch of the run's first error
 * @n_fields: number of fields
 * @n_pixels: pixels of each
 * @first: extremes codelet: whether to overwrite previous extremes
 * @back: pixels codelet: whether to invert the stretch
 * @softness: share of the range in which the stretch is linear
 */
typedef struct {
  ArmillaFault *fault;
  gint64 n_fields, n_pixels;
  gboolean first, back;
  double softness;
} StretchArgs;

/* Buffers: 0 R x [field][pixel], 1 W or RW extremes [field][2]. Also merges extremes of tiles to
 * those of a map, with the extremes as pixels. */
extern ArmillaCodelet stretch_extremes_cl;
/* Buffers: 0 R x [field][pixel], 1 R extremes [field][2], 2 W y [field][pixel]. */
extern ArmillaCodelet stretch_pixels_cl;

#ifdef HAVE_CUDA
/* stretch.cu: launch the same computation on a GPU. Return a CUDA error. */
int stretch_extremes_launch (const StretchArgs *args, const double *x, double *extremes,
                             cudaStream_t stream);
int stretch_pixels_launch (const StretchArgs *args, const double *x, const double *extremes,
                           double *y, cudaStream_t stream);
#endif

G_END_DECLS
