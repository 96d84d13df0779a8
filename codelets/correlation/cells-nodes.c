/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounding balls and sums of nodes; those of leaves are in cells-kernels.c. */
#include <math.h>

#include "codelets/correlation/cells-private.h"

static inline double
lower (double a, double b)
{
  return a < b ? a : b;
}

static inline double
higher (double a, double b)
{
  return a > b ? a : b;
}

static double
distance (const double a[3], const double b[3])
{
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

  return sqrt (x * x + y * y + z * z);
}

/* Sets a node's ball to one around those of its children, centred on the bounding box of their
 * centres. */
void
armilla_cells_node_ball (const ArmillaCells *cells, int64_t node)
{
  const int64_t child = armilla_node_integers (cells, ARMILLA_NODE_CHILD)[node];
  const int64_t n = armilla_node_integers (cells, ARMILLA_NODE_N_CHILDREN)[node];
  double centre[3], radius = 0;

  for (int c = 0; c < 3; c++)
    {
      const double *row = armilla_node_row (cells, c) + child;
      double low = row[0], high = row[0];

      for (int64_t i = 1; i < n; i++)
        {
          low = lower (row[i], low);
          high = higher (row[i], high);
        }
      centre[c] = 0.5 * (low + high);
    }
  for (int64_t i = child; i < child + n; i++)
    {
      const double at[3] = { armilla_node_row (cells, 0)[i], armilla_node_row (cells, 1)[i],
                             armilla_node_row (cells, 2)[i] };

      radius = higher (distance (at, centre) + armilla_node_row (cells, ARMILLA_NODE_RADIUS)[i],
                       radius);
    }
  for (int c = 0; c < 3; c++)
    armilla_node_row (cells, c)[node] = centre[c];
  armilla_node_row (cells, ARMILLA_NODE_RADIUS)[node]
    = radius * ARMILLA_RADIUS_FACTOR + cells->slack;
}

static void
set_sums (const ArmillaCells *cells, int64_t node, int64_t count, __int128 weight)
{
  armilla_node_integers (cells, ARMILLA_NODE_COUNT)[node] = count;
  armilla_node_integers (cells, ARMILLA_NODE_WEIGHT_LOW)[node] = (int64_t) weight;
  armilla_node_integers (cells, ARMILLA_NODE_WEIGHT_HIGH)[node] = (int64_t) (weight >> 64);
}

/* Sets the number of objects and the sum of weights of a leaf whose slots have been filled. */
void
armilla_cells_leaf_sums (const ArmillaCells *cells, int64_t leaf, int64_t count)
{
  __int128 weight = count;

  if (cells->n_rows >= ARMILLA_ROWS_WEIGHT)
    {
      const int64_t *row
        = (const int64_t *) (void *) armilla_point_row (cells, ARMILLA_POINT_WEIGHT);

      weight = 0;
      for (int64_t i = 0; i < count; i++)
        weight += row[leaf * ARMILLA_LEAF + i];
    }
  set_sums (cells, leaf, count, weight);
}

/* Sets the sums of a node from those of its children. */
void
armilla_cells_node_sums (const ArmillaCells *cells, int64_t node)
{
  const int64_t child = armilla_node_integers (cells, ARMILLA_NODE_CHILD)[node];
  const int64_t n = armilla_node_integers (cells, ARMILLA_NODE_N_CHILDREN)[node];
  __int128 weight = 0;
  int64_t count = 0;

  for (int64_t i = child; i < child + n; i++)
    {
      const uint64_t low = (uint64_t) armilla_node_integers (cells, ARMILLA_NODE_WEIGHT_LOW)[i];
      const uint64_t high = (uint64_t) armilla_node_integers (cells, ARMILLA_NODE_WEIGHT_HIGH)[i];

      count += armilla_node_integers (cells, ARMILLA_NODE_COUNT)[i];
      weight += (__int128) ((unsigned __int128) high << 64 | low);
    }
  set_sums (cells, node, count, weight);
}
