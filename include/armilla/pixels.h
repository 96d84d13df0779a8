/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of the pixels of maps. Called in `build`, on every rank alike and in the same order;
 * nothing is computed before the function returns. */
#pragma once

#include <armilla/graph.h>

G_BEGIN_DECLS

/**
 * ArmillaPixels:
 * @first: number of the first pixel (ring order)
 * @n: number of pixels
 * @n_in: number of fields of all inputs together
 * @n_out: number of fields of the output
 * @in: (array length=n_in): the pixels of each field of the first input, then of the second one,
 *   and so on: double, [pixel], in the units of the inputs
 * @out: (array length=n_out): the pixels of each field of the output; all must be written
 * @numbers: (nullable): the numbers passed to armilla_graph_apply_pixels_with(), the same for all
 *   pixels
 *
 * A run of contiguous pixels, the same in all fields.
 */
typedef struct {
  gint64 first, n;
  int n_in, n_out;
  const double *const *in;
  double *const *out;
  const double *numbers;
} ArmillaPixels;

/**
 * ArmillaPixelFunction:
 * @pixels: pixels to read and write, valid until it returns
 * @user: argument of the caller
 * @error: return location
 *
 * Called in workers, several at once, on the rank that owns the pixels: it must not modify @user.
 * The division of pixels into runs depends on the tiling, so the result for a pixel may depend only
 * on its number and its values.
 *
 * Returns: %FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaPixelFunction) (const ArmillaPixels *pixels, gpointer user,
                                          GError **error);

/**
 * armilla_graph_apply_pixels:
 * @graph: a graph
 * @maps: (array length=n_maps): maps of the same pixels; their fields may differ
 * @n_maps: number of maps, 0 to 8
 * @function: function to apply
 * @flops: double-precision operations that it needs for each pixel of all fields together, for
 *   traces and plans; 0 if memory bandwidth is the limit
 * @user: for @function
 * @destroy: (nullable): frees @user in the thread that calls functions of the graph, when no worker
 *   needs it any more, or at once if the shapes differ
 * @out: output: a map of the same pixels as @maps, which it must not be one of
 * @error: return location
 *
 * Requests a function of the pixels of maps. Its tasks run on CPU workers; traces, plans and
 * reports call them "apply".
 *
 * Returns: whether the shapes agree; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean armilla_graph_apply_pixels (ArmillaGraph *graph, ArmillaMap *const *maps, int n_maps,
                                     ArmillaPixelFunction function, double flops, gpointer user,
                                     GDestroyNotify destroy, ArmillaMap *out, GError **error);

/**
 * armilla_graph_apply_pixels_with:
 * @graph: a graph
 * @maps: (array length=n_maps): maps of the same pixels; their fields may differ
 * @n_maps: number of maps, 0 to 8, or to 7 with @numbers
 * @numbers: (nullable): spectra, a container of any numbers, which must be known when the tasks run
 * @function: function to apply
 * @flops: as for armilla_graph_apply_pixels()
 * @user: for @function
 * @destroy: (nullable): frees @user
 * @out: output: a map of the same pixels as @maps, which it must not be one of
 * @error: return location
 *
 * Like armilla_graph_apply_pixels(), with numbers passed in #ArmillaPixels.
 *
 * Returns: whether the shapes agree; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean armilla_graph_apply_pixels_with (ArmillaGraph *graph, ArmillaMap *const *maps, int n_maps,
                                          ArmillaCl *numbers, ArmillaPixelFunction function,
                                          double flops, gpointer user, GDestroyNotify destroy,
                                          ArmillaMap *out, GError **error);

G_END_DECLS
