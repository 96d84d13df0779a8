/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/rotation/rotate.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "codelets/fields/field-ops-math.h"
#include "codelets/rotation/rotate-math.h"

/* output orders processed together; gcc maps them to the machine's vectors */
#define LANES 8
typedef double Lanes __attribute__ ((vector_size (8 * LANES)));
typedef int64_t Flags __attribute__ ((vector_size (8 * LANES)));

/* Marks functions that are compiled for several x86-64 levels, of which one is chosen at program
 * start. Contraction to FMA is off, so that all give the same bits. */
#ifdef __x86_64__
# define ON_EVERY_MACHINE                                                                          \
   __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
# define ON_EVERY_MACHINE
#endif

/* A number of any magnitude: value 2^exponent, value in [1/2, 1) or 0. */
typedef struct {
  long double value;
  int64_t exponent;
} Wide;

static Wide
wide_multiply (Wide x, long double factor)
{
  int shift = 0;

  x.value = frexpl (x.value * factor, &shift);
  x.exponent = x.value == 0 ? 0 : x.exponent + shift;
  return x;
}

static Wide
wide_power (long double base, int64_t power)
{
  Wide result = { 0.5L, 1 }, square = wide_multiply (result, base);

  for (; power > 0; power /= 2)
    {
      if (power % 2 != 0)
        {
          result = wide_multiply (result, square.value);
          result.exponent = result.value == 0 ? 0 : result.exponent + square.exponent;
        }
      square = (Wide) { square.value, 2 * square.exponent };
      square = wide_multiply (square, square.value);
    }
  return result;
}

int64_t
armilla_rotate_seeds_count (const ArmillaRotateShape *shape)
{
  return 4 * (shape->m_last - shape->m_first + 1) * (shape->n_max + 1);
}

static void
put_seed (double *seed, Wide x)
{
  seed[0] = (double) x.value;
  seed[1] = (double) x.exponent;
}

/* The magnitudes of d_mn and d_{m,-n} at their first degree are P and Q: with L the greater and S
 * the smaller of m and n, and c, s the cosine and sine of beta / 2, P = binomial (2L, L + S)^(1/2)
 * c^(L+S) s^(L-S), and Q is the same with c and s exchanged. Along n each number is the previous
 * one times a ratio; in 80 bits and with a separate exponent, thousands of such products are
 * accurate to 1e-15. */
void
armilla_rotate_seeds (const ArmillaRotateShape *shape, double *seeds)
{
  const long double c = cosl (shape->beta / 2.0L), s = sinl (shape->beta / 2.0L);

  for (int64_t m = shape->m_first; m <= shape->m_last; m++)
    {
      double *row = seeds + 4 * (m - shape->m_first) * (shape->n_max + 1);
      const Wide diagonal_p = wide_power (c, 2 * m), diagonal_q = wide_power (s, 2 * m);
      Wide p = diagonal_p, q;

      for (int64_t n = m; n >= 0; n--)
        {
          if (n < m)
            p = wide_multiply (p, sqrtl ((long double) (m + n + 1) / (m - n)) * (s / c));
          if (n <= shape->n_max)
            put_seed (row + 4 * n, p);
        }
      q = p; /* both are equal at n = 0 */
      for (int64_t n = 0; n <= MIN (m, shape->n_max); n++)
        {
          put_seed (row + 4 * n + 2, q);
          q = wide_multiply (q, sqrtl ((long double) (m - n) / (m + n + 1)) * (s / c));
        }
      p = diagonal_p;
      q = diagonal_q;
      for (int64_t n = m + 1; n <= shape->n_max; n++)
        {
          const long double ratio
            = sqrtl ((2.0L * n) * (2.0L * n - 1) / ((long double) (n + m) * (n - m))) * c * s;

          p = wide_multiply (p, ratio);
          q = wide_multiply (q, ratio);
          put_seed (row + 4 * n, p);
          put_seed (row + 4 * n + 2, q);
        }
    }
}

