/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adjoint synthesis on the CPU: compiled once for each instruction set. The sums of a segment are
 * in the first-level cache. A vector takes two registers, q and d; the factor of q can be a memory
 * operand. So a group has more vectors here than in kernels whose sums are in registers, and each
 * sum that is loaded and stored serves all of them. */
#define GV 4
/* Number of steps of a tile of the matrix product, whose sums, four per step, are in registers; and
 * of a block, whose q stay in the first-level cache while several fields use them. */
#define TILE_STEPS (V_TILE == 4 ? 4 : 2)
#define BLOCK_STEPS 8

#include "codelets/legendre/delta-rows.h"

/* The transpose of group_store (): values[order][4][GL] <- rings of a group; @stride: doubles from
 * one order to the next */
static void
group_load (const Lanes *lanes, int64_t group, const Chunk *chunk, int64_t field, double *values,
            int64_t stride)
{
  for (int i = 0; i < GV; i++)
    {
      const int64_t at = group * GL + i * VL;
      const V factor = v_load (lanes->factor + at), cosine = factor * v_load (lanes->cosine + at);
      V north[ROW], south[ROW];

      rows_load (chunk, field, lanes->pair + at, 0, north);
      rows_load (chunk, field, lanes->pair + at, 1, south);
      UNROLL for (int c = 0; c < ROW; c++)
        {
          double *v = values + c / 2 * stride + c % 2 * GL + i * VL;

          v_store (v, factor * (north[c] + south[c]));
          v_store (v + 2 * GL, cosine * (north[c] - south[c]));
        }
    }
}

/* Numbers to which a group adds: the sums of the previous groups, or zeros (@stride is 0). */
typedef struct {
  const double *from;
  int64_t stride;
} Start;

static const double no_sums[4 * VL];

/* Vector i of a group's values, c of sum re, im, cos x difference re, im. */
SIMD_INLINE V
value_at (const double *values, int64_t group, int c, int i)
{
  return v_load (values + (4 * group + c) * GL + i * VL);
}

/* sums[4] (vectors) = from[4] + q v */
SIMD_INLINE void
add_values (const V *q, const V v[4][GV], const double *from, double *sums)
{
  UNROLL for (int c = 0; c < 4; c++)
    {
      V sum = v_keep (v_load (from + c * VL));

      UNROLL for (int i = 0; i < GV; i++)
        sum = v_fma (q[i], v[c][i], sum);
      v_store (sums + c * VL, sum);
    }
}

/* Takes steps k .. end - 1 of a group for one field: sums[i][4] (vectors) = start + q v for step k
 * + i. @start becomes @sums. Does nothing if no lane contributes. */
SIMD_INLINE void
fused_adjoint (const Form form, Lanes *lanes, int64_t group, const Order *o, const double *values,
               int64_t k, int64_t end, Start *start, double *sums)
{
  const double *a = o->a, *p = form_column (form, o), *x = lanes->x + group * GL, *from;
  const int64_t k0 = k;
  int64_t stride;
  V v[4][GV];
  State s;

  k = first_step (lanes, group, k, end);
  if (k == end)
    return;
  state_load (&s, lanes, group);
  if (k > k0 && start->from == no_sums)
    {
      memset (sums, 0, sizeof (double) * (size_t) ((end - k0) * 4 * VL));
      *start = (Start){ sums, 4 * VL };
    }
  stride = start->stride;
  from = start->from + (k - k0) * stride;
  *start = (Start){ sums, 4 * VL };
  sums += (k - k0) * 4 * VL;
  while ((Phase) lanes->phase[group] == PHASE_MIXED && k < end)
    {
      const int64_t stop = k + ARMILLA_DELTA_CHECK < end ? k + ARMILLA_DELTA_CHECK : end;
      VM mask[GV];

      lanes_mask (lanes->scale + group * GL, mask);
      UNROLL for (int c = 0; c < 4; c++)
        UNROLL for (int i = 0; i < GV; i++)
          v[c][i] = v_select (mask[i], value_at (values, group, c, i), v_set (0));
      for (; k < stop; k++, sums += 4 * VL, from += stride)
        {
          add_values (s.q, v, from, sums);
          state_step (form, &s, x, a[k], p[k]);
        }
      state_look (&s, lanes, group);
    }
  UNROLL for (int c = 0; c < 4; c++)
    UNROLL for (int i = 0; i < GV; i++)
      v[c][i] = value_at (values, group, c, i);
  _Pragma ("GCC unroll 2") for (; k < end; k++, sums += 4 * VL, from += stride)
    {
      V q[GV];

      UNROLL for (int i = 0; i < GV; i++)
        q[i] = s.q[i];
      state_step (form, &s, v_again (x), a[k], p[k]);
      add_values (q, v, from, sums);
    }
  state_store (&s, lanes, group);
}

