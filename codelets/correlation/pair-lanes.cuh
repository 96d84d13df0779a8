/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes a slot of a per thread, the slots of a warp together, with a leaf of b. */
#pragma once

#include "codelets/correlation/pair-tally.cuh"

/* as on the CPU */
#define DISTANCE_SLACK 1e-14
/* edges compared in one pass */
#define AT_ONCE 4
#define MANY_AT_ONCE 8
/* Indices of the sums, in the order of ArmillaHistogramSum. */
#define WEIGHT 0
#define SEPARATION 1
#define XI_PLUS 2
#define XI_MINUS 3
#define SHEARS (1 << XI_PLUS | 1 << XI_MINUS)
#define PER_PAIR (1 << SEPARATION | SHEARS)

/* Modes with separate kernels, since registers are scarce: counts; counts and weights; sums that
 * need every pair, with or without weights. */
enum { COUNTS, WEIGHTS, TERMS };

typedef struct {
  double of[ALL_SUMS];
} Scale;

typedef struct {
  const ArmillaPairShape *shape;
  const ArmillaPairInput *in;
  const Scale *scale;
  const Tally *tally;
  int64_t slot;       /* slot of a; -1 beyond the end */
  double x, y, z;     /* coordinates; NaN beyond the end */
  int64_t weight;     /* 0 beyond the end */
  int n_a;            /* number of the warp's objects */
  int64_t weight_a[2]; /* sum of the weights of the warp's objects, 128 bits */
} Lane;

/* Sums that need every pair: each thread has its own in shared memory, for pairs with @first to
 * @first + @n - 1 edges at or below the separation. Terms are below 2^50, so that those of
 * MAX_LEAVES leaves are below 2^58. */
typedef struct {
  int64_t *at;   /* [n][kept sums], per thread of a block; initially 0 */
  int64_t first;
  int n, leaves; /* leaves: number processed since the sums were 0 */
} Terms;

#define MAX_LEAVES 16

static __device__ int64_t
node_integer (const ArmillaPairShape *shape, const ArmillaPairInput *in, int side, int row,
              int64_t node)
{
  return ((const int64_t *) in->nodes[side])[row * shape->strides[side] + node];
}

static __device__ double
node_double (const ArmillaPairShape *shape, const ArmillaPairInput *in, int side, int row,
             int64_t node)
{
  return in->nodes[side][row * shape->strides[side] + node];
}

static __device__ double
point (const Lane *lane, int side, int row, int64_t slot)
{
  return lane->in->points[side][row * lane->shape->slots[side] + slot];
}

static __device__ int64_t
weight_of (const Lane *lane, int side, int64_t slot)
{
  return ((const int64_t *)
            lane->in->points[side])[ARMILLA_POINT_WEIGHT * lane->shape->slots[side] + slot];
}

/* Returns the number of edges before m1 that are at or below a chord, given that those before m0
 * are. */
static __device__ int64_t
edges_below (const double *chord, double x, int64_t m0, int64_t m1)
{
  while (m0 < m1)
    {
      const int64_t middle = (m0 + m1) / 2;

      if (chord[middle] <= x)
        m0 = middle + 1;
      else
        m1 = middle;
    }
  return m0;
}

/* Finds the edges that the balls of two leaves leave undecided. */
static __device__ void
bound_leaves (const ArmillaPairShape *shape, const ArmillaPairInput *in, int64_t a, int64_t b,
              int64_t m0, int64_t m1, int64_t *low, int64_t *high)
{
  const double *chord = in->edges + shape->n_bins + 2;
  const double dx = node_double (shape, in, 0, ARMILLA_NODE_X, a)
                    - node_double (shape, in, 1, ARMILLA_NODE_X, b);
  const double dy = node_double (shape, in, 0, ARMILLA_NODE_Y, a)
                    - node_double (shape, in, 1, ARMILLA_NODE_Y, b);
  const double dz = node_double (shape, in, 0, ARMILLA_NODE_Z, a)
                    - node_double (shape, in, 1, ARMILLA_NODE_Z, b);
  const double reach = node_double (shape, in, 0, ARMILLA_NODE_RADIUS, a)
                       + node_double (shape, in, 1, ARMILLA_NODE_RADIUS, b) + DISTANCE_SLACK;
  const double d = sqrt (ARMILLA_PAIR_S2 (dx, dy, dz));

  *low = edges_below (chord, d > reach ? d - reach : 0, m0, m1);
  *high = edges_below (chord, d + reach, *low, m1);
}