/* Data of a group of lanes, which are output orders from m on: roots r (l, m) and their inverses,
 * [l][lane], and the sums, real and imaginary, [field][l][lane]. */
typedef struct {
  const ArmillaRotateShape *shape;
  int64_t m;                /* order of lane 0 */
  int n_lanes;
  Lanes order;
  Lanes *root, *inverse;    /* [lmax + 2] */
  Lanes *real, *imaginary;  /* [field][lmax + 1] */
} Group;

/* Data of one order n of the input: roots r (l, n), and its a_lm. */
typedef struct {
  int64_t n;
  double sign;              /* factor of the term of -n: (-1)^n, 0 for n = 0 */
  const double *root, *inverse; /* [lmax + 2] */
  const double *in;         /* [field][lmax + 1] complex, rotated by psi */
  const ArmillaWignerStep *steps;
} Column;

typedef struct {
  Lanes plus, plus_before, minus, minus_before;
  int64_t plus_scale[LANES], minus_scale[LANES];
} State;

static void
start_lane (const Group *group, const Column *column, const double *seeds, int lane, State *state)
{
  const int64_t m = group->m + lane, n = column->n;
  const double *seed = seeds + 4 * ((m - group->shape->m_first) * (group->shape->n_max + 1) + n);
  double x;

  state->plus_scale[lane] = armilla_wigner_start (seed[0], seed[1], &x);
  state->plus[lane] = armilla_wigner_sign (m, n, 0) * x;
  state->minus_scale[lane] = armilla_wigner_start (seed[2], seed[3], &x);
  state->minus[lane] = armilla_wigner_sign (m, n, 1) * x;
}

/* Scales down lanes that have grown beyond 2^400; @on becomes 1 for lanes that contribute, 0 for
 * others. Returns whether any do not contribute. */
static gboolean
rescale (int n_lanes, Lanes *value, Lanes *before, int64_t *scale, Lanes *on)
{
  gboolean any = FALSE;

  for (int i = 0; i < n_lanes; i++)
    {
      if (scale[i] > 0 && fabs ((*value)[i]) >= ARMILLA_WIGNER_BIG)
        {
          (*value)[i] *= ARMILLA_WIGNER_SHRINK;
          (*before)[i] *= ARMILLA_WIGNER_SHRINK;
          scale[i]--;
        }
      (*on)[i] = scale[i] > 0 ? 0 : 1;
      any |= scale[i] > 0;
    }
  return any;
}

static inline __attribute__ ((always_inline)) void
add_terms (const Group *group, const Column *column, int64_t l, const Lanes *plus,
           const Lanes *minus)
{
  const int64_t lmax = group->shape->lmax;
  const Lanes sum = *plus + column->sign * *minus, difference = *plus - column->sign * *minus;

  for (int64_t field = 0; field < group->shape->n_fields; field++)
    {
      const double *x = column->in + 2 * (field * (lmax + 1) + l);

      group->real[field * (lmax + 1) + l] += sum * x[0];
      group->imaginary[field * (lmax + 1) + l] += difference * x[1];
    }
}

static inline __attribute__ ((always_inline)) void
advance (const Group *group, const Column *column, int64_t l, State *state)
{
  const ArmillaWignerStep *step = &column->steps[l];
  const Lanes coupling = group->order * ((double) column->n * step->b);
  const Lanes v = group->root[l] * (step->g * column->root[l]);
  const Lanes w = group->inverse[l + 1] * column->inverse[l + 1];
  const Lanes plus
    = ARMILLA_WIGNER_NEXT (step->a - coupling, v, w, state->plus, state->plus_before);
  const Lanes minus
    = ARMILLA_WIGNER_NEXT (step->a + coupling, v, w, state->minus, state->minus_before);

  state->plus_before = state->plus;
  state->minus_before = state->minus;
  state->plus = plus;
  state->minus = minus;
}

