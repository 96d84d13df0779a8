/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inner loops of ring-lanes.h: included once for each width of vectors, with SIMD_WIDTH (2, 4
 * or 8 doubles), SIMD_NAME (x) and SIMD_TARGET. */

#define POINT ARMILLA_LANE_POINT
/* Points whose passes come one after the other over all of them: 32 KiB, the first-level cache. */
#define BREADTH 256
#define FORCE SIMD_TARGET static inline __attribute__ ((always_inline))

typedef double SIMD_NAME (Vector) __attribute__ ((vector_size (8 * SIMD_WIDTH), aligned (8),
                                                  may_alias));
#define V SIMD_NAME (Vector)
#define AT(p) (*(V *) (p))
#define AT_CONST(p) (*(const V *) (p))

typedef struct {
  V re, im;
} SIMD_NAME (Complex);
#define C SIMD_NAME (Complex)

FORCE C
SIMD_NAME (add) (C a, C b)
{
  return (C) { a.re + b.re, a.im + b.im };
}

FORCE C
SIMD_NAME (subtract) (C a, C b)
{
  return (C) { a.re - b.re, a.im - b.im };
}

/* a + i b */
FORCE C
SIMD_NAME (add_turned) (C a, C b)
{
  return (C) { a.re - b.im, a.im + b.re };
}

FORCE C
SIMD_NAME (subtract_turned) (C a, C b)
{
  return (C) { a.re + b.im, a.im - b.re };
}

FORCE C
SIMD_NAME (scale) (C a, double x)
{
  return (C) { a.re * x, a.im * x };
}

FORCE C
SIMD_NAME (turn) (C a, const double *w)
{
  return (C) { a.re * w[0] - a.im * w[1], a.im * w[0] + a.re * w[1] };
}

#define ADD SIMD_NAME (add)
#define SUB SIMD_NAME (subtract)
#define ADD_I SIMD_NAME (add_turned)
#define SUB_I SIMD_NAME (subtract_turned)
#define SCALE SIMD_NAME (scale)

FORCE void
SIMD_NAME (butterfly_five) (C *x)
{
  const double c1 = 0.30901699437494742410, c2 = -0.80901699437494742410;
  const double s1 = 0.95105651629515357212, s2 = 0.58778525229247312917;
  const C t1 = ADD (x[1], x[4]), t2 = ADD (x[2], x[3]);
  const C d1 = SUB (x[1], x[4]), d2 = SUB (x[2], x[3]);
  const C m1 = ADD (x[0], ADD (SCALE (t1, c1), SCALE (t2, c2)));
  const C m2 = ADD (x[0], ADD (SCALE (t1, c2), SCALE (t2, c1)));
  const C n1 = ADD (SCALE (d1, s1), SCALE (d2, s2));
  const C n2 = SUB (SCALE (d1, s2), SCALE (d2, s1));

  x[0] = ADD (x[0], ADD (t1, t2));
  x[1] = ADD_I (m1, n1);
  x[4] = SUB_I (m1, n1);
  x[2] = ADD_I (m2, n2);
  x[3] = SUB_I (m2, n2);
}

/* x[t] <- sum_s x[s] exp (2 pi i s t / radix) */
FORCE void
SIMD_NAME (butterfly) (const int radix, C *x)
{
  if (radix == 2)
    {
      const C a = x[0];

      x[0] = ADD (a, x[1]);
      x[1] = SUB (a, x[1]);
    }
  else if (radix == 3)
    {
      const C t = ADD (x[1], x[2]), d = SCALE (SUB (x[1], x[2]), 0.86602540378443864676);
      const C m = SUB (x[0], SCALE (t, 0.5));

      x[0] = ADD (x[0], t);
      x[1] = ADD_I (m, d);
      x[2] = SUB_I (m, d);
    }
  else if (radix == 4)
    {
      const C a = ADD (x[0], x[2]), b = SUB (x[0], x[2]);
      const C c = ADD (x[1], x[3]), d = SUB (x[1], x[3]);

      x[0] = ADD (a, c);
      x[1] = ADD_I (b, d);
      x[2] = SUB (a, c);
      x[3] = SUB_I (b, d);
    }
  else
    SIMD_NAME (butterfly_five) (x);
}

