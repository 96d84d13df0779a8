/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the pairs of two sets of cells into items of bounded cost. */
#pragma once

#include <glib.h>

#include "codelets/correlation/pair-histogram.h"

G_BEGIN_DECLS

typedef struct {
  int64_t words[ARMILLA_ITEM_WORDS]; /* the item as kernels read it */
  double pairs; /* number of pairs of objects that may have to be tested individually */
} ArmillaPairItem;

/* Returns (transfer full) pairs of nodes, ArmillaPairItem, sorted by nodes. They include each pair
 * of objects whose separation may be within the edges once, and have at most @max_pairs pairs of
 * objects each, unless both nodes are leaves. @shape: complete except for the items. */
GArray *armilla_pair_cut (const ArmillaPairShape *shape, const double *edges,
                          const ArmillaCells *a, const ArmillaCells *b, double max_pairs);

G_END_DECLS
