/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry of points on an equidistant grid with both poles, shared by CPU and GPU.
 *
 * Ring i of n_rings has the co-latitude pi i / (n_rings - 1); its n_columns pixels begin at the
 * longitude 0. Rings continue beyond the poles: ring -i is ring i shifted by half its length, times
 * (-1)^spin. In the southern half, rings are counted from the south pole, so that both halves have
 * the same geometry. The support of a point is the square of width x width pixels from which it is
 * interpolated. A band consists of consecutive ring pairs and of the points whose supports begin
 * there; the following rings into which these supports extend are its halo. Each half of a band is
 * divided into cells of about ARMILLA_POINTS_CELL rows and columns. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "codelets/points/points-kernel.h"

/* Maximum number of rings, and of columns, of a cell: those in which its supports begin. */
#define ARMILLA_POINTS_CELL 32
/* Maximum number of rings, and of columns, that the supports of a cell cover: its patch. */
#define ARMILLA_POINTS_PATCH (ARMILLA_POINTS_CELL + ARMILLA_POINTS_MAX_WIDTH - 1)
/* Maximum number of tiles that a band reads, or of bands that write a tile, if each of them has a
 * single ring pair. */
#define ARMILLA_POINTS_TILES (2 * ARMILLA_POINTS_MAX_WIDTH)

/**
 * ArmillaPointsBand:
 * @n_rings: number of rings of the grid, more than the width of the kernel
 * @n_columns: number of pixels per ring, even
 * @width: width of the kernel
 * @first_pair: first ring pair in which supports begin
 * @n_pairs: number of ring pairs in which supports begin
 */
typedef struct {
  int64_t n_rings, n_columns, width, first_pair, n_pairs;
} ArmillaPointsBand;

/* Returns the first row of a band; supports of the first band begin beyond the pole. */
ARMILLA_HD int64_t
armilla_points_first_row (const ArmillaPointsBand *band)
{
  return band->first_pair == 0 ? -(band->width / 2) : band->first_pair;
}

/* Returns the number of rings of a half in which supports begin. */
ARMILLA_HD int64_t
armilla_points_rows (const ArmillaPointsBand *band)
{
  return band->first_pair + band->n_pairs - armilla_points_first_row (band);
}

/* Returns the number of rings of a half that supports cover, including the halo. */
ARMILLA_HD int64_t
armilla_points_all_rows (const ArmillaPointsBand *band)
{
  return armilla_points_rows (band) + band->width - 1;
}

ARMILLA_HD int64_t
armilla_points_cuts (int64_t n)
{
  return (n + ARMILLA_POINTS_CELL - 1) / ARMILLA_POINTS_CELL;
}

/* Returns the first ring or column of range @i, if @n rings or columns are divided into ranges, one
 * per cell, whose sizes differ by at most 1. With several ranges each has at least 16. */
ARMILLA_HD int64_t
armilla_points_cut (int64_t n, int64_t i)
{
  const int64_t cuts = armilla_points_cuts (n);

  return (i * n + cuts - 1) / cuts;
}

/* Returns the number of cells of a band: [half][range of rows][range of columns]. */
ARMILLA_HD int64_t
armilla_points_cells (const ArmillaPointsBand *band)
{
  return 2 * armilla_points_cuts (armilla_points_rows (band))
         * armilla_points_cuts (band->n_columns);
}

/* A cell: its first row, counted from the first one of the band, its first column, and the numbers
 * of rows and columns that the supports that begin in it cover. */
typedef struct {
  int64_t half, row, column, n_rows, n_columns;
} ArmillaPointsCell;

