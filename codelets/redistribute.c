/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/redistribute.h"

#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Rectangles of 16 orders by 32 pairs go through a buffer that fits the first-level cache, so that
 * memory is touched by whole lines, four in a row, on both sides. */
#define N_ORDERS 16
#define N_PAIRS 32

typedef double Two __attribute__ ((vector_size (16)));
typedef double LooseTwo __attribute__ ((vector_size (16), aligned (8), may_alias));
typedef int64_t Lanes __attribute__ ((vector_size (16)));

typedef struct {
  int64_t m, n_m; /* orders of the rectangle */
  int64_t p, n_p; /* pairs of the rectangle */
} Rectangle;

typedef struct {
  double value[2 * N_PAIRS][2 * N_ORDERS]; /* [slot][order, complex] */
} Buffer;

static const double *
tile_row (const ArmillaRedistributeShape *shape, const double *tile, int64_t m, int64_t field,
          int row)
{
  return tile + (((m - shape->m_first) * shape->n_fields + field) * 4 + row) * shape->n_pairs;
}

static const double *
modes_row (const ArmillaRedistributeShape *shape, const double *modes, int64_t field, int64_t slot,
           int64_t m)
{
  return modes + 2 * ((field * 2 * shape->n_pairs + slot) * (shape->mmax + 1) + m);
}

/* slot[0][order], slot[2][order], ... <- re + i im, for the rings of one hemisphere. */
static void
rows_to_slots (const double *re, const double *im, int64_t n_p, double *slot)
{
  const int64_t stride = 2 * (int64_t) (sizeof ((Buffer *) 0)->value[0] / sizeof (double));
  int64_t j = 0;

  for (; j + 2 <= n_p; j += 2)
    {
      Two x = *(const LooseTwo *) (re + j), y = *(const LooseTwo *) (im + j);

      *(LooseTwo *) (slot + stride * j) = __builtin_shuffle (x, y, (Lanes){ 0, 2 });
      *(LooseTwo *) (slot + stride * (j + 1)) = __builtin_shuffle (x, y, (Lanes){ 1, 3 });
    }
  for (; j < n_p; j++)
    {
      slot[stride * j] = re[j];
      slot[stride * j + 1] = im[j];
    }
}

static void
slots_to_rows (const double *slot, double *re, double *im, int64_t n_p)
{
  const int64_t stride = 2 * (int64_t) (sizeof ((Buffer *) 0)->value[0] / sizeof (double));
  int64_t j = 0;

  for (; j + 2 <= n_p; j += 2)
    {
      Two x = *(const LooseTwo *) (slot + stride * j);
      Two y = *(const LooseTwo *) (slot + stride * (j + 1));

      *(LooseTwo *) (re + j) = __builtin_shuffle (x, y, (Lanes){ 0, 2 });
      *(LooseTwo *) (im + j) = __builtin_shuffle (x, y, (Lanes){ 1, 3 });
    }
  for (; j < n_p; j++)
    {
      re[j] = slot[stride * j];
      im[j] = slot[stride * j + 1];
    }
}

/* Rows of the tile are in pages of their own, which no hardware prefetcher follows: asks for those
 * of the next rectangle (up to n_p doubles of the real and of the imaginary row). */
static void
prefetch_rows (const ArmillaRedistributeShape *shape, const double *re, int64_t n_p)
{
  const double *next = re + N_ORDERS * shape->n_fields * 4 * shape->n_pairs;

  for (int64_t j = 0; j < n_p; j += 8)
    {
      __builtin_prefetch (next + j);
      __builtin_prefetch (next + shape->n_pairs + j);
    }
}

/* The same for the orders of a ring. */
static void
prefetch_orders (const double *row)
{
  for (int64_t i = 2 * N_ORDERS; i < 4 * N_ORDERS; i += 8)
    __builtin_prefetch (row + i);
}

static void
tile_to_buffer (const ArmillaRedistributeShape *shape, const double *tile, int64_t field,
                const Rectangle *part, Buffer *buffer)
{
  for (int64_t i = 0; i < part->n_m; i++)
    for (int south = 0; south < 2; south++)
      {
        const double *re = tile_row (shape, tile, part->m + i, field, 2 * south) + part->p;

        prefetch_rows (shape, re, part->n_p);
        rows_to_slots (re, re + shape->n_pairs, part->n_p, &buffer->value[south][2 * i]);
      }
}

