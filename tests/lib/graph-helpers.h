/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays in and out of a graph, for tests and benchmarks. */
#pragma once

#include <armilla/armilla.h>

#include <string.h>

/* (transfer none) (array): [field][pixel], the whole map */
typedef struct {
  double *values;
  gint64 n_pixels;
} WholeMap;

static inline gboolean
whole_map_fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  WholeMap *w = user;

  (void) error;
  memcpy (piece->values, w->values + piece->field * w->n_pixels + piece->first,
          sizeof (double) * (gsize) piece->n);
  return TRUE;
}

static inline gboolean
whole_map_take (gpointer user, ArmillaPiece *piece, GError **error)
{
  WholeMap *w = user;

  (void) error;
  memcpy (w->values + piece->field * w->n_pixels + piece->first, piece->values,
          sizeof (double) * (gsize) piece->n);
  return TRUE;
}

/* [field][healpy's order], complex */
typedef struct {
  double *values;
  ArmillaAlmLayout layout;
} WholeAlm;

static inline gint64
whole_alm_part (const WholeAlm *w, int field, gint64 m_first, gint64 m_last, gint64 *n)
{
  gint64 first = armilla_alm_index (w->layout.lmax, m_first, m_first);

  *n = armilla_alm_index (w->layout.lmax, w->layout.lmax, m_last) - first + 1;
  return field * armilla_alm_count (w->layout) + first;
}

static inline gboolean
whole_alm_fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  WholeAlm *w = user;
  gint64 n, first = whole_alm_part (w, piece->field, piece->first, piece->last, &n);

  (void) error;
  memcpy (piece->values, w->values + 2 * first, sizeof (double) * 2 * (gsize) n);
  return TRUE;
}

static inline gboolean
whole_alm_take (gpointer user, ArmillaPiece *piece, GError **error)
{
  WholeAlm *w = user;
  gint64 n, first = whole_alm_part (w, piece->field, piece->first, piece->last, &n);

  (void) error;
  memcpy (w->values + 2 * first, piece->values, sizeof (double) * 2 * (gsize) n);
  return TRUE;
}

/* Uniform in (-1, 1); the imaginary part of m = 0 is 0. */
static inline double *
random_alm_array (GRand *rand, ArmillaAlmLayout layout, int n_fields)
{
  gint64 count = armilla_alm_count (layout);
  double *values = g_new (double, 2 * count * n_fields);

  for (gint64 i = 0; i < 2 * count * n_fields; i++)
    values[i] = g_rand_double_range (rand, -1, 1);
  for (int f = 0; f < n_fields; f++)
    for (gint64 l = 0; l <= layout.lmax; l++)
      values[2 * (f * count + l) + 1] = 0;
  return values;
}

static inline double *
random_map_array (GRand *rand, gint64 n)
{
  double *values = g_new (double, (gsize) MAX (n, 1));

  for (gint64 i = 0; i < n; i++)
    values[i] = g_rand_double_range (rand, -1, 1);
  return values;
}

/* Real inner product of a_lm: m > 0 counted twice. */
static inline long double
alm_inner_product (const double *a, const double *b, ArmillaAlmLayout layout, int n_fields)
{
  gint64 count = armilla_alm_count (layout);
  long double sum = 0;

  for (int f = 0; f < n_fields; f++)
    for (gint64 m = 0; m <= layout.mmax; m++)
      for (gint64 l = m; l <= layout.lmax; l++)
        {
          gint64 i = 2 * (f * count + armilla_alm_index (layout.lmax, l, m));

          sum += (m ? 2 : 1)
                 * ((long double) a[i] * b[i] + (m ? (long double) a[i + 1] * b[i + 1] : 0));
        }
  return sum;
}
