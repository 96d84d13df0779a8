/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/harmonic/direct-synthesis.h"

#include <math.h>

#define PI 3.14159265358979323846264338327950288419716939937510582F128
#define LIFT 0x1p+8000L

typedef _Float128 Quad;

static Quad
quad_sqrt (Quad x)
{
  long double r = sqrtl ((long double) x);

  /* one step of Newton's doubles the 64 bits */
  return r > 0 ? (r + x / r) / 2 : 0;
}

#define REAL long double
#define NAME(x) extended_##x
#define SQRT sqrtl
#include "tests/harmonic/direct-sum-template.h"
#undef REAL
#undef NAME
#undef SQRT
#define REAL Quad
#define NAME(x) quad_##x
#define SQRT quad_sqrt
#include "tests/harmonic/direct-sum-template.h"
#undef REAL
#undef NAME
#undef SQRT

/* Rounding cos theta to 2^-64 moves the ring by 2^-65 / sin theta, and P_lm by l times that: too
 * much near the poles, where few orders matter and quadruple precision is cheap. Elsewhere it is
 * below 2.2e-15 up to lmax 4096, and below 9e-15 at 16384, where ten times more is allowed. */
#define POLAR_SINE MIN (2.5e-5 * (double) layout.lmax, 0.05)
#define N_THREADS 2

/* Beyond m = lmax sin theta all P_lm with l <= lmax fall with m, faster and faster: below this they
 * change no sum. */
#define NEGLIGIBLE 1e-30

typedef struct {
  const ArmillaGrid *grid;
  ArmillaAlmLayout layout;
  const double *alm;
  const gint64 *pairs;
  gint64 n_pairs;
  DirectMode *modes;
  gint64 *last;  /* orders beyond are negligible */
  gint64 thread; /* does every N_THREADS-th order from this one on */
} Job;

static const ArmillaRing *
pair_ring (const ArmillaGrid *grid, gint64 pair)
{
  const ArmillaRingPair *p = &grid->pairs[pair];

  return &grid->rings[p->north >= 0 ? p->north : p->south];
}

static void
sum_order (Job *job, gint64 m)
{
  const ArmillaAlmLayout layout = job->layout;
  const double *alm = job->alm + 2 * armilla_alm_index (layout.lmax, m, m);
  g_autofree Quad *eq = NULL;
  g_autofree Quad *inverse_q = NULL;
  g_autofree long double *e = extended_coefficients (layout.lmax, m);
  g_autofree long double *inverse = g_new (long double, layout.lmax + 1 - m);

  for (gint64 k = 0; k <= layout.lmax - m; k++)
    inverse[k] = 1 / e[k + 1];
  for (gint64 i = 0; i < job->n_pairs; i++)
    {
      const ArmillaRing *ring = pair_ring (job->grid, job->pairs[i]);
      const int sign = job->grid->pairs[job->pairs[i]].north >= 0 ? 1 : -1;
      DirectMode sum[2], *north = job->modes + 2 * i * (layout.mmax + 1) + m;
      double largest;

      if (m > job->last[i])
        continue;
      if (ring->sin_theta < POLAR_SINE)
        {
          if (eq == NULL)
            {
              eq = quad_coefficients (layout.lmax, m);
              inverse_q = g_new (Quad, layout.lmax + 1 - m);
              for (gint64 k = 0; k <= layout.lmax - m; k++)
                inverse_q[k] = 1 / eq[k + 1];
            }
          largest = quad_sum_degrees (layout.lmax, m, alm, eq, inverse_q, ring, sum);
        }
      else
        largest = extended_sum_degrees (layout.lmax, m, alm, e, inverse, ring, sum);
      if (largest < NEGLIGIBLE && (double) m > (double) layout.lmax * ring->sin_theta)
        job->last[i] = m;
      north[0] = (DirectMode) { sum[0].re + sign * sum[1].re, sum[0].im + sign * sum[1].im };
      north[layout.mmax + 1]
          = (DirectMode) { sum[0].re - sign * sum[1].re, sum[0].im - sign * sum[1].im };
    }
}

static gpointer
sum_orders (gpointer data)
{
  Job *job = data;

  for (gint64 m = job->thread; m <= job->layout.mmax; m += N_THREADS)
    sum_order (job, m);
  return NULL;
}

DirectMode *
direct_modes (const ArmillaGrid *grid, ArmillaAlmLayout layout, const double *alm,
              const gint64 *pairs, gint64 n_pairs)
{
  DirectMode *modes = g_new0 (DirectMode, 2 * n_pairs * (layout.mmax + 1));
  g_autofree gint64 *last = g_new (gint64, N_THREADS * n_pairs);
  Job jobs[N_THREADS];
  GThread *threads[N_THREADS];

  for (gint64 i = 0; i < N_THREADS * n_pairs; i++)
    last[i] = layout.mmax;
  for (int t = 0; t < N_THREADS; t++)
    {
      jobs[t] = (Job) { grid, layout, alm, pairs, n_pairs, modes, last + t * n_pairs, t };
      threads[t] = g_thread_new ("direct sum", sum_orders, &jobs[t]);
    }
  for (int t = 0; t < N_THREADS; t++)
    g_thread_join (threads[t]);
  return modes;
}

long double
direct_pixel (const ArmillaRing *ring, gint64 mmax, const DirectMode *modes, gint64 j)
{
  const long double pi = (long double) PI;
  const long double n = (long double) ring->n_phi;
  const long double phi
      = ring->phi0_den > 0
            ? pi * ((long double) (ring->phi0_num * ring->n_phi + 2 * j * ring->phi0_den)
                    / ((long double) ring->phi0_den * n))
            : (long double) ring->phi0 + 2 * pi * ((long double) j / n);
  const long double c = cosl (phi), s = sinl (phi);
  long double x = 1, y = 0, sum = modes[0].re / 2;

  /* rounding in these rotations grows to at most mmax 2^-63 */
  for (gint64 m = 1; m <= mmax; m++)
    {
      const long double next = x * c - y * s;

      y = x * s + y * c;
      x = next;
      sum += modes[m].re * x - modes[m].im * y;
    }
  return 2 * sum;
}
