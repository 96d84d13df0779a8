/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means of patches of a map around objects. Every rank requests them in `build` in the same order;
 * they are computed while the graph is submitted. */
#pragma once

#include <armilla/correlation.h>
#include <armilla/data.h>

#include "core/grids/interpolation.h"

G_BEGIN_DECLS

/* Directions to which Q and U refer. */
typedef enum {
  ARMILLA_STACK_RADIAL, /* away from the object, along the great circle */
  ARMILLA_STACK_NORTH   /* the axes of the patch: south, parallel to the object's meridian */
} ArmillaStackFrame;

typedef enum { ARMILLA_STACK_JACKKNIFE, ARMILLA_STACK_BOOTSTRAP } ArmillaStackErrors;

typedef struct {
  ArmillaSampling sampling;
  gint64 n_side;       /* rows and columns of a patch */
  double resolution;   /* distance between them, radian */
  ArmillaStackFrame frame;
  ArmillaStackErrors errors;
  int n_groups;        /* groups of objects for errors, unless the catalogue has patches */
  int n_resamples;     /* of a bootstrap */
  guint64 seed;        /* of a bootstrap */
} ArmillaStackOptions;

/* A stack, [field][row][column]: rows from north to south, columns from east to west. Equal on all
 * ranks. Reference-counted; filled by the submitting thread, then immutable. */
typedef struct {
  int n_fields;
  gint64 n_pixels;
  double *mean;  /* weighted means; NaN if no object has a seen pixel there */
  double *error; /* their errors; NaN if fewer than two groups have one */
} ArmillaStack;

ArmillaStack *armilla_stack_new (int n_fields, gint64 n_pixels, GError **error);
ArmillaStack *armilla_stack_ref (ArmillaStack *self);
void armilla_stack_unref (gpointer self);
double armilla_stack_bytes (const ArmillaStackOptions *options, int n_fields, int n_groups,
                            gint64 n_objects);
gboolean armilla_graph_stack (ArmillaGraph *graph, ArmillaMap *map, ArmillaObjects *objects,
                              const ArmillaStackOptions *options, ArmillaStack *stack,
                              GError **error);

/* In stack-errors.c: computes means and errors from sums over groups of objects, [group][field][sum
 * of weighted values, sum of weights][pixel]. */
gboolean armilla_stack_finish (ArmillaStack *self, const ArmillaStackOptions *options,
                               const double *sums, int n_groups, GError **error);

G_END_DECLS
