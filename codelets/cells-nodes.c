/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The balls and the sums of nodes. */
#include <math.h>

#include "codelets/cells-private.h"

/* What radii are made larger by: more than rounding can do. */
#define RADIUS_SLACK 1e-15
#define RADIUS_FACTOR (1 + 1e-14)

/* As many slots as compilers put into one register everywhere. */
#define LANES 2

static void
set_ball (const ArmillaCells *cells, int64_t node, const double centre[3], double radius)
{
  for (int c = 0; c < 3; c++)
    armilla_node_row (cells, ARMILLA_NODE_X + c)[node] = centre[c];
  armilla_node_row (cells, ARMILLA_NODE_RADIUS)[node] = radius * RADIUS_FACTOR + RADIUS_SLACK;
}

static void
set_sums (const ArmillaCells *cells, int64_t node, int64_t count, __int128 weight)
{
  armilla_node_integers (cells, ARMILLA_NODE_COUNT)[node] = count;
  armilla_node_integers (cells, ARMILLA_NODE_WEIGHT_LOW)[node] = (int64_t) weight;
  armilla_node_integers (cells, ARMILLA_NODE_WEIGHT_HIGH)[node] = (int64_t) (weight >> 64);
}

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

/* The middle of the values of a row; slots without an object, NaN, are below and above nothing. */
static double
leaf_middle (const double *row)
{
  double low[LANES], high[LANES];

  for (int lane = 0; lane < LANES; lane++)
    low[lane] = high[lane] = row[0];
  for (int i = 0; i < ARMILLA_LEAF; i += LANES)
    for (int lane = 0; lane < LANES; lane++)
      {
        low[lane] = lower (row[i + lane], low[lane]);
        high[lane] = higher (row[i + lane], high[lane]);
      }
  return 0.5 * (lower (low[0], low[1]) + higher (high[0], high[1]));
}

/**
 * armilla_cells_close_leaf:
 * @cells: cells
 * @leaf: a leaf whose slots are filled, at least the first with an object
 * @count: how many objects it has
 *
 * Gives it the ball around the middle of its objects' box, and the sum of their weights.
 */
void
armilla_cells_close_leaf (const ArmillaCells *cells, int64_t leaf, int64_t count)
{
  const int64_t slot = leaf * ARMILLA_LEAF;
  const double *x = armilla_point_row (cells, ARMILLA_POINT_X) + slot;
  const double *y = armilla_point_row (cells, ARMILLA_POINT_Y) + slot;
  const double *z = armilla_point_row (cells, ARMILLA_POINT_Z) + slot;
  const double centre[3] = { leaf_middle (x), leaf_middle (y), leaf_middle (z) };
  double most[LANES] = { 0 };
  __int128 weight = count;

  for (int i = 0; i < ARMILLA_LEAF; i += LANES)
    for (int lane = 0; lane < LANES; lane++)
      {
        const double dx = x[i + lane] - centre[0], dy = y[i + lane] - centre[1];
        const double dz = z[i + lane] - centre[2];

        most[lane] = higher (dx * dx + dy * dy + dz * dz, most[lane]);
      }
  if (cells->n_rows >= ARMILLA_ROWS_WEIGHT)
    {
      const int64_t *row
        = (const int64_t *) (void *) armilla_point_row (cells, ARMILLA_POINT_WEIGHT);

      weight = 0;
      for (int64_t i = 0; i < count; i++)
        weight += row[slot + i];
    }
  set_ball (cells, leaf, centre, sqrt (higher (most[0], most[1])));
  set_sums (cells, leaf, count, weight);
}

static double
distance (const double a[3], const double b[3])
{
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

  return sqrt (x * x + y * y + z * z);
}

/**
 * armilla_cells_close_node:
 * @cells: cells
 * @node: a node whose children are closed
 *
 * Gives it the ball around those of its children, from the middle of their centres' box.
 */
void
armilla_cells_close_node (const ArmillaCells *cells, int64_t node)
{
  const int64_t child = armilla_node_integers (cells, ARMILLA_NODE_CHILD)[node];
  const int64_t n = armilla_node_integers (cells, ARMILLA_NODE_N_CHILDREN)[node];
  double centre[3], radius = 0;
  __int128 weight = 0;
  int64_t count = 0;

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
      count += armilla_node_integers (cells, ARMILLA_NODE_COUNT)[i];
      weight += (__int128) armilla_node_integers (cells, ARMILLA_NODE_WEIGHT_HIGH)[i] << 64
                | (uint64_t) armilla_node_integers (cells, ARMILLA_NODE_WEIGHT_LOW)[i];
    }
  set_ball (cells, node, centre, radius);
  set_sums (cells, node, count, weight);
}
