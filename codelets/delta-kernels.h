/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis and its adjoint on the CPU: compiled once for each instruction set, by the file that
 * defines ARMILLA_DELTA_KERNELS as the name of the table of functions.
 *
 * One field: the recurrence and the sums share a loop that stays in registers. Several fields: q of
 * a segment goes into a buffer that every field reads. The order in which a lane's terms are added
 * is the same either way, and does not depend on the other lanes. */
#pragma once

#include "codelets/delta-lanes.h"

_Static_assert (SEGMENT % ARMILLA_DELTA_CHECK == 0, "checks come at the same steps in any segment");
_Static_assert (ARMILLA_DELTA_GANG % GL == 0 && ARMILLA_DELTA_LANES % GL == 0, "groups fit");
_Static_assert (SEGMENT == ARMILLA_DELTA_SEGMENT && VL <= ARMILLA_DELTA_WIDEST, "scratch fits");

/* A block of orders, and the part of its arrays that belongs to the current one. */
typedef struct {
  int64_t n_steps, n_fields;
  double norm;
  const double *coefficients; /* a, a + b - 2, b + 2: [3][n_steps] */
  int64_t prepared;           /* offset of [field][n_steps][4] */
} Order;

static Order
order_get (const ArmillaDeltaShape *shape, const double *table, int64_t m)
{
  const int64_t before = armilla_delta_steps_before (shape->lmax, shape->m_first, m);
  Order o;

  o.n_steps = armilla_delta_steps (shape->lmax, m);
  o.n_fields = shape->n_fields;
  o.norm = table[m - shape->m_first];
  o.coefficients = table + (shape->m_last - shape->m_first + 1) + 3 * before;
  o.prepared = 4 * before * shape->n_fields;
  return o;
}

/* sums[4][GL] += prepared[n][4] x q[n][GL] */
static void
tile_synthesis (const double *prepared, const double *q, int64_t n, double *sums)
{
  for (int64_t at = 0; at < GL; at += V_TILE * VL)
    {
      V s[4][V_TILE];

      UNROLL for (int c = 0; c < 4; c++)
        UNROLL for (int i = 0; i < V_TILE; i++)
          s[c][i] = v_load (sums + c * GL + at + i * VL);
      for (int64_t k = 0; k < n; k++)
        UNROLL for (int i = 0; i < V_TILE; i++)
          {
            const V t = v_load (q + k * GL + at + i * VL);

            UNROLL for (int c = 0; c < 4; c++)
              s[c][i] = v_fma (t, v_set (prepared[4 * k + c]), s[c][i]);
          }
      UNROLL for (int c = 0; c < 4; c++)
        UNROLL for (int i = 0; i < V_TILE; i++)
          v_store (sums + c * GL + at + i * VL, s[c][i]);
    }
}

/* Steps k .. end - 1 of one field where every lane matters: recurrence and sums in one loop. */
SIMD_INLINE void
fused_synthesis (const int polar, Lanes *lanes, int64_t group, const double *a, const double *p,
                 const double *prepared, int64_t k0, int64_t end, double *sums)
{
  for (int64_t at = 0; at < GL; at += V_TILE * VL)
    {
      const int64_t lane = group * GL + at;
      V q[V_TILE], d[V_TILE], x[V_TILE], s[4][V_TILE];

      UNROLL for (int i = 0; i < V_TILE; i++)
        {
          q[i] = v_load (lanes->q + lane + i * VL);
          d[i] = v_load (lanes->d + lane + i * VL);
          x[i] = v_load (lanes->x + lane + i * VL);
          UNROLL for (int c = 0; c < 4; c++)
            s[c][i] = v_load (sums + c * GL + at + i * VL);
        }
      for (int64_t k = k0; k < end; k++)
        {
          UNROLL for (int c = 0; c < 4; c++)
            {
              const V t = v_set (prepared[4 * k + c]);

              UNROLL for (int i = 0; i < V_TILE; i++)
                s[c][i] = v_fma (q[i], t, s[c][i]);
            }
          STEP (polar, V_TILE, q, d, x, a[k], p[k]);
        }
      UNROLL for (int c = 0; c < 4; c++)
        UNROLL for (int i = 0; i < V_TILE; i++)
          v_store (sums + c * GL + at + i * VL, s[c][i]);
    }
}

