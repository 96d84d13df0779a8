/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A counting sort: the cells are found and counted, then each point goes to the next place of its
 * cell. Points that come in the order of rings fill as many streams as a ring has cells, which stay
 * cached; for others, the memory of the next points is prefetched. */
#include "codelets/points/points-sort.h"

#include <string.h>

#include "codelets/common/dd-math.h"
#include "codelets/points/points-cpu.h"

#define CHUNK ARMILLA_POINTS_CHUNK
/* Points between one that is placed and the one whose memory is prefetched. */
#define AHEAD 24

/* A row or a column: the number of its first cell, and the first row or column of that cell. */
typedef struct {
  int64_t cell, first;
} Line;

typedef struct {
  ArmillaPointsScales scales;
  const ArmillaPointsKernels *kernels;
  /* The rows of the northern half are rows[0] .. rows[n_rows - 1], from the one farthest beyond the
   * pole; those of the southern half come before them, in reverse. */
  Line *lines, *rows, *columns;
} Finder;

ArmillaPointsBand
armilla_points_grid_band (const ArmillaPointsGrid *grid, int64_t i)
{
  const int64_t end = i + 1 < grid->n_bands ? grid->first_pair[i + 1] : (grid->n_rings + 1) / 2;

  return (ArmillaPointsBand) { grid->n_rings, grid->n_columns, grid->width, grid->first_pair[i],
                               end - grid->first_pair[i] };
}

/* Describes @n lines from @base on, or the southern ones that correspond to them; @stride: cells
 * between two cuts. */
static void
set_lines (Line *lines, gboolean south, int64_t base, int64_t n, int64_t cell, int64_t stride)
{
  for (int64_t cut = 0; cut < armilla_points_cuts (n); cut++)
    {
      const Line line = { cell + cut * stride, base + armilla_points_cut (n, cut) };

      for (int64_t i = line.first; i < base + armilla_points_cut (n, cut + 1); i++)
        lines[south ? -1 - i : i] = line;
    }
}

/* 1 / pi times a number, as the sum of two doubles. */
static void
set_scale (double n, double *scale, double *low)
{
  const ArmillaDd inverse_pi = { 0x1.45f306dc9c883p-2, -0x1.6b01ec5417056p-56 };
  const ArmillaDd product = armilla_dd_multiply (inverse_pi, (ArmillaDd) { n, 0 });

  *scale = product.hi;
  *low = product.lo;
}

/* Returns whether there was enough memory. */
static gboolean
finder_init (Finder *finder, const ArmillaPointsGrid *grid, int64_t *first_cell)
{
  const int64_t before = grid->width / 2, n_rows = (grid->n_rings + 1) / 2 + before;
  const int64_t n_columns = armilla_points_cuts (grid->n_columns);
  ArmillaPointsScales *scales = &finder->scales;

  *scales = (ArmillaPointsScales) { .width = (double) grid->width,
                                    .last_ring = (double) (grid->n_rings - 1),
                                    .n_columns = (double) grid->n_columns };
  set_scale (scales->last_ring, &scales->row_scale, &scales->row_scale_low);
  set_scale (0.5 * scales->n_columns, &scales->column_scale, &scales->column_scale_low);
  finder->kernels = ARMILLA_FOR_ISA ((ArmillaIsa) grid->isa, armilla_points_kernels);
  finder->lines = g_try_new (Line, (gsize) (2 * n_rows + grid->n_columns));
  if (!finder->lines)
    return FALSE;
  finder->rows = finder->lines + n_rows;
  finder->columns = finder->rows + n_rows;
  first_cell[0] = 0;
  for (int64_t i = 0; i < grid->n_bands; i++)
    {
      const ArmillaPointsBand band = armilla_points_grid_band (grid, i);
      const int64_t n = armilla_points_cells (&band), base = armilla_points_first_row (&band);

      for (int south = 0; south < 2; south++)
        set_lines (finder->rows, south, before + base, armilla_points_rows (&band),
                   first_cell[i] + south * (n / 2), n_columns);
      first_cell[i + 1] = first_cell[i] + n;
    }
  set_lines (finder->columns, FALSE, 0, grid->n_columns, 0, 1);
  return TRUE;
}

