/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inner loops of the ring transforms, compiled once for each instruction set. Each element is
 * computed by the same operations in the same order for any vector width, including tails: all sets
 * give the same bits. */
#include "codelets/common/simd.h"
#include "codelets/rings/ring-fft-math.h"
#include "codelets/rings/ring-simd.h"

/* gcc 12's vectoriser makes vfmaddsub of complex products even with -ffp-contract=off if the target
 * has it: tails would then round differently. The loops use vectors already. */
#pragma GCC optimize("no-tree-vectorize")

typedef int64_t M __attribute__ ((vector_size (8 * VL)));
/* A vector without alignment. */
typedef double Loose __attribute__ ((vector_size (8 * VL), aligned (8), may_alias));

#define AT(pointer) (*(Loose *) (pointer))
#define AT_CONST(pointer) (*(const Loose *) (pointer))

#if VL == 8
#define SWAP ((M){ 1, 0, 3, 2, 5, 4, 7, 6 })
#define EVEN ((M){ 0, 0, 2, 2, 4, 4, 6, 6 })
#define ODD ((M){ 1, 1, 3, 3, 5, 5, 7, 7 })
#define LOW ((M){ 0, 8, 1, 9, 2, 10, 3, 11 })
#define HIGH ((M){ 4, 12, 5, 13, 6, 14, 7, 15 })
#define EVENS ((M){ 0, 2, 4, 6, 8, 10, 12, 14 })
#define ODDS ((M){ 1, 3, 5, 7, 9, 11, 13, 15 })
#define REVERSE ((M){ 6, 7, 4, 5, 2, 3, 0, 1 })
#define MINUS_PLUS ((V){ -1, 1, -1, 1, -1, 1, -1, 1 })
#elif VL == 4
#define SWAP ((M){ 1, 0, 3, 2 })
#define EVEN ((M){ 0, 0, 2, 2 })
#define ODD ((M){ 1, 1, 3, 3 })
#define LOW ((M){ 0, 4, 1, 5 })
#define HIGH ((M){ 2, 6, 3, 7 })
#define EVENS ((M){ 0, 2, 4, 6 })
#define ODDS ((M){ 1, 3, 5, 7 })
#define REVERSE ((M){ 2, 3, 0, 1 })
#define MINUS_PLUS ((V){ -1, 1, -1, 1 })
#else
#define SWAP ((M){ 1, 0 })
#define EVEN ((M){ 0, 0 })
#define ODD ((M){ 1, 1 })
#define LOW ((M){ 0, 2 })
#define HIGH ((M){ 1, 3 })
#define EVENS ((M){ 0, 2 })
#define ODDS ((M){ 1, 3 })
#define REVERSE ((M){ 0, 1 })
#define MINUS_PLUS ((V){ -1, 1 })
#endif

/* dst[i] = (src[i] * small[i]) * (re + i im), complex. */
static void
rotate (double *dst, const double *src, const double *small, double re, double im, int64_t n)
{
  const V big_im = im * MINUS_PLUS;
  int64_t i = 0;

  for (; i + VL <= 2 * n; i += VL)
    {
      V a = AT_CONST (src + i), b = AT_CONST (small + i);
      V t = a * __builtin_shuffle (b, EVEN)
            + __builtin_shuffle (a, SWAP) * (__builtin_shuffle (b, ODD) * MINUS_PLUS);

      AT (dst + i) = t * re + __builtin_shuffle (t, SWAP) * big_im;
    }
  for (; i < 2 * n; i += 2)
    {
      double x = src[i] * small[i] - src[i + 1] * small[i + 1];
      double y = src[i + 1] * small[i] + src[i] * small[i + 1];

      dst[i] = x * re - y * im;
      dst[i + 1] = y * re + x * im;
    }
}

/* dst[i] = factor * src[i], complex. */
static void
scale (double *dst, const double *src, double factor, int64_t n)
{
  int64_t i = 0;

  for (; i + VL <= 2 * n; i += VL)
    AT (dst + i) = AT_CONST (src + i) * factor;
  for (; i < 2 * n; i++)
    dst[i] = src[i] * factor;
}

