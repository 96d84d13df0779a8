/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two counting sorts: the first sorts the points of each block by band, the second those of each
 * band by cell. A block is sorted in a core's cache and writes one stream per band. */
#include "codelets/points/points-sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/common/dd-math.h"
#include "codelets/points/points-cpu.h"

#define CHUNK ARMILLA_POINTS_CHUNK
/* Number of points of a block: with their bands and cells they fit a second-level cache, and their
 * numbers in the block fit 16 bits. */
#define BLOCK (16 * CHUNK)

/* A row or a column: its band, the number of its first cell in the band, and the first row or
 * column of that cell. */
typedef struct {
  uint32_t band, cell;
  int64_t first;
} Line;

typedef struct _ArmillaPointsFinder {
  ArmillaPointsScales scales;
  const ArmillaPointsKernels *kernels;
  /* The rows of the northern half are rows[0] .. rows[n_rows - 1], from the one farthest beyond the
   * pole; those of the southern half come before them, in reverse. */
  Line *rows, *columns;
  Line lines[];
} Finder;

/* A block in the order of the caller. */
typedef struct {
  double places[2 * BLOCK];
  uint32_t band[BLOCK], cell[BLOCK];
} Block;

ArmillaPointsBand
armilla_points_grid_band (const ArmillaPointsGrid *grid, int64_t i)
{
  const int64_t end = i + 1 < grid->n_bands ? grid->first_pair[i + 1] : (grid->n_rings + 1) / 2;

  return (ArmillaPointsBand) { grid->n_rings, grid->n_columns, grid->width, grid->first_pair[i],
                               end - grid->first_pair[i] };
}

/* Describes @n rows or columns of a band from @base on, or the southern rows that correspond to
 * them. @cell: the first cell; @stride: number of cells from one range of rows or columns to the
 * next. */
static void
set_lines (Line *lines, int south, int64_t base, int64_t n, int64_t band, int64_t cell,
           int64_t stride)
{
  for (int64_t cut = 0; cut < armilla_points_cuts (n); cut++)
    {
      const Line line = { (uint32_t) band, (uint32_t) (cell + cut * stride),
                          base + armilla_points_cut (n, cut) };

      for (int64_t i = line.first; i < base + armilla_points_cut (n, cut + 1); i++)
        lines[south ? -1 - i : i] = line;
    }
}

/* Sets @scale + @low to n / pi. */
static void
set_scale (double n, double *scale, double *low)
{
  const ArmillaDd inverse_pi = { 0x1.45f306dc9c883p-2, -0x1.6b01ec5417056p-56 };
  const ArmillaDd product = armilla_dd_multiply (inverse_pi, (ArmillaDd) { n, 0 });

  *scale = product.hi;
  *low = product.lo;
}

/* Returns NULL if out of memory. */
static Finder *
finder_new (const ArmillaPointsGrid *grid)
{
  const int64_t before = grid->width / 2, n_rows = (grid->n_rings + 1) / 2 + before;
  const int64_t n_columns = armilla_points_cuts (grid->n_columns);
  Finder *finder
    = malloc (sizeof *finder + sizeof (Line) * (size_t) (2 * n_rows + grid->n_columns));
  ArmillaPointsScales *scales;

  if (!finder)
    return NULL;
  scales = &finder->scales;
  *scales = (ArmillaPointsScales) { .width = (double) grid->width,
                                    .last_ring = (double) (grid->n_rings - 1),
                                    .n_columns = (double) grid->n_columns };
  set_scale (scales->last_ring, &scales->row_scale, &scales->row_scale_low);
  set_scale (0.5 * scales->n_columns, &scales->column_scale, &scales->column_scale_low);
  finder->kernels = ARMILLA_FOR_ISA ((ArmillaIsa) grid->isa, armilla_points_kernels);
  finder->rows = finder->lines + n_rows;
  finder->columns = finder->rows + n_rows;
  for (int64_t i = 0; i < grid->n_bands; i++)
    {
      const ArmillaPointsBand band = armilla_points_grid_band (grid, i);
      const int64_t half = armilla_points_cells (&band) / 2;
      const int64_t base = before + armilla_points_first_row (&band);

      for (int south = 0; south < 2; south++)
        set_lines (finder->rows, south, base, armilla_points_rows (&band), i, south * half,
                   n_columns);
    }
  set_lines (finder->columns, 0, 0, grid->n_columns, 0, 0, 1);
  return finder;
}

