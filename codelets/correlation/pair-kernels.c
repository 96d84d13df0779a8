/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of nodes, down to pairs of leaves: compiled once for each instruction set. */

/* more than the rounding error of a distance of centres, or of a chord against its square */
#define DISTANCE_SLACK 1e-14

#include "codelets/correlation/pair-cpu.h"
#include "codelets/correlation/pair-leaves.h"

/* ratio of radii from which only the larger ball is divided */
#define MUCH_LARGER 3

SIMD_INLINE double
node_double (const ArmillaPairWork *w, int side, int row, int64_t node)
{
  return w->input->nodes[side][row * w->shape->strides[side] + node];
}

SIMD_INLINE int64_t
node_integer (const ArmillaPairWork *w, int side, int row, int64_t node)
{
  const int64_t *rows = (const int64_t *) (const void *) w->input->nodes[side];

  return rows[row * w->shape->strides[side] + node];
}

/* Bounds of rp and pi of the pairs of two balls. */
typedef struct {
  V rp, pi; /* of the centres */
  V reach;  /* those of pairs differ by less */
} Reach;

/* Bounds rp and pi. (l_x, l_y, l_z) and (x, y, z): line of sight and difference of the centres;
 * reach: sum of the radii. A vector l that differs from l' by at most the reach has a direction
 * that differs by at most 2 reach / l'. */
SIMD_INLINE Reach
bound_rp_pi (V x, V y, V z, V l_x, V l_y, V l_z, V reach)
{
  const V zero = v_set (0), s2 = ARMILLA_PAIR_S2 (x, y, z);
  const V p = ARMILLA_PAIR_DOT (x, y, z, l_x, l_y, l_z), l2 = ARMILLA_PAIR_S2 (l_x, l_y, l_z);
  const V pi2 = v_select (v_less (zero, l2), p * p / l2, zero), rest = s2 - pi2;

  return (Reach) { v_sqrt (v_select (v_less (zero, rest), rest, zero)), v_sqrt (pi2),
                   reach * (v_set (1) + v_set (2) * v_sqrt (s2 / l2)) };
}

/* Bounds the pairs of a ball and some others; x, y, z: differences of the centres, beginning at the
 * first ball. */
SIMD_INLINE Reach
bound_plane (const ArmillaPairWork *w, int side, int64_t node, const double *nodes, V x, V y, V z,
             V reach)
{
  const int64_t stride = w->shape->strides[1 - side];
  const int sight = w->shape->sight;
  const V d[3] = { x, y, z };
  V l[3];

  if (sight >= ARMILLA_SIGHT_X)
    {
      const int axis = sight - ARMILLA_SIGHT_X;
      const V one = d[axis == 0], other = d[axis == 2 ? 1 : 2];

      return (Reach) { v_sqrt (one * one + other * other), v_abs (d[axis]), reach };
    }
  for (int k = 0; k < 3; k++)
    {
      const V own = v_set (node_double (w, side, ARMILLA_NODE_X + k, node));
      const V others = v_load (nodes + (ARMILLA_NODE_X + k) * stride);

      if (sight == ARMILLA_SIGHT_MIDPOINT)
        l[k] = own + others;
      else
        l[k] = (sight == ARMILLA_SIGHT_FIRSTPOINT) == (side == 0) ? own : others;
    }
  return bound_rp_pi (x, y, z, l[0], l[1], l[2], reach);
}

/* Marks balls whose pairs are beyond the last bin of pi. */
SIMD_INLINE void
drop_beyond (VM beyond, int64_t *low, int64_t *high)
{
  for (int bits = v_bits (beyond); bits != 0; bits &= bits - 1)
    low[__builtin_ctz ((unsigned) bits)] = high[__builtin_ctz ((unsigned) bits)] = 0;
}

/* Finds, for one ball and up to eight adjacent ones, the number of edges before m1 that are smaller
 * than all separations (low) and smaller than at least one (high), counted from edge 0; those
 * before m0 are known to be smaller. */
