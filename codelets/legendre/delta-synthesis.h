/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis on the CPU; part of delta-kernels.c. */
#pragma once

#include "codelets/legendre/delta-rows.h"

/* Stores Delta_m of one field on both rings of each pair of a group, from the even and odd parts in
 * @sums: [order][4][GL], @stride doubles between orders. */
static void
group_store (const Lanes *lanes, int64_t group, const Chunk *chunk, int64_t field,
             const double *sums, int64_t stride)
{
  for (int64_t at = 0; at < GL; at += VL)
    {
      const V factor = v_load (lanes->factor + group * GL + at);
      const V cosine = factor * v_load (lanes->cosine + group * GL + at);
      const double *pair = lanes->pair + group * GL + at;

      UNROLL for (int ring = 0; ring < 2; ring++)
        {
          V value[ROW];

          UNROLL for (int c = 0; c < ROW; c++)
            {
              const double *s = sums + c / 2 * stride + c % 2 * GL + at;
              const V even = v_load (s) * factor, odd = v_load (s + 2 * GL) * cosine;

              value[c] = ring ? even - odd : even + odd;
            }
          rows_store (chunk, field, pair, ring, value);
        }
    }
}

/* sums[4][GL], of even re, even im, odd re, odd im, += prepared[n][4] x q[n][GL] */
static void
tile_synthesis (const double *prepared, const double *q, int64_t n, double *sums)
{
  V s[4][GV];

  UNROLL for (int c = 0; c < 4; c++)
    UNROLL for (int i = 0; i < GV; i++)
      s[c][i] = v_load (sums + c * GL + i * VL);
  for (int64_t k = 0; k < n; k++, q += GL, prepared += 4)
    UNROLL for (int i = 0; i < GV; i++)
      {
        const V t = v_load (q + i * VL);

        UNROLL for (int c = 0; c < 4; c++)
          s[c][i] = v_fma (t, v_set (prepared[c]), s[c][i]);
      }
  UNROLL for (int c = 0; c < 4; c++)
    UNROLL for (int i = 0; i < GV; i++)
      v_store (sums + c * GL + i * VL, s[c][i]);
}

/* Memory to prefetch while sums are computed, @stride doubles per step. */
typedef struct {
  const double *from;
  int64_t stride;
} Next;

/* sum[field][even re, im, odd re, im] += q a_lm of a step; @next doubles between fields. */
SIMD_INLINE void
add_terms (const V *q, const double *prepared, int64_t next, V sum[4 * FUSED][GV])
{
  UNROLL for (int c = 0; c < 4 * FUSED; c++)
    {
      const V t = v_set (prepared[c / 4 * next + c % 4]);

      UNROLL for (int i = 0; i < GV; i++)
        sum[c][i] = v_fma (q[i], t, sum[c][i]);
    }
}

/* Takes all steps of FUSED fields of a group: recurrence and sums in one loop. */
SIMD_INLINE void
fused_synthesis (const Form form, Lanes *lanes, int64_t group, const Order *o,
                 const double *prepared, const Next *next_row, double *sums)
{
  const double *const fetch = next_row->from;
  const int64_t fetch_stride = next_row->stride;
  const double *a = o->a, *p = form_column (form, o), *x = lanes->x + group * GL;
  const int64_t next = 4 * o->n_steps; /* doubles from one field to the next */
  V sum[4 * FUSED][GV];
  State s;
  int64_t k;

  UNROLL for (int c = 0; c < 4 * FUSED; c++)
    UNROLL for (int i = 0; i < GV; i++)
      sum[c][i] = v_set (0);
  state_load (&s, lanes, group);
  k = (int64_t) lanes->first[group];
  while ((Phase) lanes->phase[group] == PHASE_MIXED && k < o->n_steps)
    {
      const int64_t end = k + ARMILLA_DELTA_CHECK;
      const int64_t stop = end < o->n_steps ? end : o->n_steps;
      VM mask[GV];

      lanes_mask (lanes->scale + group * GL, mask);
      for (; k < stop; k++)
        {
          UNROLL for (int c = 0; c < 4 * FUSED; c++)
            {
              const V t = v_set (prepared[c / 4 * next + 4 * k + c % 4]);

              UNROLL for (int i = 0; i < GV; i++)
                sum[c][i] = v_fma_if (mask[i], s.q[i], t, sum[c][i]);
            }
          state_step (form, &s, x, a[k], p[k]);
        }
      state_look (&s, lanes, group);
    }
  _Pragma ("GCC unroll 2") for (; k < o->n_steps; k++)
    {
      V q[GV];

      UNROLL for (int i = 0; i < GV; i++)
        q[i] = s.q[i];
      __builtin_prefetch (fetch + k * fetch_stride, 0, 2);
      state_step (form, &s, v_again (x), a[k], p[k]);
      add_terms (q, prepared + 4 * k, next, sum);
    }
  UNROLL for (int c = 0; c < 4 * FUSED; c++)
    UNROLL for (int i = 0; i < GV; i++)
      v_store (sums + c * GL + i * VL, sum[c][i]);
}