static int64_t
n_of_block (const ArmillaPointsSort *sort, int64_t block)
{
  const int64_t n = sort->n - block * BLOCK;

  return n < BLOCK ? n : BLOCK;
}

int64_t
armilla_points_sort_scratch (int64_t n)
{
  return n * (int64_t) (2 * sizeof (double) + sizeof (uint32_t) + sizeof (uint16_t));
}

ArmillaPointsSort *
armilla_points_sort_new (const ArmillaPointsGrid *grid, int64_t n, void *scratch)
{
  ArmillaPointsSort *sort = calloc (1, sizeof *sort);
  const size_t n_firsts = (size_t) grid->n_bands + 1;

  if (!sort)
    return NULL;
  sort->n = n;
  sort->n_bands = grid->n_bands;
  sort->n_blocks = (n + BLOCK - 1) / BLOCK;
  sort->places = scratch;
  sort->cell = (uint32_t *) (sort->places + 2 * n);
  sort->number = (uint16_t *) (sort->cell + n);
  sort->first_cell = calloc (n_firsts, sizeof (int64_t));
  sort->first = calloc (n_firsts, sizeof (int64_t));
  sort->begin = calloc (n_firsts * (size_t) sort->n_blocks + 1, sizeof (uint32_t));
  sort->finder = finder_new (grid);
  if (!sort->first_cell || !sort->first || !sort->begin || !sort->finder)
    {
      armilla_points_sort_free (sort);
      return NULL;
    }
  for (int64_t i = 0; i < grid->n_bands; i++)
    {
      const ArmillaPointsBand band = armilla_points_grid_band (grid, i);

      sort->first_cell[i + 1] = sort->first_cell[i] + armilla_points_cells (&band);
    }
  return sort;
}

/* Finds the cells of up to a chunk of points, and counts those of each band. */
static void
find_cells (const Finder *finder, const ArmillaPointsPositions *at, int64_t n, Block *block,
            int64_t i, uint32_t *count)
{
  for (int64_t k = 0; k < n; k++)
    {
      const int64_t row = (int64_t) at->row[k], column = (int64_t) at->column[k];
      const Line *of_row = finder->rows + row, *of_column = finder->columns + column;

      block->places[2 * (i + k)]
        = (double) ((row < 0 ? -1 - row : row) - of_row->first) + at->row_part[k];
      block->places[2 * (i + k) + 1] = (double) (column - of_column->first) + at->column_part[k];
      block->band[i + k] = of_row->band;
      block->cell[i + k] = of_row->cell + of_column->cell;
      count[of_row->band]++;
    }
}

/* Writes the points of a block in the order of their bands. @next: first place of each band; on
 * return, that of the following band. */
static void
put_block (const ArmillaPointsSort *sort, const Block *block, int64_t first, int64_t n,
           uint32_t *next)
{
  double *places = sort->places + 2 * first;
  uint32_t *cell = sort->cell + first;
  uint16_t *number = sort->number + first;

  for (int64_t k = 0; k < n; k++)
    {
      const uint32_t to = next[block->band[k]]++;

      places[2 * to] = block->places[2 * k];
      places[2 * to + 1] = block->places[2 * k + 1];
      cell[to] = block->cell[k];
      number[to] = (uint16_t) k;
    }
}

