/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coupling matrices on the CPU: compiled once for each instruction set.
 *
 * Lanes are adjacent on a diagonal l1 - l2 = d. Factors of d and k are the same for all lanes, and
 * those of l2 - k or l1 + k are contiguous, so that a term takes two loads and 3 operations (kind
 * 00), 8 (the even kinds) or 5 (the odd kind). */
#include <string.h>

#include "codelets/common/simd.h"
#include "codelets/spectra/coupling-cpu.h"
#include "codelets/spectra/coupling-math.h"

#define CHUNK 256 /* terms: the factors that lanes share stay in the first-level cache */
#define UNROLL _Pragma ("GCC unroll 4")
#define ROOM (ARMILLA_COUPLING_BLOCK + V_TILE * VL)

_Static_assert (ARMILLA_COUPLING_PAD >= V_TILE * VL, "lanes beyond the end of a sum read zeros");

/* Factors that the lanes of a diagonal share for terms k = first .. first + n - 1. */
typedef struct {
  int64_t first, n;
  double factor[CHUNK + VL], y[CHUNK];
} Terms;

/* Lanes of a diagonal: l2 = first .. first + n - 1. */
typedef struct {
  int64_t d, first, n;
  double x[ROOM], product[ROOM]; /* x1 + x2 and 2 x1 x2 + 1 of coupling-math.h */
  double sum[4][ROOM];           /* by kind */
} Lanes;

/* Computes the factors of terms on diagonal @d, and y = l3 (l3 + 1) + @more. @a: c (n) or e (n) of
 * coupling-math.h; @w: weights */
static void
fill_terms (Terms *terms, const double *a, const double *w, int64_t d, int64_t l3, double more)
{
  for (int64_t i = 0; i < terms->n; i += VL)
    {
      const double *at = a + terms->first + i;

      v_store (terms->factor + i,
               v_load (at) * v_load (at + d) * v_load (w + terms->first + i));
    }
  for (int64_t i = 0; i < terms->n; i++)
    terms->y[i] = armilla_coupling_x (l3 + 2 * (terms->first + i)) + more;
}

/* Adds terms of the scalar sum to @n_v vectors of lanes from @at on. @c: address of the factor of
 * l2 - k for the first lane and term; @g: the same of l1 + k */
SIMD_INLINE void
add_scalar (Lanes *lanes, int64_t at, int n_v, const Terms *terms, int64_t n, const double *c,
            const double *g)
{
  V sum[V_TILE];

  UNROLL for (int v = 0; v < n_v; v++)
    sum[v] = v_load (lanes->sum[0] + at + v * VL);
  for (int64_t i = 0; i < n; i++)
    {
      const V factor = v_set (terms->factor[i]);

      UNROLL for (int v = 0; v < n_v; v++)
        sum[v] = v_fma (factor, v_load (c - i + v * VL) * v_load (g + i + v * VL), sum[v]);
    }
  UNROLL for (int v = 0; v < n_v; v++)
    v_store (lanes->sum[0] + at + v * VL, sum[v]);
}

SIMD_INLINE void
add_even (Lanes *lanes, int64_t at, int n_v, const Terms *terms, int64_t n, const double *c,
          const double *g)
{
  V sum[3][V_TILE];

  UNROLL for (int v = 0; v < n_v; v++)
    for (int kind = 0; kind < 3; kind++)
      sum[kind][v] = v_load (lanes->sum[kind] + at + v * VL);
  for (int64_t i = 0; i < n; i++)
    {
      const V factor = v_set (terms->factor[i]), x3 = v_set (terms->y[i]);

      UNROLL for (int v = 0; v < n_v; v++)
        {
          /* y (y + 2) = (y + 1)^2 - 1 */
          const V z = factor * (v_load (c - i + v * VL) * v_load (g + i + v * VL));
          const V y = x3 - v_load (lanes->x + at + v * VL);
          const V t = v_fms (y, y, v_load (lanes->product + at + v * VL));
          const V u = z * t;

          sum[0][v] = sum[0][v] + z;
          sum[1][v] = sum[1][v] + u;
          sum[2][v] = v_fma (u, t, sum[2][v]);
        }
    }
  UNROLL for (int v = 0; v < n_v; v++)
    for (int kind = 0; kind < 3; kind++)
      v_store (lanes->sum[kind] + at + v * VL, sum[kind][v]);
}

SIMD_INLINE void
add_odd (Lanes *lanes, int64_t at, int n_v, const Terms *terms, int64_t n, const double *c,
         const double *g)
{
  V sum[V_TILE];

  UNROLL for (int v = 0; v < n_v; v++)
    sum[v] = v_load (lanes->sum[3] + at + v * VL);
  for (int64_t i = 0; i < n; i++)
    {
      const V factor = v_set (terms->factor[i]), x3 = v_set (terms->y[i]);

      UNROLL for (int v = 0; v < n_v; v++)
        {
          const V z = factor * (v_load (c - i + v * VL) * v_load (g + i + v * VL));
          const V y = x3 - v_load (lanes->x + at + v * VL);

          sum[v] = v_fma (z * y, y, sum[v]);
        }
    }
  UNROLL for (int v = 0; v < n_v; v++)
    v_store (lanes->sum[3] + at + v * VL, sum[v]);
}