/* dst[i] = a[i] b[i], or conj (a[i]) b[i], or conj (a[i] b[i]), complex; dst may be a or b. */
static void
multiply (double *dst, const double *a, const double *b, ArmillaSimdProduct kind, int64_t n)
{
  const double sign = kind == ARMILLA_SIMD_CONJ_A ? -1 : 1;
  const double sign_out = kind == ARMILLA_SIMD_CONJ ? -1 : 1;
  const V signs = sign * MINUS_PLUS;
  const V signs_out = (V){ 0 } + 0.5 * ((1 + sign_out) - (1 - sign_out) * MINUS_PLUS);
  int64_t i = 0;

  for (; i + VL <= 2 * n; i += VL)
    {
      V x = AT_CONST (a + i), y = AT_CONST (b + i);

      AT (dst + i) = (y * __builtin_shuffle (x, EVEN)
                      + __builtin_shuffle (y, SWAP) * (__builtin_shuffle (x, ODD) * signs))
                     * signs_out;
    }
  for (; i < 2 * n; i += 2)
    {
      double x = b[i] * a[i] - b[i + 1] * (sign * a[i + 1]);
      double y = b[i + 1] * a[i] + b[i] * (sign * a[i + 1]);

      dst[i] = x;
      dst[i + 1] = sign_out * y;
    }
}

/* dst[j] = re[j] + i im[j]; im may be NULL. */
static void
interleave (double *dst, const double *re, const double *im, int unseen_is_zero, int64_t n)
{
  const double limit = 1e-5 * 1.6375e30;
  int64_t j = 0;

  for (; j + VL <= n; j += VL)
    {
      V x = AT_CONST (re + j), y = im ? (V) AT_CONST (im + j) : (V){ 0 };

      if (unseen_is_zero)
        {
          V dx = x + 1.6375e30, dy = y + 1.6375e30;

          x = (V) ((M) x & ~(M) ((dx <= limit) & (dx >= -limit)));
          y = (V) ((M) y & ~(M) ((dy <= limit) & (dy >= -limit)));
        }
      AT (dst + 2 * j) = __builtin_shuffle (x, y, LOW);
      AT (dst + 2 * j + VL) = __builtin_shuffle (x, y, HIGH);
    }
  for (; j < n; j++)
    {
      double x = re[j], y = im ? im[j] : 0;

      dst[2 * j] = unseen_is_zero ? armilla_unseen_to_zero (x) : x;
      dst[2 * j + 1] = unseen_is_zero ? armilla_unseen_to_zero (y) : y;
    }
}

/* The reverse of interleave(): re, im <- real and imaginary parts of src; im may be NULL. */
static void
split (double *re, double *im, const double *src, int64_t n)
{
  int64_t j = 0;

  for (; j + VL <= n; j += VL)
    {
      V a = AT_CONST (src + 2 * j), b = AT_CONST (src + 2 * j + VL);

      AT (re + j) = __builtin_shuffle (a, b, EVENS);
      if (im)
        AT (im + j) = __builtin_shuffle (a, b, ODDS);
    }
  for (; j < n; j++)
    {
      re[j] = src[2 * j];
      if (im)
        im[j] = src[2 * j + 1];
    }
}

/* Parts 0 and 1 <- their sum and difference. */
static void
combine_two (double *parts, int64_t q)
{
  double *p0 = parts, *p1 = parts + 2 * q;
  int64_t j = 0;

  for (; j + VL <= 2 * q; j += VL)
    {
      V x = AT_CONST (p0 + j), y = AT_CONST (p1 + j);

      AT (p0 + j) = x + y;
      AT (p1 + j) = x - y;
    }
  for (; j < 2 * q; j++)
    {
      double x = p0[j], y = p1[j];

      p0[j] = x + y;
      p1[j] = x - y;
    }
}

