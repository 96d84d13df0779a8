/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adjoint synthesis on the CPU: compiled once for each instruction set. The sums of a segment are
 * in the first-level cache. A vector takes two registers, q and d; what q is multiplied by can be
 * an operand in memory. So a group has more vectors here than where their sums are in registers,
 * and each sum that is loaded and stored serves all of them. */
#define GV 4

#include "codelets/legendre/delta-rows.h"

/* Columns of several fields, four each, in whole vectors. */
static int64_t
n_columns (int64_t n_fields)
{
  return (4 * n_fields + VL - 1) / VL * VL;
}

typedef double Complex __attribute__ ((vector_size (16)));

/* One lane's values of a chunk, [order][@stride apart][sum re, im, cos x difference re, im], from
 * its two rings. */
SIMD_INLINE void
lane_load (const double *north, const double *south, double factor, double cosine, int n_orders,
           double *values, int64_t stride)
{
  UNROLL for (int i = 0; i < n_orders; i++, values += stride)
    {
      const Complex n = { north[2 * i], north[2 * i + 1] };
      const Complex s = { south[2 * i], south[2 * i + 1] };
      const Complex sum = factor * (n + s), difference = factor * cosine * (n - s);

      memcpy (values, &sum, sizeof sum);
      memcpy (values + 2, &difference, sizeof difference);
    }
}

/* values[order][n_lanes][n_columns] <- all fields of a chunk */
static void
lanes_load_many (const Lanes *lanes, const Chunk *chunk, double *values)
{
  const int64_t n_fields = chunk->shape->n_fields, n = n_columns (n_fields);
  const int64_t stride = lanes->n_lanes * n, ring = ring_stride (chunk);

  if (n > 4 * n_fields)
    memset (values, 0, sizeof (double) * (size_t) (CHUNK * stride));
  for (int64_t f = 0; f < n_fields; f++)
    for (int64_t lane = 0; lane < lanes->n_lanes; lane++)
      {
        const int64_t pair = (int64_t) lanes->pair[lane];
        const double *north = chunk_row (chunk, f, pair < 0 ? 0 : pair, 0);
        const double factor = lanes->factor[lane], cosine = lanes->cosine[lane];
        double *to = values + lane * n + 4 * f;

        __builtin_prefetch (north + ROW, 0, 2);
        __builtin_prefetch (north + ring + ROW, 0, 2);
        if (pair >= 0 && chunk->n_orders == CHUNK)
          lane_load (north, north + ring, factor, cosine, CHUNK, to, stride);
        else if (pair >= 0)
          lane_load (north, north + ring, factor, cosine, chunk->n_orders, to, stride);
        else
          for (int i = 0; i < chunk->n_orders; i++)
            memset (to + i * stride, 0, 4 * sizeof (double));
      }
}

/* The transpose of group_store (): values[order][4][n_lanes] <- rings of a group. */
static void
group_load (const Lanes *lanes, int64_t group, const Chunk *chunk, int64_t field, double *values)
{
  const int64_t n = lanes->n_lanes;

  for (int64_t at = group * GL; at < (group + 1) * GL; at += VL)
    {
      const V factor = v_load (lanes->factor + at), cosine = factor * v_load (lanes->cosine + at);
      V north[ROW], south[ROW];

      rows_load (chunk, field, lanes->pair + at, 0, north);
      rows_load (chunk, field, lanes->pair + at, 1, south);
      UNROLL for (int c = 0; c < ROW; c++)
        {
          double *v = values + (c / 2 * 4 + c % 2) * n + at;

          v_store (v, factor * (north[c] + south[c]));
          v_store (v + 2 * n, cosine * (north[c] - south[c]));
        }
    }
}

/* Where sums over a segment start from: sums[k][4] (vectors) itself, or zero. */
typedef struct {
  const double *from;
  int64_t stride;
} Start;

static const double no_sums[4 * VL];

/* Vector i of a group's values, c of sum re, im, cos x difference re, im. */
SIMD_INLINE V
value_at (const double *values, const Lanes *lanes, int64_t group, int c, int i)
{
  return v_load (values + c * lanes->n_lanes + group * GL + i * VL);
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

/* Steps k .. end - 1 of one field of a group: sums[k - k0][4] (vectors) = start + q v, k0 being the
 * step that @sums begins with. @start becomes @sums; nothing happens when no lane matters. */
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
          v[c][i] = v_select (mask[i], value_at (values, lanes, group, c, i), v_set (0));
      for (; k < stop; k++, sums += 4 * VL, from += stride)
        {
          add_values (s.q, v, from, sums);
          state_step (form, &s, x, a[k], p[k]);
        }
      state_look (&s, lanes, group);
    }
  UNROLL for (int c = 0; c < 4; c++)
    UNROLL for (int i = 0; i < GV; i++)
      v[c][i] = value_at (values, lanes, group, c, i);
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
  for (; n >= 2; n -= 2, sums += 8 * VL, prepared += 8)
    v_add_eight_sums (prepared, sums);
  if (n > 0)
    v_add_sums (prepared, v_load (sums), v_load (sums + VL), v_load (sums + 2 * VL),
                v_load (sums + 3 * VL));
}

