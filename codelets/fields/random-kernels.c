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
#define FIELDS 3

/* Some multipoles of one order. */
typedef struct {
  int64_t l, m;
  int n;
  double share;
  double u[FIELDS][2][DEGREES];
  double c[ARMILLA_RANDOM_SPECTRA][DEGREES];
} Part;

/* Draws numbers for whole vectors; those beyond the last multipole are ignored. */
static void
fill_uniform (Part *p, const ArmillaRandomShape *shape, uint64_t field, double u[2][DEGREES])
{
  for (int i = 0; i < p->n + (-p->n & (VL - 1)); i++)
    armilla_random_uniform (shape->seed, shape->realisation, p->l + i, p->m, field, &u[0][i],
                            &u[1][i]);
}

static void
fill_spectrum (const Part *p, const ArmillaRandomShape *shape, const double *cl, double *c)
{
  const int64_t known = shape->lmax_cl + 1 - p->l;
  const int n = known < 0 ? 0 : known < p->n ? (int) known : p->n;

  memcpy (c, cl + p->l, (size_t) n * sizeof *c);
  memset (c + n, 0, (size_t) (DEGREES - n) * sizeof *c);
}

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

static void
draw_scalar (Part *p, const ArmillaRandomShape *shape, int64_t count, const double *cl, double *out)
{
  for (int64_t f = 0; f < shape->n_fields; f++, out += 2 * count)
    {
      fill_uniform (p, shape, (uint64_t) f, p->u[0]);
      fill_spectrum (p, shape, cl + f * (shape->lmax_cl + 1), p->c[0]);
      for (int i = 0; i < p->n; i += VL)
        {
          V a[2];

          armilla_random_coefficient (v_load (p->c[0] + i), p->share, v_load (p->u[0][0] + i),
                                      v_load (p->u[0][1] + i), a);
          store (out + 2 * i, p->n - i, a);
        }
    }
}

static void
draw_polarised (Part *p, const ArmillaRandomShape *shape, int64_t count, const double *cl,
                double *out)
{
  for (int f = 0; f < FIELDS; f++)
    fill_uniform (p, shape, (uint64_t) f, p->u[f]);
  for (int k = 0; k < ARMILLA_RANDOM_SPECTRA; k++)
    if (k < shape->n_spectra)
      fill_spectrum (p, shape, cl + k * (shape->lmax_cl + 1), p->c[k]);
    else
      memset (p->c[k], 0, sizeof p->c[k]);
  for (int i = 0; i < p->n; i += VL)
    {
      V c[ARMILLA_RANDOM_SPECTRA], u[FIELDS][2], a[FIELDS][2];

      for (int k = 0; k < ARMILLA_RANDOM_SPECTRA; k++)
        c[k] = v_load (p->c[k] + i);
      for (int k = 0; k < 2 * FIELDS; k++)
        u[k / 2][k % 2] = v_load (p->u[k / 2][k % 2] + i);
      armilla_random_polarised (c, p->share, u, a);
      for (int f = 0; f < FIELDS; f++)
        store (out + 2 * (f * count + i), p->n - i, a[f]);
    }
}

void
SIMD_NAME (armilla_random_draw) (const ArmillaRandomShape *shape, int64_t count, const double *cl,
                                 double *out)
{
  Part p;

  for (p.m = shape->m_first; p.m <= shape->m_last; p.m++)
    for (p.l = p.m; p.l <= shape->lmax; p.l += p.n)
      {
        const int64_t left = shape->lmax + 1 - p.l;

        p.n = left < DEGREES ? (int) left : DEGREES;
        p.share = armilla_random_share (p.m);
        if (shape->n_spectra == shape->n_fields)
          draw_scalar (&p, shape, count, cl, out);
        else
          draw_polarised (&p, shape, count, cl, out);
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