static void
fused_adjoint_difference (Lanes *lanes, int64_t group, const Order *o, const double *values,
                          int64_t k, int64_t end, Start *start, double *sums)
{
  fused_adjoint (FORM_DIFFERENCE, lanes, group, o, values, k, end, start, sums);
}

static void
fused_adjoint_sum (Lanes *lanes, int64_t group, const Order *o, const double *values, int64_t k,
                   int64_t end, Start *start, double *sums)
{
  fused_adjoint (FORM_SUM, lanes, group, o, values, k, end, start, sums);
}

static void
fused_adjoint_plain (Lanes *lanes, int64_t group, const Order *o, const double *values, int64_t k,
                     int64_t end, Start *start, double *sums)
{
  fused_adjoint (FORM_PLAIN, lanes, group, o, values, k, end, start, sums);
}

/* prepared[n][4] += sums over the lanes of sums[n][4] */
static void
segment_reduce (const double *sums, int64_t n, double *prepared)
{
  V s[8];

  for (; n >= 2; n -= 2, sums += 8 * VL, prepared += 8)
    {
      UNROLL for (int i = 0; i < 8; i++)
        s[i] = v_load (sums + i * VL);
      v_add_eight_sums (prepared, s);
    }
  if (n > 0)
    {
      UNROLL for (int i = 0; i < 4; i++)
        s[i] = v_load (sums + i * VL);
      v_add_sums (prepared, s);
    }
}

/* Like segment_reduce(), if the last step of the order has no odd part in @prepared. */
static void
segment_reduce_cut (const double *sums, int64_t n, double *prepared)
{
  const int64_t last = n % 2 == 0 ? 2 : 1; /* steps that are added together */
  const size_t size = sizeof (double) * (size_t) (4 * last - 2);
  double part[8] = { 0 };

  segment_reduce (sums, n - last, prepared);
  prepared += 4 * (n - last);
  memcpy (part, prepared, size);
  segment_reduce (sums + (n - last) * 4 * VL, last, part);
  memcpy (prepared, part, size);
}

/* Prefetches lines that will be read or added to: the sums of all orders are in no cache, and
 * prefetching all at once would stall. Addresses beyond the end are harmless. */
SIMD_INLINE void
prefetch_lines (const double *from, int64_t n, const int to_write)
{
  for (int64_t line = 0; line < n; line++)
    __builtin_prefetch (from + 8 * line, to_write);
}

/* Processes one field of one order: for each segment of steps all groups, beginning at the equator,
 * where values contribute first. @n: doubles of the order in @prepared; @fresh: whether these are
 * uninitialised and count as 0 */
static void
order_adjoint_one (Lanes *lanes, const Order *o, const double *values, int fresh, double *sums,
                   double *prepared, int64_t n, Ahead *ahead)
{
  void (*const fused[]) (Lanes *, int64_t, const Order *, const double *, int64_t, int64_t, Start *,
                         double *)
    = { fused_adjoint_difference, fused_adjoint_sum, fused_adjoint_plain };

  for (int64_t k = 0; k < o->n_steps; k += SEGMENT)
    {
      const int64_t end = k + SEGMENT < o->n_steps ? k + SEGMENT : o->n_steps;
      const int64_t lines = ((end - k) / 2 + lanes->n_groups - 1) / lanes->n_groups;
      double *const added = prepared + 4 * k;
      Start start = { no_sums, 0 };

      for (int64_t g = lanes->n_groups - 1; g >= 0; g--)
        {
          prefetch_lines (added + 8 * lines * (lanes->n_groups - 1 - g), lines, 1);
          ahead_rows (ahead);
          if (lanes->phase[g] != PHASE_NEVER)
            fused[(Form) lanes->form[g]](lanes, g, o, values, k, end, &start, sums);
        }
      if (fresh)
        memset (added, 0, sizeof (double) * (size_t) ((4 * end < n ? 4 * end : n) - 4 * k));
      if (start.from != no_sums && 4 * end > n)
        segment_reduce_cut (sums, end - k, added);
      else if (start.from != no_sums)
        segment_reduce (sums, end - k, added);
    }
}

