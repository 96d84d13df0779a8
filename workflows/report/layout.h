/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the nodes of a graph stand in a drawing: in layers, each below those that it depends on. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A connection. */
typedef struct {
  int from;  /* number of a node */
  int to;    /* number of a node that comes later */
  int first; /* first of its bends in the layout */
  int n;     /* how many it has: one in each layer between its ends */
} ArmillaLayoutEdge;

/* A node, or a bend of an edge. */
typedef struct {
  int layer;    /* number of its layer, from 0 at the top */
  double x;     /* its middle */
  double width; /* its width */
} ArmillaLayoutItem;

typedef struct {
  GArray *items; /* the nodes by their numbers, then bends */
  int n_layers;  /* number of layers */
  double width;  /* from the left of what is leftmost, at 0, to the right of what is rightmost */
} ArmillaLayout;

ArmillaLayout *armilla_layout_new (const double *widths, int n, ArmillaLayoutEdge *edges,
                                   int n_edges, double gap);
void armilla_layout_free (ArmillaLayout *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaLayout, armilla_layout_free)

G_END_DECLS