ARMILLA_HD ArmillaPointsCell
armilla_points_cell (const ArmillaPointsBand *band, int64_t i)
{
  const int64_t n = armilla_points_rows (band), n_columns = armilla_points_cuts (band->n_columns);
  const int64_t row = i / n_columns % armilla_points_cuts (n), column = i % n_columns;
  ArmillaPointsCell cell;

  cell.half = i / n_columns / armilla_points_cuts (n);
  cell.row = armilla_points_cut (n, row);
  cell.column = armilla_points_cut (band->n_columns, column);
  cell.n_rows = armilla_points_cut (n, row + 1) - cell.row + band->width - 1;
  cell.n_columns
    = armilla_points_cut (band->n_columns, column + 1) - cell.column + band->width - 1;
  return cell;
}

/* Returns the number of rings that a tile of ring pairs has; the equator of an odd number of rings
 * is one ring. */
ARMILLA_HD int64_t
armilla_points_tile_rows (const ArmillaPointsBand *band, int64_t first_pair, int64_t n_pairs)
{
  return 2 * n_pairs - (2 * (first_pair + n_pairs) > band->n_rings);
}

/* A ring of the grid: its pair, its hemisphere, and whether it was reached beyond a pole. */
typedef struct {
  int64_t pair;
  int south, beyond;
} ArmillaPointsRing;

/* Returns the ring of the grid that is row @row, counted from the pole, of a half. The rows of
 * small grids extend beyond the other pole. */
ARMILLA_HD ArmillaPointsRing
armilla_points_ring (const ArmillaPointsBand *band, int64_t half, int64_t row)
{
  const int64_t last = band->n_rings - 1;
  ArmillaPointsRing ring;

  ring.beyond = row < 0 || row > last;
  row = row < 0 ? -row : row > last ? 2 * last - row : row;
  ring.south = half != (2 * row > last);
  ring.pair = 2 * row > last ? last - row : row;
  return ring;
}

/* Returns the index in a tile of a ring of one of its pairs: northern rings, then southern ones in
 * reverse. */
ARMILLA_HD int64_t
armilla_points_tile_row (const ArmillaPointsBand *band, int64_t first_pair, int64_t n_pairs,
                         const ArmillaPointsRing *ring)
{
  const int64_t i = ring->pair - first_pair;

  return ring->south ? armilla_points_tile_rows (band, first_pair, n_pairs) - 1 - i : i;
}

/* Returns the ring, counted from the north pole, of a row of the tile that has a band's pairs. */
ARMILLA_HD int64_t
armilla_points_ring_of_row (const ArmillaPointsBand *band, int64_t row)
{
  const int64_t n = armilla_points_tile_rows (band, band->first_pair, band->n_pairs);

  return row < band->n_pairs ? band->first_pair + row
                             : band->n_rings - 1 - band->first_pair - (n - 1 - row);
}

/* Returns another band of the same grid. */
ARMILLA_HD ArmillaPointsBand
armilla_points_other_band (const ArmillaPointsBand *band, int64_t first_pair, int64_t n_pairs)
{
  ArmillaPointsBand other = *band;

  other.first_pair = first_pair;
  other.n_pairs = n_pairs;
  return other;
}

/* A row of the values that a band has spread, counted from the band's first row; negative: there is
 * none. beyond: whether the row lies beyond a pole. */
typedef struct {
  int64_t half, row;
  int beyond;
} ArmillaPointsSource;

/* Maximum number of rows of a band that are the same ring: in both halves, a row on the sphere and
 * one beyond the pole. */
#define ARMILLA_POINTS_SOURCES 4

/* Finds the rows of a band that belong to a ring, counted from the north pole. */
ARMILLA_HD void
armilla_points_sources (const ArmillaPointsBand *band, int64_t ring, ArmillaPointsSource *source)
{
  const int64_t first = armilla_points_first_row (band), n = armilla_points_all_rows (band);

  for (int i = 0; i < ARMILLA_POINTS_SOURCES; i++)
    {
      const int64_t half = i / 2, row = half ? band->n_rings - 1 - ring : ring;
      const int64_t at = (i % 2 ? -row : row) - first;

      source[i].half = half;
      source[i].beyond = i % 2;
      source[i].row = at < n && !(i % 2 && row == 0) ? at : -1;
    }
}
