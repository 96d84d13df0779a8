/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms between maps and a_lm, and operations on a_lm and spectra. Called in `build`, on every
 * rank alike and in the same order; nothing is computed before the function returns. */
#pragma once

#include <armilla/arrays.h>
#include <armilla/graph.h>

G_BEGIN_DECLS

/**
 * armilla_graph_synthesis:
 * @graph: a graph
 * @alm: a_lm, F fields
 * @map: a map of F fields; output
 * @error: return location
 *
 * Requests f(p) = sum_lm a_lm Y_lm(p) for every field; the fields share the recurrence.
 *
 * Returns: whether the shapes agree; %ARMILLA_ERROR_SHAPE if the numbers of fields differ
 */
gboolean armilla_graph_synthesis (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaMap *map,
                                  GError **error);

/**
 * armilla_graph_adjoint_synthesis:
 * @graph: a graph
 * @map: a map of F fields; UNSEEN pixels count as 0
 * @alm: a_lm of F fields; output
 * @error: return location
 *
 * Requests a_lm = sum_p f(p) conj Y_lm(p): the adjoint of the synthesis, without weights.
 *
 * Returns: whether the shapes agree
 */
gboolean armilla_graph_adjoint_synthesis (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm,
                                          GError **error);

/**
 * armilla_graph_analysis:
 * @graph: a graph
 * @map: a map of F fields; UNSEEN pixels count as 0
 * @alm: a_lm of F fields; output
 * @iterations: residual iterations, 0 or more, as healpy's `iter`
 * @error: return location
 *
 * With A the synthesis, A' its adjoint, W the quadrature weights of the map's grid and y the map,
 * requests a <- A'W y, then @iterations times a <- a + A'W (y - A a). The map is read once: with c
 * = a initially, an iteration is c <- c - A'W A c, a <- a + c. If this quadrature is not exact up
 * to lmax, but Fejer 1 or Clenshaw-Curtis rings determine a (up to lmax = n - 1, or n - 2, for n
 * rings), then a is computed exactly, by resampling in theta; there are iterations only if the map
 * lacks rings. A map on an image of a part of the sky counts as complete, as it is 0 outside.
 *
 * Returns: whether the shapes agree
 */
gboolean armilla_graph_analysis (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm,
                                 int iterations, GError **error);

/**
 * armilla_graph_scale_alm:
 * @graph: a graph
 * @alm: a_lm of F fields
 * @window: one window b_l for all fields, or one per field; taken as 0 above its lmax
 * @out: a_lm of F fields and the same layout; output
 * @error: return location
 *
 * Requests out_lm = b_l a_lm.
 *
 * Returns: whether the shapes agree; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean armilla_graph_scale_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaCl *window,
                                  ArmillaAlm *out, GError **error);

/**
 * armilla_graph_power_cl:
 * @graph: a graph
 * @cl: spectra
 * @power: exponent
 * @out: spectra of the same shape; output
 * @error: return location
 *
 * Requests C_l^@power. If C_l is 0 and @power is negative, the result is 0 and a note is reported,
 * so that the inverse of a spectrum without monopole and dipole has neither. The run fails if
 * another result is not finite, such as a fractional power of a negative C_l.
 *
 * Returns: whether the shapes agree; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean armilla_graph_power_cl (ArmillaGraph *graph, ArmillaCl *cl, double power, ArmillaCl *out,
                                 GError **error);

/**
 * armilla_graph_spectra:
 * @graph: a graph
 * @a: a_lm of F fields
 * @b: a_lm of F fields; the same as @a for auto spectra
 * @cl: spectra up to the lmax of @a or less, at most F (F + 1) / 2 of them; output
 * @error: return location
 *
 * Requests C_l = 1 / (2l + 1) sum_m a_lm conj(b_lm), summed over the m-blocks in their order: the
 * spectra of fields (i, i), then of the neighbours (i, i + 1), and so on, as healpy orders them:
 * TT, EE, BB, TE, EB, TB. The first field of a spectrum is from @a, the second from @b.
 *
 * Returns: whether the shapes agree; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean armilla_graph_spectra (ArmillaGraph *graph, ArmillaAlm *a, ArmillaAlm *b, ArmillaCl *cl,
                                GError **error);

G_END_DECLS