/* Returns whether any lane is in use and contributes. */
static gboolean
any_on (const Lanes *plus_on, const Lanes *minus_on)
{
  double sum = 0;

  for (int i = 0; i < LANES; i++)
    sum += (*plus_on)[i] + (*minus_on)[i];
  return sum > 0;
}

/* Processes degrees as long as some lanes have not begun or do not contribute, and returns the next
 * degree. A step multiplies a value by at most about 2 l, so that it is below 2^600 at the next
 * check, 8 degrees later. */
ON_EVERY_MACHINE static int64_t
climb (const Group *group, const Column *column, const double *seeds, State *state)
{
  const int64_t lmax = group->shape->lmax, first = MAX (group->m, column->n);
  Lanes plus_on = { 0 }, minus_on = { 0 };
  gboolean small = TRUE, some = FALSE;
  int64_t l = first;

  for (; l <= lmax && (small || l < group->m + group->n_lanes); l++)
    {
      if (l == first || l < group->m + group->n_lanes || l % 8 == 0)
        {
          for (int i = 0; i < group->n_lanes; i++)
            if (l == MAX (group->m + i, column->n))
              start_lane (group, column, seeds, i, state);
          small = rescale (group->n_lanes, &state->plus, &state->plus_before, state->plus_scale,
                           &plus_on);
          small |= rescale (group->n_lanes, &state->minus, &state->minus_before,
                            state->minus_scale, &minus_on);
          some = any_on (&plus_on, &minus_on);
        }
      if (some)
        {
          const Lanes plus = state->plus * plus_on, minus = state->minus * minus_on;

          add_terms (group, column, l, &plus, &minus);
        }
      if (l < lmax)
        advance (group, column, l, state);
    }
  return l;
}

ON_EVERY_MACHINE static void
run (const Group *group, const Column *column, int64_t l, const State *from)
{
  const Group g = *group; /* copies that gcc knows not to alias the sums */
  const Column c = *column;
  const int64_t lmax = g.shape->lmax;
  State state = *from;

  for (; l < lmax; l++)
    {
      add_terms (&g, &c, l, &state.plus, &state.minus);
      advance (&g, &c, l, &state);
    }
  if (l == lmax)
    add_terms (&g, &c, l, &state.plus, &state.minus);
}

/* Adds the contribution of an input order to a group; the sums of unused lanes remain 0. */
static void
add_column (const Group *group, const Column *column, const double *seeds)
{
  State state = { { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } };

  run (group, column, climb (group, column, seeds, &state), &state);
}

static void
fill_roots (int64_t lmax, int64_t m, double *root, double *inverse, int stride)
{
  for (int64_t l = 0; l <= lmax + 1; l++)
    {
      const double r = l > m ? armilla_wigner_root (l, m) : 0;

      root[l * stride] = r;
      inverse[l * stride] = r > 0 ? 1 / r : 0;
    }
}

/* Sets @turned to an order of the input, rotated by psi. */
static void
fill_column (const ArmillaRotateShape *shape, int64_t n, const double *in, double *turned)
{
  const int64_t count
    = armilla_block_offset (shape->lmax, shape->n_first, shape->n_last + 1);
  const double c = cos ((double) n * shape->psi), s = sin ((double) n * shape->psi);

  for (int64_t field = 0; field < shape->n_fields; field++)
    {
      const double *x
        = in + 2 * (field * count + armilla_block_offset (shape->lmax, shape->n_first, n));
      double *y = turned + 2 * (field * (shape->lmax + 1) + n);

      for (int64_t l = n; l <= shape->lmax; l++, x += 2, y += 2)
        {
          y[0] = c * x[0] + s * x[1];
          y[1] = n == 0 ? 0 : c * x[1] - s * x[0];
        }
    }
}

/* Copies sums from the output block to a group's lanes or, with @store, back; then they are rotated
 * by phi if this is the last input block. */
