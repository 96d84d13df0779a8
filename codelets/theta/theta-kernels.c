/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation in theta on the CPU: compiled once for each instruction set.
 *
 * Both directions are banded matrix products. The rings of the continued grid that a block needs
 * are gathered in a buffer that fits the first-level cache, [ring][north, south][order], four
 * orders at a time. The eight pairs of a group then use each ring of their window once: 16 FMA
 * (AVX-512) for 2 loads and 8 broadcasts, so the FMA units are the limit. */
#include <string.h>

#include "codelets/theta/theta-needed.h"
#include "codelets/theta/theta-parts.h"

/* Changes the sign of every second of CHUNK orders: of the first, third ... if @first_odd, else of
 * the second, fourth ... */
static void
change_signs (double *x, int first_odd)
{
  for (int i = first_odd ? 0 : 2; i < HALF; i += 4)
    {
      x[i] = -x[i];
      x[i + 1] = -x[i + 1];
    }
}

static void
rows_gather (const Part *part, double *buffer)
{
  const int odd = (int) ((part->shape->m_first + part->shape->spin + part->order) % 2);

  buffer += part->first_row * COLUMNS;
  for (int64_t i = part->first_row; i < part->shape->n_rows; i++)
    for (int j = 0; j < 2; j++, buffer += HALF)
      {
        const GridRow *row = part->rows + i;
        const double *from = row->row[j] + part->field * row->field + 2 * part->order;

        if (part->n_orders == CHUNK)
          memcpy (buffer, from, sizeof (double) * HALF);
        else
          {
            memset (buffer, 0, sizeof (double) * HALF);
            memcpy (buffer, from, sizeof (double) * 2 * (size_t) part->n_orders);
          }
        if (row->beyond)
          change_signs (buffer, odd);
      }
}

static void
rows_scatter (const Part *part, double *buffer)
{
  const int odd = (int) ((part->shape->m_first + part->shape->spin + part->order) % 2);

  buffer += part->first_row * COLUMNS;
  for (int64_t i = part->first_row; i < part->shape->n_rows; i++)
    for (int j = 0; j < 2; j++, buffer += HALF)
      {
        const GridRow *row = part->rows + i;
        double *to = row->row[j] + part->field * row->field + 2 * part->order;

        if (row->beyond)
          change_signs (buffer, odd);
        if (part->n_orders == CHUNK)
          for (int k = 0; k < HALF; k += VL)
            v_store (to + k, v_load (to + k) + v_load (buffer + k));
        else
          for (int k = 0; k < 2 * part->n_orders; k++)
            to[k] += buffer[k];
      }
}

SIMD_INLINE void
ring_to_sums (const double *weights, const double *ring, V sums[BLOCK][2])
{
  const V north = v_load (ring), south = v_load (ring + HALF);

  UNROLL for (int i = 0; i < BLOCK; i++)
    {
      const V w = v_set (weights[i]);

      sums[i][0] = v_fma (w, north, sums[i][0]);
      sums[i][1] = v_fma (w, south, sums[i][1]);
    }
}

/* Computes sums[BLOCK][north, south] from a window of rings. */
SIMD_INLINE void
window_synthesis (const double *weights, const double *window, int64_t n, Fetch *fetch,
                  V sums[BLOCK][2])
{
  UNROLL for (int i = 0; i < BLOCK; i++)
    sums[i][0] = sums[i][1] = v_set (0);
  for (int64_t j = 0; j < n;)
    {
      const int64_t end = j + SPREAD < n ? j + SPREAD : n;

      fetch_next (fetch);
      for (; j < end; j++, weights += GROUP, window += COLUMNS)
        ring_to_sums (weights, window, sums);
    }
}

SIMD_INLINE void
values_to_ring (const double *weights, const V values[BLOCK][2], double *ring)
{
  V north = v_load (ring), south = v_load (ring + HALF);

  UNROLL for (int i = 0; i < BLOCK; i++)
    {
      const V w = v_set (weights[i]);

      north = v_fma (w, values[i][0], north);
      south = v_fma (w, values[i][1], south);
    }
  v_store (ring, north);
  v_store (ring + HALF, south);
}

/* The transpose of window_synthesis(): adds the values of BLOCK pairs, times weights, to the
 * window. */
SIMD_INLINE void
window_adjoint (const double *weights, const V values[BLOCK][2], int64_t n, Fetch *fetch,
                double *window)
{
  for (int64_t j = 0; j < n;)
    {
      const int64_t end = j + SPREAD < n ? j + SPREAD : n;

      fetch_next (fetch);
      for (; j < end; j++, weights += GROUP, window += COLUMNS)
        values_to_ring (weights, values, window);
    }
}

static void
store_part (double *to, V x, int64_t n)
{
  double part[VL];

  if (n >= VL)
    {
      v_store (to, x);
      return;
    }
  v_store (part, x);
  if (n > 0)
    memcpy (to, part, sizeof (double) * (size_t) n);
}

static V
load_part (const double *from, int64_t n)
{
  double part[VL] = { 0 };

  if (n >= VL)
    return v_load (from);
  if (n > 0)
    memcpy (part, from, sizeof (double) * (size_t) n);
  return v_load (part);
}

/* Computes a block of pairs from @pair on, columns @c .. @c + VL - 1. */
static void
block_synthesis (const Part *part, int64_t pair, int c, const double *weights,
                 const double *window, double *tile, Fetch *fetch)
{
  V sums[BLOCK][2];

  window_synthesis (weights, window + c, part->shape->n_window, fetch, sums);
  for (int i = 0; i < BLOCK && pair + i < part->shape->n_pairs; i++)
    for (int south = 0; south < 2; south++)
      store_part (tile_row (part, tile, pair + i, south) + c, sums[i][south],
                  2 * part->n_orders - c);
}

