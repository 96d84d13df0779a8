/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests all pairs of two leaves against the few edges that their balls leave undecided. Compiled
 * once for each instruction set, as a part of pair-kernels.c. */
#pragma once

#include <string.h>

#include "codelets/correlation/pair-simd.h"
#include "core/catalogues/histogram.h"

/* edges tested together: their counters stay in registers */
#define AT_ONCE 4

typedef struct {
  const double *a, *b; /* first slot of the leaves, row 0 */
  int64_t row_a, row_b; /* words per row */
  int64_t n_a, n_b;    /* objects */
  const double *ball_b; /* first word of the node of b */
  int64_t stride_b;     /* words per row of the nodes */
} Leaves;

SIMD_INLINE V
leaves_s2 (const Leaves *l, int64_t i, V x, V y, V z)
{
  /* x - a instead of a - x has the same square, and lets the instruction of the subtraction
   * broadcast its second operand from memory */
  const V dx = x - v_set (l->a[i]);
  const V dy = y - v_set (l->a[l->row_a + i]);
  const V dz = z - v_set (l->a[2 * l->row_a + i]);

  return ARMILLA_PAIR_S2 (dx, dy, dz);
}

SIMD_INLINE const int64_t *
integers (const double *x)
{
  return (const int64_t *) (const void *) x;
}

#include "codelets/correlation/pair-plane.h"

/* Pairs below all edges of a pass, which may still be above lower edges. */
typedef struct {
  int n;
  double s2[ARMILLA_LEAF * ARMILLA_LEAF + VL];
  double i[ARMILLA_LEAF * ARMILLA_LEAF + VL]; /* indices within the leaf of a */
  double j[ARMILLA_LEAF * ARMILLA_LEAF + VL]; /* likewise of b; both only with weights */
} Below;

/* Counts the pairs below each edge, added to a vector of counts per edge. */
SIMD_INLINE void
count_below (const Leaves *l, const double *edge, const int n_edges, int64_t *below, Below *rest)
{
  VI count[AT_ONCE];

  for (int k = 0; k < n_edges; k++)
    count[k] = vi_load (below + k * MAX_VECTOR);
  for (int64_t v = 0; v < l->n_b; v += VL)
    {
      const V x = v_load (l->b + v), y = v_load (l->b + l->row_b + v);
      const V z = v_load (l->b + 2 * l->row_b + v);

      for (int64_t i = 0; i < l->n_a; i++)
        {
          const V s2 = leaves_s2 (l, i, x, y, z);

          for (int k = 0; k < n_edges; k++)
            {
              const VM less = v_less (s2, v_set (edge[k]));

              count[k] = vi_count (count[k], less);
              if (k == 0 && rest)
                {
                  v_compress (rest->s2 + rest->n, less, s2);
                  rest->n += __builtin_popcount ((unsigned) v_bits (less));
                }
            }
        }
    }
  for (int k = 0; k < n_edges; k++)
    vi_store (below + k * MAX_VECTOR, count[k]);
}

/* Like count_below(), for the remaining pairs, whose number decreases. */
SIMD_INLINE void
count_rest (Below *rest, const double *edge, const int n_edges, int64_t *below)
{
  const int n = rest->n;
  VI count[AT_ONCE];

  for (int v = 0; v < VL; v++)
    rest->s2[n + v] = INFINITY;
  rest->n = 0;
  for (int k = 0; k < n_edges; k++)
    count[k] = vi_load (below + k * MAX_VECTOR);
  for (int v = 0; v < n; v += VL)
    {
      const V s2 = v_load (rest->s2 + v);

      for (int k = 0; k < n_edges; k++)
        {
          const VM less = v_less (s2, v_set (edge[k]));

          count[k] = vi_count (count[k], less);
          if (k == 0)
            {
              v_compress (rest->s2 + rest->n, less, s2);
              rest->n += __builtin_popcount ((unsigned) v_bits (less));
            }
        }
    }
  for (int k = 0; k < n_edges; k++)
    vi_store (below + k * MAX_VECTOR, count[k]);
}

/* Like count_below() with sums of products of weights: first the sum over a for each object of
 * b. */
