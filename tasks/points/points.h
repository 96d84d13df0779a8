/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a_lm at the objects of a catalogue, and the adjoint. */
#pragma once

#include <armilla/arrays.h>
#include <armilla/catalogue.h>
#include <armilla/correlation.h>
#include <armilla/data.h>

#include "codelets/arrays/array-copy.h"

G_BEGIN_DECLS

/* Smallest and largest relative error that can be requested. */
#define ARMILLA_POINTS_MIN_EPSILON 2e-13
#define ARMILLA_POINTS_MAX_EPSILON 1e-3

gboolean armilla_points_check_epsilon (double epsilon, GError **error);

/* Requests the values of each field of @alm at the objects of @points: @out has the same objects,
 * with a further column for each field, its last ones. A pair of fields of a spin above 0 is Q and
 * U as in a map, in the basis of the object (that of longitude 0 at a pole). @epsilon: maximum
 * relative rms error. Returns whether the shapes agree. */
gboolean armilla_graph_points (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaObjects *points,
                               double epsilon, ArmillaObjects *out, GError **error);

/* Requests the same values at the angles @points, but stores them in rows of numbers, one for each
 * field, in the order of @points. The sorted points remain until the graph is freed, for later
 * requests with the same @points and layout. Azimuths must be below a million turns. */
gboolean armilla_graph_points_rows (ArmillaGraph *graph, ArmillaAlm *alm,
                                    const ArmillaPositions *points, const ArmillaArrayRow *rows,
                                    GError **error);

/* Requests a_lm = sum_j f_j conj Y_lm (n_j), the adjoint, without weights; or, with @fit, the a_lm
 * whose values at the points are closest to f_j in the sense of least squares, by conjugate
 * gradients with the tolerance and the number of iterations of @fit. @columns: (array): the index
 * of the further column of @points for each field of @alm. Values must be finite. */
gboolean armilla_graph_adjoint_points (ArmillaGraph *graph, ArmillaObjects *points,
                                       const int *columns, double epsilon,
                                       const ArmillaAnalysis *fit, ArmillaAlm *alm,
                                       GError **error);

/* Requests the same for values in rows of numbers; the sorted points remain as for
 * armilla_graph_points_rows (). */
gboolean armilla_graph_adjoint_points_rows (ArmillaGraph *graph, const ArmillaPositions *points,
                                            const ArmillaArrayRow *rows,
                                            const ArmillaAnalysis *fit, ArmillaAlm *alm,
                                            GError **error);

/* Returns the maximum bytes that these functions allocate in addition to the data: the grid, Delta
 * on all of its rings, and numbers per point. @n: number of points */
double armilla_points_bytes (ArmillaAlmLayout layout, double epsilon, int n_fields, gint64 n);

G_END_DECLS
