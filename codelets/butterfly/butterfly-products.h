/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of the nodes of a butterfly; compiled once for each instruction set.
 *
 * A row holds the values of a group of fields at one index between two stages. Sums over terms run
 * from first to last for any number of fields, with one fused multiply-add per term. */
#pragma once

#include <stddef.h>

#include "codelets/butterfly/butterfly-cpu.h"
#include "codelets/common/simd.h"

#define UNROLL _Pragma ("GCC unroll 8")
#define MAX_WIDTH (4 * ARMILLA_BUTTERFLY_GROUP)
#define TILE_ROWS 6 /* maximum number of rows of a tile whose sums stay in registers */

/* Four columns of a row. */
typedef double Four __attribute__ ((vector_size (32), aligned (8), may_alias));

/* Factors of a tile. @t: elements of T; @row, @term: strides in @t between rows and between
 * terms. */
typedef struct {
  const double *t;
  int64_t row, term, n_terms;
  const double *x;      /* rows to multiply */
  const int32_t *order; /* their indices; NULL: consecutive */
} Factors;

/* Defines a function that sets to[r] to from[r] plus the sum over terms, for @n vectors of columns
 * from @column on. */
#define TILE(NAME, VECTOR, LANES, SET, LOAD, STORE, FMA)                                           \
  SIMD_INLINE void                                                                                 \
  NAME (const int rows, const int n, const int width, int column, const Factors *f,                \
        const int has_order, const double *const *from, double *const *to)                         \
  {                                                                                                \
    VECTOR sum[TILE_ROWS][4];                                                                      \
    const double *t = f->t;                                                                        \
                                                                                                   \
    UNROLL for (int r = 0; r < rows; r++)                                                          \
      UNROLL for (int v = 0; v < n; v++)                                                           \
        sum[r][v] = LOAD (from[r] + column + v * LANES);                                           \
    for (int64_t k = 0; k < f->n_terms; k++, t += f->term)                                         \
      {                                                                                            \
        const double *x = f->x + width * (has_order ? f->order[k] : k) + column;                   \
        VECTOR y[4];                                                                               \
                                                                                                   \
        UNROLL for (int v = 0; v < n; v++)                                                         \
          y[v] = LOAD (x + v * LANES);                                                             \
        UNROLL for (int r = 0; r < rows; r++)                                                      \
          {                                                                                        \
            const VECTOR a = SET (t[r * f->row]);                                                  \
                                                                                                   \
            UNROLL for (int v = 0; v < n; v++)                                                     \
              sum[r][v] = FMA (a, y[v], sum[r][v]);                                                \
          }                                                                                        \
      }                                                                                            \
    UNROLL for (int r = 0; r < rows; r++)                                                          \
      UNROLL for (int v = 0; v < n; v++)                                                           \
        STORE (to[r] + column + v * LANES, sum[r][v]);                                             \
  }

TILE (wide_tile, V, VL, v_set, v_load, v_store, v_fma)
#ifdef ARMILLA_SIMD_AVX512
TILE (narrow_tile, __m256d, 4, _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_fmadd_pd)
# define MAX_VECTORS 4
#else
# define MAX_VECTORS 2
#endif

/* Computes a tile of @rows rows over the whole width. */
SIMD_INLINE void
tile (const int rows, const int width, const Factors *f, const int has_order,
      const double *const *from, double *const *to)
{
#ifdef ARMILLA_SIMD_AVX512
  if (width < VL)
    {
      narrow_tile (rows, 1, width, 0, f, has_order, from, to);
      return;
    }
#endif
  const int n = width / VL < MAX_VECTORS ? width / VL : MAX_VECTORS;

  for (int column = 0; column < width; column += n * VL)
    wide_tile (rows, n, width, column, f, has_order, from, to);
}

/* Processes as many rows as fit in registers, at most the remaining ones, and returns their
 * number. */
SIMD_INLINE int
tile_some (const int width, int64_t left, const Factors *f, const int has_order,
           const double *const *from, double *const *to)
{
  switch (left)
    {
    case 1: tile (1, width, f, has_order, from, to); return 1;
    case 2: tile (2, width, f, has_order, from, to); return 2;
    case 3: tile (3, width, f, has_order, from, to); return 3;
    case 4: tile (4, width, f, has_order, from, to); return 4;
    case 5: tile (5, width, f, has_order, from, to); return 5;
    default: tile (6, width, f, has_order, from, to); return 6;
    }
}

/* Loads VL integers of a plane (butterfly-layout.h) as doubles. */
SIMD_INLINE V
load_int32 (const int32_t *p)
{
#if defined ARMILLA_SIMD_AVX512
  return _mm512_cvtepi32_pd (_mm256_loadu_si256 ((const __m256i *) p));
#elif defined ARMILLA_SIMD_AVX2
  return _mm256_cvtepi32_pd (_mm_loadu_si128 ((const __m128i *) p));
#else
  V x = { 0 };

  V_LANES (i) x[i] = p[i];
  return x;
#endif
}