SIMD_INLINE void
weigh_below (const Leaves *l, const double *edge, const int n_edges, int64_t *below,
             __int128 *weight, Below *rest)
{
  const int64_t *w_a = integers (l->a + ARMILLA_POINT_WEIGHT * l->row_a);
  const int64_t *w_b = integers (l->b + ARMILLA_POINT_WEIGHT * l->row_b);
  static const double numbers[ARMILLA_LEAF]
    = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
  VI count[AT_ONCE], met[AT_ONCE];

  for (int k = 0; k < n_edges; k++)
    {
      count[k] = vi_set (0);
      weight[k] = 0;
    }
  for (int64_t v = 0; v < l->n_b; v += VL)
    {
      const V x = v_load (l->b + v), y = v_load (l->b + l->row_b + v);
      const V z = v_load (l->b + 2 * l->row_b + v);

      for (int k = 0; k < n_edges; k++)
        met[k] = vi_set (0);
      for (int64_t i = 0; i < l->n_a; i++)
        {
          const V s2 = leaves_s2 (l, i, x, y, z);
          const VI w = vi_set (w_a[i]);

          for (int k = 0; k < n_edges; k++)
            {
              const VM less = v_less (s2, v_set (edge[k]));

              count[k] = vi_count (count[k], less);
              met[k] = vi_add_if (less, met[k], w);
              if (k == 0 && rest)
                {
                  v_compress (rest->s2 + rest->n, less, s2);
                  v_compress (rest->i + rest->n, less, v_set ((double) i));
                  v_compress (rest->j + rest->n, less, v_load (numbers + v));
                  rest->n += __builtin_popcount ((unsigned) v_bits (less));
                }
            }
        }
      for (int k = 0; k < n_edges; k++)
        {
          int64_t sum[VL];

          vi_store (sum, met[k]);
          for (int j = 0; j < VL; j++)
            weight[k] += (__int128) sum[j] * w_b[v + j];
        }
    }
  for (int k = 0; k < n_edges; k++)
    below[k] = vi_sum (count[k]);
}

/* Like weigh_below(), for the remaining pairs, one by one: most pairs are in the upper bins. */
static void
weigh_rest (const Leaves *l, Below *rest, const double *edge, int n_edges, int64_t *below,
            __int128 *weight)
{
  const int64_t *w_a = integers (l->a + ARMILLA_POINT_WEIGHT * l->row_a);
  const int64_t *w_b = integers (l->b + ARMILLA_POINT_WEIGHT * l->row_b);
  const int n = rest->n;

  for (int k = 0; k < n_edges; k++)
    below[k] = weight[k] = 0;
  rest->n = 0;
  for (int at = 0; at < n; at++)
    {
      const double s2 = rest->s2[at];
      const __int128 product = (__int128) w_a[(int) rest->i[at]] * w_b[(int) rest->j[at]];
      int k = n_edges - 1;

      for (; k >= 0 && s2 < edge[k]; k--)
        {
          below[k]++;
          weight[k] += product;
        }
      if (k < 0)
        {
          rest->s2[rest->n] = s2;
          rest->i[rest->n] = rest->i[at];
          rest->j[rest->n++] = rest->j[at];
        }
    }
}

SIMD_INLINE V
pair_arc (V s2)
{
  const V x = v_sqrt (s2) * 0.5, half = v_set (0.5), zero = v_set (0);
  const V near = ARMILLA_PAIR_NEAR_ARC (x);
  const VM is_far = v_less (half, x);

  /* Separations above 60 degrees. */
  if (v_any (is_far))
    {
      const V rest = v_select (v_less (x, v_set (1)), (1.0 - x) * 0.5, zero);
      const V root = v_sqrt (rest);

      return v_select (is_far, ARMILLA_PAIR_FAR_ARC (root, rest), near);
    }
  return near;
}

/* Shear products of object i of a with a vector of objects of b, times the scale: plus, then minus.
 * A division takes as long as most of the rest. */
