/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian a_lm and white noise on the CPU, one vector of multipoles or pixels at a time; compiled
 * once for each instruction set. Philox multiplies 64-bit integers, for which there are no vector
 * instructions: it fills arrays first. The rest takes some 70 operations per pair of numbers. */
#include "codelets/common/simd.h"
#include "codelets/fields/random-cpu.h"

#define ARMILLA_RANDOM_LANES VL
#include "core/base/random-draw.h"

#define DEGREES 64 /* number of multipoles or pixels drawn at a time: they fit the first-level
                    * cache */
/* Some multipoles of one order. */
typedef struct {
  int64_t l, m;
  int n;
  double u[2][DEGREES];
} Part;

/* Stores the first @n numbers of a vector. */
SIMD_INLINE void
store (double *out, int n, const V a[2])
{
  double whole[2 * VL];

  if (n >= VL)
    v_join (out, a[0], a[1]);
  else
    {
      v_join (whole, a[0], a[1]);
      memcpy (out, whole, 2 * (size_t) n * sizeof *out);
    }
}

/* Draws standard normal numbers of a field. Whole vectors are drawn; numbers beyond the last
 * multipole are ignored. */
static void
draw_normal (Part *p, const ArmillaRandomShape *shape, int64_t field, double *out)
{
  for (int i = 0; i < p->n + (-p->n & (VL - 1)); i++)
    armilla_random_uniform (shape->seed, shape->realisation, p->l + i, p->m, (uint64_t) field,
                            &p->u[0][i], &p->u[1][i]);
  for (int i = 0; i < p->n; i += VL)
    {
      V g[2];

      armilla_random_normal (v_load (p->u[0] + i), v_load (p->u[1] + i), g);
      if (p->m == 0)
        g[1] = g[1] - g[1]; /* +0 */
      store (out + 2 * i, p->n - i, g);
    }
}

/* Adds to the complex numbers @out the products of the numbers @g with a row of factors; a factor
 * beyond the end of the row is 0. */
static void
add_products (const Part *p, const ArmillaRandomShape *shape, const double *row, const double *g,
              int first, double *sum)
{
  const int64_t known = shape->lmax_cl + 1 - p->l;
  const int n = known < 0 ? 0 : known < p->n ? (int) known : p->n;
  double factors[DEGREES] = { 0 }, twice[2 * DEGREES];
  int i = 0;

  memcpy (factors, row + p->l, (size_t) n * sizeof *factors);
  for (int k = 0; k < p->n; k += VL)
    v_join (twice + 2 * k, v_load (factors + k), v_load (factors + k));
  for (; i + VL <= 2 * p->n; i += VL)
    {
      V product = v_load (twice + i) * v_load (g + i);

      if (!first)
        product = v_load (sum + i) + product;
      v_store (sum + i, product);
    }
  for (; i < 2 * p->n; i++)
    sum[i] = first ? twice[i] * g[i] : sum[i] + twice[i] * g[i];
}

void
SIMD_NAME (armilla_random_draw) (const ArmillaRandomShape *shape, int64_t count,
                                 const double *factor, double *out)
{
  const int64_t n_l = shape->lmax_cl + 1;
  double sum[2 * DEGREES];
  Part p;

  for (p.m = shape->m_first; p.m <= shape->m_last; p.m++)
    for (p.l = p.m; p.l <= shape->lmax; p.l += p.n)
      {
        const double *lower
          = armilla_random_factor_of (factor, shape->n_fields, shape->lmax_cl, p.m);
        const int64_t left = shape->lmax + 1 - p.l;

        p.n = left < DEGREES ? (int) left : DEGREES;
        for (int64_t f = 0; f < shape->n_fields; f++)
          draw_normal (&p, shape, f, out + 2 * f * count);
        /* Field f needs the numbers of fields 0 to f only, so the last field is replaced first. */
        for (int64_t f = shape->n_fields - 1; f >= 0; f--)
          {
            for (int64_t k = 0; k <= f; k++)
              add_products (&p, shape, lower + armilla_random_place (f, k) * n_l,
                            out + 2 * k * count, k == 0, sum);
            memcpy (out + 2 * f * count, sum, 2 * (size_t) p.n * sizeof *sum);
          }
        out += 2 * p.n;
      }
}

SIMD_INLINE void
store_noise (double *out, int n, V g)
{
  double whole[VL];

  if (n >= VL)
    {
      v_store (out, g);
      return;
    }
  v_store (whole, g);
  memcpy (out, whole, (size_t) n * sizeof *out);
}

void
SIMD_NAME (armilla_noise_draw) (uint64_t seed, uint64_t realisation, int n_fields, int64_t first,
                                int64_t n, double *const *out)
{
  double u[4][DEGREES] = { { 0 } };

  for (int64_t at = 0; at < n; at += DEGREES)
    {
      const int some = n - at < DEGREES ? (int) (n - at) : DEGREES;

      for (int i = 0; i < some; i++)
        {
          double of_pixel[4];

          armilla_random_uniform_pixel (seed, realisation, first + at + i, of_pixel);
          for (int k = 0; k < 4; k++)
            u[k][i] = of_pixel[k];
        }
      for (int i = 0; i < some; i += VL)
        for (int f = 0; f < n_fields; f += 2)
          {
            V g[2];

            armilla_random_normal (v_load (u[f] + i), v_load (u[f + 1] + i), g);
            for (int k = 0; k < 2 && f + k < n_fields; k++)
              store_noise (out[f + k] + at + i, some - i, g[k]);
          }
    }
}