static __device__ double
squared_chord (const Lane *lane, int64_t slot)
{
  const double dx = lane->x - point (lane, 1, 0, slot);
  const double dy = lane->y - point (lane, 1, 1, slot);
  const double dz = lane->z - point (lane, 1, 2, slot);

  return ARMILLA_PAIR_S2 (dx, dy, dz);
}

/* Returns the sum over a warp of numbers below 2^58, returned by lane 0. */
static __device__ int64_t
warp_sum (int64_t x)
{
  for (int step = 16; step > 0; step /= 2)
    x += __shfl_down_sync (FULL_WARP, (long long) x, step);
  return x;
}

/* Adds a 128-bit product of every lane. */
static __device__ void
add_products (const Lane *lane, int part, int64_t m, int64_t a, int64_t b)
{
  const __int128 product = (__int128) a * b;
  /* Parts of 32 bits, the last one signed: sums over a warp need 37 bits. */
  const int64_t s0 = warp_sum ((int64_t) ((Word) product & 0xffffffff));
  const int64_t s1 = warp_sum ((int64_t) ((Word) product >> 32));
  const int64_t s2 = warp_sum ((int64_t) ((Word) (product >> 64) & 0xffffffff));
  const int64_t s3 = warp_sum ((int64_t) (product >> 96));

  if (threadIdx.x % 32 == 0)
    {
      typedef unsigned __int128 Wide;
      const __int128 sum
        = (__int128) (((Wide) s3 << 96) + ((Wide) s2 << 64) + ((Wide) s1 << 32) + (Wide) s0);
      const int64_t wide[3] = { (int64_t) sum, (int64_t) (sum >> 64), sum < 0 ? -1 : 0 };

      tally_add (lane->tally, WEIGHT, part, m, wide);
    }
}

/* Returns the position of counts below edge m; m1 denotes all pairs. */
static __device__ int
part_of (int64_t m, int64_t m1)
{
  return m < m1 ? BELOW : TOP;
}

/* Counts, and weights if any, against N edges from m on; edge m1 is infinity. Slots up to @after
 * are skipped. */
template <int N, bool WEIGHED>
static __device__ void
count_pass (const Lane *lane, int64_t leaf, int64_t m, int64_t m1, int64_t after)
{
  double edge[N];
  int count[N];
  int64_t met[N];

#pragma unroll
  for (int k = 0; k < N; k++)
    {
      edge[k] = lane->in->edges[m + k < m1 ? m + k : lane->shape->n_bins + 1];
      count[k] = 0;
      met[k] = 0;
    }
#pragma unroll 4
  for (int j = 0; j < ARMILLA_LEAF; j++)
    {
      const int64_t slot = leaf * ARMILLA_LEAF + j;
      const double s2 = squared_chord (lane, slot);
      const int64_t w = WEIGHED ? weight_of (lane, 1, slot) : 0;
      const bool valid = slot > after;

#pragma unroll
      for (int k = 0; k < N; k++)
        {
          const bool less = valid && s2 < edge[k];

          count[k] += less;
          if (WEIGHED)
            met[k] += less ? w : 0;
        }
    }
#pragma unroll
  for (int k = 0; k < N; k++)
    {
      const int sum = __reduce_add_sync (FULL_WARP, count[k]);

      if (threadIdx.x % 32 == 0 && sum > 0)
        tally_count (lane->tally, part_of (m + k, m1), m + k, sum);
      if (WEIGHED)
        add_products (lane, part_of (m + k, m1), m + k, lane->weight, met[k]);
    }
}