static void
buffer_to_tile (const ArmillaRedistributeShape *shape, double *tile, int64_t field,
                const Rectangle *part, const Buffer *buffer)
{
  for (int64_t i = 0; i < part->n_m; i++)
    for (int south = 0; south < 2; south++)
      {
        double *re = (double *) tile_row (shape, tile, part->m + i, field, 2 * south) + part->p;

        prefetch_rows (shape, re, part->n_p);
        slots_to_rows (&buffer->value[south][2 * i], re, re + shape->n_pairs, part->n_p);
      }
}

static void
buffer_to_modes (const ArmillaRedistributeShape *shape, const ArmillaRingSlot *slots,
                 double *modes, int64_t field, const Rectangle *part, const Buffer *buffer)
{
  const size_t bytes = sizeof (double) * (size_t) (2 * part->n_m);

  for (int64_t slot = 0; slot < 2 * part->n_p; slot++)
    {
      const int64_t ring = 2 * part->p + slot;
      double *row = (double *) modes_row (shape, modes, field, ring, part->m);

      prefetch_orders (row);
      if (slots[ring].n_phi)
        memcpy (row, buffer->value[slot], bytes);
      else
        memset (row, 0, bytes);
    }
}

static void
modes_to_buffer (const ArmillaRedistributeShape *shape, const ArmillaRingSlot *slots,
                 const double *modes, int64_t field, const Rectangle *part, Buffer *buffer)
{
  const size_t bytes = sizeof (double) * (size_t) (2 * part->n_m);

  for (int64_t slot = 0; slot < 2 * part->n_p; slot++)
    {
      const int64_t ring = 2 * part->p + slot;
      const double *row = modes_row (shape, modes, field, ring, part->m);

      prefetch_orders (row);
      if (slots[ring].n_phi)
        memcpy (buffer->value[slot], row, bytes);
      else
        memset (buffer->value[slot], 0, bytes);
    }
}

/**
 * armilla_redistribute_forward_cpu:
 * @shape: shape of the tile and of the modes
 * @slots: (array): the rings, [2 n_pairs]
 * @tile: double, [m - m_first][field][4][n_pairs]
 * @modes: complex double, [field][2 n_pairs][mmax + 1]; columns m_first..m_last are written
 *
 * Copies a tile to where the ring transforms want it. Columns of absent rings become 0.
 */
void
armilla_redistribute_forward_cpu (const ArmillaRedistributeShape *shape,
                                  const ArmillaRingSlot *slots, const double *tile, double *modes)
{
  Buffer buffer;

  for (int64_t field = 0; field < shape->n_fields; field++)
    for (int64_t p = 0; p < shape->n_pairs; p += N_PAIRS)
      for (int64_t m = shape->m_first; m <= shape->m_last; m += N_ORDERS)
        {
          const Rectangle part = { m, MIN (N_ORDERS, shape->m_last + 1 - m), p,
                                   MIN (N_PAIRS, shape->n_pairs - p) };

          tile_to_buffer (shape, tile, field, &part, &buffer);
          buffer_to_modes (shape, slots, modes, field, &part, &buffer);
        }
}

/**
 * armilla_redistribute_backward_cpu:
 * @shape: shape of the tile and of the modes
 * @slots: (array): the rings, [2 n_pairs]
 * @modes: complex double, [field][2 n_pairs][mmax + 1]; those of absent rings are not looked at
 * @tile: double, [m - m_first][field][4][n_pairs]; all of it is written, absent rings as 0
 *
 * The reverse of armilla_redistribute_forward_cpu(), and its transpose.
 */
void
armilla_redistribute_backward_cpu (const ArmillaRedistributeShape *shape,
                                   const ArmillaRingSlot *slots, const double *modes, double *tile)
{
  Buffer buffer;

  for (int64_t field = 0; field < shape->n_fields; field++)
    for (int64_t p = 0; p < shape->n_pairs; p += N_PAIRS)
      for (int64_t m = shape->m_first; m <= shape->m_last; m += N_ORDERS)
        {
          const Rectangle part = { m, MIN (N_ORDERS, shape->m_last + 1 - m), p,
                                   MIN (N_PAIRS, shape->n_pairs - p) };

          modes_to_buffer (shape, slots, modes, field, &part, &buffer);
          buffer_to_tile (shape, tile, field, &part, &buffer);
        }
}