SIMD_INLINE void
shear_terms (const Leaves *l, int64_t i, int64_t v, V scale, V *terms)
{
  const double *a = l->a + i, *b = l->b + v;
  const V dx = v_set (a[0]) - v_load (b);
  const V dy = v_set (a[l->row_a]) - v_load (b + l->row_b);
  const V z_a = v_set (a[2 * l->row_a]), z_b = v_load (b + 2 * l->row_b), dz = z_a - z_b;
  const V c_a = v_set (a[ARMILLA_POINT_COS * l->row_a]);
  const V s_a = v_set (a[ARMILLA_POINT_SIN * l->row_a]);
  const V c_b = v_load (b + ARMILLA_POINT_COS * l->row_b);
  const V s_b = v_load (b + ARMILLA_POINT_SIN * l->row_b);
  const V r_a = v_set (a[ARMILLA_POINT_AXIS * l->row_a]);
  const V r_b = v_load (b + ARMILLA_POINT_AXIS * l->row_b);
  const V north_a = ARMILLA_PAIR_NORTH (dx, dy, dz, z_a, c_a, s_a, r_a);
  const V north_b = ARMILLA_PAIR_NORTH (dx, dy, dz, z_b, c_b, s_b, r_b);
  const V east_a = ARMILLA_PAIR_EAST (dx, dy, c_a, s_a);
  const V east_b = ARMILLA_PAIR_EAST (dx, dy, c_b, s_b);
  const V p_a = ARMILLA_PAIR_EVEN (north_a, east_a), q_a = ARMILLA_PAIR_ODD (north_a, east_a);
  const V p_b = ARMILLA_PAIR_EVEN (north_b, east_b), q_b = ARMILLA_PAIR_ODD (north_b, east_b);
  const V g1_a = v_set (a[ARMILLA_POINT_G1 * l->row_a]);
  const V g2_a = v_set (a[ARMILLA_POINT_G2 * l->row_a]);
  const V g1_b = v_load (b + ARMILLA_POINT_G1 * l->row_b);
  const V g2_b = v_load (b + ARMILLA_POINT_G2 * l->row_b);
  const V t_a = ARMILLA_PAIR_ALONG (g1_a, g2_a, p_a, q_a);
  const V x_a = ARMILLA_PAIR_ACROSS (g1_a, g2_a, p_a, q_a);
  const V t_b = ARMILLA_PAIR_ALONG (g1_b, g2_b, p_b, q_b);
  const V x_b = ARMILLA_PAIR_ACROSS (g1_b, g2_b, p_b, q_b);
  const V length = ARMILLA_PAIR_LENGTH2 (north_a, east_a) * ARMILLA_PAIR_LENGTH2 (north_b, east_b);
  const V along = t_a * t_b, across = x_a * x_b, zero = v_set (0);
  /* Coincident or opposite points are not joined by a unique great circle. */
  const V each = v_select (v_less (zero, length), scale / length, zero);

  terms[0] = (along + across) * each;
  terms[1] = (along - across) * each;
}

/* Weight of object i of a times the shears of a vector of objects of b: along the great circle
 * through both, then across, times the scale. */
SIMD_INLINE void
lens_terms (const Leaves *l, int64_t i, int64_t v, V scale, V *terms)
{
  const double *a = l->a + i, *b = l->b + v;
  const V dx = v_set (a[0]) - v_load (b);
  const V dy = v_set (a[l->row_a]) - v_load (b + l->row_b);
  const V z_b = v_load (b + 2 * l->row_b), dz = v_set (a[2 * l->row_a]) - z_b;
  const V c_b = v_load (b + ARMILLA_POINT_COS * l->row_b);
  const V s_b = v_load (b + ARMILLA_POINT_SIN * l->row_b);
  const V r_b = v_load (b + ARMILLA_POINT_AXIS * l->row_b);
  const V north_b = ARMILLA_PAIR_NORTH (dx, dy, dz, z_b, c_b, s_b, r_b);
  const V east_b = ARMILLA_PAIR_EAST (dx, dy, c_b, s_b);
  const V p_b = ARMILLA_PAIR_EVEN (north_b, east_b), q_b = ARMILLA_PAIR_ODD (north_b, east_b);
  const V g1_b = v_load (b + ARMILLA_POINT_G1 * l->row_b);
  const V g2_b = v_load (b + ARMILLA_POINT_G2 * l->row_b);
  const V mass = v_set (a[ARMILLA_POINT_MASS * l->row_a]), zero = v_set (0);
  const V length = ARMILLA_PAIR_LENGTH2 (north_b, east_b);
  const V along = ARMILLA_PAIR_ALONG (g1_b, g2_b, p_b, q_b);
  const V across = ARMILLA_PAIR_ACROSS (g1_b, g2_b, p_b, q_b);
  const V each = v_select (v_less (zero, length), mass / length, zero) * scale;

  terms[0] = along * each;
  terms[1] = across * each;
}