/* Processes edges from m0 to end - 1. */
template <bool WEIGHED>
static __device__ void
count_edges (const Lane *lane, int64_t leaf, int64_t m0, int64_t end, int64_t m1, int64_t after)
{
  int64_t m = m0;

  for (; !WEIGHED && end - m >= MANY_AT_ONCE; m += MANY_AT_ONCE)
    count_pass<MANY_AT_ONCE, WEIGHED> (lane, leaf, m, m1, after);
  for (; m < end; m += AT_ONCE)
    switch (end - m)
      {
      case 1: count_pass<1, WEIGHED> (lane, leaf, m, m1, after); break;
      case 2: count_pass<2, WEIGHED> (lane, leaf, m, m1, after); break;
      case 3: count_pass<3, WEIGHED> (lane, leaf, m, m1, after); break;
      default: count_pass<AT_ONCE, WEIGHED> (lane, leaf, m, m1, after); break;
      }
}

static __device__ double
pair_arc (double s2)
{
  const double x = sqrt (s2) * 0.5;
  const double rest = x < 1 ? (1.0 - x) * 0.5 : 0;
  const double root = sqrt (rest);

  return 0.5 < x ? ARMILLA_PAIR_FAR_ARC (root, rest) : ARMILLA_PAIR_NEAR_ARC (x);
}

static __device__ void
shear_terms (const Lane *lane, int64_t slot, double *plus, double *minus)
{
  const int64_t a = lane->slot < 0 ? 0 : lane->slot;
  const double z_b = point (lane, 1, 2, slot);
  const double dx = lane->x - point (lane, 1, 0, slot);
  const double dy = lane->y - point (lane, 1, 1, slot), dz = lane->z - z_b;
  const double c_a = point (lane, 0, ARMILLA_POINT_COS, a);
  const double s_a = point (lane, 0, ARMILLA_POINT_SIN, a);
  const double r_a = point (lane, 0, ARMILLA_POINT_AXIS, a);
  const double c_b = point (lane, 1, ARMILLA_POINT_COS, slot);
  const double s_b = point (lane, 1, ARMILLA_POINT_SIN, slot);
  const double r_b = point (lane, 1, ARMILLA_POINT_AXIS, slot);
  const double north_a = ARMILLA_PAIR_NORTH (dx, dy, dz, lane->z, c_a, s_a, r_a);
  const double north_b = ARMILLA_PAIR_NORTH (dx, dy, dz, z_b, c_b, s_b, r_b);
  const double east_a = ARMILLA_PAIR_EAST (dx, dy, c_a, s_a);
  const double east_b = ARMILLA_PAIR_EAST (dx, dy, c_b, s_b);
  const double p_a = ARMILLA_PAIR_EVEN (north_a, east_a);
  const double q_a = ARMILLA_PAIR_ODD (north_a, east_a);
  const double p_b = ARMILLA_PAIR_EVEN (north_b, east_b);
  const double q_b = ARMILLA_PAIR_ODD (north_b, east_b);
  const double g1_a = point (lane, 0, ARMILLA_POINT_G1, a);
  const double g2_a = point (lane, 0, ARMILLA_POINT_G2, a);
  const double g1_b = point (lane, 1, ARMILLA_POINT_G1, slot);
  const double g2_b = point (lane, 1, ARMILLA_POINT_G2, slot);
  const double t_a = ARMILLA_PAIR_ALONG (g1_a, g2_a, p_a, q_a);
  const double x_a = ARMILLA_PAIR_ACROSS (g1_a, g2_a, p_a, q_a);
  const double t_b = ARMILLA_PAIR_ALONG (g1_b, g2_b, p_b, q_b);
  const double x_b = ARMILLA_PAIR_ACROSS (g1_b, g2_b, p_b, q_b);
  const double length
    = ARMILLA_PAIR_LENGTH2 (north_a, east_a) * ARMILLA_PAIR_LENGTH2 (north_b, east_b);
  const double along = t_a * t_b, across = x_a * x_b;
  const double each = 0 < length ? lane->scale->of[XI_PLUS] / length : 0;

  *plus = (along + across) * each;
  *minus = (along - across) * each;
}