/* prepared[n_k][4] += q values, steps of one field summed over the lanes of groups @low .. n_groups
 * - 1 in the order in which fused_adjoint() and segment_reduce() sum them. q: [group][n_q][GL],
 * values: [group][4][GL] */
SIMD_INLINE void
product_tile (const int n_k, const double *q, int64_t n_q, const Lanes *lanes, int64_t low,
              const double *values, double *prepared)
{
  V s[TILE_STEPS][4];

  UNROLL for (int k = 0; k < n_k; k++)
    UNROLL for (int c = 0; c < 4; c++)
      s[k][c] = v_set (0);
  q += (lanes->n_groups - 1) * n_q * GL;
  values += (lanes->n_groups - 1) * 4 * GL;
  for (int64_t g = low; g < lanes->n_groups; g++, q -= n_q * GL, values -= 4 * GL)
    UNROLL for (int i = 0; i < GV; i++)
      {
        V t[TILE_STEPS];

        UNROLL for (int k = 0; k < n_k; k++)
          t[k] = v_keep (v_load (q + k * GL + i * VL));
        UNROLL for (int c = 0; c < 4; c++)
          {
            const V v = v_keep (v_load (values + c * GL + i * VL));

            UNROLL for (int k = 0; k < n_k; k++)
              s[k][c] = v_fma (t[k], v, s[k][c]);
          }
      }
  UNROLL for (int k = 0; k + 2 <= n_k; k += 2)
    v_add_eight_sums (prepared + 4 * k, s[k]);
  if (n_k % 2 == 1)
    v_add_sums (prepared + 4 * (n_k - 1), s[n_k - 1]);
}

/* Processes n steps of one field. */
SIMD_INLINE void
product_field (const double *q, int64_t n_q, const Lanes *lanes, int64_t low, const double *values,
               int64_t n, double *prepared)
{
  int64_t k = 0;

  for (; k + TILE_STEPS <= n; k += TILE_STEPS)
    product_tile (TILE_STEPS, q + k * GL, n_q, lanes, low, values, prepared + 4 * k);
  for (; k < n; k++)
    product_tile (1, q + k * GL, n_q, lanes, low, values, prepared + 4 * k);
}

/* Returns the first group in which a lane contributes before step @end. */
static int64_t
lowest_group (const Lanes *lanes, int64_t end)
{
  int64_t g = 0;

  while (g < lanes->n_groups
         && (lanes->phase[g] == PHASE_NEVER || (int64_t) lanes->first[g] >= end))
    g++;
  return g;
}

/* Adds steps k .. end - 1 of all fields, a few steps at a time, whose q stay in the first-level
 * cache with the values of a field. Groups near the poles that do not contribute yet are skipped.
 * @q: q from step k on */
static void
segment_product (const double *q, int64_t n_q, const Lanes *lanes, const double *values, int64_t k,
                 int64_t end, const Order *o, double *prepared)
{
  const int64_t stride = 4 * lanes->n_lanes;

  for (int64_t n; k < end; k += n, q += n * GL, prepared += 4 * n)
    {
      const int64_t stop = k + BLOCK_STEPS < end ? k + BLOCK_STEPS : end;
      const int64_t low = lowest_group (lanes, stop);

      n = stop - k;
      for (int64_t f = 0; f < o->n_fields; f++)
        product_field (q, n_q, lanes, low, values + f * stride, n, prepared + 4 * f * o->n_steps);
    }
}

/* Processes steps k .. end - 1 of several fields. @q: room for n_q steps of all groups */
static void
segment_adjoint_many (Lanes *lanes, const Order *o, const double *values, int64_t k, int64_t end,
                      double *q, int64_t n_q, double *prepared, Ahead *ahead)
{
  int64_t start = end;

  for (int64_t g = 0; g < lanes->n_groups; g++)
    {
      ahead_rows (ahead);
      if (lanes->phase[g] != PHASE_NEVER)
        {
          const int64_t first = group_advance (lanes, g, o, k, end, q + g * n_q * GL);

          start = first < start ? first : start;
        }
    }
  if (start == end)
    return;
  for (int64_t g = 0; g < lanes->n_groups; g++)
    {
      const int64_t first = lanes->phase[g] != PHASE_NEVER ? first_step (lanes, g, k, end) : end;

      memset (q + (g * n_q + start - k) * GL, 0, sizeof (double) * (size_t) ((first - start) * GL));
    }
  segment_product (q + (start - k) * GL, n_q, lanes, values, start, end, o, prepared + 4 * start);
}