/* The same of an order whose last step has no odd part where @prepared is. */
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

/* Lines that are soon read or added to: the sums of all orders are in no cache, and all of them at
 * once would be waited for. What is beyond the end does no harm. */
SIMD_INLINE void
prefetch_lines (const double *from, int64_t n, const int to_write)
{
  for (int64_t line = 0; line < n; line++)
    __builtin_prefetch (from + 8 * line, to_write);
}

/* One field of one order, a segment of steps after the other, all groups: the equator first, which
 * matters first. @n: doubles of the order in @prepared; @fresh: they count as 0 */
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

/* A tile of the matrix product of several fields: steps k .. k + n_k - 1, columns of n_v vectors.
 * q: [group][SEGMENT][GL], values: [lane][columns], prepared: [field][n_steps][4] */
SIMD_INLINE void
product_tile (const int n_k, const int n_v, const double *q, int64_t n_groups, const double *values,
              int64_t columns, int64_t column, const Order *o, double *prepared)
{
  V s[2 * V_ROWS][2];

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

/* n steps of the matrix product where one vector holds all columns: as many sums as where there
 * are two, and the same values for twice as many steps. */
static void
segment_product_narrow (const double *q, int64_t n_groups, const double *values, int64_t n,
                        const Order *o, double *prepared)
{
  int64_t k = 0;

  for (; k + 2 * V_ROWS <= n; k += 2 * V_ROWS)
    product_tile (2 * V_ROWS, 1, q + k * GL, n_groups, values, VL, 0, o, prepared + 4 * k);
  for (; k + V_ROWS <= n; k += V_ROWS)
    product_tile (V_ROWS, 1, q + k * GL, n_groups, values, VL, 0, o, prepared + 4 * k);
  for (; k < n; k++)
    product_tile (1, 1, q + k * GL, n_groups, values, VL, 0, o, prepared + 4 * k);
}

/* n steps of the matrix product. */
static void
segment_product (const double *q, int64_t n_groups, const double *values, int64_t n, const Order *o,
                 double *prepared)
{
  const int64_t columns = n_columns (o->n_fields);

  if (columns == VL)
    {
      segment_product_narrow (q, n_groups, values, n, o, prepared);
      return;
    }
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
                      int64_t k, int64_t end, double *q, double *prepared, Ahead *ahead)
{
  int64_t first[ARMILLA_DELTA_GANG / GL], start = end;

  for (int64_t i = 0; i < g_end - g; i++)
    {
      ahead_rows (ahead);
      first[i] = end;
      if (lanes->phase[g + i] != PHASE_NEVER)
        first[i] = group_advance (lanes, g + i, o, k, end, q + i * SEGMENT * GL);
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

/* Several fields of one order. */
static void
order_adjoint_many (Lanes *lanes, const Order *o, const double *values, double *q,
                    double *prepared, Ahead *ahead)
{
  /* Where a product is one vector wide, q is read as fast as the first-level cache allows: it is to
   * fit in there. */
  const int64_t part = n_columns (o->n_fields) <= VL && !o->as_many ? 2 : 1;
  const int64_t gang = ARMILLA_DELTA_GANG / part / GL;

  for (int64_t g = 0; g < lanes->n_groups; g += gang)
    for (int64_t k = 0; k < o->n_steps; k += SEGMENT)
      {
        const int64_t end = k + SEGMENT < o->n_steps ? k + SEGMENT : o->n_steps;
        const int64_t g_end = g + gang < lanes->n_groups ? g + gang : lanes->n_groups;

        segment_adjoint_many (lanes, o, g, g_end, values, k, end, q, prepared, ahead);
      }
}

/* Adds the sum of one order. @values: its lanes; @columns: scratch space for what depends on the
 * order */
static void
order_adjoint (const ArmillaDeltaShape *shape, const double *basis, int64_t m, Lanes *lanes,
               double *columns, const double *values, int many, int fresh, double *q, double *sums,
               double *prepared, Ahead *ahead)
{
  const int64_t at = armilla_delta_prepared_before (shape, m);
  const int64_t n = armilla_delta_prepared_before (shape, m + 1) - at;
  const int64_t matters = order_start (lanes, basis, m);
  Order o;

  /* An order at a time, so that it is still in a cache when it is added to. */
  if (fresh && (many || !matters))
    memset (prepared + at, 0, sizeof (double) * (size_t) n);
  if (!matters)
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
  const int many = shape->n_fields > 1 || shape->as_many;
  const int64_t n_columns_of = many ? n_columns (shape->n_fields) : 4;
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
  sums = q + SEGMENT * ARMILLA_DELTA_GANG;
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
      for (int64_t g = 0; g < lanes.n_groups && !many; g++)
        group_load (&lanes, g, &chunk, 0, values);
      if (many)
        lanes_load_many (&lanes, &chunk, values);
      for (int i = 0; i < chunk.n_orders; i++)
        order_adjoint (shape, basis, m + i, &lanes, columns,
                       values + i * lanes.n_lanes * n_columns_of, many, fresh, q, sums, prepared,
                       &ahead);
    }
}

const ArmillaDeltaAdjoint SIMD_NAME (armilla_delta_adjoint) = delta_adjoint;