/* Calls @add with a compile-time number of vectors. */
#define ADD_VECTORS(add, ...)                                                                      \
  do                                                                                               \
    if (n_v == V_TILE)                                                                             \
      add (lanes, at, V_TILE, __VA_ARGS__);                                                        \
    else if (n_v == 3 && V_TILE > 3)                                                               \
      add (lanes, at, 3, __VA_ARGS__);                                                             \
    else if (n_v == 2 && V_TILE > 2)                                                               \
      add (lanes, at, 2, __VA_ARGS__);                                                             \
    else                                                                                           \
      add (lanes, at, 1, __VA_ARGS__);                                                             \
  while (0)

/* Adds a chunk of terms to all lanes. */
static void
add_chunk (const ArmillaCouplingShape *shape, const double *c, const double *g, int odd,
           Lanes *lanes, const Terms *terms)
{
  const int scalar = shape->kinds == ARMILLA_COUPLING_00;

  for (int64_t at = 0; at < lanes->n; at += V_TILE * VL)
    {
      const int64_t left = lanes->n - at, count = left < V_TILE * VL ? left : V_TILE * VL;
      const int64_t last = lanes->first + at + count - 1;
      const int64_t l2 = lanes->first + at - terms->first - odd;
      const int64_t l1 = lanes->first + at + lanes->d + terms->first;
      const int n_v = (int) ((count + VL - 1) / VL);
      int64_t n = armilla_coupling_terms (shape, lanes->d, last, odd) - terms->first;

      n = n < terms->n ? n : terms->n;
      if (odd)
        ADD_VECTORS (add_odd, terms, n, c + l2, g + l1);
      else if (scalar)
        ADD_VECTORS (add_scalar, terms, n, c + l2, g + l1);
      else
        ADD_VECTORS (add_even, terms, n, c + l2, g + l1);
    }
}

/* Computes the even or the odd sums of a diagonal. */
static void
add_terms (const ArmillaCouplingShape *shape, const ArmillaCouplingParts *parts,
           const double *table, int odd, Lanes *lanes)
{
  const double *c = table + (odd ? parts->e : parts->c);
  const double *g = table + (odd ? parts->odd_g : parts->even_g);
  const double *w = armilla_coupling_weights (parts, table, lanes->d + odd);
  const int64_t n
    = armilla_coupling_terms (shape, lanes->d, lanes->first + lanes->n - 1, odd);

  for (int64_t k = 0; k < n; k += CHUNK)
    {
      Terms terms = { .first = k, .n = n - k < CHUNK ? n - k : CHUNK };

      fill_terms (&terms, c, w, lanes->d, lanes->d + odd, odd ? 2 : 1);
      add_chunk (shape, c, g, odd, lanes, &terms);
    }
}

static void
begin_lanes (const ArmillaCouplingShape *shape, int64_t d, Lanes *lanes)
{
  lanes->d = d;
  lanes->first = armilla_coupling_first_column (shape, d);
  lanes->n = armilla_coupling_last_column (shape, d) + 1 - lanes->first;
  memset (lanes->sum, 0, sizeof lanes->sum);
  for (int64_t i = 0; i < lanes->n + VL; i++)
    {
      const double x1 = armilla_coupling_x (lanes->first + d + i);
      const double x2 = armilla_coupling_x (lanes->first + i);

      lanes->x[i] = x1 + x2;
      lanes->product[i] = 2 * x1 * x2 + 1;
    }
}

void
SIMD_NAME (armilla_coupling) (const ArmillaCouplingShape *shape, const double *table,
                              double *below, double *above)
{
  const ArmillaCouplingParts parts = armilla_coupling_parts (shape->lmax, shape->mask_lmax);
  const int64_t last = armilla_coupling_last_diagonal (shape);
  Lanes lanes;

  for (int64_t d = armilla_coupling_first_diagonal (shape); d <= last; d++)
    {
      begin_lanes (shape, d, &lanes);
      if (shape->kinds != ARMILLA_COUPLING_MM)
        add_terms (shape, &parts, table, 0, &lanes);
      if (shape->kinds & ARMILLA_COUPLING_MM)
        add_terms (shape, &parts, table, 1, &lanes);
      for (int kind = 0; kind < 4; kind++)
        for (int64_t i = 0; i < lanes.n; i++)
          armilla_coupling_put (shape, 1 << kind, lanes.first + d + i, lanes.first + i,
                                lanes.sum[kind][i], below, above);
    }
}
