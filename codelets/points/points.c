/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/points/points.h"

#include <string.h>

#include "codelets/points/points-cpu.h"

#define STRIDE ARMILLA_POINTS_STRIDE
#define CHUNK ARMILLA_POINTS_CHUNK

int64_t
armilla_points_needed (const ArmillaPointsBand *band, int64_t *end)
{
  const int64_t n_pairs = (band->n_rings + 1) / 2;
  /* Rows beyond the pole and the equator are mirror images. */
  const int64_t last = band->first_pair + band->n_pairs + band->width - 2;
  const int64_t mirror = last < n_pairs ? band->first_pair : band->n_rings - 1 - last;
  const int64_t first = mirror < band->first_pair ? mirror : band->first_pair;

  *end = last < n_pairs ? last + 1 : n_pairs;
  if (band->first_pair == 0 && *end <= band->width / 2)
    *end = band->width / 2 + 1;
  return first < 0 ? 0 : first;
}

int64_t
armilla_points_tile_size (const ArmillaPointsShape *shape, int64_t first_pair, int64_t n_pairs)
{
  return shape->n_fields * armilla_points_tile_rows (&shape->band, first_pair, n_pairs)
         * shape->band.n_columns;
}

int64_t
armilla_points_spread_size (const ArmillaPointsShape *shape)
{
  return 2 * shape->n_fields * armilla_points_all_rows (&shape->band) * shape->band.n_columns;
}

static const ArmillaPointsKernels *
kernels_of (const ArmillaPointsShape *shape)
{
  return ARMILLA_FOR_ISA ((ArmillaIsa) shape->isa, armilla_points_kernels);
}

static const ArmillaPointsWidth *
width_of (const ArmillaPointsShape *shape)
{
  return &kernels_of (shape)->width[shape->kernel.width - ARMILLA_POINTS_MIN_WIDTH];
}

/* Returns the address of the first pixel of a ring of a field. */
static const double *
find_row (const ArmillaPointsShape *shape, const ArmillaPointsTiles *tiles,
          const double *const *tile, int64_t field, const ArmillaPointsRing *ring)
{
  int64_t i = 0, row;

  while (ring->pair >= tiles->first_pair[i] + tiles->n_pairs[i])
    i++;
  row = armilla_points_tile_row (&shape->band, tiles->first_pair[i], tiles->n_pairs[i], ring);
  row += field * armilla_points_tile_rows (&shape->band, tiles->first_pair[i], tiles->n_pairs[i]);
  return tile[i] + row * shape->band.n_columns;
}

/* Copies the pixels of the supports of a cell. Weights are padded by zeros to a multiple of 8, so
 * pixels are read up to there. */
static void
read_patch (const ArmillaPointsShape *shape, const ArmillaPointsTiles *tiles,
            const double *const *tile, int64_t field, const ArmillaPointsCell *cell, double *patch)
{
  const ArmillaPointsKernels *kernels = kernels_of (shape);
  const int64_t n_columns = shape->band.n_columns;
  const int64_t n = cell->n_columns - shape->kernel.width + (shape->kernel.width + 7) / 8 * 8;

  for (int64_t row = 0; row < cell->n_rows; row++)
    {
      const int64_t at = armilla_points_first_row (&shape->band) + cell->row + row;
      const ArmillaPointsRing ring = armilla_points_ring (&shape->band, cell->half, at);
      const double *from = find_row (shape, tiles, tile, field, &ring);
      const double sign = ring.beyond && shape->spin % 2 ? -1 : 1;
      double *to = patch + row * STRIDE;
      int64_t column = (cell->column + (ring.beyond ? n_columns / 2 : 0)) % n_columns;

      for (int64_t i = 0; i < n; column = 0)
        {
          const int64_t run = n - i < n_columns - column ? n - i : n_columns - column;

          kernels->copy (sign, from + column, run, to + i);
          i += run;
        }
    }
}

/* Prefetches the pixels of the supports of a cell to the second-level cache. */
static void
prefetch_patch (const ArmillaPointsShape *shape, const ArmillaPointsTiles *tiles,
                const double *const *tile, int64_t field, const ArmillaPointsCell *cell)
{
  for (int64_t row = 0; row < cell->n_rows; row++)
    {
      const int64_t at = armilla_points_first_row (&shape->band) + cell->row + row;
      const ArmillaPointsRing ring = armilla_points_ring (&shape->band, cell->half, at);
      const double *from = find_row (shape, tiles, tile, field, &ring) + cell->column;

      for (int64_t i = 0; i < cell->n_columns; i += 8)
        __builtin_prefetch (from + i, 0, 2);
    }
}

/* Adds a patch to the spread values of a band. */
static void
add_patch (const ArmillaPointsShape *shape, int64_t field, const ArmillaPointsCell *cell,
           const double *patch, double *spread)
{
  const ArmillaPointsKernels *kernels = kernels_of (shape);
  const int64_t n_columns = shape->band.n_columns;

  for (int64_t row = 0; row < cell->n_rows; row++)
    {
      const double *from = patch + row * STRIDE;
      int64_t column = cell->column;
      double *to = spread
                   + ((2 * field + cell->half) * armilla_points_all_rows (&shape->band) + cell->row
                      + row) * n_columns;

      for (int64_t i = 0; i < cell->n_columns; column = 0)
        {
          const int64_t left = cell->n_columns - i;
          const int64_t run = left < n_columns - column ? left : n_columns - column;

          kernels->add (1, from + i, run, to + column);
          i += run;
        }
    }
}

