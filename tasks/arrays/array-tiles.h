/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The caller's arrays as sources and sinks of a graph: tasks of the workers copy the numbers; an
 * array in the memory of a GPU is copied on that GPU. */
#pragma once

#include <armilla/arrays.h>
#include <armilla/graph.h>

#include "codelets/arrays/array-copy.h"

G_BEGIN_DECLS

/* Array as seen by tasks, which it must outlive. */
typedef struct {
  ArmillaArrayRow *rows; /* location of the numbers of each field */
  int n_rows;            /* number of fields */
  gint32 where;          /* workers that can access the numbers, STARPU_CPU or STARPU_CUDA */
  double **fields; /* addresses of the fields if all have the layout of a tile; may be NULL */
  gboolean weighted; /* whether pixels are multiplied by their quadrature weight when written */
  gboolean in_place; /* whether transforms read or write the array, or its parts are tiles */
  /* ArmillaRingBlocks of the map, or ArmillaOrderBlocks of the a_lm, that is filled or drained */
  gconstpointer rings, orders;
  int n_tiles;
  gint64 n; /* of spectra: numbers of each field */
} ArmillaArrayRows;

/* Array argument of a call. */
typedef struct {
  const char *name;          /* name of the argument in the caller's interface */
  const ArmillaArray *array; /* may be NULL */
} ArmillaNamedArray;

gboolean armilla_array_begin (ArmillaGraph *graph, const ArmillaNamedArray *arrays, int n,
                              GError **error);
ArmillaArrayRows *armilla_array_rows_new (const ArmillaArray *array, gboolean complex,
                                          int n_fields, gint64 first, const int *copy,
                                          const int *component);
void armilla_array_rows_free (gpointer rows);

gboolean armilla_array_fill (ArmillaGraph *graph, ArmillaData *data, ArmillaArrayRows *from,
                             GError **error);
void armilla_array_alm_in_place (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaArrayRows *rows);
gboolean armilla_array_in_place (ArmillaGraph *graph, ArmillaMap *map, gint64 mmax,
                                 ArmillaArrayRows *rows);
gboolean armilla_array_drain (ArmillaGraph *graph, ArmillaData *data, ArmillaArrayRows *to,
                              GError **error);

G_END_DECLS
