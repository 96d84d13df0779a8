/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/points/points-kernel.h"

#include <math.h>

#define PI 3.14159265358979323846
/* Number of positions between two grid points at which the kernel is evaluated; they cover a half
 * of the interval, since the other half is symmetric. Sums over the taps are periodic functions of
 * the position, so that their means are integrals up to the error of the kernel. */
#define PROBES 16
/* Number of waves for which the error is evaluated: from the shortest one, near which the error is
 * largest, to one of twice the length. The error oscillates as a function of the wavelength. */
#define WAVES 25
/* Number and range of the values of beta that are tried, in units of pi width (1 - 1 / (2
 * oversampling)): at 1, the transform of the kernel ends where aliases of the shortest wave
 * begin. */
#define BETAS 17
#define MIN_BETA 0.92
#define MAX_BETA 1.0

#define MAX_TERMS (2 * ARMILLA_POINTS_TERMS (ARMILLA_POINTS_MAX_WIDTH))

static double
exact (double beta, double x)
{
  const double rest = (1 - x) * (1 + x);

  return exp (beta * (sqrt (rest > 0 ? rest : 0) - 1));
}

/* Values that are the same for all beta, given the width and the number of terms. */
typedef struct {
  double nodes[4 * MAX_TERMS]; /* cos (pi i / (2 n)), n being the coefficients per polynomial */
  double cosines[WAVES][PROBES][ARMILLA_POINTS_MAX_WIDTH]; /* of each wave, probe and tap */
  double sines[WAVES][PROBES][ARMILLA_POINTS_MAX_WIDTH];
} Shared;

typedef struct {
  double weight[PROBES][ARMILLA_POINTS_MAX_WIDTH];
} Weights;

static double
position_of_probe (int i)
{
  return (i + 0.5) / PROBES;
}

/* Returns the position of a tap relative to the middle of the kernel, in grid points, for probe
 * @i. */
static double
position_of_tap (int64_t width, int64_t tap, int i)
{
  return (2 * (double) tap + 1 - position_of_probe (i) - (double) width) / 2;
}

static void
share (Shared *shared, int64_t width, int64_t n_terms, double shortest)
{
  const int64_t n = 2 * n_terms;

  for (int64_t i = 0; i < 4 * n; i++)
    shared->nodes[i] = cos (PI * (double) i / (double) (2 * n));
  for (int k = 0; k < WAVES; k++)
    for (int i = 0; i < PROBES; i++)
      for (int64_t tap = 0; tap < width; tap++)
        {
          const double angle
            = shortest * (1 - 0.5 * k / (WAVES - 1)) * position_of_tap (width, tap, i);

          shared->cosines[k][i][tap] = cos (angle);
          shared->sines[k][i][tap] = sin (angle);
        }
}

/* Computes the coefficients of the powers of v of the polynomial that interpolates tap @j at the
 * Chebyshev nodes. */
static void
fit_tap (const ArmillaPointsKernel *kernel, const Shared *shared, double beta, int64_t j,
         double *powers)
{
  const int64_t n = 2 * kernel->n_terms;
  const double width = (double) kernel->width;
  double value[MAX_TERMS], last[MAX_TERMS] = { 0 }, now[MAX_TERMS] = { 1 };

  for (int64_t k = 0; k < n; k++)
    {
      value[k] = exact (beta, (2 * (double) j + 1 - shared->nodes[2 * k + 1]) / width - 1);
      powers[k] = 0;
    }
  /* now[k] is the coefficient of v^k of the Chebyshev polynomial T_d, last[k] that of T_(d-1). */
  for (int64_t d = 0; d < n; d++)
    {
      double sum = 0, next[MAX_TERMS];

      for (int64_t k = 0; k < n; k++)
        sum += value[k] * shared->nodes[d * (2 * k + 1) % (4 * n)];
      sum *= (d > 0 ? 2 : 1) / (double) n;
      for (int64_t k = 0; k < n; k++)
        powers[k] += sum * now[k];
      for (int64_t k = 0; k < n; k++)
        next[k] = (d > 0 ? 2 : 1) * (k > 0 ? now[k - 1] : 0) - last[k];
      for (int64_t k = 0; k < n; k++)
        {
          last[k] = now[k];
          now[k] = next[k];
        }
    }
}

static void
fit (ArmillaPointsKernel *kernel, const Shared *shared, double beta)
{
  const int64_t half = ARMILLA_POINTS_HALF (kernel->width);
  const int64_t n_terms = kernel->n_terms;

  for (int64_t j = 0; j < half; j++)
    {
      double powers[MAX_TERMS];

      fit_tap (kernel, shared, beta, j, powers);
      for (int64_t i = 0; i < n_terms; i++)
        {
          kernel->table[2 * (i * half + j)] = powers[2 * i];
          /* The middle tap of an odd width is symmetric: it has no odd part. */
          kernel->table[2 * (i * half + j) + 1]
            = 2 * j + 1 == kernel->width ? 0 : powers[2 * i + 1];
        }
    }
}

