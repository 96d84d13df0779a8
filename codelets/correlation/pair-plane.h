/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts pairs of two leaves in bins of two coordinates: vectors of pairs are computed, and those
 * within the edges are then counted one by one. Compiled once for each instruction set; included by
 * pair-leaves.h. */
#pragma once

/* Pairs within all edges. */
typedef struct {
  int n;
  double u2[ARMILLA_LEAF * ARMILLA_LEAF + VL]; /* square of the first coordinate: s or rp */
  double v2[ARMILLA_LEAF * ARMILLA_LEAF + VL]; /* of the second: mu or pi */
  double i[ARMILLA_LEAF * ARMILLA_LEAF + VL];  /* indices within the leaf of a, if weights count */
  double j[ARMILLA_LEAF * ARMILLA_LEAF + VL];  /* likewise of b */
} Within;

/* Computes the squares of both coordinates for a fixed line of sight: s and mu if @is_mu, otherwise
 * rp and pi. x, y, z: differences of the positions. */
SIMD_INLINE void
fixed_coordinates (V x, V y, V z, const int axis, const int is_mu, V *u2, V *v2)
{
  const V d[3] = { x, y, z }, zero = v_set (0);
  const V along = d[axis], one = d[axis == 0], other = d[axis == 2 ? 1 : 2];

  *v2 = along * along;
  if (is_mu)
    {
      *u2 = ARMILLA_PAIR_S2 (x, y, z);
      *v2 = v_select (v_less (zero, *u2), *v2 / *u2, zero);
    }
  else
    *u2 = one * one + other * other;
}

/* Does the same for a line of sight (l_x, l_y, l_z) of any length. */
SIMD_INLINE void
seen_coordinates (V x, V y, V z, V l_x, V l_y, V l_z, const int is_mu, V *u2, V *v2)
{
  const V zero = v_set (0), s2 = ARMILLA_PAIR_S2 (x, y, z);
  const V p = ARMILLA_PAIR_DOT (x, y, z, l_x, l_y, l_z), l2 = ARMILLA_PAIR_S2 (l_x, l_y, l_z);
  V below = l2;

  if (is_mu)
    below = s2 * l2;
  *v2 = v_select (v_less (zero, below), p * p / below, zero);
  if (is_mu)
    *u2 = s2;
  else
    {
      const V rest = s2 - *v2;

      *u2 = v_select (v_less (rest, zero), zero, rest);
    }
}

/* What numbers must be within. */
typedef struct {
  double low_u, high_u, low_v, high_v; /* squares of the first and last edges of both */
  double u_place, v_place; /* lowest numbers that can be looked up; lower ones are replaced */
  double u_reach, v_reach; /* last edges, not squared; v_reach is infinity without a bound */
  int along; /* axis of pi if there is one; -1: u_reach is a bound of the distance */
} Range;

/* Finds the objects of a that can have pairs with those of b; returns their number. */
SIMD_INLINE int
find_near (const Leaves *l, const Range *range, int *near)
{
  const double radius = l->ball_b[ARMILLA_NODE_RADIUS * l->stride_b];
  const double u = (range->u_reach + radius) * (1 + DISTANCE_SLACK);
  const V max_u2 = v_set (u * u), max_v = v_set (range->v_reach + radius);
  int n = 0;

  for (int64_t v = 0; v < l->n_a; v += VL)
    {
      V d[3], u2 = v_set (0);
      VM is_near;

      for (int k = 0; k < 3; k++)
        {
          d[k] = v_load (l->a + k * l->row_a + v) - v_set (l->ball_b[k * l->stride_b]);
          if (k != range->along)
            u2 = u2 + d[k] * d[k];
        }
      is_near = v_less (u2, max_u2);
      if (range->along >= 0)
        is_near = v_both (is_near, v_less (v_abs (d[range->along]), max_v));
      for (int bits = v_bits (is_near); bits != 0; bits &= bits - 1)
        near[n++] = (int) v + __builtin_ctz ((unsigned) bits);
    }
  return n;
}

/* Appends the pairs within the range of some objects of a. */
SIMD_INLINE void
find_within (const Leaves *l, const Range *range, const int *near, int n_near, const int sight,
             const int is_mu, const int weigh, Within *found)
{
  static const double numbers[ARMILLA_LEAF]
    = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
  const V low_u = v_set (range->low_u), high_u = v_set (range->high_u);
  const V low_v = v_set (range->low_v), high_v = v_set (range->high_v);
  const V u_place = v_set (range->u_place), v_place = v_set (range->v_place);
  int n = found->n;

  for (int64_t v = 0; v < l->n_b; v += VL)
    {
      const V x = v_load (l->b + v), y = v_load (l->b + l->row_b + v);
      const V z = v_load (l->b + 2 * l->row_b + v);

      for (int at = 0; at < n_near; at++)
        {
          const int i = near[at];
          const V a_x = v_set (l->a[i]), a_y = v_set (l->a[l->row_a + i]);
          const V a_z = v_set (l->a[2 * l->row_a + i]);
          const V dx = x - a_x, dy = y - a_y, dz = z - a_z;
          V u2, v2;
          VM within;

          if (sight >= ARMILLA_SIGHT_X)
            fixed_coordinates (dx, dy, dz, sight - ARMILLA_SIGHT_X, is_mu, &u2, &v2);
          else if (sight == ARMILLA_SIGHT_MIDPOINT)
            seen_coordinates (dx, dy, dz, x + a_x, y + a_y, z + a_z, is_mu, &u2, &v2);
          else if (sight == ARMILLA_SIGHT_FIRSTPOINT)
            seen_coordinates (dx, dy, dz, a_x, a_y, a_z, is_mu, &u2, &v2);
          else
            seen_coordinates (dx, dy, dz, x, y, z, is_mu, &u2, &v2);
          within = v_and_not (v_and_not (v_both (v_less (u2, high_u), v_less (v2, high_v)),
                                         v_less (u2, low_u)),
                              v_less (v2, low_v));
          v_compress (found->u2 + n, within, v_select (v_less (u2, u_place), u_place, u2));
          v_compress (found->v2 + n, within, v_select (v_less (v2, v_place), v_place, v2));
          if (weigh)
            {
              v_compress (found->i + n, within, v_set ((double) i));
              v_compress (found->j + n, within, v_load (numbers + v));
            }
          n += __builtin_popcount ((unsigned) v_bits (within));
        }
    }
  found->n = n;
}

