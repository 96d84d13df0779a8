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

/* Copies n numbers of each row, from number first on, to tile[row][number]. All rows have the same
 * strides and types. Imaginary parts of m = 0 read as 0. */
void
armilla_array_read_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t first, int64_t n,
                        double *tile)
{
  for (int64_t f = 0; f < n_rows; f++)
    read_run (&rows[f], first, n, tile + f * n * rows[f].n_reals);
}

/* The reverse of armilla_array_read_cpu (). */
void
armilla_array_write_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t first, int64_t n,
                         const double *tile)
{
  for (int64_t f = 0; f < n_rows; f++)
    write_run (&rows[f], first, n, 1, tile + f * n * rows[f].n_reals);
}

/* Copies rings of maps, rows of real numbers, to tile[row][pixel]; first_pixel[slot] is the
 * number in the map of a ring's first pixel. */
void
armilla_array_read_rings_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t n_slots,
                              int64_t n_pixels, const ArmillaRingSlot *slots,
                              const int64_t *first_pixel, double *tile)
{
  for (int64_t f = 0; f < n_rows; f++)
    for (int64_t s = 0; s < n_slots; s++)
      read_run (&rows[f], first_pixel[s], slots[s].n_phi, tile + f * n_pixels + slots[s].offset);
}

/* The reverse of armilla_array_read_rings_cpu (). If @weighted, each pixel is multiplied by the
 * quadrature weight of its ring. */
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