/* parts[t q + j] <- sum_s i^(s t) parts[s q + j], complex. */
static void
combine_four (double *parts, int64_t q)
{
  double *p0 = parts, *p1 = p0 + 2 * q, *p2 = p1 + 2 * q, *p3 = p2 + 2 * q;
  int64_t j = 0;

  for (; j + VL <= 2 * q; j += VL)
    {
      V a = AT_CONST (p0 + j), b = AT_CONST (p1 + j);
      V c = AT_CONST (p2 + j), d = AT_CONST (p3 + j);
      V sum = a + c, odd = b + d;
      V difference = a - c, turned = __builtin_shuffle (b - d, SWAP) * MINUS_PLUS;

      AT (p0 + j) = sum + odd;
      AT (p1 + j) = difference + turned;
      AT (p2 + j) = sum - odd;
      AT (p3 + j) = difference - turned;
    }
  for (; j < 2 * q; j += 2)
    {
      double sum_re = p0[j] + p2[j], sum_im = p0[j + 1] + p2[j + 1];
      double dif_re = p0[j] - p2[j], dif_im = p0[j + 1] - p2[j + 1];
      double odd_re = p1[j] + p3[j], odd_im = p1[j + 1] + p3[j + 1];
      double turned_re = -(p1[j + 1] - p3[j + 1]), turned_im = p1[j] - p3[j];

      p0[j] = sum_re + odd_re;
      p0[j + 1] = sum_im + odd_im;
      p1[j] = dif_re + turned_re;
      p1[j + 1] = dif_im + turned_im;
      p2[j] = sum_re - odd_re;
      p2[j + 1] = sum_im - odd_im;
      p3[j] = dif_re - turned_re;
      p3[j + 1] = dif_im - turned_im;
    }
}

/* z[k], k = 0..n-1 <- north[k] + i south[k], both continued to k > n / 2 by their symmetry
 * x[n - k] = conj (x[k]); north[0], south[0] and those at k = n / 2 are real. */
static void
join (double *z, const double *north, const double *south, int64_t n)
{
  const int64_t last = (n - 1) / 2;
  int64_t k = 1;

  z[0] = north[0];
  z[1] = south[0];
  if (n % 2 == 0)
    {
      z[n] = north[n];
      z[n + 1] = south[n];
    }
  for (; k + VL / 2 <= last + 1; k += VL / 2)
    {
      V a = AT_CONST (north + 2 * k);
      V b = __builtin_shuffle ((V) AT_CONST (south + 2 * k), SWAP) * MINUS_PLUS;

      AT (z + 2 * k) = a + b;
      AT (z + 2 * (n - k + 1) - VL)
          = __builtin_shuffle ((b - a) * MINUS_PLUS, REVERSE);
    }
  for (; k <= last; k++)
    {
      z[2 * k] = north[2 * k] - south[2 * k + 1];
      z[2 * k + 1] = north[2 * k + 1] + south[2 * k];
      z[2 * (n - k)] = north[2 * k] + south[2 * k + 1];
      z[2 * (n - k) + 1] = south[2 * k] - north[2 * k + 1];
    }
}

/* Separates the transforms of two real sequences x and y. From z[k] = sum_j (x_j + i y_j) exp (2 pi
 * i j k / n), north[k] becomes factor sum_j x_j exp (-2 pi i j k / n), and south[k] the same of y,
 * for k = first .. end - 1, which are at most n / 2. */
static void
unjoin (double *north, double *south, const double *z, double factor, int64_t first, int64_t end,
        int64_t n)
{
  const int64_t own = end == n / 2 + 1 && n % 2 == 0; /* n / 2 is its own mirror image */
  int64_t k = first;

  if (k == 0 && end > 0)
    {
      north[0] = z[0] * factor;
      south[0] = z[1] * factor;
      north[1] = south[1] = 0;
      k++;
    }
  if (own && n > 0)
    {
      north[n] = z[n] * factor;
      south[n] = z[n + 1] * factor;
      north[n + 1] = south[n + 1] = 0;
    }
  for (; k + VL / 2 <= end - own; k += VL / 2)
    {
      V u = __builtin_shuffle ((V) AT_CONST (z + 2 * (n - k + 1) - VL), REVERSE);
      V v = (V) AT_CONST (z + 2 * k) * -MINUS_PLUS;

      AT (north + 2 * k) = 0.5 * (u + v) * factor;
      AT (south + 2 * k) = 0.5 * (__builtin_shuffle (v - u, SWAP) * MINUS_PLUS) * factor;
    }
  for (; k < end - own; k++)
    {
      double ur = z[2 * (n - k)], ui = z[2 * (n - k) + 1], vr = z[2 * k], vi = -z[2 * k + 1];

      north[2 * k] = 0.5 * (ur + vr) * factor;
      north[2 * k + 1] = 0.5 * (ui + vi) * factor;
      south[2 * k] = 0.5 * (ui - vi) * factor;
      south[2 * k + 1] = 0.5 * (vr - ur) * factor;
    }
}

const ArmillaRingSimd SIMD_NAME (armilla_ring_simd) = {
  rotate, scale, multiply, interleave, split, combine_two, combine_four, join, unjoin
};