/* Calls find_within() compiled for each combination. */
SIMD_INLINE void
find_kind (const Leaves *l, const Range *range, int sight, const int is_mu, const int weigh,
           Within *found)
{
  int near[ARMILLA_LEAF], n = 0;

  if (l->n_a == 1)
    near[n++] = 0;
  else
    n = find_near (l, range, near);
#define FIND(sight) find_within (l, range, near, n, sight, is_mu, weigh, found)
  switch (sight)
    {
    case ARMILLA_SIGHT_X: FIND (ARMILLA_SIGHT_X); break;
    case ARMILLA_SIGHT_Y: FIND (ARMILLA_SIGHT_Y); break;
    case ARMILLA_SIGHT_Z: FIND (ARMILLA_SIGHT_Z); break;
    case ARMILLA_SIGHT_MIDPOINT: FIND (ARMILLA_SIGHT_MIDPOINT); break;
    case ARMILLA_SIGHT_FIRSTPOINT: FIND (ARMILLA_SIGHT_FIRSTPOINT); break;
    default: FIND (ARMILLA_SIGHT_ENDPOINT);
    }
#undef FIND
}

static void
find_pairs (const ArmillaPairWork *w, const Leaves *l, Within *found)
{
  const ArmillaPairShape *shape = w->shape;
  const double *u2 = w->lookup[0].edge, *v2 = w->lookup[1].edge;
  const Range range = { u2[0], u2[shape->n_bins], v2[0], v2[shape->n2], w->lookup[0].low,
                        w->lookup[1].low, w->max_u, w->max_pi,
                        shape->separation == ARMILLA_SEPARATION_RP_PI
                            && shape->sight >= ARMILLA_SIGHT_X
                          ? shape->sight - ARMILLA_SIGHT_X
                          : -1 };
  const int weigh = shape->sums != 0;

  if (shape->separation == ARMILLA_SEPARATION_S_MU)
    {
      if (weigh)
        find_kind (l, &range, shape->sight, 1, 1, found);
      else
        find_kind (l, &range, shape->sight, 1, 0, found);
    }
  else if (weigh)
    find_kind (l, &range, shape->sight, 0, 1, found);
  else
    find_kind (l, &range, shape->sight, 0, 0, found);
}

/* Adds the bins of some squares, times a stride. Most tables need one comparison. */
SIMD_INLINE void
add_bins (const ArmillaLookup *lookup, const double *square, int n, int stride, int *bin)
{
  const ArmillaLookup own = *lookup;

  if (own.steps == 1)
    for (int at = 0; at < n; at++)
      bin[at] += stride * (int) armilla_lookup_first (&own, square[at]);
  else
    for (int at = 0; at < n; at++)
      bin[at] += stride * (int) armilla_lookup_bin (&own, square[at]);
}

static void
count_within (const ArmillaPairWork *w, const Leaves *l, const Within *found)
{
  const int n = found->n;
  int bin[ARMILLA_LEAF * ARMILLA_LEAF];

  memset (bin, 0, sizeof *bin * (size_t) n);
  add_bins (&w->lookup[0], found->u2, n, (int) w->shape->n2, bin);
  add_bins (&w->lookup[1], found->v2, n, 1, bin);
  for (int at = 0; at < n; at++)
    w->plane[bin[at]]++;
  for (int at = 0; w->shape->sums && at < n; at++)
    {
      const int64_t *w_a = integers (l->a + ARMILLA_POINT_WEIGHT * l->row_a);
      const int64_t *w_b = integers (l->b + ARMILLA_POINT_WEIGHT * l->row_b);
      const __int128 product = (__int128) w_a[(int) found->i[at]] * w_b[(int) found->j[at]];

      armilla_wide_add (w->plane_weights + ARMILLA_SUM_WORDS * bin[at], (uint64_t) product,
                        (uint64_t) (product >> 64), product < 0 ? UINT64_MAX : 0);
    }
}

/* Counts the pairs of two leaves. Within one leaf each object is paired with those after it. */
static void
plane_leaves (const ArmillaPairWork *w, const Leaves *l, int self)
{
  Within found;

  found.n = 0;
  if (!self)
    find_pairs (w, l, &found);
  for (int64_t i = 0; self && i + 1 < l->n_a; i++)
    {
      double others[ARMILLA_ROWS_WEIGHT * ARMILLA_LEAF];
      const int n = found.n;
      Leaves one = *l;

      for (int row = 0; row < (w->shape->sums ? ARMILLA_ROWS_WEIGHT : ARMILLA_ROWS_POSITION); row++)
        memcpy (others + row * ARMILLA_LEAF, l->b + row * l->row_b, ARMILLA_LEAF * sizeof *others);
      for (int64_t j = 0; j <= i; j++)
        others[j] = NAN;
      one.a += i;
      one.n_a = 1;
      one.b = others;
      one.row_b = ARMILLA_LEAF;
      find_pairs (w, &one, &found);
      for (int at = n; w->shape->sums && at < found.n; at++)
        found.i[at] = (double) i;
    }
  count_within (w, l, &found);
}
