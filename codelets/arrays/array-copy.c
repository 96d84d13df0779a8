/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/arrays/array-copy.h"

#include <string.h>

#include "codelets/arrays/array-copy-math.h"

static size_t
bytes (const ArmillaArrayRow *row, int64_t n)
{
  return sizeof (double) * (size_t) (n * row->n_reals);
}

static void
read_run (const ArmillaArrayRow *row, int64_t first, int64_t n, double *to)
{
  if (!row->data)
    memset (to, 0, bytes (row, n));
  else if (armilla_array_row_is_whole (row))
    {
      const int64_t n_zonal = armilla_array_zonal_numbers (row, first, n);

      memcpy (to, row->data + first * row->stride, bytes (row, n));
      for (int64_t i = 0; i < n_zonal; i++)
        to[2 * i + 1] = 0;
    }
  else
    for (int64_t i = 0; i < n; i++)
      armilla_array_read_number (row, first + i, to + i * row->n_reals);
}

static void
write_run (const ArmillaArrayRow *row, int64_t first, int64_t n, double factor,
           const double *from)
{
  if (!row->data)
    return;
  if (armilla_array_row_is_whole (row) && factor == 1)
    memcpy (row->data + first * row->stride, from, bytes (row, n));
  else
    for (int64_t i = 0; i < n; i++)
      armilla_array_write_number (row, first + i, from + i * row->n_reals, factor);
}

/**
 * armilla_array_read_cpu:
 * @rows: (array length=n_rows): the rows, alike but for their data
 * @n_rows: how many
 * @first: number of the first of their numbers
 * @n: how many of them
 * @tile: (out): [row][number]
 *
 * Some numbers of an array; imaginary parts of m = 0 are 0.
 */
void
armilla_array_read_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t first, int64_t n,
                        double *tile)
{
  for (int64_t f = 0; f < n_rows; f++)
    read_run (&rows[f], first, n, tile + f * n * rows[f].n_reals);
}

/**
 * armilla_array_write_cpu:
 * @rows: (array length=n_rows): the rows, alike but for their data
 * @n_rows: how many
 * @first: number of the first of their numbers
 * @n: how many of them
 * @tile: [row][number]
 *
 * The opposite of armilla_array_read_cpu().
 */
void
armilla_array_write_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t first, int64_t n,
                         const double *tile)
{
  for (int64_t f = 0; f < n_rows; f++)
    write_run (&rows[f], first, n, 1, tile + f * n * rows[f].n_reals);
}

/**
 * armilla_array_read_rings_cpu:
 * @rows: (array length=n_rows): maps, the pixels of each a row of real numbers
 * @n_rows: how many
 * @n_slots: rings of the tile
 * @n_pixels: its pixels
 * @slots: (array length=n_slots): where a ring lies in the tile
 * @first_pixel: (array length=n_slots): number in the map of a ring's first pixel
 * @tile: (out): [row][pixel]
 *
 * Some rings of maps.
 */
void
armilla_array_read_rings_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t n_slots,
                              int64_t n_pixels, const ArmillaRingSlot *slots,
                              const int64_t *first_pixel, double *tile)
{
  for (int64_t f = 0; f < n_rows; f++)
    for (int64_t s = 0; s < n_slots; s++)
      read_run (&rows[f], first_pixel[s], slots[s].n_phi, tile + f * n_pixels + slots[s].offset);
}

/**
 * armilla_array_write_rings_cpu:
 * @rows: see armilla_array_read_rings_cpu()
 * @n_rows: how many
 * @n_slots: rings of the tile
 * @n_pixels: its pixels
 * @weighted: whether to multiply each pixel by its ring's quadrature weight
 * @slots: see armilla_array_read_rings_cpu()
 * @first_pixel: see armilla_array_read_rings_cpu()
 * @tile: [row][pixel]
 *
 * The opposite of armilla_array_read_rings_cpu().
 */
void
armilla_array_write_rings_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t n_slots,
                               int64_t n_pixels, int weighted, const ArmillaRingSlot *slots,
                               const int64_t *first_pixel, const double *tile)
{
  for (int64_t f = 0; f < n_rows; f++)
    for (int64_t s = 0; s < n_slots; s++)
      write_run (&rows[f], first_pixel[s], slots[s].n_phi, weighted ? slots[s].weight : 1,
                 tile + f * n_pixels + slots[s].offset);
}