SIMD_INLINE V
load_int16 (const int16_t *p)
{
#if defined ARMILLA_SIMD_AVX512
  return _mm512_cvtepi32_pd (_mm256_cvtepi16_epi32 (_mm_loadu_si128 ((const __m128i *) p)));
#elif defined ARMILLA_SIMD_AVX2
  return _mm256_cvtepi32_pd (_mm_cvtepi16_epi32 (_mm_loadl_epi64 ((const __m128i *) p)));
#else
  V x = { 0 };

  V_LANES (i) x[i] = p[i];
  return x;
#endif
}

SIMD_INLINE V
load_uint16 (const uint16_t *p)
{
#if defined ARMILLA_SIMD_AVX512
  return _mm512_cvtepi32_pd (_mm256_cvtepu16_epi32 (_mm_loadu_si128 ((const __m128i *) p)));
#elif defined ARMILLA_SIMD_AVX2
  return _mm256_cvtepi32_pd (_mm_cvtepu16_epi32 (_mm_loadl_epi64 ((const __m128i *) p)));
#else
  V x = { 0 };

  V_LANES (i) x[i] = p[i];
  return x;
#endif
}

SIMD_INLINE V
load_uint8 (const uint8_t *p)
{
#if defined ARMILLA_SIMD_AVX512
  return _mm512_cvtepi32_pd (_mm256_cvtepu8_epi32 (_mm_loadl_epi64 ((const __m128i *) p)));
#elif defined ARMILLA_SIMD_AVX2
  return _mm256_cvtepi32_pd (_mm_cvtepu8_epi32 (_mm_loadu_si32 (p)));
#else
  V x = { 0 };

  V_LANES (i) x[i] = p[i];
  return x;
#endif
}

/* panel[0 .. n) <- step (2^8l high + low), whole vectors; h, l: bytes of the high and low parts */
SIMD_INLINE void
unpack_planes (const int h, const int l, const void *high, const void *low, double step, int64_t n,
               double *panel)
{
  const V fine = v_set (step), coarse = v_set (step * (double) (1 << 8 * l));

  for (int64_t i = 0; i < n; i += VL)
    {
      V x;

      if (h == 4)
        x = load_int32 ((const int32_t *) high + i);
      else
        x = load_int16 ((const int16_t *) high + i);
      if (l == 0)
        v_store (panel + i, x * coarse);
      else if (l == 1)
        v_store (panel + i, v_fma (x, coarse, load_uint8 ((const uint8_t *) low + i) * fine));
      else
        v_store (panel + i, v_fma (x, coarse, load_uint16 ((const uint16_t *) low + i) * fine));
    }
}

/* Unpacks @count numbers of T from @first on. Reads and writes whole vectors. */
static const double *
unpack (const ArmillaButterflyNode *node, const double *words, int64_t count, int64_t first,
        int64_t n, double *panel)
{
  const int32_t h = armilla_butterfly_high_bytes (node->bytes), l = node->bytes - h;
  const char *high = (const char *) words + first * h;
  const char *low = (const char *) (words + armilla_butterfly_plane (count, h)) + first * l;

  switch (node->bytes)
    {
    case 2: unpack_planes (2, 0, high, low, node->step, n, panel); return panel;
    case 3: unpack_planes (2, 1, high, low, node->step, n, panel); return panel;
    case 4: unpack_planes (4, 0, high, low, node->step, n, panel); return panel;
    case 5: unpack_planes (4, 1, high, low, node->step, n, panel); return panel;
    case 6: unpack_planes (4, 2, high, low, node->step, n, panel); return panel;
    default: return words + first;
    }
}

#define LINE 64 /* bytes that memory transfers at once */

/* Returns the bytes to prefetch during each of the @n_tiles tiles of a node. */
SIMD_INLINE int64_t
ahead_of_tile (const ArmillaButterflyProduct *p, int64_t n_tiles)
{
  const int64_t lines = (p->end - p->ahead + LINE - 1) / LINE;

  return LINE * ((lines + n_tiles - 1) / (n_tiles > 0 ? n_tiles : 1));
}

SIMD_INLINE void
ask_ahead (ArmillaButterflyProduct *p, int64_t bytes)
{
  const char *end = p->end - p->ahead < bytes ? p->end : p->ahead + bytes;

  for (; p->ahead < end; p->ahead += LINE)
    __builtin_prefetch (p->ahead);
}

/* Returns the number of columns of T that are unpacked together. */
static int64_t
panel_terms (const ArmillaButterflyNode *node)
{
  const int64_t n = ARMILLA_BUTTERFLY_PANEL / (node->rank > 0 ? node->rank : 1);

  return n > 0 ? n : 1;
}

/* Adds terms of T to the output rows of a group. @begins: whether these are the first terms, so
 * that the sums start from the kept inputs */