/* One pass over @n_blocks blocks of @n points. @forward: twiddles after the butterfly; @last: there
 * are none, the blocks being of @radix points */
FORCE void
SIMD_NAME (pass) (const int radix, const int forward, const int last, double *points,
                  int64_t n_blocks, int64_t n, const double *twiddles)
{
  const int64_t m = n / radix;

  for (int64_t j = 0; j < m; j++, twiddles += 2 * (radix - 1))
    for (int64_t b = 0; b < n_blocks; b++)
      for (int lane = 0; lane < ARMILLA_LANES; lane += SIMD_WIDTH)
        {
          double *at = points + (b * n + j) * POINT + lane;
          C x[5];

#pragma GCC unroll 5
          for (int s = 0; s < radix; s++)
            x[s] = (C) { AT_CONST (at + s * m * POINT),
                         AT_CONST (at + s * m * POINT + ARMILLA_LANES) };
          if (forward)
            SIMD_NAME (butterfly) (radix, x);
#pragma GCC unroll 5
          for (int s = 1; s < radix; s++)
            if (!last)
              x[s] = SIMD_NAME (turn) (x[s], twiddles + 2 * (s - 1));
          if (!forward)
            SIMD_NAME (butterfly) (radix, x);
#pragma GCC unroll 5
          for (int s = 0; s < radix; s++)
            {
              AT (at + s * m * POINT) = x[s].re;
              AT (at + s * m * POINT + ARMILLA_LANES) = x[s].im;
            }
        }
}

#define PASS(radix, forward)                                                                       \
  static SIMD_TARGET void SIMD_NAME (pass_##radix##_##forward) (                                   \
    double *points, int64_t n_blocks, int64_t n, const double *twiddles)                           \
  {                                                                                                \
    if (n == radix)                                                                                \
      SIMD_NAME (pass) (radix, forward, 1, points, n_blocks, n, twiddles);                         \
    else                                                                                           \
      SIMD_NAME (pass) (radix, forward, 0, points, n_blocks, n, twiddles);                         \
  }
PASS (2, 0)
PASS (2, 1)
PASS (3, 0)
PASS (3, 1)
PASS (4, 0)
PASS (4, 1)
PASS (5, 0)
PASS (5, 1)
#undef PASS

static void
SIMD_NAME (run_pass) (const ArmillaLaneFft *fft, int level, int forward, double *points,
                      int64_t n_blocks, int64_t n)
{
  static void (*const passes[][2]) (double *, int64_t, int64_t, const double *)
    = { { SIMD_NAME (pass_2_0), SIMD_NAME (pass_2_1) },
        { SIMD_NAME (pass_3_0), SIMD_NAME (pass_3_1) },
        { SIMD_NAME (pass_4_0), SIMD_NAME (pass_4_1) },
        { SIMD_NAME (pass_5_0), SIMD_NAME (pass_5_1) } };

  passes[fft->radix[level] - 2][forward](points, n_blocks, n, fft->twiddles[level]);
}

/* Passes from @level on over @n points, depth first while they do not fit the cache. */
static void
SIMD_NAME (forward_from) (const ArmillaLaneFft *fft, int level, double *points, int64_t n)
{
  if (n > BREADTH)
    {
      const int radix = fft->radix[level];

      SIMD_NAME (run_pass) (fft, level, 1, points, 1, n);
      for (int t = 0; t < radix; t++)
        SIMD_NAME (forward_from) (fft, level + 1, points + t * (n / radix) * POINT, n / radix);
      return;
    }
  for (int64_t length = n; level < fft->n_levels; length /= fft->radix[level++])
    SIMD_NAME (run_pass) (fft, level, 1, points, n / length, length);
}

static void
SIMD_NAME (backward_from) (const ArmillaLaneFft *fft, int level, double *points, int64_t n)
{
  int64_t length = 1;

  if (n > BREADTH)
    {
      const int radix = fft->radix[level];

      for (int t = 0; t < radix; t++)
        SIMD_NAME (backward_from) (fft, level + 1, points + t * (n / radix) * POINT, n / radix);
      SIMD_NAME (run_pass) (fft, level, 0, points, 1, n);
      return;
    }
  for (int l = fft->n_levels - 1; l >= level; l--)
    {
      length *= fft->radix[l];
      SIMD_NAME (run_pass) (fft, l, 0, points, n / length, length);
    }
}