/* Adds the sums that need every pair, below each edge, as integers: shears, then arcs. */
SIMD_INLINE void
sum_below (const ArmillaPairWork *w, const Leaves *l, const double *edge, const int n_edges,
           const int shears, const int arcs, int64_t sums[AT_ONCE][3])
{
  const double *mass = l->a + ARMILLA_POINT_MASS * l->row_a;
  const V scale_arc = v_set (w->scale[ARMILLA_SUM_SEPARATION]);
  const V scale_shear = v_set (w->scale[ARMILLA_SUM_XI_PLUS]); /* that of XI_MINUS, too */
  VI total[AT_ONCE][3];

  for (int k = 0; k < n_edges; k++)
    for (int q = 0; q < 3; q++)
      total[k][q] = vi_set (0);
  for (int64_t v = 0; v < l->n_b; v += VL)
    {
      const V x = v_load (l->b + v), y = v_load (l->b + l->row_b + v);
      const V z = v_load (l->b + 2 * l->row_b + v);

      for (int64_t i = 0; i < l->n_a; i++)
        {
          const V s2 = leaves_s2 (l, i, x, y, z);
          VI terms[3] = { vi_set (0), vi_set (0), vi_set (0) };
          V plus_minus[2];

          /* Edges are sorted. */
          if (!v_any (v_less (s2, v_set (edge[n_edges - 1]))))
            continue;
          if (shears)
            {
              if (w->shape->lens)
                lens_terms (l, i, v, scale_shear, plus_minus);
              else
                shear_terms (l, i, v, scale_shear, plus_minus);
              terms[0] = vi_round (plus_minus[0]);
              terms[1] = vi_round (plus_minus[1]);
            }
          if (arcs)
            terms[2]
              = vi_round (v_set (mass[i]) * v_load (l->b + ARMILLA_POINT_MASS * l->row_b + v)
                          * pair_arc (s2) * scale_arc);
          for (int k = 0; k < n_edges; k++)
            {
              const VM less = v_less (s2, v_set (edge[k]));

              for (int q = shears ? 0 : 2; q < (arcs ? 3 : 2); q++)
                total[k][q] = vi_add_if (less, total[k][q], terms[q]);
            }
        }
    }
  for (int k = 0; k < n_edges; k++)
    for (int q = shears ? 0 : 2; q < (arcs ? 3 : 2); q++)
      sums[k][q] = vi_sum (total[k][q]);
}

/* Calls sum_below (), which is compiled for each number of edges. */
SIMD_INLINE void
sum_edges (const ArmillaPairWork *w, const Leaves *l, const double *edge, int n_edges,
           const int shears, const int arcs, int64_t sums[AT_ONCE][3])
{
  switch (n_edges)
    {
    case 1: sum_below (w, l, edge, 1, shears, arcs, sums); break;
    case 2: sum_below (w, l, edge, 2, shears, arcs, sums); break;
    case 3: sum_below (w, l, edge, 3, shears, arcs, sums); break;
    default: sum_below (w, l, edge, 4, shears, arcs, sums); break;
    }
}

static void
sum_shears (const ArmillaPairWork *w, const Leaves *l, const double *edge, int n_edges,
            int64_t sums[AT_ONCE][3])
{
  sum_edges (w, l, edge, n_edges, 1, 0, sums);
}

static void
sum_arcs (const ArmillaPairWork *w, const Leaves *l, const double *edge, int n_edges,
          int64_t sums[AT_ONCE][3])
{
  sum_edges (w, l, edge, n_edges, 0, 1, sums);
}

static void
sum_shears_and_arcs (const ArmillaPairWork *w, const Leaves *l, const double *edge, int n_edges,
                     int64_t sums[AT_ONCE][3])
{
  sum_edges (w, l, edge, n_edges, 1, 1, sums);
}

static inline void
add_wide (int64_t *sum, __int128 x)
{
  armilla_wide_add (sum, (uint64_t) x, (uint64_t) (x >> 64), x < 0 ? UINT64_MAX : 0);
}

/* Returns the sum of the squares of the weights of a leaf. */
static __int128
squared_weights (const Leaves *l)
{
  const int64_t *weight = integers (l->a + ARMILLA_POINT_WEIGHT * l->row_a);
  __int128 sum = 0;

  for (int64_t i = 0; i < l->n_a; i++)
    sum += (__int128) weight[i] * weight[i];
  return sum;
}

/* Edges from m0 to m1 - 1, a few at a time from the last to the first, as long as there are pairs
 * below; below: a vector of counts per edge. */
