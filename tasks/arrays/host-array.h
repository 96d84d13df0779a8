/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of the caller's as sources and sinks of a graph. */
#pragma once

#include <armilla/arrays.h>
#include <armilla/graph.h>

G_BEGIN_DECLS

/**
 * ArmillaHostArray:
 * @array: the caller's
 * @copy: (array): which copy each field of the graph belongs to
 * @component: (array): which component of it each is; one that @array does not have is 0 when it is
 *   read, and dropped when it is written
 * @layout: of a_lm
 * @factors: (array) (nullable): what a_lm are multiplied by, on their way in or out, by degree
 *
 * For the functions below.
 */
typedef struct {
  ArmillaArray array;
  const int *copy, *component;
  ArmillaAlmLayout layout;
  const double *factors;
} ArmillaHostArray;

gboolean armilla_host_array_check (const char *name, const ArmillaArray *array, gboolean complex,
                                   gint64 copies, gint64 components, gint64 numbers,
                                   GError **error);
gboolean armilla_host_arrays_apart (const char *name_in, const ArmillaArray *in,
                                    gboolean in_complex, const char *name_out,
                                    const ArmillaArray *out, gboolean out_complex,
                                    GError **error);

/* #ArmillaHostMap */
gboolean armilla_host_array_fill_map (gpointer host, int field, gint64 first, gint64 n,
                                      double *pixels, GError **error);
gboolean armilla_host_array_take_map (gpointer host, int field, gint64 first, gint64 n,
                                      double *pixels, GError **error);
/* #ArmillaHostAlm */
gboolean armilla_host_array_fill_alm (gpointer host, int field, gint64 m_first, gint64 m_last,
                                      double *values, GError **error);
gboolean armilla_host_array_take_alm (gpointer host, int field, gint64 m_first, gint64 m_last,
                                      double *values, GError **error);
/* #ArmillaHostCl */
gboolean armilla_host_array_fill_cl (gpointer host, double *values, GError **error);
gboolean armilla_host_array_take_cl (gpointer host, double *values, GError **error);

G_END_DECLS