static void
fused_synthesis_polar (Lanes *lanes, int64_t group, const Order *o, const double *prepared,
                       int64_t k, double *sums)
{
  fused_synthesis (1, lanes, group, o->coefficients, o->coefficients + o->n_steps, prepared, k,
                   o->n_steps, sums);
}

static void
fused_synthesis_equator (Lanes *lanes, int64_t group, const Order *o, const double *prepared,
                         int64_t k, double *sums)
{
  fused_synthesis (0, lanes, group, o->coefficients, o->coefficients + 2 * o->n_steps, prepared, k,
                   o->n_steps, sums);
}

/* sums[field][4][GL] of one group. @q: buffer of a segment. */
static void
group_synthesis (Lanes *lanes, int64_t group, const Order *o, const double *prepared, double *q,
                 double *sums)
{
  int64_t k = 0;

  memset (sums, 0, sizeof (double) * (size_t) (o->n_fields * 4 * GL));
  while (k < o->n_steps && !(o->n_fields == 1 && lanes->phase[group] == PHASE_FULL))
    {
      const int64_t end = k + SEGMENT < o->n_steps ? k + SEGMENT : o->n_steps;
      const int64_t first
        = group_advance (lanes, group, o->coefficients, o->n_steps, k, end, q);

      if (first < end)
        for (int64_t f = 0; f < o->n_fields; f++)
          tile_synthesis (prepared + (f * o->n_steps + first) * 4, q + (first - k) * GL,
                          end - first, sums + f * 4 * GL);
      k = end;
    }
  if (k < o->n_steps)
    (group < lanes->n_polar ? fused_synthesis_polar : fused_synthesis_equator) (
      lanes, group, o, prepared, k, sums);
}

/* Even and odd parts -> the two rings of each pair. @tile: [field][4][n_pairs] */
static void
group_store (const Lanes *lanes, int64_t group, const double *sums, int64_t n_fields,
             int64_t n_pairs, double *tile)
{
  const double *pair = lanes->pair + group * GL, *cosine = lanes->cosine + group * GL;

  for (int64_t f = 0; f < n_fields; f++, sums += 4 * GL, tile += 4 * n_pairs)
    for (int64_t i = 0; i < GL; i++)
      if (pair[i] >= 0)
        {
          double *t = tile + (int64_t) pair[i];
          const double re = sums[2 * GL + i] * cosine[i], im = sums[3 * GL + i] * cosine[i];

          t[0] = sums[i] + re;
          t[n_pairs] = sums[GL + i] + im;
          t[2 * n_pairs] = sums[i] - re;
          t[3 * n_pairs] = sums[GL + i] - im;
        }
}

static void
delta_synthesis (const ArmillaDeltaShape *shape, const double *table, const double *prepared,
                 const double *pairs, double *tile, double *scratch)
{
  const int64_t n_pairs = shape->n_pairs, n_fields = shape->n_fields;
  double *q, *sums;
  Lanes lanes;

  if (n_pairs == 0)
    return;
  lanes_init (&lanes, shape, pairs, scratch);
  q = lanes.work;
  sums = q + SEGMENT * GL;
  for (int64_t m = shape->m_first; m <= shape->m_last; m++, tile += n_fields * 4 * n_pairs)
    {
      const Order o = order_get (shape, table, m);

      lanes_start (&lanes, m, o.norm);
      for (int64_t g = 0; g < lanes.n_groups; g++)
        {
          if (lanes.phase[g] != PHASE_NEVER)
            group_synthesis (&lanes, g, &o, prepared + o.prepared, q, sums);
          else
            memset (sums, 0, sizeof (double) * (size_t) (n_fields * 4 * GL));
          group_store (&lanes, g, sums, n_fields, n_pairs, tile);
        }
    }
}

/* values[field][4][n_lanes] <- even and odd parts of a tile [field][4][n_pairs]; 0 in lanes that are
 * not used. */
