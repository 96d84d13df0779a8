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
 * @n_in: fields of all inputs together
 * @n_out: fields of the output
 * @in: (array length=n_in): the pixels of each field of the first input, then of the second one,
 *   and so on: double, [pixel], in the units of the inputs
 * @out: (array length=n_out): likewise, to be written: all pixels of all fields
 * @numbers: (nullable): what armilla_graph_apply_pixels_with() was given, the same for all pixels
 *
 * A run of contiguous pixels, the same of each field.
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
 * @pixels: what it reads and writes; its arrays are its own until it returns
 * @user: what the caller gave
 * @error: where to put an error
 *
 * Called in workers, several at once, on the rank that owns the pixels: it changes nothing of
 * @user. How pixels come in runs depends on how the map is cut, so what becomes of a pixel may
 * depend on its number and on the values there, and on nothing else.
 *
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaPixelFunction) (const ArmillaPixels *pixels, gpointer user,
                                          GError **error);

/**
 * armilla_graph_apply_pixels:
 * @graph: a graph
 * @maps: (array length=n_maps): maps of the same pixels, whatever their fields
 * @n_maps: how many, up to 8
 * @function: what is to be done
 * @flops: double-precision operations that it needs for each pixel of all fields together, for
 *   traces and plans; 0 where reading and writing takes the time
 * @user: for @function
 * @destroy: (nullable): frees @user when no worker needs it any more, in the thread that calls
 *   functions of the graph; or at once, where the shapes do not fit
 * @out: a map of the pixels of @maps, if there are any, and none of them; written
 * @error: return location
 *
 * Asks for a function of the pixels of maps. Its tasks run on CPU workers; traces, plans and
 * reports call them "apply".
 *
 * Returns: whether the shapes fit; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean armilla_graph_apply_pixels (ArmillaGraph *graph, ArmillaMap *const *maps, int n_maps,
                                     ArmillaPixelFunction function, double flops, gpointer user,
                                     GDestroyNotify destroy, ArmillaMap *out, GError **error);

/**
 * armilla_graph_apply_pixels_with:
 * @graph: a graph
 * @maps: (array length=n_maps): maps of the same pixels, whatever their fields
 * @n_maps: how many, up to 8, and up to 7 with @numbers
 * @numbers: (nullable): spectra, which hold any numbers that are known when the tasks run
 * @function: what is to be done
 * @flops: as for armilla_graph_apply_pixels()
 * @user: for @function
 * @destroy: (nullable): frees @user
 * @out: a map of the pixels of @maps, if there are any, and none of them; written
 * @error: return location
 *
 * The same, with numbers that @function finds in #ArmillaPixels.
 *
 * Returns: whether the shapes fit; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean armilla_graph_apply_pixels_with (ArmillaGraph *graph, ArmillaMap *const *maps, int n_maps,
                                          ArmillaCl *numbers, ArmillaPixelFunction function,
                                          double flops, gpointer user, GDestroyNotify destroy,
                                          ArmillaMap *out, GError **error);

G_END_DECLS