/* The same arithmetic as lens_terms () of pair-leaves.h. */
static __device__ void
lens_terms (const Lane *lane, int64_t slot, double *along, double *across)
{
  const double z_b = point (lane, 1, 2, slot);
  const double dx = lane->x - point (lane, 1, 0, slot);
  const double dy = lane->y - point (lane, 1, 1, slot), dz = lane->z - z_b;
  const double c_b = point (lane, 1, ARMILLA_POINT_COS, slot);
  const double s_b = point (lane, 1, ARMILLA_POINT_SIN, slot);
  const double r_b = point (lane, 1, ARMILLA_POINT_AXIS, slot);
  const double north_b = ARMILLA_PAIR_NORTH (dx, dy, dz, z_b, c_b, s_b, r_b);
  const double east_b = ARMILLA_PAIR_EAST (dx, dy, c_b, s_b);
  const double p_b = ARMILLA_PAIR_EVEN (north_b, east_b);
  const double q_b = ARMILLA_PAIR_ODD (north_b, east_b);
  const double g1_b = point (lane, 1, ARMILLA_POINT_G1, slot);
  const double g2_b = point (lane, 1, ARMILLA_POINT_G2, slot);
  const double mass
    = point (lane, 0, ARMILLA_POINT_MASS, lane->slot < 0 ? 0 : lane->slot);
  const double length = ARMILLA_PAIR_LENGTH2 (north_b, east_b);

  const double each = (0 < length ? mass / length : 0) * lane->scale->of[XI_PLUS];

  *along = ARMILLA_PAIR_ALONG (g1_b, g2_b, p_b, q_b) * each;
  *across = ARMILLA_PAIR_ACROSS (g1_b, g2_b, p_b, q_b) * each;
}

static __device__ int64_t
round_term (double x)
{
  return __double_as_longlong (x + ARMILLA_PAIR_MAGIC) - __double_as_longlong (ARMILLA_PAIR_MAGIC);
}

static __device__ int
kept_sums (int sums)
{
  return __popc ((unsigned) sums & PER_PAIR);
}

/* Adds the sums of the threads of a warp. */
static __device__ void
flush_terms (const ArmillaPairShape *shape, const Tally *tally, Terms *terms)
{
  const int n_kept = kept_sums (shape->sums);

  for (int i = 0; terms->leaves > 0 && i < terms->n; i++)
    for (int sum = SEPARATION, row = i * n_kept; sum <= XI_MINUS; sum++)
      if (shape->sums & 1 << sum)
        {
          int64_t *at = terms->at + (int64_t) row++ * blockDim.x;
          const int64_t x = *at;

          if (__any_sync (FULL_WARP, x != 0))
            {
              const int64_t all = warp_sum (x), sign = all < 0 ? -1 : 0;
              const int64_t wide[3] = { all, sign, sign };

              *at = 0;
              if (threadIdx.x % 32 == 0)
                tally_add (tally, sum, TOP, terms->first + i, wide);
            }
        }
  terms->leaves = 0;
}

/* Moves the range of the thread's sums, adding them to the tally, unless it includes the numbers of
 * edges from @from to @to. */
static __device__ void
cover_terms (const Lane *lane, Terms *terms, int64_t from, int64_t to)
{
  if (from < terms->first || to >= terms->first + terms->n || terms->leaves == MAX_LEAVES)
    {
      flush_terms (lane->shape, lane->tally, terms);
      terms->first = to - terms->n + 1 > 1 ? to - terms->n + 1 : 1;
    }
  terms->leaves++;
}

