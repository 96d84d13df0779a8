/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adjoint synthesis on the CPU; part of delta-kernels.h. */
#pragma once

#include "codelets/delta-order.h"

/* Even and odd parts of a pair of a tile; 0 where @pair is negative. */
SIMD_INLINE void
pair_load (const double *tile, int64_t n_pairs, int64_t pair, double cosine, double *values,
           int64_t stride)
{
  const int used = pair >= 0;
  const double *t = tile + (used ? pair : 0);

  values[0] = used ? t[0] + t[2 * n_pairs] : 0;
  values[stride] = used ? t[n_pairs] + t[3 * n_pairs] : 0;
  values[2 * stride] = used ? cosine * (t[0] - t[2 * n_pairs]) : 0;
  values[3 * stride] = used ? cosine * (t[n_pairs] - t[3 * n_pairs]) : 0;
}

/* values[4][n_lanes] <- tile[4][n_pairs] */
static void
lanes_load_one (const Lanes *lanes, const double *tile, int64_t n_pairs, double *values)
{
  const int64_t n = lanes->n_lanes;

  for (int64_t at = 0; at < n; at += VL)
    {
      const int64_t run = (int64_t) lanes->run[at / GL];

      if (run >= 0)
        {
          const double *t = tile + run + at % GL;
          const V c = v_load (lanes->cosine + at), re = v_load (t), im = v_load (t + n_pairs);
          const V south_re = v_load (t + 2 * n_pairs), south_im = v_load (t + 3 * n_pairs);

          v_store (values + at, re + south_re);
          v_store (values + n + at, im + south_im);
          v_store (values + 2 * n + at, c * (re - south_re));
          v_store (values + 3 * n + at, c * (im - south_im));
          continue;
        }
      for (int64_t i = at; i < at + VL; i++)
        pair_load (tile, n_pairs, (int64_t) lanes->pair[i], lanes->cosine[i], values + i, n);
    }
}

/* Columns of several fields, four each, in whole vectors. */
static int64_t
n_columns (int64_t n_fields)
{
  return (4 * n_fields + VL - 1) / VL * VL;
}

/* values[n_lanes][n_columns] <- tile[field][4][n_pairs] */
static void
lanes_load_many (const Lanes *lanes, const double *tile, int64_t n_fields, int64_t n_pairs,
                 double *values)
{
  const int64_t n = n_columns (n_fields);

  for (int64_t i = 0; i < lanes->n_lanes; i++, values += n)
    {
      for (int64_t f = 0; f < n_fields; f++)
        pair_load (tile + f * 4 * n_pairs, n_pairs, (int64_t) lanes->pair[i], lanes->cosine[i],
                   values + 4 * f, 1);
      for (int64_t c = 4 * n_fields; c < n; c++)
        values[c] = 0;
    }
}

/* Where sums over a segment start from: sums[k][4] (vectors) itself, or zero. */
typedef struct {
  const double *from;
  int64_t stride;
} Start;

/* sums[n][4] (vectors) = start + q[n][GL] x values[4][GL], values with rows of n_lanes. */
static void
tile_adjoint (const Lanes *lanes, const double *q, const double *values, int64_t n, Start start,
              double *sums)
{
  for (int64_t at = 0; at < GL; at += V_TILE * VL, start.from = sums, start.stride = 4 * VL)
    {
      V v[4][V_TILE];

      UNROLL for (int c = 0; c < 4; c++)
        UNROLL for (int i = 0; i < V_TILE; i++)
          v[c][i] = v_load (values + c * lanes->n_lanes + at + i * VL);
      for (int64_t k = 0; k < n; k++)
        {
          V t[V_TILE];

          UNROLL for (int i = 0; i < V_TILE; i++)
            t[i] = v_load (q + k * GL + at + i * VL);
          UNROLL for (int c = 0; c < 4; c++)
            {
              V s = v_load (start.from + k * start.stride + c * VL);

              UNROLL for (int i = 0; i < V_TILE; i++)
                s = v_fma (t[i], v[c][i], s);
              v_store (sums + (4 * k + c) * VL, s);
            }
        }
    }
}

/* Steps k .. end - 1 of one field where every lane matters: sums[0..][4] (vectors) = start + ...,
 * for a group that is one tile. */