static void
SIMD_NAME (forward) (const ArmillaLaneFft *fft, double *points)
{
  SIMD_NAME (forward_from) (fft, 0, points, fft->n);
}

static void
SIMD_NAME (backward) (const ArmillaLaneFft *fft, double *points)
{
  SIMD_NAME (backward_from) (fft, 0, points, fft->n);
}

/* Four parts are half of the lanes: vectors of four doubles. */
typedef double SIMD_NAME (Four) __attribute__ ((vector_size (32), aligned (8), may_alias));
typedef int64_t SIMD_NAME (Mask) __attribute__ ((vector_size (32)));
#define F SIMD_NAME (Four)
#define MASK(...) ((SIMD_NAME (Mask)) { __VA_ARGS__ })
#define FOUR(p) (*(F *) (p))
#define FOUR_CONST(p) (*(const F *) (p))

/* A point's four parts <- a number of each, times the chirp. */
FORCE void
SIMD_NAME (store_four) (double *point, const F *re, const F *im, const double *chirp)
{
  if (chirp)
    {
      FOUR (point) = *re * chirp[0] - *im * chirp[1];
      FOUR (point + ARMILLA_LANES) = *im * chirp[0] + *re * chirp[1];
      return;
    }
  FOUR (point) = *re;
  FOUR (point + ARMILLA_LANES) = *im;
}

/* The same for one part. */
FORCE void
SIMD_NAME (store_one) (double *point, double re, double im, const double *chirp)
{
  point[0] = chirp ? re * chirp[0] - im * chirp[1] : re;
  point[ARMILLA_LANES] = chirp ? im * chirp[0] + re * chirp[1] : im;
}

static SIMD_TARGET void
SIMD_NAME (put) (const ArmillaLaneParts *parts, const double *chirp, const double *sequence)
{
  double *point = parts->points + parts->first;

  if (parts->radix == 4)
    for (int64_t k = 0; k < parts->q; k++, point += POINT, sequence += 8)
      {
        const F a = FOUR_CONST (sequence), b = FOUR_CONST (sequence + 4);
        const F re = __builtin_shuffle (a, b, MASK (0, 2, 4, 6));
        const F im = __builtin_shuffle (a, b, MASK (1, 3, 5, 7));

        SIMD_NAME (store_four) (point, &re, &im, chirp ? chirp + 2 * k : NULL);
      }
  else
    for (int64_t k = 0; k < parts->q; k++, point += POINT)
      for (int64_t s = 0; s < parts->radix; s++, sequence += 2)
        SIMD_NAME (store_one) (point + s, sequence[0], sequence[1], chirp ? chirp + 2 * k : NULL);
}

/* UNSEEN becomes 0. */
FORCE void
SIMD_NAME (see) (F *x)
{
  const double limit = 1e-5 * 1.6375e30;
  const F d = *x + 1.6375e30;

  *x = (F) ((SIMD_NAME (Mask)) *x & ~((SIMD_NAME (Mask)) (d <= limit)
                                      & (SIMD_NAME (Mask)) (d >= -limit)));
}

static SIMD_TARGET void
SIMD_NAME (put_real) (const ArmillaLaneParts *parts, const double *chirp, const double *re,
                      const double *im, int unseen_is_zero)
{
  double *point = parts->points + parts->first;

  if (parts->radix == 4)
    for (int64_t k = 0; k < parts->q; k++, point += POINT)
      {
        F x = FOUR_CONST (re + 4 * k), y = { 0 };

        if (im)
          y = FOUR_CONST (im + 4 * k);
        if (unseen_is_zero)
          {
            SIMD_NAME (see) (&x);
            SIMD_NAME (see) (&y);
          }
        SIMD_NAME (store_four) (point, &x, &y, chirp ? chirp + 2 * k : NULL);
      }
  else
    for (int64_t k = 0; k < parts->q; k++, point += POINT)
      for (int64_t s = 0; s < parts->radix; s++)
        {
          const int64_t j = parts->radix * k + s;
          const double x = re[j], y = im ? im[j] : 0;

          SIMD_NAME (store_one) (point + s, unseen_is_zero ? armilla_unseen_to_zero (x) : x,
                                 unseen_is_zero ? armilla_unseen_to_zero (y) : y,
                                 chirp ? chirp + 2 * k : NULL);
        }
}