static void
exchange (const Group *group, double *out, gboolean store)
{
  const ArmillaRotateShape *shape = group->shape;
  const int64_t lmax = shape->lmax;
  const int64_t count = armilla_block_offset (lmax, shape->m_first, shape->m_last + 1);

  for (int64_t field = 0; field < shape->n_fields; field++)
    for (int i = 0; i < group->n_lanes; i++)
      {
        const int64_t m = group->m + i;
        double *y = out + 2 * (field * count + armilla_block_offset (lmax, shape->m_first, m));
        const double c = shape->last ? cos ((double) m * shape->phi) : 1;
        const double s = shape->last ? sin ((double) m * shape->phi) : 0;

        for (int64_t l = m; l <= lmax; l++, y += 2)
          {
            double *re = (double *) &group->real[field * (lmax + 1) + l] + i;
            double *im = (double *) &group->imaginary[field * (lmax + 1) + l] + i;

            if (store)
              {
                y[0] = c * *re + s * *im;
                y[1] = m == 0 ? 0 : c * *im - s * *re;
              }
            else
              {
                *re = y[0];
                *im = y[1];
              }
          }
      }
}

static void
run_group (const ArmillaRotateShape *shape, Group *group, const Column *columns,
           const double *seeds, double *out)
{
  const int64_t lmax = shape->lmax;

  memset (group->real, 0, sizeof (Lanes) * (gsize) (shape->n_fields * (lmax + 1)));
  memset (group->imaginary, 0, sizeof (Lanes) * (gsize) (shape->n_fields * (lmax + 1)));
  memset (group->root, 0, sizeof (Lanes) * (gsize) (lmax + 2));
  memset (group->inverse, 0, sizeof (Lanes) * (gsize) (lmax + 2));
  group->n_lanes = (int) MIN (LANES, shape->m_last + 1 - group->m);
  for (int i = 0; i < LANES; i++)
    group->order[i] = (double) (group->m + i);
  for (int i = 0; i < group->n_lanes; i++)
    fill_roots (lmax, group->m + i, (double *) group->root + i, (double *) group->inverse + i,
                LANES);
  if (!shape->first)
    exchange (group, out, FALSE);
  for (int64_t n = shape->n_first; n <= shape->n_last; n++)
    add_column (group, &columns[n - shape->n_first], seeds);
  exchange (group, out, TRUE);
}

void
armilla_rotate_cpu (const ArmillaRotateShape *shape, const double *seeds, const double *in,
                    double *out)
{
  const int64_t lmax = shape->lmax, n_columns = shape->n_last + 1 - shape->n_first;
  const gsize rows = (gsize) (shape->n_fields * (lmax + 1));
  g_autofree Column *columns = g_new (Column, n_columns);
  g_autofree double *roots = g_new (double, 2 * n_columns * (lmax + 2));
  g_autofree double *turned = g_new0 (double, 2 * (gsize) n_columns * rows);
  g_autofree ArmillaWignerStep *steps = g_new (ArmillaWignerStep, lmax + 1);
  Lanes *memory = g_aligned_alloc (2 * ((gsize) lmax + 2) + 2 * rows, sizeof (Lanes), 64);
  const double cos_beta = cos (shape->beta);
  Group group = { .shape = shape, .root = memory, .inverse = memory + lmax + 2,
                  .real = memory + 2 * (lmax + 2), .imaginary = memory + 2 * (lmax + 2) + rows };

  for (int64_t l = 0; l <= lmax; l++)
    steps[l] = armilla_wigner_step (l, cos_beta);
  for (int64_t i = 0; i < n_columns; i++)
    {
      const int64_t n = shape->n_first + i;
      double *root = roots + 2 * i * (lmax + 2);

      fill_roots (lmax, n, root, root + lmax + 2, 1);
      fill_column (shape, n, in, turned + 2 * i * (int64_t) rows);
      columns[i] = (Column) { n, n == 0 ? 0 : n % 2 ? -1 : 1, root, root + lmax + 2,
                              turned + 2 * i * (int64_t) rows, steps };
    }
  for (group.m = shape->m_first; group.m <= shape->m_last; group.m += LANES)
    run_group (shape, &group, columns, seeds, out);
  g_aligned_free (memory);
}