SIMD_INLINE void
fused_adjoint (const Form form, Lanes *lanes, int64_t group, const Order *o, const double *values,
               int64_t k, int64_t end, Start start, double *sums)
{
  const double *a = o->c.a, *p = group_column (lanes, group, &o->c);
  const int64_t lane = group * GL;
  V q[GV], d[GV], x[GV], v[4][GV];

  UNROLL for (int i = 0; i < GV; i++)
    {
      q[i] = v_load (lanes->q + lane + i * VL);
      d[i] = v_load (lanes->d + lane + i * VL);
      x[i] = v_load (lanes->x + lane + i * VL);
      UNROLL for (int c = 0; c < 4; c++)
        v[c][i] = v_load (values + c * lanes->n_lanes + lane + i * VL);
    }
  _Pragma ("GCC unroll 2") for (; k < end; k++, sums += 4 * VL, start.from += start.stride)
    {
      UNROLL for (int c = 0; c < 4; c++)
        {
          V s = v_load (start.from + c * VL);

          UNROLL for (int i = 0; i < GV; i++)
            s = v_fma (q[i], v[c][i], s);
          v_store (sums + c * VL, s);
        }
      STEP (form, GV, q, d, x, a[k], p[k]);
    }
  UNROLL for (int i = 0; i < GV; i++)
    {
      v_store (lanes->q + lane + i * VL, q[i]);
      v_store (lanes->d + lane + i * VL, d[i]);
    }
}

static void
fused_adjoint_difference (Lanes *lanes, int64_t group, const Order *o, const double *values,
                          int64_t k, int64_t end, Start start, double *sums)
{
  fused_adjoint (FORM_DIFFERENCE, lanes, group, o, values, k, end, start, sums);
}

static void
fused_adjoint_sum (Lanes *lanes, int64_t group, const Order *o, const double *values, int64_t k,
                   int64_t end, Start start, double *sums)
{
  fused_adjoint (FORM_SUM, lanes, group, o, values, k, end, start, sums);
}

static void
fused_adjoint_plain (Lanes *lanes, int64_t group, const Order *o, const double *values, int64_t k,
                     int64_t end, Start start, double *sums)
{
  fused_adjoint (FORM_PLAIN, lanes, group, o, values, k, end, start, sums);
}

/* prepared[n][4] += sums over the lanes of sums[n][4] */
static void
segment_reduce (const double *sums, int64_t n, double *prepared)
{
  for (int64_t k = 0; k < n; k++, sums += 4 * VL, prepared += 4)
    v_add_sums (prepared, v_load (sums), v_load (sums + VL), v_load (sums + 2 * VL),
                v_load (sums + 3 * VL));
}

/* One field, a segment of steps, all groups: the equator first, which matters first. */
static void
segment_adjoint_one (Lanes *lanes, const Order *o, const double *values, int64_t k, int64_t end,
                     double *q, double *sums, double *prepared)
{
  static const double zero[4 * VL];
  void (*const fused[]) (Lanes *, int64_t, const Order *, const double *, int64_t, int64_t, Start,
                         double *)
    = { fused_adjoint_difference, fused_adjoint_sum, fused_adjoint_plain };
  Start start = { zero, 0 };

  for (int64_t g = lanes->n_groups - 1; g >= 0; g--)
    {
      const int full = V_FUSED && lanes->phase[g] == PHASE_FULL;
      int64_t first = k;

      if (lanes->phase[g] == PHASE_NEVER)
        continue;
      if (!full)
        first = group_advance (lanes, g, &o->c, k, end, q);
      if (first == end)
        continue;
      if (first > k && start.from == zero)
        {
          memset (sums, 0, sizeof (double) * (size_t) ((end - k) * 4 * VL));
          start.stride = 4 * VL;
        }
      start.from = start.stride ? sums + (first - k) * 4 * VL : zero;
      if (full)
        fused[(Form) lanes->form[g]](lanes, g, o, values, k, end, start, sums);
      else
        tile_adjoint (lanes, q + (first - k) * GL, values + g * GL, end - first, start,
                      sums + (first - k) * 4 * VL);
      start.from = sums;
      start.stride = 4 * VL;
    }
  if (start.from != zero)
    segment_reduce (sums, end - k, prepared + k * 4);
}

/* A tile of the matrix product of several fields: steps k .. k + n_k - 1, columns of n_v vectors.
 * q: [group][SEGMENT][GL], values: [lane][columns], prepared: [field][n_steps][4] */
