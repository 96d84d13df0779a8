/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole coupling matrices, block by block. */
#pragma once

#include <glib.h>
#include <math.h>

#include "codelets/spectra/coupling.h"

#define ALL_KINDS 127
#define N_KINDS 7
#define FOUR_PI (4 * G_PI)

/* A spectrum of a mask as they are: falling, with a wiggle, not all of it positive. */
static inline double *
wiggly_spectrum (gint64 lmax)
{
  double *w = g_new (double, lmax + 1);

  for (gint64 l = 0; l <= lmax; l++)
    w[l] = (1.2 + sin (0.3 * (double) l)) / (1 + 0.01 * (double) (l * l)) - 1e-3;
  return w;
}

static inline double *
coupling_table (gint64 lmax, gint64 mask_lmax, const double *spectrum)
{
  double *table = g_new (double, armilla_coupling_table_size (lmax, mask_lmax));

  armilla_coupling_table_cpu (lmax, mask_lmax, spectrum, table);
  return table;
}

static inline int
count_kinds (int kinds)
{
  int n = 0;

  for (int kind = 1; kind <= ARMILLA_COUPLING_LAST; kind *= 2)
    n += (kinds & kind) != 0;
  return n;
}

static inline ArmillaCouplingShape
block_shape (gint64 lmax, gint64 mask_lmax, int kinds, ArmillaIsa isa, gint64 block, gint64 row,
             gint64 col)
{
  return (ArmillaCouplingShape) {
    .lmax = lmax, .mask_lmax = mask_lmax, .row = row, .n_rows = MIN (block, lmax + 1 - row),
    .col = col, .n_cols = MIN (block, lmax + 1 - col), .kinds = kinds, .isa = isa
  };
}
