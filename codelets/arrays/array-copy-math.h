/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access to one number of another program's array, shared by the CPU and CUDA. */
#pragma once

#include "codelets/arrays/array-copy.h"

/* Returns whether the row has the layout of a tile's row: contiguous doubles. */
ARMILLA_HD int
armilla_array_row_is_whole (const ArmillaArrayRow *row)
{
  return !row->single && row->stride == 8 * row->n_reals;
}

/* Reads number i of a row into @values: its real part, or its real and imaginary parts. */
ARMILLA_HD void
armilla_array_read_number (const ArmillaArrayRow *row, int64_t i, double *values)
{
  const char *number = row->data + i * row->stride;

  for (int part = 0; part < row->n_reals; part++)
    values[part] = row->single ? ((const float *) number)[part] : ((const double *) number)[part];
  if (i < row->n_zonal)
    values[1] = 0;
}

/* Returns how many of the n numbers from @first on have m = 0. */
ARMILLA_HD int64_t
armilla_array_zonal_numbers (const ArmillaArrayRow *row, int64_t first, int64_t n)
{
  const int64_t left = row->n_zonal - first;

  return left < 0 ? 0 : left < n ? left : n;
}

ARMILLA_HD void
armilla_array_write_number (const ArmillaArrayRow *row, int64_t i, const double *values,
                            double factor)
{
  char *number = row->data + i * row->stride;

  for (int part = 0; part < row->n_reals; part++)
    if (row->single)
      ((float *) number)[part] = (float) (factor * values[part]);
    else
      ((double *) number)[part] = factor * values[part];
}