SIMD_INLINE void
product_tile (const int n_k, const int n_v, const double *q, int64_t n_groups, const double *values,
              int64_t columns, int64_t column, const Order *o, double *prepared)
{
  V s[8][2];

  UNROLL for (int i = 0; i < n_k; i++)
    UNROLL for (int j = 0; j < n_v; j++)
      s[i][j] = v_set (0);
  values += column;
  for (int64_t g = 0; g < n_groups; g++, q += SEGMENT * GL)
    for (int64_t lane = 0; lane < GL; lane++, values += columns)
      {
        V v[2];

        UNROLL for (int j = 0; j < n_v; j++)
          v[j] = v_load (values + j * VL);
        UNROLL for (int i = 0; i < n_k; i++)
          {
            const V t = v_set (q[i * GL + lane]);

            UNROLL for (int j = 0; j < n_v; j++)
              s[i][j] = v_fma (t, v[j], s[i][j]);
          }
      }
  UNROLL for (int i = 0; i < n_k; i++)
    UNROLL for (int j = 0; j < n_v; j++)
      {
        const int64_t c = column + j * VL, f = c / 4;

        v_add_columns (prepared + (f * o->n_steps + i) * 4 + c % 4, 4 * o->n_steps,
                       f + 1 < o->n_fields, s[i][j]);
      }
}

/* n steps of the matrix product. */
static void
segment_product (const double *q, int64_t n_groups, const double *values, int64_t n, const Order *o,
                 double *prepared)
{
  const int64_t columns = n_columns (o->n_fields);

  for (int64_t c = 0; c < columns; c += 2 * VL)
    {
      const int two = c + VL < columns;
      int64_t k = 0;

      for (; k + V_ROWS <= n; k += V_ROWS)
        if (two)
          product_tile (V_ROWS, 2, q + k * GL, n_groups, values, columns, c, o, prepared + 4 * k);
        else
          product_tile (V_ROWS, 1, q + k * GL, n_groups, values, columns, c, o, prepared + 4 * k);
      for (; k < n; k++)
        if (two)
          product_tile (1, 2, q + k * GL, n_groups, values, columns, c, o, prepared + 4 * k);
        else
          product_tile (1, 1, q + k * GL, n_groups, values, columns, c, o, prepared + 4 * k);
    }
}

/* Several fields, a segment of steps, groups g .. g_end - 1. */
static void
segment_adjoint_many (Lanes *lanes, const Order *o, int64_t g, int64_t g_end, const double *values,
                      int64_t k, int64_t end, double *q, double *prepared)
{
  int64_t first[ARMILLA_DELTA_GANG / GL], start = end;

  for (int64_t i = 0; i < g_end - g; i++)
    {
      first[i] = end;
      if (lanes->phase[g + i] != PHASE_NEVER)
        first[i] = group_advance (lanes, g + i, &o->c, k, end, q + i * SEGMENT * GL);
      if (first[i] < start)
        start = first[i];
    }
  if (start == end)
    return;
  for (int64_t i = 0; i < g_end - g; i++)
    memset (q + (i * SEGMENT + start - k) * GL, 0,
            sizeof (double) * (size_t) ((first[i] - start) * GL));
  segment_product (q + (start - k) * GL, g_end - g, values + g * GL * n_columns (o->n_fields),
                   end - start, o, prepared + 4 * start);
}

static void
delta_adjoint (const ArmillaDeltaShape *shape, const double *table, const double *tile,
               const double *pairs, double *prepared, double *scratch)
{
  const int64_t n_pairs = shape->n_pairs, n_fields = shape->n_fields;
  const int64_t gang = ARMILLA_DELTA_GANG / GL;
  double *plain, *q, *sums, *values;
  Lanes lanes;

  if (n_pairs == 0)
    return;
  lanes_init (&lanes, shape, pairs, scratch);
  plain = lanes.work;
  q = plain + 2 * armilla_delta_steps (shape->lmax, shape->m_first);
  sums = q + SEGMENT * ARMILLA_DELTA_GANG;
  values = sums + SEGMENT * 4 * VL;
  for (int64_t m = shape->m_first; m <= shape->m_last; m++, tile += n_fields * 4 * n_pairs)
    {
      const Order o = order_get (shape, table, m, plain);
      const int64_t step = n_fields == 1 ? lanes.n_groups : gang;

      lanes_start (&lanes, m, o.norm);
      if (n_fields == 1)
        lanes_load_one (&lanes, tile, n_pairs, values);
      else
        lanes_load_many (&lanes, tile, n_fields, n_pairs, values);
      for (int64_t g = 0; g < lanes.n_groups; g += step)
        for (int64_t k = 0; k < o.n_steps; k += SEGMENT)
          {
            const int64_t end = k + SEGMENT < o.n_steps ? k + SEGMENT : o.n_steps;
            const int64_t g_end = g + step < lanes.n_groups ? g + step : lanes.n_groups;

            if (n_fields == 1)
              segment_adjoint_one (&lanes, &o, values, k, end, q, sums, prepared + o.prepared);
            else
              segment_adjoint_many (&lanes, &o, g, g_end, values, k, end, q,
                                    prepared + o.prepared);
          }
    }
}