/* Returns the number of steps for which the buffer can hold q of all lanes. */
static int64_t
steps_of_q (const Lanes *lanes)
{
  const int64_t fewest = ARMILLA_DELTA_MIN_STEPS;
  const int64_t n = ARMILLA_DELTA_BUFFER / lanes->n_lanes / fewest * fewest;

  return n < fewest ? fewest : n < SEGMENT ? n : SEGMENT;
}

/* Processes several fields of one order. */
static void
order_adjoint_many (Lanes *lanes, const Order *o, const double *values, double *q,
                    double *prepared, Ahead *ahead)
{
  const int64_t n = steps_of_q (lanes);

  for (int64_t k = 0; k < o->n_steps; k += n)
    segment_adjoint_many (lanes, o, values, k, k + n < o->n_steps ? k + n : o->n_steps, q, n,
                          prepared, ahead);
}

/* Adds the sum of one order. @values: its lanes; @columns: scratch space for the order's
 * coefficients */
static void
order_adjoint (const ArmillaDeltaShape *shape, const double *basis, int64_t m, Lanes *lanes,
               double *columns, const double *values, int many, int fresh, double *q, double *sums,
               double *prepared, Ahead *ahead)
{
  const int64_t at = armilla_delta_prepared_before (shape, m);
  const int64_t n = armilla_delta_prepared_before (shape, m + 1) - at;
  const int64_t contributes = order_start (lanes, basis, m);
  Order o;

  /* clear one order at a time, so that it is still cached when sums are added to it */
  if (fresh && (many || !contributes))
    memset (prepared + at, 0, sizeof (double) * (size_t) n);
  if (!contributes)
    return;
  o = order_get (shape, basis, m, lanes, columns);
  order_skip (lanes, &o);
  if (many)
    order_adjoint_many (lanes, &o, values, q, prepared + at, ahead);
  else
    order_adjoint_one (lanes, &o, values, fresh, sums, prepared + at, n, ahead);
}

static void
delta_adjoint (const ArmillaDeltaShape *shape, const double *basis, const double *tile,
               const double *pairs, const ArmillaDeltaRows *rows, int fresh, double *prepared,
               double *scratch)
{
  const int many = shape->n_fields > 1;
  Chunk chunk = chunk_of (shape, rows, (double *) tile);
  double *columns, *q, *sums, *values;
  Lanes lanes;

  if (shape->n_pairs == 0)
    {
      if (fresh)
        memset (prepared, 0, sizeof (double) * (size_t) armilla_delta_prepared_size (shape));
      return;
    }
  lanes_init (&lanes, shape, pairs, rows, armilla_delta_aligned (scratch));
  columns = lanes.work;
  q = columns + ARMILLA_DELTA_COLUMNS * armilla_delta_column_stride (shape);
  sums = q + armilla_delta_q_size (lanes.n_lanes);
  values = sums + SEGMENT * 4 * VL;
  for (int64_t m = shape->m_first; m <= shape->m_last; m += CHUNK, chunk.tile += ROW)
    {
      const int64_t n_steps = armilla_delta_steps (shape->lmax, m);
      const Chunk next = { shape, chunk.n_pairs, chunk.tile + ROW, 0 };
      Ahead ahead;

      chunk.n_orders = chunk_orders (shape, m);
      ahead = ahead_of (&next, &lanes,
                        chunk.n_orders * lanes.n_groups * ((n_steps + SEGMENT - 1) / SEGMENT));
      if (m + CHUNK > shape->m_last)
        ahead.left = 0;
      for (int64_t f = 0; f < shape->n_fields; f++)
        for (int64_t g = 0; g < lanes.n_groups; g++)
          group_load (&lanes, g, &chunk, f, values + 4 * (f * lanes.n_lanes + g * GL),
                      4 * shape->n_fields * lanes.n_lanes);
      for (int i = 0; i < chunk.n_orders; i++)
        order_adjoint (shape, basis, m + i, &lanes, columns,
                       values + i * shape->n_fields * 4 * lanes.n_lanes, many, fresh, q, sums,
                       prepared, &ahead);
    }
}

const ArmillaDeltaAdjoint SIMD_NAME (armilla_delta_adjoint) = delta_adjoint;