static void
block_adjoint (const Part *part, int64_t pair, int c, const double *weights, const double *tile,
               double *window, Fetch *fetch)
{
  V values[BLOCK][2];

  UNROLL for (int i = 0; i < BLOCK; i++)
    for (int south = 0; south < 2; south++)
      values[i][south]
        = pair + i < part->shape->n_pairs
            ? load_part (tile_row (part, (double *) tile, pair + i, south) + c,
                         2 * part->n_orders - c)
            : v_set (0);
  window_adjoint (weights, (const V (*)[2]) values, part->shape->n_window, fetch, window + c);
}

/* Processes all groups of a part. @ahead: part whose rings are prefetched meanwhile, or NULL */
static void
part_run (const Part *part, const Part *ahead, const double *weights, double *tile, double *buffer,
          int adjoint)
{
  const ArmillaThetaShape *shape = part->shape;
  const int64_t n_groups = armilla_theta_groups (shape), first = part->first_group;
  const double *table = armilla_theta_table (shape, weights) + first * shape->n_window * GROUP;

  for (int64_t g = first; g < n_groups; g++)
    {
      double *window = buffer + ((int64_t) weights[g] - shape->first) * COLUMNS;
      Fetch fetch = { 0 };

      fetch_rings_of (&fetch, ahead, g - first, n_groups - first);
      for (int64_t i = 0; i < GROUP && g * GROUP + i < shape->n_pairs; i += BLOCK)
        {
          fetch_block_of (&fetch, part, g * GROUP + i + BLOCK, tile);
          for (int c = 0; c < 2 * part->n_orders; c += VL)
            if (adjoint)
              block_adjoint (part, g * GROUP + i, c, table + i, tile, window, &fetch);
            else
              block_synthesis (part, g * GROUP + i, c, table + i, window, tile, &fetch);
        }
      table += shape->n_window * GROUP;
    }
}

/* Finds the first group on which an order is not negligible; groups are sorted from the pole to the
 * equator. */
static void
part_find_groups (Part *part, const double *weights)
{
  const ArmillaThetaShape *shape = part->shape;
  const int64_t n_groups = armilla_theta_groups (shape);
  int64_t g = 0;

  while (g < n_groups && !armilla_theta_matters (shape, part->order, (int64_t) weights[g]))
    g++;
  part->first_group = g;
  part->first_row = shape->n_rows;
  for (; g < n_groups; g++)
    if ((int64_t) weights[g] - shape->first < part->first_row)
      part->first_row = (int64_t) weights[g] - shape->first;
}

/* Clears rings on which all orders are negligible. */
static void
part_clear_rings (const Part *part, double *tile)
{
  const int64_t end = part->first_group * GROUP;

  for (int64_t pair = 0; pair < end && pair < part->shape->n_pairs; pair++)
    for (int south = 0; south < 2; south++)
      memset (tile_row (part, tile, pair, south), 0,
              sizeof (double) * 2 * (size_t) part->n_orders);
}

static Part
part_of (const ArmillaThetaShape *shape, const GridRow *rows, const double *weights, int64_t field,
         int64_t order)
{
  const int64_t left = shape->n_orders - order;
  Part part = { shape, rows, field, order, left < CHUNK ? (int) left : CHUNK, 0, 0 };

  part_find_groups (&part, weights);
  return part;
}

static Part
part_after (const Part *part, const double *weights)
{
  if (part->order + CHUNK < part->shape->n_orders)
    return part_of (part->shape, part->rows, weights, part->field, part->order + CHUNK);
  return part_of (part->shape, part->rows, weights, part->field + 1, 0);
}

/* Returns the address of the buffer, after the rows and at the beginning of a cache line. */
static double *
buffer_at (const ArmillaThetaShape *shape, double *scratch)
{
  scratch += shape->n_rows * ARMILLA_THETA_ROW_DOUBLES;
  return scratch + (64 - (uintptr_t) scratch % 64) % 64 / sizeof (double);
}

static void
theta_run (const ArmillaThetaShape *shape, const double *weights, double *const *grid, double *tile,
           double *scratch, int adjoint)
{
  double *buffer = buffer_at (shape, scratch);
  GridRow *rows = (GridRow *) scratch;

  grid_rows (shape, grid, rows);
  for (Part part = part_of (shape, rows, weights, 0, 0); part.field < shape->n_fields;)
    {
      const Part next = part_after (&part, weights);

      if (adjoint)
        memset (buffer + part.first_row * COLUMNS, 0,
                sizeof (double) * (size_t) ((shape->n_rows - part.first_row) * COLUMNS));
      else
        {
          part_clear_rings (&part, tile);
          rows_gather (&part, buffer);
        }
      part_run (&part, adjoint ? &part : next.field < shape->n_fields ? &next : NULL, weights, tile,
                buffer, adjoint);
      if (adjoint)
        rows_scatter (&part, buffer);
      part = next;
    }
}

static void
theta_synthesis (const ArmillaThetaShape *shape, const double *weights, const double *const *grid,
                 double *tile, double *scratch)
{
  theta_run (shape, weights, (double *const *) grid, tile, scratch, 0);
}

static void
theta_adjoint (const ArmillaThetaShape *shape, const double *weights, const double *tile,
               int fresh, double *const *grid, double *scratch)
{
  for (int i = 0; i < shape->n_tiles; i++)
    if (fresh & 1 << i)
      memset (grid[i], 0,
              sizeof (double)
                * (size_t) (4 * shape->tile_pairs[i] * shape->n_fields * shape->n_orders));
  theta_run (shape, weights, grid, (double *) tile, scratch, 1);
}

const ArmillaThetaKernels SIMD_NAME (armilla_theta_kernels) = { theta_synthesis, theta_adjoint };