static void
find_weights (const ArmillaPointsKernel *kernel, Weights *weights)
{
  const int64_t half = ARMILLA_POINTS_HALF (kernel->width);

  for (int i = 0; i < PROBES; i++)
    for (int64_t tap = 0; tap < kernel->width; tap++)
      {
        const int64_t j = tap < half ? tap : kernel->width - 1 - tap;
        const double v = position_of_probe (i);
        double even = 0, odd = 0;

        for (int64_t k = kernel->n_terms - 1; k >= 0; k--)
          {
            even = even * v * v + kernel->table[2 * (k * half + j)];
            odd = odd * v * v + kernel->table[2 * (k * half + j) + 1];
          }
        weights->weight[i][tap] = j == tap ? even + v * odd : even - v * odd;
      }
}

void
armilla_points_kernel_transforms (const ArmillaPointsKernel *kernel, double step, int64_t n,
                                  double *transform)
{
  Weights weights;

  find_weights (kernel, &weights);
  for (int64_t k = 0; k < n; k++)
    {
      const double wave = step * (double) k, turn_re = cos (wave), turn_im = sin (wave);
      double sum = 0;

      for (int i = 0; i < PROBES; i++)
        {
          const double at = wave * position_of_tap (kernel->width, 0, i);
          double re = cos (at), im = sin (at);

          for (int64_t tap = 0; tap < kernel->width; tap++)
            {
              const double next = re * turn_re - im * turn_im;

              sum += weights.weight[i][tap] * re;
              im = re * turn_im + im * turn_re;
              re = next;
            }
        }
      transform[k] = sum / PROBES;
    }
}

/* Returns the relative rms error of one of the WAVES, interpolated in one dimension. */
static double
error_of_wave (const Shared *shared, const Weights *weights, int64_t width, int wave)
{
  double re[PROBES] = { 0 }, im[PROBES] = { 0 }, mean = 0, sum = 0;

  for (int i = 0; i < PROBES; i++)
    {
      for (int64_t tap = 0; tap < width; tap++)
        {
          re[i] += weights->weight[i][tap] * shared->cosines[wave][i][tap];
          im[i] += weights->weight[i][tap] * shared->sines[wave][i][tap];
        }
      mean += re[i] / PROBES;
    }
  for (int i = 0; i < PROBES; i++)
    sum += (re[i] - mean) * (re[i] - mean) + im[i] * im[i];
  return sqrt (sum / PROBES) / mean;
}

/* Computes the table for @beta, and the error in both dimensions together for the worst wave. */
static void
try_beta (ArmillaPointsKernel *kernel, const Shared *shared, double beta)
{
  double worst = 0;
  Weights weights;

  fit (kernel, shared, beta);
  find_weights (kernel, &weights);
  for (int i = 0; i < WAVES; i++)
    worst = fmax (worst, error_of_wave (shared, &weights, kernel->width, i));
  kernel->error = sqrt (2) * worst;
}

/* Returns the kernel of a width whose beta gives the smallest error. */
static ArmillaPointsKernel
find_kernel (int64_t width, int64_t n_terms, double oversampling)
{
  const double end = PI * (double) width * (1 - 1 / (2 * oversampling));
  ArmillaPointsKernel best = { .error = INFINITY };
  Shared shared;

  share (&shared, width, n_terms, PI / oversampling);
  for (int i = 0; i < BETAS; i++)
    {
      ArmillaPointsKernel one = { .width = width, .n_terms = n_terms };

      try_beta (&one, &shared, end * (MIN_BETA + (MAX_BETA - MIN_BETA) * i / (BETAS - 1)));
      if (one.error < best.error)
        best = one;
    }
  return best;
}

int
armilla_points_kernel_init (ArmillaPointsKernel *kernel, double epsilon, double oversampling)
{
  /* Errors by aliases are at least about exp (-rate width): narrower kernels are not tried. */
  const double rate = PI * sqrt (1 - 1 / oversampling);
  const double min_width = fmax (ARMILLA_POINTS_MIN_WIDTH, floor (-log (epsilon) / rate) - 1);

  for (int64_t width = (int64_t) min_width; width <= ARMILLA_POINTS_MAX_WIDTH; width++)
    {
      ArmillaPointsKernel fewer;

      *kernel = find_kernel (width, ARMILLA_POINTS_TERMS (width), oversampling);
      if (kernel->error > epsilon)
        continue;
      fewer = *kernel;
      while (fewer.error <= epsilon && fewer.n_terms > 1)
        {
          *kernel = fewer;
          fewer = find_kernel (width, fewer.n_terms - 1, oversampling);
        }
      return 0;
    }
  return -1;
}