static void
fused_synthesis_difference (Lanes *lanes, int64_t group, const Order *o, const double *prepared,
                            const Next *next, double *sums)
{
  fused_synthesis (FORM_DIFFERENCE, lanes, group, o, prepared, next, sums);
}

static void
fused_synthesis_sum (Lanes *lanes, int64_t group, const Order *o, const double *prepared,
                     const Next *next, double *sums)
{
  fused_synthesis (FORM_SUM, lanes, group, o, prepared, next, sums);
}

static void
fused_synthesis_plain (Lanes *lanes, int64_t group, const Order *o, const double *prepared,
                       const Next *next, double *sums)
{
  fused_synthesis (FORM_PLAIN, lanes, group, o, prepared, next, sums);
}

/* Computes sums[field][4][GL] of one group for FUSED fields. */
static void
group_synthesis (Lanes *lanes, int64_t group, const Order *o, const double *prepared,
                 const Next *next, double *sums)
{
  void (*const fused[]) (Lanes *, int64_t, const Order *, const double *, const Next *, double *)
    = { fused_synthesis_difference, fused_synthesis_sum, fused_synthesis_plain };

  if (lanes->phase[group] != PHASE_NEVER)
    fused[(Form) lanes->form[group]](lanes, group, o, prepared, next, sums);
  else
    memset (sums, 0, sizeof (double) * FUSED * 4 * GL);
}

/* Prefetches part i of n of @count doubles. */
SIMD_INLINE void
fetch_part (const double *from, int64_t count, int64_t i, int64_t n)
{
  for (int64_t line = count * i / n / 8; line < count * (i + 1) / n / 8; line++)
    __builtin_prefetch (from + 8 * line, 0, 2);
}

/* Computes sums[group][field][4][GL] of all groups of one order, @stride doubles between groups,
 * segment by segment: the a_lm of a segment, of all fields, stay in the first-level cache for all
 * groups. @q: buffer for q of a group in a segment. */
static void
order_synthesis (Lanes *lanes, const Order *o, const double *prepared, double *q, double *sums,
                 int64_t stride, Ahead *ahead)
{
  for (int64_t g = 0; g < lanes->n_groups; g++)
    memset (sums + g * stride, 0, sizeof (double) * (size_t) (o->n_fields * 4 * GL));
  for (int64_t k = 0; k < o->n_steps; k += SEGMENT)
    {
      const int64_t end = k + SEGMENT < o->n_steps ? k + SEGMENT : o->n_steps;
      const int64_t after = end + SEGMENT < o->n_steps ? end + SEGMENT : o->n_steps;

      for (int64_t g = 0; g < lanes->n_groups; g++)
        {
          const int64_t first = lanes->phase[g] == PHASE_NEVER
                                  ? end
                                  : group_advance (lanes, g, o, k, end, q);

          for (int64_t f = 0; f < o->n_fields && first < end; f++)
            {
              const double *of_field = prepared + 4 * f * o->n_steps;

              fetch_part (of_field + 4 * end, 4 * (after - end), g, lanes->n_groups);
              ahead_rows (ahead);
              tile_synthesis (of_field + 4 * first, q + (first - k) * GL, end - first,
                              sums + g * stride + f * 4 * GL);
            }
        }
    }
}