/* Returns the first point that is not finite; -1: none. */
static int64_t
find_bad (const double *x, const double *y, const double *z, int64_t n)
{
  double sum = 0;

  for (int64_t i = 0; i < n; i++)
    sum += 0 * x[i] + 0 * y[i];
  for (int64_t i = 0; z && i < n; i++)
    sum += 0 * z[i];
  for (int64_t i = 0; sum != 0 && i < n; i++)
    if (!isfinite (x[i]) || !isfinite (y[i]) || (z && !isfinite (z[i])))
      return i;
  return -1;
}

int64_t
armilla_points_sort_block (ArmillaPointsSort *sort, int64_t i_block, const double *x,
                           const double *y, const double *z)
{
  const int64_t first = i_block * BLOCK, n = n_of_block (sort, i_block);
  const int64_t bad = find_bad (x + first, y + first, z ? z + first : NULL, n);
  uint32_t *begin = sort->begin + i_block * (sort->n_bands + 1), sum = 0;
  Block block;

  if (bad >= 0)
    return first + bad;
  for (int64_t i = 0; i < n; i += CHUNK)
    {
      const int64_t left = n - i < CHUNK ? n - i : CHUNK, at = first + i;
      ArmillaPointsPositions positions;

      if (z)
        sort->finder->kernels->locate (&sort->finder->scales, x + at, y + at, z + at, left,
                                       &positions);
      else
        sort->finder->kernels->locate_angles (&sort->finder->scales, x + at, y + at, left,
                                              &positions);
      find_cells (sort->finder, &positions, left, &block, i, begin + 1);
    }
  /* begin[band + 1] is the next place of a band until all points have theirs. */
  for (int64_t band = 1; band <= sort->n_bands; band++)
    {
      const uint32_t count = begin[band];

      begin[band] = sum;
      sum += count;
    }
  put_block (sort, &block, first, n, begin + 1);
  return -1;
}

void
armilla_points_sort_count (ArmillaPointsSort *sort)
{
  for (int64_t band = 0; band < sort->n_bands; band++)
    {
      int64_t n = 0;

      for (int64_t i = 0; i < sort->n_blocks; i++)
        {
          const uint32_t *begin = sort->begin + i * (sort->n_bands + 1) + band;

          n += begin[1] - begin[0];
        }
      sort->first[band + 1] = sort->first[band] + n;
    }
}

void
armilla_points_sort_band (const ArmillaPointsSort *sort, int64_t band, double *places,
                          int64_t *start, int64_t *order)
{
  const int64_t n_cells = sort->first_cell[band + 1] - sort->first_cell[band];
  int64_t sum = 0;

  memset (start, 0, sizeof *start * (size_t) (n_cells + 1));
  for (int64_t i = 0; i < sort->n_blocks; i++)
    {
      const uint32_t *begin = sort->begin + i * (sort->n_bands + 1) + band;

      for (int64_t k = begin[0]; k < begin[1]; k++)
        start[sort->cell[i * BLOCK + k] + 1]++;
    }
  /* start[cell + 1] is the next place of a cell until all points have theirs. */
  for (int64_t cell = 1; cell <= n_cells; cell++)
    {
      const int64_t count = start[cell];

      start[cell] = sum;
      sum += count;
    }
  for (int64_t i = 0; i < sort->n_blocks; i++)
    {
      const uint32_t *begin = sort->begin + i * (sort->n_bands + 1) + band;

      for (int64_t from = i * BLOCK + begin[0]; from < i * BLOCK + begin[1]; from++)
        {
          const int64_t to = start[sort->cell[from] + 1]++;

          if (places)
            {
              places[2 * to] = sort->places[2 * from];
              places[2 * to + 1] = sort->places[2 * from + 1];
            }
          order[to] = i * BLOCK + sort->number[from];
        }
    }
}

void
armilla_points_sort_free (ArmillaPointsSort *sort)
{
  if (!sort)
    return;
  free (sort->first_cell);
  free (sort->first);
  free (sort->begin);
  free (sort->finder);
  free (sort);
}
