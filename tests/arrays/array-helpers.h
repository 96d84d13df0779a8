/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of a program's own, for the tests of armilla/arrays.h. */
#pragma once

#include <armilla/armilla.h>

#include <string.h>

/* An array whose numbers lie one after the other. */
static inline ArmillaArray
plain (double *data, gint64 copies, gint64 components, gint64 n, gboolean complex)
{
  const gint64 size = complex ? 16 : 8;

  return (ArmillaArray) { .data = data,
                          .type = ARMILLA_FLOAT64,
                          .shape = { copies, components, n },
                          .strides = { size * n * components, size * n, size } };
}

/* Uniform in (-1, 1). */
static inline double *
random_numbers (GRand *rand, gint64 n)
{
  double *values = g_new (double, n);

  for (gint64 i = 0; i < n; i++)
    values[i] = g_rand_double_range (rand, -1, 1);
  return values;
}

/* As random_numbers(), but nothing below degree @spin, and real of order 0. */
static inline double *
random_alm (GRand *rand, ArmillaAlmLayout layout, gint64 n_rows, const int *spins)
{
  const gint64 n = armilla_alm_count (layout);
  double *values = random_numbers (rand, 2 * n * n_rows);

  for (gint64 row = 0; row < n_rows; row++)
    {
      for (gint64 l = 0; l <= layout.lmax; l++)
        values[2 * (row * n + l) + 1] = 0;
      for (gint64 m = 0; m <= layout.mmax; m++)
        for (gint64 l = m; l < MIN (spins[row], layout.lmax + 1); l++)
          {
            const gint64 i = row * n + armilla_alm_index (layout.lmax, l, m);

            values[2 * i] = values[2 * i + 1] = 0;
          }
    }
  return values;
}

/* sum over all m of a_lm conj(b_lm) */
static inline long double
alm_product (const double *a, const double *b, ArmillaAlmLayout layout, gint64 n_rows)
{
  const gint64 n = armilla_alm_count (layout);
  long double sum = 0;

  for (gint64 i = 0; i < n * n_rows; i++)
    {
      const gboolean zonal = i % n <= layout.lmax;

      sum += (zonal ? 1 : 2) * (long double) a[2 * i] * b[2 * i]
             + (zonal ? 0 : 2) * (long double) a[2 * i + 1] * b[2 * i + 1];
    }
  return sum;
}

static inline long double
product (const double *a, const double *b, gint64 n)
{
  long double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += (long double) a[i] * b[i];
  return sum;
}

/* What a call returned must be right. */
#define assert_ok(call, failure)                                                                   \
  do                                                                                               \
    {                                                                                              \
      (failure)->text[0] = '\0';                                                                   \
      if ((call) != ARMILLA_STATUS_OK)                                                             \
        g_error ("%s: %s", #call, (failure)->text);                                                \
    }                                                                                              \
  while (0)
