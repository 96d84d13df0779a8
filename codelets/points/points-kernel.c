/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/points/points-kernel.h"

#include <math.h>

#define PI 3.14159265358979323846
/* Positions between two grid points at which the kernel is probed, a half of them: the other half
 * are mirror images. The sum over the taps is a periodic function of the position, so that its mean
 * is the integral up to the error of the kernel. */
#define PROBES 16
/* Waves at which the error is evaluated: from the shortest one, about which it is largest, to twice
 * its length. It oscillates as a function of the wave, too. */
#define WAVES 25
/* Values of beta that are tried, in units of pi width (1 - 1 / (2 oversampling)), at which the
 * transform of the kernel ends where the aliases of the shortest wave begin. */
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

/* What all kernels of a width and a number of terms share. */
typedef struct {
  double nodes[4 * MAX_TERMS];    /* cos (pi i / (2 n)), n coefficients of a polynomial */
  double cosines[WAVES][PROBES][ARMILLA_POINTS_MAX_WIDTH]; /* of waves at the taps of a probe */
  double sines[WAVES][PROBES][ARMILLA_POINTS_MAX_WIDTH];
} Shared;

/* Weights of the taps at each probe. */
typedef struct {
  double weight[PROBES][ARMILLA_POINTS_MAX_WIDTH];
} Weights;

static double
position_of_probe (int i)
{
  return (i + 0.5) / PROBES;
}

/* Position of a tap, from the middle of the kernel, for a probe. */
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

/* Coefficients of the powers of v of the polynomial that meets tap @j at the Chebyshev nodes. */
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
  /* now: the powers of the Chebyshev polynomial of degree d */
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
          /* The middle tap is its own mirror image. */
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

/* Returns the relative rms error of a wave of the table, interpolated in one dimension. */
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

/* Fits the kernel and finds its error, of both dimensions, for the worst wave. */
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

/* Finds the best kernel of a width. */
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
  /* Narrower kernels cannot be so accurate: aliases are at least exp (-rate width). */
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