static SIMD_TARGET void
SIMD_NAME (clear) (const ArmillaLaneParts *parts)
{
  double *point = parts->points + parts->first;

  if (parts->radix == 4)
    for (int64_t k = 0; k < parts->q; k++, point += POINT)
      FOUR (point) = FOUR (point + ARMILLA_LANES) = (F) { 0 };
  else
    for (int64_t k = 0; k < parts->q; k++, point += POINT)
      for (int64_t s = 0; s < parts->radix; s++)
        point[s] = point[s + ARMILLA_LANES] = 0;
}

static SIMD_TARGET void
SIMD_NAME (multiply) (const ArmillaLaneParts *parts, int64_t n, const double *kernel,
                      int64_t other)
{
  double *point = parts->points + parts->first;

  kernel += other;
  if (parts->radix == 4)
    for (int64_t k = 0; k < n; k++, point += POINT, kernel += POINT)
      {
        const F re = FOUR_CONST (point), im = FOUR_CONST (point + ARMILLA_LANES);

        FOUR (point) = re * kernel[0] - im * kernel[ARMILLA_LANES];
        FOUR (point + ARMILLA_LANES) = -(im * kernel[0] + re * kernel[ARMILLA_LANES]);
      }
  else
    for (int64_t k = 0; k < n; k++, point += POINT, kernel += POINT)
      for (int64_t s = 0; s < parts->radix; s++)
        {
          const double re = point[s], im = point[s + ARMILLA_LANES];

          point[s] = re * kernel[0] - im * kernel[ARMILLA_LANES];
          point[s + ARMILLA_LANES] = -(im * kernel[0] + re * kernel[ARMILLA_LANES]);
        }
}

/* Four results of one j from its four parts. @sign: of the parts' imaginary part */
FORCE void
SIMD_NAME (four_results) (const double *point, double sign, const double *table, F *re, F *im)
{
  const F minus = { 1, 1, -1, -1 };
  const F x = FOUR_CONST (point), y = FOUR_CONST (point + ARMILLA_LANES) * sign;
  const F c = FOUR_CONST (table), s = FOUR_CONST (table + 4);
  const F u = x * c - y * s, v = y * c + x * s;
  /* 0 + 2, 1 + 3, 0 - 2, 1 - 3; the last one turned */
  const F e = __builtin_shuffle (u, MASK (0, 1, 0, 1))
              + __builtin_shuffle (u, MASK (2, 3, 2, 3)) * minus;
  const F f = __builtin_shuffle (v, MASK (0, 1, 0, 1))
              + __builtin_shuffle (v, MASK (2, 3, 2, 3)) * minus;
  const F e1 = __builtin_shuffle (e, -f, MASK (0, 1, 2, 7));
  const F f1 = __builtin_shuffle (f, e, MASK (0, 1, 2, 7));

  *re = __builtin_shuffle (e1, MASK (0, 2, 0, 2))
        + __builtin_shuffle (e1, MASK (1, 3, 1, 3)) * minus;
  *im = __builtin_shuffle (f1, MASK (0, 2, 0, 2))
        + __builtin_shuffle (f1, MASK (1, 3, 1, 3)) * minus;
}

/* Rows become columns. */
FORCE void
SIMD_NAME (transpose) (F *x)
{
  const F a = __builtin_shuffle (x[0], x[1], MASK (0, 4, 2, 6));
  const F b = __builtin_shuffle (x[0], x[1], MASK (1, 5, 3, 7));
  const F c = __builtin_shuffle (x[2], x[3], MASK (0, 4, 2, 6));
  const F d = __builtin_shuffle (x[2], x[3], MASK (1, 5, 3, 7));

  x[0] = __builtin_shuffle (a, c, MASK (0, 1, 4, 5));
  x[1] = __builtin_shuffle (b, d, MASK (0, 1, 4, 5));
  x[2] = __builtin_shuffle (a, c, MASK (2, 3, 6, 7));
  x[3] = __builtin_shuffle (b, d, MASK (2, 3, 6, 7));
}

