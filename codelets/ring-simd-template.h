/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Included once per instruction set by ring-simd.c, which defines SIMD_WIDTH (doubles a vector),
 * SIMD_NAME () and SIMD_TARGET. Every element is computed by the same operations in the same order
 * whatever the width, tails included: all variants give the same bits. */

typedef double SIMD_NAME (Vector) __attribute__ ((vector_size (8 * SIMD_WIDTH)));
typedef int64_t SIMD_NAME (Mask) __attribute__ ((vector_size (8 * SIMD_WIDTH)));
/* The same, at any address. */
typedef double SIMD_NAME (Loose)
    __attribute__ ((vector_size (8 * SIMD_WIDTH), aligned (8), may_alias));

#define V SIMD_NAME (Vector)
#define M SIMD_NAME (Mask)
#define AT(pointer) (*(SIMD_NAME (Loose) *) (pointer))
#define AT_CONST(pointer) (*(const SIMD_NAME (Loose) *) (pointer))

#if SIMD_WIDTH == 8
#define SWAP ((M){ 1, 0, 3, 2, 5, 4, 7, 6 })
#define EVEN ((M){ 0, 0, 2, 2, 4, 4, 6, 6 })
#define ODD ((M){ 1, 1, 3, 3, 5, 5, 7, 7 })
#define REVERSE ((M){ 6, 7, 4, 5, 2, 3, 0, 1 })
#define MINUS_PLUS ((V){ -1, 1, -1, 1, -1, 1, -1, 1 })
#elif SIMD_WIDTH == 4
#define SWAP ((M){ 1, 0, 3, 2 })
#define EVEN ((M){ 0, 0, 2, 2 })
#define ODD ((M){ 1, 1, 3, 3 })
#define REVERSE ((M){ 2, 3, 0, 1 })
#define MINUS_PLUS ((V){ -1, 1, -1, 1 })
#else
#define SWAP ((M){ 1, 0 })
#define EVEN ((M){ 0, 0 })
#define ODD ((M){ 1, 1 })
#define REVERSE ((M){ 0, 1 })
#define MINUS_PLUS ((V){ -1, 1 })
#endif

/* dst[i] = (src[i] * small[i]) * (re + i im), complex. */
static SIMD_TARGET void
SIMD_NAME (rotate) (double *dst, const double *src, const double *small, double re, double im,
                    int64_t n)
{
  const V big_im = im * MINUS_PLUS;
  int64_t i = 0;

  for (; i + SIMD_WIDTH <= 2 * n; i += SIMD_WIDTH)
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
static SIMD_TARGET void
SIMD_NAME (scale) (double *dst, const double *src, double factor, int64_t n)
{
  int64_t i = 0;

  for (; i + SIMD_WIDTH <= 2 * n; i += SIMD_WIDTH)
    AT (dst + i) = AT_CONST (src + i) * factor;
  for (; i < 2 * n; i++)
    dst[i] = src[i] * factor;
}

/* dst[i] = a[i] b[i], or conj (a[i]) b[i], or conj (a[i] b[i]), complex; dst may be a or b. */
static SIMD_TARGET void
SIMD_NAME (multiply) (double *dst, const double *a, const double *b, ArmillaSimdProduct kind,
                      int64_t n)
{
  const double sign = kind == ARMILLA_SIMD_CONJ_A ? -1 : 1;
  const double sign_out = kind == ARMILLA_SIMD_CONJ ? -1 : 1;
  const V signs = sign * MINUS_PLUS;
  const V signs_out = (V){ 0 } + 0.5 * ((1 + sign_out) - (1 - sign_out) * MINUS_PLUS);
  int64_t i = 0;

  for (; i + SIMD_WIDTH <= 2 * n; i += SIMD_WIDTH)
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

/* z[k], k = 0..n-1 <- north[k] + i south[k], both continued to k > n / 2 by their symmetry
 * x[n - k] = conj (x[k]); north[0], south[0] and those at k = n / 2 are real. */
static SIMD_TARGET void
SIMD_NAME (join) (double *z, const double *north, const double *south, int64_t n)
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
  for (; k + SIMD_WIDTH / 2 <= last + 1; k += SIMD_WIDTH / 2)
    {
      V a = AT_CONST (north + 2 * k);
      V b = __builtin_shuffle ((V) AT_CONST (south + 2 * k), SWAP) * MINUS_PLUS;

      AT (z + 2 * k) = a + b;
      AT (z + 2 * (n - k + 1) - SIMD_WIDTH)
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

/* With z[k] = sum_j (x_j + i y_j) exp (2 pi i j k / n): north[k], south[k], k = 0..n/2 <-
 * sum_j x_j exp (-2 pi i j k / n) and the same of y. */
static SIMD_TARGET void
SIMD_NAME (unjoin) (double *north, double *south, const double *z, int64_t n)
{
  const int64_t last = (n - 1) / 2;
  int64_t k = 1;

  north[0] = z[0];
  south[0] = z[1];
  north[1] = south[1] = 0;
  if (n % 2 == 0)
    {
      north[n] = z[n];
      south[n] = z[n + 1];
      north[n + 1] = south[n + 1] = 0;
    }
  for (; k + SIMD_WIDTH / 2 <= last + 1; k += SIMD_WIDTH / 2)
    {
      V u = __builtin_shuffle ((V) AT_CONST (z + 2 * (n - k + 1) - SIMD_WIDTH), REVERSE);
      V v = (V) AT_CONST (z + 2 * k) * -MINUS_PLUS;

      AT (north + 2 * k) = 0.5 * (u + v);
      AT (south + 2 * k) = 0.5 * (__builtin_shuffle (v - u, SWAP) * MINUS_PLUS);
    }
  for (; k <= last; k++)
    {
      double ur = z[2 * (n - k)], ui = z[2 * (n - k) + 1], vr = z[2 * k], vi = -z[2 * k + 1];

      north[2 * k] = 0.5 * (ur + vr);
      north[2 * k + 1] = 0.5 * (ui + vi);
      south[2 * k] = 0.5 * (ui - vi);
      south[2 * k + 1] = 0.5 * (vr - ur);
    }
}

#undef V
#undef M
#undef AT
#undef AT_CONST
#undef SWAP
#undef EVEN
#undef ODD
#undef REVERSE
#undef MINUS_PLUS