static void
count_leaf (const ArmillaPairWork *w, const Leaves *l, int64_t m0, int64_t m1, int64_t *below)
{
  const double *edge = w->input->edges;
  int64_t m = m1 - m0 <= AT_ONCE ? m0 : m1 - AT_ONCE, *at = below + (m - m0) * MAX_VECTOR;
  Below rest;

  rest.n = 0;
  switch (m1 - m0)
    {
    case 1: count_below (l, edge + m, 1, at, NULL); break;
    case 2: count_below (l, edge + m, 2, at, NULL); break;
    case 3: count_below (l, edge + m, 3, at, NULL); break;
    case 4: count_below (l, edge + m, 4, at, NULL); break;
    default: count_below (l, edge + m, 4, at, &rest); break;
    }
  while (m > m0 && rest.n > 0)
    if (m - m0 >= AT_ONCE)
      {
        m -= AT_ONCE;
        count_rest (&rest, edge + m, AT_ONCE, below + (m - m0) * MAX_VECTOR);
      }
    else
      {
        m--;
        count_rest (&rest, edge + m, 1, below + (m - m0) * MAX_VECTOR);
      }
}

/* For a leaf with itself, each pair was counted twice, and each object with itself: at distance 0,
 * which is below all undecided edges. */
static void
leaf_counts (ArmillaPairWork *w, const Leaves *l, int64_t m0, int64_t m1, int self)
{
  int64_t *below = w->vectors + (self ? w->shape->n_bins + 2 : m0) * MAX_VECTOR;

  if (self)
    memset (below, 0, sizeof *below * MAX_VECTOR * (size_t) (m1 - m0));
  count_leaf (w, l, m0, m1, below);
  for (int64_t m = m0; self && m < m1; m++, below += MAX_VECTOR)
    {
      int64_t count = 0;

      for (int v = 0; v < VL; v++)
        count += below[v];
      w->counts[TALLY_BELOW * (w->shape->n_bins + 2) + m] += (count - l->n_a) / 2;
    }
}

/* See leaf_counts() for a leaf with itself. */
static void
put_weights (ArmillaPairWork *w, const Leaves *l, int64_t m, int n_edges, int self,
             const int64_t *below, const __int128 *weight, __int128 own)
{
  for (int k = 0; k < n_edges; k++)
    {
      w->counts[TALLY_BELOW * (w->shape->n_bins + 2) + m + k]
        += self ? (below[k] - l->n_a) / 2 : below[k];
      add_wide (armilla_pair_sum (w, ARMILLA_SUM_WEIGHT, TALLY_BELOW, m + k),
                self ? (weight[k] - own) / 2 : weight[k]);
    }
}

static void
leaf_weights (ArmillaPairWork *w, const Leaves *l, int64_t m0, int64_t m1, int self)
{
  const double *edge = w->input->edges;
  const __int128 own = self ? squared_weights (l) : 0;
  int64_t m = m1 - m0 <= AT_ONCE ? m0 : m1 - AT_ONCE, below[AT_ONCE];
  __int128 weight[AT_ONCE];
  Below rest;

  rest.n = 0;
  switch (m1 - m0)
    {
    case 1: weigh_below (l, edge + m, 1, below, weight, NULL); break;
    case 2: weigh_below (l, edge + m, 2, below, weight, NULL); break;
    case 3: weigh_below (l, edge + m, 3, below, weight, NULL); break;
    case 4: weigh_below (l, edge + m, 4, below, weight, NULL); break;
    default: weigh_below (l, edge + m, 4, below, weight, &rest); break;
    }
  put_weights (w, l, m, (int) (m1 - m), self, below, weight, own);
  while (m > m0 && (self || rest.n > 0))
    {
      const int n_edges = (int) (m - m0 < AT_ONCE ? m - m0 : AT_ONCE);

      m -= n_edges;
      weigh_rest (l, &rest, edge + m, n_edges, below, weight);
      put_weights (w, l, m, n_edges, self, below, weight, own);
    }
}

/* Adds the sums that need every pair; if the sum over all pairs is needed, the last edge is
 * infinity. */
