/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions of the nodes of a drawn graph: in layers, each below those that it depends on. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A connection. */
typedef struct {
  int from;  /* number of a node */
  int to;    /* number of a node that comes later */
  int first; /* index of its first bend in the layout */
  int n;     /* number of its bends: one in each layer between its ends */
} ArmillaLayoutEdge;

/* A node, or a bend of an edge. */
typedef struct {
  int layer;    /* layer, from 0 at the top */
  double x;     /* centre */
  double width;
} ArmillaLayoutItem;

typedef struct {
  GArray *items; /* nodes by number, then bends */
  int n_layers;
  double width;  /* total width; the leftmost item begins at 0 */
} ArmillaLayout;

ArmillaLayout *armilla_layout_new (const double *widths, int n, ArmillaLayoutEdge *edges,
                                   int n_edges, double gap);
void armilla_layout_free (ArmillaLayout *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaLayout, armilla_layout_free)

G_END_DECLS