/* Adds the terms of a pair to the sums for @number, its number of edges at or below @s2. */
static __device__ void
add_terms (const Lane *lane, const Terms *terms, int64_t slot, double s2, int64_t number)
{
  const int sums = lane->shape->sums;
  int64_t *at = terms->at + (number - terms->first) * kept_sums (sums) * blockDim.x;

  if (sums & 1 << SEPARATION)
    {
      const double mass = point (lane, 0, ARMILLA_POINT_MASS, lane->slot);

      *at += round_term (mass * point (lane, 1, ARMILLA_POINT_MASS, slot) * pair_arc (s2)
                         * lane->scale->of[SEPARATION]);
      at += blockDim.x;
    }
  if (sums & SHEARS)
    {
      double plus, minus;

      if (lane->shape->lens)
        lens_terms (lane, slot, &plus, &minus);
      else
        shear_terms (lane, slot, &plus, &minus);
      if (sums & 1 << XI_PLUS)
        {
          *at += round_term (plus);
          at += blockDim.x;
        }
      if (sums & 1 << XI_MINUS)
        *at += round_term (minus);
    }
}

/* Adds the sums that need every pair, for pairs with numbers from @from to @to, of m0 to m1. */
static __device__ void
term_pass (const Lane *lane, Terms *terms, int64_t leaf, int64_t m0, int64_t m1, int64_t from,
           int64_t to, int64_t after)
{
  cover_terms (lane, terms, from, to);
  for (int j = 0; j < ARMILLA_LEAF; j++)
    {
      const int64_t slot = leaf * ARMILLA_LEAF + j;
      const double s2 = squared_chord (lane, slot);
      int64_t number = m0;

#pragma unroll 4
      for (int64_t m = m0; m < m1; m++)
        number += !(s2 < lane->in->edges[m]);
      /* Comparisons with NaN, of an empty slot, are false. */
      if (s2 < INFINITY && slot > after && number >= from && number <= to)
        add_terms (lane, terms, slot, s2, number);
    }
}

/* Processes a warp's slots with a leaf of b whose pairs have numbers from m0 to m1. Only slots of
 * the leaf after @after are used: all of them unless the leaf is one of the warp's own. */
template <int MODE>
static __device__ void
meet_leaf (const Lane *lane, Terms *terms, int64_t leaf, int64_t m0, int64_t m1, bool own)
{
  const int64_t after = own ? lane->slot : -1;
  /* The pairs of an incomplete leaf must be counted too: infinity is one more edge. */
  const int64_t end = own ? m1 + 1 : m1;
  const int64_t last = m1 < lane->shape->n_bins ? m1 : lane->shape->n_bins;

  if (MODE == WEIGHTS || (MODE == TERMS && lane->shape->sums & 1 << WEIGHT))
    count_edges<true> (lane, leaf, m0, end, m1, after);
  else
    count_edges<false> (lane, leaf, m0, end, m1, after);
  if (MODE == TERMS)
    for (int64_t m = m0 > 1 ? m0 : 1; m <= last; m += terms->n)
      term_pass (lane, terms, leaf, m0, m1, m, m + terms->n <= last ? m + terms->n - 1 : last,
                 after);
}

/* Adds the number and weight of the pairs of the warp with a leaf if all have numbers up to m. */
static __device__ void
add_product (const Lane *lane, int64_t leaf, int64_t m)
{
  const ArmillaPairShape *shape = lane->shape;

  tally_count (lane->tally, TOP, m,
               lane->n_a * node_integer (shape, lane->in, 1, ARMILLA_NODE_COUNT, leaf));
  if (shape->sums & 1 << WEIGHT)
    {
      int64_t wide[3] = { 0, 0, 0 };

      armilla_wide_add_product (
        wide, (uint64_t) lane->weight_a[0], (uint64_t) lane->weight_a[1],
        (uint64_t) node_integer (shape, lane->in, 1, ARMILLA_NODE_WEIGHT_LOW, leaf),
        (uint64_t) node_integer (shape, lane->in, 1, ARMILLA_NODE_WEIGHT_HIGH, leaf));
      tally_add (lane->tally, WEIGHT, TOP, m, wide);
    }
}
