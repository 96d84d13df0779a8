/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of the caller's as sources and sinks of a graph: tasks of the workers copy their numbers,
 * those of an array in the memory of a GPU on that GPU. */
#pragma once

#include <armilla/arrays.h>
#include <armilla/graph.h>

#include "codelets/arrays/array-copy.h"

G_BEGIN_DECLS

/* An array as tasks see it. It must outlive them. */
typedef struct {
  ArmillaArrayRow *rows; /* where the numbers of each field are */
  int n_rows;            /* number of fields */
  gint32 where;          /* workers that can reach them, STARPU_CPU or STARPU_CUDA */
  double **fields; /* the same, where all their numbers lie as those of a tile do; may be NULL */
  gboolean weighted; /* whether pixels are multiplied by their quadrature weight on their way out */
  gconstpointer rings;   /* ArmillaRingBlocks of the map that is filled or drained */
} ArmillaArrayRows;

/* An argument of a call. */
typedef struct {
  const char *name;          /* what the caller calls it */
  const ArmillaArray *array; /* an array; may be NULL */
} ArmillaNamedArray;

gboolean armilla_array_begin (ArmillaGraph *graph, const ArmillaNamedArray *arrays, int n,
                              GError **error);
ArmillaArrayRows *armilla_array_rows_new (const ArmillaArray *array, gboolean complex,
                                          int n_fields, const int *copy, const int *component);
void armilla_array_rows_free (gpointer rows);

gboolean armilla_array_fill (ArmillaGraph *graph, ArmillaData *data, ArmillaArrayRows *from,
                             GError **error);
void armilla_array_alm_in_place (ArmillaGraph *graph, ArmillaAlm *alm,
                                 const ArmillaArrayRows *rows);
gboolean armilla_array_in_place (ArmillaGraph *graph, ArmillaMap *map, gint64 mmax,
                                 const ArmillaArrayRows *rows);
gboolean armilla_array_drain (ArmillaGraph *graph, ArmillaData *data, ArmillaArrayRows *to,
                              GError **error);

G_END_DECLS