static void
leaf_sums (ArmillaPairWork *w, const Leaves *l, int64_t m0, int64_t m1, int self)
{
  static const int kinds[3]
    = { ARMILLA_SUM_XI_PLUS, ARMILLA_SUM_XI_MINUS, ARMILLA_SUM_SEPARATION };
  const int64_t n_bins = w->shape->n_bins;
  const int64_t end = m1 >= 1 && m1 <= n_bins ? m1 + 1 : m1;
  const int wanted = w->shape->sums & PER_PAIR_SUMS;
  void (*const sum) (const ArmillaPairWork *, const Leaves *, const double *, int, int64_t (*)[3])
    = wanted == 1 << ARMILLA_SUM_SEPARATION     ? sum_arcs
      : wanted & 1 << ARMILLA_SUM_SEPARATION ? sum_shears_and_arcs
                                                : sum_shears;

  for (int64_t m = m0; m < end; m += AT_ONCE)
    {
      const int n_edges = (int) (end - m < AT_ONCE ? end - m : AT_ONCE);
      double edge[AT_ONCE];
      int64_t sums[AT_ONCE][3];

      for (int k = 0; k < n_edges; k++)
        edge[k] = w->input->edges[m + k < m1 ? m + k : n_bins + 1];
      sum (w, l, edge, n_edges, sums);
      for (int k = 0; k < n_edges; k++)
        for (int q = 0; q < 3; q++)
          if (w->shape->sums & 1 << kinds[q])
            add_wide (armilla_pair_sum (w, kinds[q], m + k < m1 ? TALLY_BELOW : TALLY_TOP, m + k),
                      self ? sums[k][q] / 2 : sums[k][q]);
    }
}

static void
leaf_totals (ArmillaPairWork *w, const Leaves *l, int64_t m, int self)
{
  const int64_t *w_a = integers (l->a + ARMILLA_POINT_WEIGHT * l->row_a);
  const int64_t *w_b = integers (l->b + ARMILLA_POINT_WEIGHT * l->row_b);
  __int128 weight;
  int64_t a = 0, b = 0;

  w->counts[TALLY_TOP * (w->shape->n_bins + 2) + m]
    += self ? l->n_a * (l->n_a - 1) / 2 : l->n_a * l->n_b;
  if (!(w->shape->sums & 1 << ARMILLA_SUM_WEIGHT))
    return;
  for (int64_t i = 0; i < l->n_a; i++)
    a += w_a[i];
  for (int64_t j = 0; j < l->n_b; j++)
    b += w_b[j];
  weight = (__int128) a * b;
  add_wide (armilla_pair_sum (w, ARMILLA_SUM_WEIGHT, TALLY_TOP, m),
            self ? (weight - squared_weights (l)) / 2 : weight);
}

/* Replaces leaf a by its image. Periodic positions and periods are such that the sums are exact. */
static void
displace (const ArmillaPairWork *w, Leaves *l, double *image)
{
  for (int k = 0; k < ARMILLA_ROWS_POSITION; k++)
    for (int i = 0; i < ARMILLA_LEAF; i++)
      image[k * ARMILLA_LEAF + i] = l->a[k * l->row_a + i] + w->displacement[k];
  if (w->shape->sums)
    memcpy (image + ARMILLA_POINT_WEIGHT * ARMILLA_LEAF, l->a + ARMILLA_POINT_WEIGHT * l->row_a,
            ARMILLA_LEAF * sizeof *image);
  l->a = image;
  l->row_a = ARMILLA_LEAF;
}

/* Processes the pairs of two leaves, whose numbers are from m0 to m1. */
static void
leaf_pair (ArmillaPairWork *w, int64_t a, int64_t b, int64_t m0, int64_t m1, int self)
{
  const ArmillaPairShape *shape = w->shape;
  const int64_t *nodes_a = integers (w->input->nodes[0]), *nodes_b = integers (w->input->nodes[1]);
  double image[ARMILLA_ROWS_WEIGHT * ARMILLA_LEAF];
  Leaves l = { .a = w->input->points[0] + a * ARMILLA_LEAF,
                     .b = w->input->points[1] + b * ARMILLA_LEAF,
                     .row_a = shape->slots[0],
                     .row_b = shape->slots[1],
                     .n_a = nodes_a[ARMILLA_NODE_COUNT * shape->strides[0] + a],
                     .n_b = nodes_b[ARMILLA_NODE_COUNT * shape->strides[1] + b],
                     .ball_b = w->input->nodes[1] + b,
                     .stride_b = shape->strides[1] };

  if (w->image > 0)
    displace (w, &l, image);
  if (shape->n2 > 0)
    {
      plane_leaves (w, &l, self);
      return;
    }
  if (m0 == m1 && shape->brute)
    {
      m0 = m0 <= shape->n_bins ? m0 : shape->n_bins;
      m1 = m0 + 1;
    }
  leaf_totals (w, &l, m1, self);
  if (m0 < m1 && shape->sums & 1 << ARMILLA_SUM_WEIGHT)
    leaf_weights (w, &l, m0, m1, self);
  else if (m0 < m1)
    leaf_counts (w, &l, m0, m1, self);
  if (shape->sums & PER_PAIR_SUMS)
    leaf_sums (w, &l, m0, m1, self);
}