static void
bound_children (const ArmillaPairWork *w, int side, int64_t node, int64_t first, int64_t m0,
                int64_t m1, int64_t *low, int64_t *high)
{
  const double *nodes = w->input->nodes[1 - side] + first;
  const double *chord = w->input->edges + w->shape->n_bins + 2;
  const int64_t stride = w->shape->strides[1 - side];
  const double sign = side == 0 ? 1 : -1;
  const V x = v_set (node_double (w, side, ARMILLA_NODE_X, node) + sign * w->displacement[0]);
  const V y = v_set (node_double (w, side, ARMILLA_NODE_Y, node) + sign * w->displacement[1]);
  const V z = v_set (node_double (w, side, ARMILLA_NODE_Z, node) + sign * w->displacement[2]);
  const V own = v_set (node_double (w, side, ARMILLA_NODE_RADIUS, node) + DISTANCE_SLACK);
  const V zero = v_set (0);

  for (int v = 0; v < ARMILLA_CHILDREN; v += VL)
    {
      const V dx = x - v_load (nodes + ARMILLA_NODE_X * stride + v);
      const V dy = y - v_load (nodes + ARMILLA_NODE_Y * stride + v);
      const V dz = z - v_load (nodes + ARMILLA_NODE_Z * stride + v);
      V reach = own + v_load (nodes + ARMILLA_NODE_RADIUS * stride + v);
      V d = v_sqrt (ARMILLA_PAIR_S2 (dx, dy, dz)), before = zero;

      if (w->shape->separation == ARMILLA_SEPARATION_RP_PI)
        {
          const Reach plane = bound_plane (w, side, node, nodes + v, dx, dy, dz, reach);

          reach = plane.reach;
          d = plane.rp;
          before = plane.pi - reach;
        }

      const V nearest = v_select (v_less (reach, d), d - reach, zero);
      const V farthest = d + reach;
      VI above_near = vi_set (0), above_far = vi_set (0);

      for (int64_t m = m0; m < m1; m++)
        {
          const V edge = v_set (chord[m]);

          above_near = vi_count (above_near, v_less (nearest, edge));
          above_far = vi_count (above_far, v_less (farthest, edge));
        }
      vi_store (low + v, vi_subtract (vi_set (m1), above_near));
      vi_store (high + v, vi_subtract (vi_set (m1), above_far));
      if (w->shape->separation == ARMILLA_SEPARATION_RP_PI)
        drop_beyond (v_less (v_set (w->max_pi), before), low + v, high + v);
    }
}

/* Adds the product of two nodes all of whose pairs are in bin m, an exact integer. */
static void
add_product (ArmillaPairWork *w, int64_t a, int64_t b, int64_t m)
{
  const int64_t n = w->shape->n_bins + 2;

  w->counts[TALLY_TOP * n + m]
    += node_integer (w, 0, ARMILLA_NODE_COUNT, a) * node_integer (w, 1, ARMILLA_NODE_COUNT, b);
  if (w->shape->sums & 1 << ARMILLA_SUM_WEIGHT)
    armilla_wide_add_product (armilla_pair_sum (w, ARMILLA_SUM_WEIGHT, TALLY_TOP, m),
                              (uint64_t) node_integer (w, 0, ARMILLA_NODE_WEIGHT_LOW, a),
                              (uint64_t) node_integer (w, 0, ARMILLA_NODE_WEIGHT_HIGH, a),
                              (uint64_t) node_integer (w, 1, ARMILLA_NODE_WEIGHT_LOW, b),
                              (uint64_t) node_integer (w, 1, ARMILLA_NODE_WEIGHT_HIGH, b));
}

/* Processes each leaf of one node with each leaf of another. */
static void
visit_leaves (ArmillaPairWork *w, int64_t a, int64_t b, int64_t m0, int64_t m1)
{
  const int64_t from_a = node_integer (w, 0, ARMILLA_NODE_SLOT, a) / ARMILLA_LEAF;
  const int64_t from_b = node_integer (w, 1, ARMILLA_NODE_SLOT, b) / ARMILLA_LEAF;
  const int64_t n_a = node_integer (w, 0, ARMILLA_NODE_SLOTS, a) / ARMILLA_LEAF;
  const int64_t n_b = node_integer (w, 1, ARMILLA_NODE_SLOTS, b) / ARMILLA_LEAF;

  /* Leaves are the first nodes, in the order of their slots. */
  for (int64_t i = from_a; i < from_a + n_a; i++)
    for (int64_t j = from_b; j < from_b + n_b; j++)
      leaf_pair (w, i, j, m0, m1, 0);
}