/* Computes the sums of an order, [group][field][4][GL], @stride doubles between groups. @columns:
 * scratch space for its coefficients and prepared a_lm */
static void
order_sums (const ArmillaDeltaShape *shape, const double *basis, int64_t m, const double *prepared,
            Lanes *lanes, double *columns, double *q, double *sums, int64_t stride, Ahead *ahead)
{
  const double *of_order = prepared + armilla_delta_prepared_before (shape, m);
  double *const row = columns + 4 * armilla_delta_column_stride (shape);
  const int64_t n_groups = order_start (lanes, basis, m);
  Next next = { columns, 0 };
  Order o;

  if (n_groups == 0)
    {
      for (int64_t g = 0; g < lanes->n_groups; g++)
        memset (sums + g * stride, 0, sizeof (double) * (size_t) (shape->n_fields * 4 * GL));
      return;
    }
  o = order_get (shape, basis, m, lanes, columns);
  order_skip (lanes, &o);
  if (shape->in_alm)
    {
      order_prepare (shape, basis, m, of_order, row);
      next = (Next){ of_order + 2 * (shape->lmax - m + 1), (3 + n_groups) / n_groups };
      of_order = row;
    }
  if (shape->n_fields == FUSED)
    for (int64_t g = 0; g < lanes->n_groups; g++)
      {
        group_synthesis (lanes, g, &o, of_order, &next, sums + g * stride);
        if (lanes->phase[g] != PHASE_NEVER)
          next.from += next.stride * o.n_steps;
      }
  else
    order_synthesis (lanes, &o, of_order, q, sums, stride, ahead);
}

static void
delta_synthesis (const ArmillaDeltaShape *shape, const double *basis, const double *prepared,
                 const double *pairs, const ArmillaDeltaRows *rows, double *tile, double *scratch)
{
  const int64_t n_fields = shape->n_fields, stride = n_fields * 4 * GL;
  Chunk chunk = chunk_of (shape, rows, tile);
  double *columns, *q, *sums; /* sums: [group][order][field][4][GL], 4: real and
                               * imaginary part of the even sum, then of the odd sum; GL lanes */
  Lanes lanes;

  if (shape->n_pairs == 0)
    return;
  lanes_init (&lanes, shape, pairs, rows, armilla_delta_aligned (scratch));
  columns = lanes.work;
  q = columns + ARMILLA_DELTA_COLUMNS * armilla_delta_column_stride (shape);
  sums = q + SEGMENT * GL;
  if ((shape->m_last - shape->m_first + 1) % CHUNK != 0) /* whole chunks are stored */
    memset (sums, 0, sizeof (double) * (size_t) (CHUNK * stride * lanes.n_groups));
  for (int64_t m = shape->m_first; m <= shape->m_last; m += CHUNK, chunk.tile += ROW)
    {
      const int64_t n_steps = armilla_delta_steps (shape->lmax, m);
      const int64_t n_segments = (n_steps + SEGMENT - 1) / SEGMENT;
      Ahead ahead;

      chunk.n_orders = chunk_orders (shape, m);
      ahead = ahead_of (&chunk, &lanes, chunk.n_orders * n_segments * lanes.n_groups * n_fields);
      for (int i = 0; i < chunk.n_orders; i++)
        order_sums (shape, basis, m + i, prepared, &lanes, columns, q, sums + i * stride,
                    CHUNK * stride, &ahead);
      for (int64_t g = 0; g < lanes.n_groups; g++)
        for (int64_t f = 0; f < n_fields; f++)
          group_store (&lanes, g, &chunk, f, sums + (g * CHUNK * n_fields + f) * 4 * GL, stride);
    }
}