static void
lanes_load (const Lanes *lanes, const double *tile, int64_t n_fields, int64_t n_pairs,
            double *values)
{
  const int64_t n = lanes->n_lanes;

  for (int64_t f = 0; f < n_fields; f++, tile += 4 * n_pairs, values += 4 * n)
    for (int64_t i = 0; i < n; i++)
      {
        const int used = lanes->pair[i] >= 0;
        const double *t = tile + (used ? (int64_t) lanes->pair[i] : 0);
        const double c = lanes->cosine[i];

        values[i] = used ? t[0] + t[2 * n_pairs] : 0;
        values[n + i] = used ? t[n_pairs] + t[3 * n_pairs] : 0;
        values[2 * n + i] = used ? c * (t[0] - t[2 * n_pairs]) : 0;
        values[3 * n + i] = used ? c * (t[n_pairs] - t[3 * n_pairs]) : 0;
      }
}

/* sums[n][4] (vectors) += q[n][GL] x values[4][GL], values with rows of @stride. */
static void
tile_adjoint (const double *q, const double *values, int64_t stride, int64_t n, double *sums)
{
  for (int64_t at = 0; at < GL; at += V_TILE * VL)
    {
      V v[4][V_TILE];

      UNROLL for (int c = 0; c < 4; c++)
        UNROLL for (int i = 0; i < V_TILE; i++)
          v[c][i] = v_load (values + c * stride + at + i * VL);
      for (int64_t k = 0; k < n; k++)
        {
          V t[V_TILE];

          UNROLL for (int i = 0; i < V_TILE; i++)
            t[i] = v_load (q + k * GL + at + i * VL);
          UNROLL for (int c = 0; c < 4; c++)
            {
              V s = v_load (sums + (4 * k + c) * VL);

              UNROLL for (int i = 0; i < V_TILE; i++)
                s = v_fma (t[i], v[c][i], s);
              v_store (sums + (4 * k + c) * VL, s);
            }
        }
    }
}

/* Steps k .. end - 1 of one field where every lane matters: sums[0..][4] (vectors) += ... */
SIMD_INLINE void
fused_adjoint (const int polar, Lanes *lanes, int64_t group, const double *a, const double *p,
               const double *values, int64_t k0, int64_t end, double *sums)
{
  for (int64_t at = 0; at < GL; at += V_TILE * VL)
    {
      const int64_t lane = group * GL + at;
      double *to = sums;
      V q[V_TILE], d[V_TILE], x[V_TILE], v[4][V_TILE];

      UNROLL for (int i = 0; i < V_TILE; i++)
        {
          q[i] = v_load (lanes->q + lane + i * VL);
          d[i] = v_load (lanes->d + lane + i * VL);
          x[i] = v_load (lanes->x + lane + i * VL);
          UNROLL for (int c = 0; c < 4; c++)
            v[c][i] = v_load (values + c * lanes->n_lanes + lane + i * VL);
        }
      for (int64_t k = k0; k < end; k++, to += 4 * VL)
        {
          UNROLL for (int c = 0; c < 4; c++)
            {
              V s = v_load (to + c * VL);

              UNROLL for (int i = 0; i < V_TILE; i++)
                s = v_fma (q[i], v[c][i], s);
              v_store (to + c * VL, s);
            }
          STEP (polar, V_TILE, q, d, x, a[k], p[k]);
        }
      UNROLL for (int i = 0; i < V_TILE; i++)
        {
          v_store (lanes->q + lane + i * VL, q[i]);
          v_store (lanes->d + lane + i * VL, d[i]);
        }
    }
}

static void
fused_adjoint_polar (Lanes *lanes, int64_t group, const Order *o, const double *values, int64_t k,
                     int64_t end, double *sums)
{
  fused_adjoint (1, lanes, group, o->coefficients, o->coefficients + o->n_steps, values, k, end,
                 sums);
}

static void
fused_adjoint_equator (Lanes *lanes, int64_t group, const Order *o, const double *values, int64_t k,
                       int64_t end, double *sums)
{
  fused_adjoint (0, lanes, group, o->coefficients, o->coefficients + 2 * o->n_steps, values, k, end,
                 sums);
}

/* prepared[n][4] += sums over the lanes of sums[n][4] */
static void
segment_reduce (const double *sums, int64_t n, double *prepared)
{
  for (int64_t k = 0; k < n; k++, sums += 4 * VL, prepared += 4)
    v_add_sums (prepared, v_load (sums), v_load (sums + VL), v_load (sums + 2 * VL),
                v_load (sums + 3 * VL));
}

