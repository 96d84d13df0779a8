/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of a graph: each node is in a layer below the nodes on which it depends. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A connection. */
typedef struct {
  int from;  /* number of a node; larger than from */
  int to;    /* number of a node that comes later */
  int first; /* index of its first bend among the items of the layout */
  int n;     /* number of its bends: one in each layer between its two nodes */
} ArmillaLayoutEdge;

/* A node, or a bend of an edge. */
typedef struct {
  int layer;    /* layer, from 0 at the top */
  double x;     /* position of the centre */
  double width;
} ArmillaLayoutItem;

typedef struct {
  GArray *items; /* nodes by number, then bends */
  int n_layers;
  double width;  /* width of the graph; its left end is at 0 */
} ArmillaLayout;

ArmillaLayout *armilla_layout_new (const double *widths, int n, ArmillaLayoutEdge *edges,
                                   int n_edges, double gap);
void armilla_layout_free (ArmillaLayout *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaLayout, armilla_layout_free)

G_END_DECLS