ArmillaPointsSort *
armilla_points_sort_new (const ArmillaPointsGrid *grid, const double *theta, const double *phi,
                         int64_t n)
{
  ArmillaPointsSort *sort = g_new0 (ArmillaPointsSort, 1);
  int64_t n_cells, sum = 0;
  Finder finder;

  sort->n = n;
  sort->n_bands = grid->n_bands;
  sort->first_cell = g_new (int64_t, grid->n_bands + 1);
  sort->cell = g_try_new (uint32_t, (gsize) MAX (n, 1));
  if (!sort->cell || !finder_init (&finder, grid, sort->first_cell))
    {
      armilla_points_sort_free (sort);
      return NULL;
    }
  n_cells = sort->first_cell[grid->n_bands];
  sort->start = g_try_new0 (int64_t, (gsize) n_cells + 1);
  if (sort->start)
    for (int64_t i = 0; i < n; i += CHUNK)
      {
        ArmillaPointsPositions at;

        finder.kernels->locate (&finder.scales, theta + i, phi + i, MIN (n - i, CHUNK), &at);
        for (int64_t k = 0; k < MIN (n - i, CHUNK); k++)
          {
            const int64_t cell = finder.rows[(int64_t) at.row[k]].cell
                                 + finder.columns[(int64_t) at.column[k]].cell;

            sort->cell[i + k] = (uint32_t) cell;
            sort->start[cell]++;
          }
      }
  g_free (finder.lines);
  if (!sort->start)
    {
      armilla_points_sort_free (sort);
      return NULL;
    }
  for (int64_t i = 0; i <= n_cells; i++)
    {
      const int64_t count = sort->start[i];

      sort->start[i] = sum;
      sum += count;
    }
  return sort;
}

/* Puts the points of a chunk, from point @i on, at the next places of their cells. */
static void
fill_chunk (const ArmillaPointsSort *sort, const Finder *finder, const ArmillaPointsPositions *at,
            int64_t i, int64_t *next, double *places, int64_t *order)
{
  for (int64_t k = 0; k < MIN (sort->n - i, CHUNK); k++)
    {
      const int64_t row = (int64_t) at->row[k], column = (int64_t) at->column[k];
      const int64_t to = next[sort->cell[i + k]]++;

      places[2 * to] = (double) ((row < 0 ? -1 - row : row) - finder->rows[row].first)
                       + at->row_part[k];
      places[2 * to + 1] = (double) (column - finder->columns[column].first) + at->column_part[k];
      order[to] = i + k;
      if (i + k + AHEAD < sort->n)
        {
          const int64_t then = next[sort->cell[i + k + AHEAD]];

          __builtin_prefetch (places + 2 * then, 1);
          __builtin_prefetch (order + then, 1);
        }
    }
}

gboolean
armilla_points_sort_fill (const ArmillaPointsSort *sort, const ArmillaPointsGrid *grid,
                          const double *theta, const double *phi, double *places, int64_t *order)
{
  const int64_t n_cells = sort->first_cell[sort->n_bands];
  g_autofree int64_t *next = g_try_new (int64_t, (gsize) n_cells);
  Finder finder;

  if (!next || !finder_init (&finder, grid, sort->first_cell))
    return FALSE;
  memcpy (next, sort->start, sizeof *next * (size_t) n_cells);
  for (int64_t i = 0; i < sort->n; i += CHUNK)
    {
      ArmillaPointsPositions at;

      finder.kernels->locate (&finder.scales, theta + i, phi + i, MIN (sort->n - i, CHUNK), &at);
      fill_chunk (sort, &finder, &at, i, next, places, order);
    }
  g_free (finder.lines);
  return TRUE;
}

void
armilla_points_sort_free (ArmillaPointsSort *sort)
{
  g_free (sort->first_cell);
  g_free (sort->start);
  g_free (sort->cell);
  g_free (sort);
}