/* One field, a segment of steps, all groups. */
static void
segment_adjoint_one (Lanes *lanes, const Order *o, const double *values, int64_t k, int64_t end,
                     double *q, double *sums, double *prepared)
{
  int64_t start = end;

  memset (sums, 0, sizeof (double) * (size_t) ((end - k) * 4 * VL));
  for (int64_t g = 0; g < lanes->n_groups; g++)
    {
      int64_t first = k;

      if (lanes->phase[g] == PHASE_NEVER)
        continue;
      if (lanes->phase[g] == PHASE_FULL)
        (g < lanes->n_polar ? fused_adjoint_polar : fused_adjoint_equator) (lanes, g, o, values, k,
                                                                           end, sums);
      else
        {
          first = group_advance (lanes, g, o->coefficients, o->n_steps, k, end, q);
          tile_adjoint (q + (first - k) * GL, values + g * GL, lanes->n_lanes, end - first,
                        sums + (first - k) * 4 * VL);
        }
      if (first < start)
        start = first;
    }
  segment_reduce (sums + (start - k) * 4 * VL, end - start, prepared + start * 4);
}

/* Several fields, a segment of steps, groups g .. g_end - 1. */
static void
segment_adjoint_many (Lanes *lanes, const Order *o, int64_t g, int64_t g_end, const double *values,
                      int64_t k, int64_t end, double *q, double *sums, double *prepared)
{
  int64_t first[ARMILLA_DELTA_GANG / GL], start = end;

  for (int64_t i = 0; i < g_end - g; i++)
    {
      first[i] = end;
      if (lanes->phase[g + i] != PHASE_NEVER)
        first[i] = group_advance (lanes, g + i, o->coefficients, o->n_steps, k, end,
                                  q + i * SEGMENT * GL);
      if (first[i] < start)
        start = first[i];
    }
  if (start == end)
    return;
  for (int64_t f = 0; f < o->n_fields; f++)
    {
      memset (sums, 0, sizeof (double) * (size_t) ((end - start) * 4 * VL));
      for (int64_t i = 0; i < g_end - g; i++)
        tile_adjoint (q + (i * SEGMENT + first[i] - k) * GL,
                      values + f * 4 * lanes->n_lanes + (g + i) * GL, lanes->n_lanes,
                      end - first[i], sums + (first[i] - start) * 4 * VL);
      segment_reduce (sums, end - start, prepared + (f * o->n_steps + start) * 4);
    }
}

static void
delta_adjoint (const ArmillaDeltaShape *shape, const double *table, const double *tile,
               const double *pairs, double *prepared, double *scratch)
{
  const int64_t n_pairs = shape->n_pairs, n_fields = shape->n_fields;
  const int64_t gang = ARMILLA_DELTA_GANG / GL;
  double *q, *sums, *values;
  Lanes lanes;

  if (n_pairs == 0)
    return;
  lanes_init (&lanes, shape, pairs, scratch);
  q = lanes.work;
  sums = q + SEGMENT * ARMILLA_DELTA_GANG;
  values = sums + SEGMENT * 4 * VL;
  for (int64_t m = shape->m_first; m <= shape->m_last; m++, tile += n_fields * 4 * n_pairs)
    {
      const Order o = order_get (shape, table, m);
      const int64_t step = n_fields == 1 ? lanes.n_groups : gang;

      lanes_start (&lanes, m, o.norm);
      lanes_load (&lanes, tile, n_fields, n_pairs, values);
      for (int64_t g = 0; g < lanes.n_groups; g += step)
        for (int64_t k = 0; k < o.n_steps; k += SEGMENT)
          {
            const int64_t end = k + SEGMENT < o.n_steps ? k + SEGMENT : o.n_steps;
            const int64_t g_end = g + step < lanes.n_groups ? g + step : lanes.n_groups;

            if (n_fields == 1)
              segment_adjoint_one (&lanes, &o, values, k, end, q, sums, prepared + o.prepared);
            else
              segment_adjoint_many (&lanes, &o, g, g_end, values, k, end, q, sums,
                                    prepared + o.prepared);
          }
    }
}

const ArmillaDeltaKernels ARMILLA_DELTA_KERNELS = { delta_synthesis, delta_adjoint };
