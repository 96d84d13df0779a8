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

/* Appends the pairs within the edges. @edge: squares of the first and last edge of each
 * coordinate. */
SIMD_INLINE void
find_within (const Leaves *l, const double edge[4], const int sight, const int is_mu,
             const int weigh, Within *found)
{
  static const double numbers[ARMILLA_LEAF]
    = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
  const V low_u = v_set (edge[0]), high_u = v_set (edge[1]);
  const V low_v = v_set (edge[2]), high_v = v_set (edge[3]);
  int n = found->n;

  for (int64_t v = 0; v < l->n_b; v += VL)
    {
      const V x = v_load (l->b + v), y = v_load (l->b + l->row_b + v);
      const V z = v_load (l->b + 2 * l->row_b + v);

      for (int64_t i = 0; i < l->n_a; i++)
        {
          const V a_x = v_set (l->a[i]), a_y = v_set (l->a[l->row_a + i]);
          const V a_z = v_set (l->a[2 * l->row_a + i]);
          const V dx = x - a_x, dy = y - a_y, dz = z - a_z;
          V u2, v2;
          VM within;
          int bits;

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
          bits = v_bits (within);
          if (bits == 0)
            continue;
          v_compress (found->u2 + n, within, u2);
          v_compress (found->v2 + n, within, v2);
          if (weigh)
            {
              v_compress (found->i + n, within, v_set ((double) i));
              v_compress (found->j + n, within, v_load (numbers + v));
            }
          n += __builtin_popcount ((unsigned) bits);
        }
    }
  found->n = n;
}

/* Calls find_within() compiled for each combination. */
SIMD_INLINE void
find_kind (const Leaves *l, const double edge[4], int sight, const int is_mu, const int weigh,
           Within *found)
{
  switch (sight)
    {
    case ARMILLA_SIGHT_X: find_within (l, edge, ARMILLA_SIGHT_X, is_mu, weigh, found); break;
    case ARMILLA_SIGHT_Y: find_within (l, edge, ARMILLA_SIGHT_Y, is_mu, weigh, found); break;
    case ARMILLA_SIGHT_Z: find_within (l, edge, ARMILLA_SIGHT_Z, is_mu, weigh, found); break;
    case ARMILLA_SIGHT_MIDPOINT:
      find_within (l, edge, ARMILLA_SIGHT_MIDPOINT, is_mu, weigh, found);
      break;
    case ARMILLA_SIGHT_FIRSTPOINT:
      find_within (l, edge, ARMILLA_SIGHT_FIRSTPOINT, is_mu, weigh, found);
      break;
    default: find_within (l, edge, ARMILLA_SIGHT_ENDPOINT, is_mu, weigh, found);
    }
}

static void
find_pairs (const ArmillaPairWork *w, const Leaves *l, Within *found)
{
  const ArmillaPairShape *shape = w->shape;
  const double *u2 = w->lookup[0].edge, *v2 = w->lookup[1].edge;
  const double edge[4] = { u2[0], u2[shape->n_bins], v2[0], v2[shape->n2] };
  const int weigh = shape->sums != 0;

  if (shape->separation == ARMILLA_SEPARATION_S_MU)
    {
      if (weigh)
        find_kind (l, edge, shape->sight, 1, 1, found);
      else
        find_kind (l, edge, shape->sight, 1, 0, found);
    }
  else if (weigh)
    find_kind (l, edge, shape->sight, 0, 1, found);
  else
    find_kind (l, edge, shape->sight, 0, 0, found);
}

static void
count_within (const ArmillaPairWork *w, const Leaves *l, const Within *found)
{
  const ArmillaLookup u = w->lookup[0], v = w->lookup[1];
  const int64_t n2 = w->shape->n2;
  int64_t *plane = w->plane;

  if (!w->shape->sums)
    {
      for (int at = 0; at < found->n; at++)
        plane[armilla_lookup_bin (&u, found->u2[at]) * n2
              + armilla_lookup_bin (&v, found->v2[at])]++;
      return;
    }
  for (int at = 0; at < found->n; at++)
    {
      const int64_t *w_a = integers (l->a + ARMILLA_POINT_WEIGHT * l->row_a);
      const int64_t *w_b = integers (l->b + ARMILLA_POINT_WEIGHT * l->row_b);
      const int64_t bin = armilla_lookup_bin (&u, found->u2[at]) * n2
                          + armilla_lookup_bin (&v, found->v2[at]);
      const __int128 product = (__int128) w_a[(int) found->i[at]] * w_b[(int) found->j[at]];

      plane[bin]++;
      armilla_wide_add (w->plane_weights + ARMILLA_SUM_WORDS * bin, (uint64_t) product,
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