static void visit (ArmillaPairWork *w, int64_t a, int64_t b, int64_t m0, int64_t m1);

/* Processes two different nodes whose pairs have bin numbers from m0 to m1. */
static void
meet (ArmillaPairWork *w, int64_t a, int64_t b, int64_t m0, int64_t m1)
{
  const int in_bin = m0 >= 1 && m0 <= w->shape->n_bins;

  if (w->shape->brute || m0 < m1 || (w->shape->n2 > 0 && in_bin))
    {
      /* Leaves are the first nodes. */
      if (a < w->shape->slots[0] / ARMILLA_LEAF && b < w->shape->slots[1] / ARMILLA_LEAF)
        leaf_pair (w, a, b, m0, m1, 0);
      else
        visit (w, a, b, m0, m1);
    }
  else if (in_bin)
    {
      if (w->shape->sums & PER_PAIR_SUMS)
        visit_leaves (w, a, b, m0, m1);
      else
        add_product (w, a, b, m0);
    }
}

/* Processes one node of a side with the children of one of the other side. */
static void
meet_children (ArmillaPairWork *w, int side, int64_t node, int64_t first, int64_t n, int64_t m0,
               int64_t m1)
{
  for (int64_t i = 0; i < n; i += ARMILLA_CHILDREN)
    {
      int64_t low[ARMILLA_CHILDREN], high[ARMILLA_CHILDREN];

      bound_children (w, side, node, first + i, m0, m1, low, high);
      for (int64_t j = i; j < n && j < i + ARMILLA_CHILDREN; j++)
        if (side == 0)
          meet (w, node, first + j, low[j - i], high[j - i]);
        else
          meet (w, first + j, node, low[j - i], high[j - i]);
    }
}

static void
visit (ArmillaPairWork *w, int64_t a, int64_t b, int64_t m0, int64_t m1)
{
  const int64_t n_a = node_integer (w, 0, ARMILLA_NODE_N_CHILDREN, a);
  const int64_t n_b = node_integer (w, 1, ARMILLA_NODE_N_CHILDREN, b);
  const int64_t child_a = node_integer (w, 0, ARMILLA_NODE_CHILD, a);
  const int64_t child_b = node_integer (w, 1, ARMILLA_NODE_CHILD, b);
  const double radius_a = node_double (w, 0, ARMILLA_NODE_RADIUS, a);
  const double radius_b = node_double (w, 1, ARMILLA_NODE_RADIUS, b);

  if (n_a == 0 || (n_b > 0 && radius_b > MUCH_LARGER * radius_a))
    meet_children (w, 0, a, child_b, n_b, m0, m1);
  else if (n_b == 0 || radius_a > MUCH_LARGER * radius_b)
    meet_children (w, 1, b, child_a, n_a, m0, m1);
  else
    for (int64_t i = 0; i < n_a; i++)
      meet_children (w, 0, child_a + i, child_b, n_b, m0, m1);
}

/* Processes the pairs within a node. */
static void
visit_self (ArmillaPairWork *w, int64_t a, int64_t m0, int64_t m1)
{
  const int64_t n = node_integer (w, 0, ARMILLA_NODE_N_CHILDREN, a);
  const int64_t child = node_integer (w, 0, ARMILLA_NODE_CHILD, a);

  if (n == 0)
    {
      leaf_pair (w, a, a, m0, m1, 1);
      return;
    }
  for (int64_t i = 0; i < n; i++)
    {
      visit_self (w, child + i, m0, m1);
      meet_children (w, 0, child + i, child + i + 1, n - i - 1, m0, m1);
    }
}

void
SIMD_NAME (armilla_pair_item) (ArmillaPairWork *work, const int64_t *item)
{
  const int64_t m0 = item[2] % ARMILLA_ITEM_IMAGE;

  work->image = item[2] / ARMILLA_ITEM_IMAGE;
  armilla_pair_displacement (work->shape, work->image, work->displacement);
  if (work->shape->is_auto && item[0] == item[1] && work->image == 0)
    visit_self (work, item[0], m0, item[3]);
  else
    meet (work, item[0], item[1], m0, item[3]);
}