/* Results of one j, one by one. */
static SIMD_TARGET void
SIMD_NAME (get_one) (const ArmillaLaneParts *parts, const double *table, const double *point,
                     double sign, double *re, double *im)
{
  const int64_t radix = parts->radix;

  if (radix == 4)
    {
      F x, y;

      SIMD_NAME (four_results) (point, sign, table, &x, &y);
      FOUR (re) = x;
      FOUR (im) = y;
      return;
    }
  for (int64_t s = 0; s < radix; s++)
    {
      const double x = point[s], y = point[s + ARMILLA_LANES] * sign;

      re[s] = x * table[s] - y * table[radix + s];
      im[s] = y * table[s] + x * table[radix + s];
    }
  if (radix == 2)
    {
      const double x = re[0], y = im[0];

      re[0] = x + re[1];
      im[0] = y + im[1];
      re[1] = x - re[1];
      im[1] = y - im[1];
    }
}

#define POINT_AT(j) (first + (order ? order[j] : (j)) * POINT)

static SIMD_TARGET void
SIMD_NAME (get) (const ArmillaLaneParts *parts, const double *table, const int64_t *order,
                 double *sequence)
{
  const double *first = parts->points + parts->first;
  const double sign = order ? 1 : -1;
  const int64_t radix = parts->radix, q = parts->q;
  int64_t j = 0;

  for (; j + 2 <= q && radix == 4; j += 2)
    {
      F x[4];

      SIMD_NAME (four_results) (POINT_AT (j), sign, table + 8 * j, x, x + 1);
      SIMD_NAME (four_results) (POINT_AT (j + 1), sign, table + 8 * j + 8, x + 2, x + 3);
      SIMD_NAME (transpose) (x);
#pragma GCC unroll 4
      for (int t = 0; t < 4; t++)
        FOUR (sequence + 2 * (t * q + j)) = x[t];
    }
  for (; j < q; j++)
    {
      double re[4], im[4];

      SIMD_NAME (get_one) (parts, table + 2 * radix * j, POINT_AT (j), sign, re, im);
      for (int64_t t = 0; t < radix; t++)
        {
          sequence[2 * (t * q + j)] = re[t];
          sequence[2 * (t * q + j) + 1] = im[t];
        }
    }
}

static SIMD_TARGET void
SIMD_NAME (get_real) (const ArmillaLaneParts *parts, const double *table, const int64_t *order,
                      double *to_re, double *to_im)
{
  const double *first = parts->points + parts->first;
  const double sign = order ? 1 : -1;
  const int64_t radix = parts->radix, q = parts->q;
  int64_t j = 0;

  for (; j + 4 <= q && radix == 4; j += 4)
    {
      F x[4], y[4];

#pragma GCC unroll 4
      for (int i = 0; i < 4; i++)
        SIMD_NAME (four_results) (POINT_AT (j + i), sign, table + 8 * (j + i), x + i, y + i);
      SIMD_NAME (transpose) (x);
#pragma GCC unroll 4
      for (int t = 0; t < 4; t++)
        FOUR (to_re + t * q + j) = x[t];
      if (!to_im)
        continue;
      SIMD_NAME (transpose) (y);
#pragma GCC unroll 4
      for (int t = 0; t < 4; t++)
        FOUR (to_im + t * q + j) = y[t];
    }
  for (; j < q; j++)
    {
      double re[4], im[4];

      SIMD_NAME (get_one) (parts, table + 2 * radix * j, POINT_AT (j), sign, re, im);
      for (int64_t t = 0; t < radix; t++)
        {
          to_re[t * q + j] = re[t];
          if (to_im)
            to_im[t * q + j] = im[t];
        }
    }
}

#undef POINT_AT
#undef POINT
#undef BREADTH
#undef FORCE
#undef V
#undef AT
#undef AT_CONST
#undef C
#undef ADD
#undef SUB
#undef ADD_I
#undef SUB_I
#undef SCALE
#undef F
#undef MASK
#undef FOUR
#undef FOUR_CONST