/* A call of armilla_points_interpolate_cpu (). */
typedef struct {
  const ArmillaPointsShape *shape;
  const ArmillaPointsTiles *tiles;
  const double *const *tile;
  const int64_t *start;
} Reading;

/* Copies the pixels of the supports of a cell, and prefetches those of the next cell. */
static void
read_cell (const Reading *reading, int64_t field, int64_t i, double *patch)
{
  const ArmillaPointsBand *band = &reading->shape->band;
  const ArmillaPointsCell cell = armilla_points_cell (band, i);

  read_patch (reading->shape, reading->tiles, reading->tile, field, &cell, patch);
  if (i + 1 < armilla_points_cells (band) && reading->start[i + 2] > reading->start[i + 1])
    {
      const ArmillaPointsCell next = armilla_points_cell (band, i + 1);

      prefetch_patch (reading->shape, reading->tiles, reading->tile, field, &next);
    }
}

void
armilla_points_interpolate_cpu (const ArmillaPointsShape *shape, const double *places,
                                const int64_t *start, const ArmillaPointsTiles *tiles,
                                const double *const *tile, double *values)
{
  const Reading reading = { shape, tiles, tile, start };
  const ArmillaPointsWidth *width = width_of (shape);
  ArmillaPointsRoom room;

  for (int64_t i = 0; i < armilla_points_cells (&shape->band); i++)
    {
      const int64_t begin = start[i] - start[0], end = start[i + 1] - start[0];

      for (int64_t first = begin; first < end; first += CHUNK)
        {
          const int64_t n = end - first < CHUNK ? end - first : CHUNK;

          width->weights (&shape->kernel, places + 2 * first, n, &room);
          for (int64_t field = 0; field < shape->n_fields; field++)
            {
              /* The patch of a single field serves all chunks of the cell. */
              if (shape->n_fields > 1 || first == begin)
                read_cell (&reading, field, i, room.patch);
              width->interpolate (n, &room);
              kernels_of (shape)->copy (1, room.values, n,
                                        values + field * shape->n_points + first);
            }
        }
    }
}

void
armilla_points_spread_cpu (const ArmillaPointsShape *shape, const double *places,
                           const int64_t *start, const double *values, double *spread)
{
  const ArmillaPointsWidth *width = width_of (shape);
  ArmillaPointsRoom room;

  memset (spread, 0, sizeof (double) * (size_t) armilla_points_spread_size (shape));
  for (int64_t i = 0; i < armilla_points_cells (&shape->band); i++)
    {
      const ArmillaPointsCell cell = armilla_points_cell (&shape->band, i);
      const int64_t end = start[i + 1] - start[0];

      for (int64_t first = start[i] - start[0]; first < end; first += CHUNK)
        {
          const int64_t n = end - first < CHUNK ? end - first : CHUNK;

          width->weights (&shape->kernel, places + 2 * first, n, &room);
          for (int64_t field = 0; field < shape->n_fields; field++)
            {
              memset (room.patch, 0, sizeof (double) * STRIDE * (size_t) cell.n_rows);
              kernels_of (shape)->copy (1, values + field * shape->n_points + first, n,
                                        room.values);
              width->spread (n, &room);
              add_patch (shape, field, &cell, room.patch, spread);
            }
        }
    }
}

/* Adds a row of spread values to a ring, shifted by @shift columns. */
static void
add_row (const ArmillaPointsKernels *kernels, const double *from, double sign, int64_t shift,
         int64_t n_columns, double *to)
{
  kernels->add (sign, from, n_columns - shift, to + shift);
  kernels->add (sign, from + n_columns - shift, shift, to);
}

/* Adds what a band has spread to one ring, counted from the north pole. */
static void
gather_ring (const ArmillaPointsShape *shape, const ArmillaPointsBand *band, int64_t field,
             int64_t ring, const double *spread, double *to)
{
  const int64_t n_rows = armilla_points_all_rows (band);
  ArmillaPointsSource source[ARMILLA_POINTS_SOURCES];

  armilla_points_sources (band, ring, source);
  for (int i = 0; i < ARMILLA_POINTS_SOURCES; i++)
    if (source[i].row >= 0)
      add_row (kernels_of (shape),
               spread + ((2 * field + source[i].half) * n_rows + source[i].row) * band->n_columns,
               source[i].beyond && shape->spin % 2 ? -1 : 1,
               source[i].beyond ? band->n_columns / 2 : 0, band->n_columns, to);
}

void
armilla_points_gather_cpu (const ArmillaPointsShape *shape, const ArmillaPointsTiles *bands,
                           const double *const *spread, double *tile)
{
  const ArmillaPointsBand *own = &shape->band;
  const int64_t n_rows = armilla_points_tile_rows (own, own->first_pair, own->n_pairs);

  memset (tile, 0, sizeof (double)
                     * (size_t) armilla_points_tile_size (shape, own->first_pair, own->n_pairs));
  for (int64_t field = 0; field < shape->n_fields; field++)
    for (int64_t row = 0; row < n_rows; row++)
      for (int64_t i = 0; i < bands->n; i++)
        {
          const ArmillaPointsBand band = armilla_points_other_band (own, bands->first_pair[i],
                                                                    bands->n_pairs[i]);

          gather_ring (shape, &band, field, armilla_points_ring_of_row (own, row), spread[i],
                       tile + (field * n_rows + row) * own->n_columns);
        }
}