SIMD_INLINE void
add_terms (const int width, ArmillaButterflyProduct *p, const ArmillaButterflyNode *node,
           Factors *f, const double *in, double *out, int begins)
{
  static const double none[MAX_WIDTH];
  const int32_t *order = (const int32_t *) (p->b->words + node->order);
  const int64_t ahead = ahead_of_tile (p, p->n_groups * (node->rank / TILE_ROWS + 1));
  const double *t = f->t;
  const double *from[TILE_ROWS];
  double *to[TILE_ROWS];

  for (int64_t i = 0; i < node->rank;)
    {
      const int64_t left = node->rank - i;

      f->t = t + i;
      for (int r = 0; r < TILE_ROWS && r < left; r++)
        {
          to[r] = out + width * (i + r);
          from[r] = !begins ? to[r] : node->dense ? none : in + width * order[i + r];
        }
      ask_ahead (p, ahead);
      i += tile_some (width, left, f, 1, from, to);
    }
}

SIMD_INLINE void
forward (const int width, ArmillaButterflyProduct *p, const ArmillaButterflyNode *node)
{
  const int32_t *order = (const int32_t *) (p->b->words + node->order);
  const int64_t n_terms = armilla_butterfly_terms (node), max_terms = panel_terms (node);
  const double *words = p->b->words + node->matrix;
  int64_t done = 0;

  do
    {
      const int64_t n = n_terms - done < max_terms ? n_terms - done : max_terms;
      const double *t = unpack (node, words, n_terms * node->rank, done * node->rank,
                                n * node->rank, p->panel);

      for (int64_t g = 0; g < p->n_groups; g++)
        {
          const double *in = p->in + g * p->stride + width * node->in;
          Factors f = { t, 1, node->rank, n, in, order + node->n_in - n_terms + done };

          add_terms (width, p, node, &f, in, p->out + g * p->stride + width * node->out,
                     done == 0);
        }
      done += n;
    }
  while (done < n_terms);
}

/* Adds terms of the transposed T to the rows of the inputs. */
SIMD_INLINE void
add_to_inputs (const int width, ArmillaButterflyProduct *p, const int32_t *order, int64_t n,
               Factors *f, double *in)
{
  const int64_t ahead = ahead_of_tile (p, p->n_groups * (n / TILE_ROWS + 1));
  const double *t = f->t;
  double *to[TILE_ROWS];

  for (int64_t j = 0; j < n;)
    {
      f->t = t + j * f->row;
      for (int r = 0; r < TILE_ROWS && r < n - j; r++)
        to[r] = in + width * order[j + r];
      ask_ahead (p, ahead);
      j += tile_some (width, n - j, f, 0, (const double *const *) to, to);
    }
}

SIMD_INLINE void
add_rows (const int width, const int32_t *order, int64_t n, const double *out, double *in)
{
  for (int64_t i = 0; i < n; i++)
    for (int c = 0; c < width; c += 4)
      *(Four *) (in + width * order[i] + c) += *(const Four *) (out + width * i + c);
}

SIMD_INLINE void
transposed (const int width, ArmillaButterflyProduct *p, const ArmillaButterflyNode *node)
{
  const int32_t *order = (const int32_t *) (p->b->words + node->order);
  const int64_t n_terms = armilla_butterfly_terms (node), max_terms = panel_terms (node);
  const double *words = p->b->words + node->matrix;

  for (int64_t g = 0; g < p->n_groups; g++)
    add_rows (width, order, node->n_in - n_terms, p->out + g * p->stride + width * node->out,
              p->in + g * p->stride + width * node->in);
  for (int64_t done = 0; done < n_terms; done += max_terms)
    {
      const int64_t n = n_terms - done < max_terms ? n_terms - done : max_terms;
      const double *t = unpack (node, words, n_terms * node->rank, done * node->rank,
                                n * node->rank, p->panel);

      for (int64_t g = 0; g < p->n_groups; g++)
        {
          Factors f = { t, node->rank, 1, node->rank,
                        p->out + g * p->stride + width * node->out, NULL };

          add_to_inputs (width, p, order + node->n_in - n_terms + done, n, &f,
                         p->in + g * p->stride + width * node->in);
        }
    }
}

static void
node_forward (ArmillaButterflyProduct *p, const ArmillaButterflyNode *node)
{
  switch (p->n_fields)
    {
    case 1: forward (4, p, node); break;
    case 2: forward (8, p, node); break;
    case 4: forward (16, p, node); break;
    default: forward (32, p, node);
    }
}

static void
node_transposed (ArmillaButterflyProduct *p, const ArmillaButterflyNode *node)
{
  switch (p->n_fields)
    {
    case 1: transposed (4, p, node); break;
    case 2: transposed (8, p, node); break;
    case 4: transposed (16, p, node); break;
    default: transposed (32, p, node);
    }
}
