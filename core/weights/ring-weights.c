/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes HEALPix's ring weights, the contents of the files weight_ring_nNNNNN.fits.
 *
 * With n_r pixels in ring r and its mirror image, the weights 1 + w_r must satisfy
 *   sum over r of n_r (1 + w_r) P_l(cos theta_r) = N delta_l0,  N = 12 nside^2, l = 0, 2 .. lmax
 *   (odd multipoles cancel). Of the many solutions the files of HEALPix have the one with the
 *   smallest sum of (n_r w_r)^2.
 *
 * With A_lr = sqrt(2 l + 1) P_l(cos theta_r) and b, the errors of the equations for w = 0, this is
 *   n w = A' x,  A A' x = b.
 *
 * A' diag(q) A is nearly 1, where q_r = n_r / N is the original quadrature; if A were square,
 * diag(q) A' would be its inverse. So A diag(q^2) A' is close to the inverse of A A', and with it
 * conjugate gradients need about ten steps at any nside; without, hundreds. */

#include "core/weights/weights.h"

#include <math.h>
#include <string.h>

/* rings processed together in the recurrence */
#define RINGS 64
#define SUMS 8

/* maximum number of steps of conjugate gradients per start, and of starts, each of which computes
 * the residual from the solution */
#define MAX_STEPS 300
#define MAX_STARTS 3

/* tolerance, in the norm of the preconditioner, and the residual that must have been reached */
#define TOLERANCE 1e-15
#define MAX_ERROR 1e-13

/* Rings from the north to the equator, padded to a multiple of RINGS with rings of 0 pixels. */
typedef struct {
  gint64 n_rings, n_filled, lmax, n_degrees;
  double total;   /* pixels of the map */
  double *pixels; /* [ring] pixels of the ring and its mirror image */
  double *depth;  /* [ring] 1 - cos theta: the cosine itself cannot resolve rings near the pole */
  double *mask;  /* [ring] 1, or 0 for padding */
  double *close;  /* [ring] (pixels / total)^2 */
  double *fall;   /* [l] l / (l + 1) */
  double *turn;   /* [l] (2 l + 1) / (l + 1) */
  double *norm;   /* [l / 2] sqrt (2 l + 1) */
} Rings;

static void
rings_clear (Rings *self)
{
  g_free (self->pixels);
  g_free (self->depth);
  g_free (self->mask);
  g_free (self->close);
  g_free (self->fall);
  g_free (self->turn);
  g_free (self->norm);
}

static void
rings_init (Rings *self, gint64 nside, gint64 lmax)
{
  const double n = (double) nside;

  *self = (Rings) { .n_rings = 2 * nside, .lmax = lmax, .n_degrees = lmax / 2 + 1,
                    .total = 12 * n * n };
  self->n_filled = (self->n_rings + RINGS - 1) / RINGS * RINGS;
  self->pixels = g_new0 (double, self->n_filled);
  self->depth = g_new0 (double, self->n_filled);
  self->mask = g_new0 (double, self->n_filled);
  self->close = g_new0 (double, self->n_filled);
  self->fall = g_new (double, lmax + 1);
  self->turn = g_new (double, lmax + 1);
  self->norm = g_new (double, self->n_degrees);
  for (gint64 r = 0; r < self->n_rings; r++)
    {
      const double i = (double) (r + 1);

      self->pixels[r] = (r + 1 == 2 * nside ? 4 : 8) * MIN (i, n);
      self->depth[r] = i < n ? i * i / (3 * n * n) : (2 * i - n) / (3 * n);
      self->mask[r] = 1;
      self->close[r] = self->pixels[r] / self->total * (self->pixels[r] / self->total);
    }
  for (gint64 l = 0; l <= lmax; l++)
    {
      self->fall[l] = (double) l / (double) (l + 1);
      self->turn[l] = (double) (2 * l + 1) / (double) (l + 1);
      if (l % 2 == 0)
        self->norm[l / 2] = sqrt ((double) (2 * l + 1));
    }
}

/* P_l of some rings, and its difference from P_(l-1) */
typedef struct {
  double p[RINGS], change[RINGS];
} Legendre;

static void
legendre_begin (Legendre *self)
{
  for (int i = 0; i < RINGS; i++)
    {
      self->p[i] = 1;
      self->change[i] = 0;
    }
}

/* The three-term recurrence in differences: P_(l+1) - P_l = l / (l + 1) (P_l - P_(l-1)) - (2 l + 1)
 * / (l + 1) (1 - cos theta) P_l, which is accurate at the pole. */
static inline void
legendre_advance (Legendre *self, const Rings *rings, gint64 first, gint64 l)
{
  const double fall = rings->fall[l], turn = rings->turn[l];
  const double *depth = rings->depth + first;

  for (int i = 0; i < RINGS; i++)
    {
      self->change[i] = fall * self->change[i] - turn * (depth[i] * self->p[i]);
      self->p[i] += self->change[i];
    }
}

/* f_r = sum over l of x_l A_lr for RINGS rings */
static void
synthesize (const Rings *rings, gint64 first, const double *x, double *f)
{
  Legendre legendre;

  legendre_begin (&legendre);
  memset (f, 0, RINGS * sizeof *f);
  for (gint64 l = 0; l <= rings->lmax; l++)
    {
      if (l % 2 == 0)
        {
          const double c = rings->norm[l / 2] * x[l / 2];

          for (int i = 0; i < RINGS; i++)
            f[i] += c * legendre.p[i];
        }
      legendre_advance (&legendre, rings, first, l);
    }
}

/* y_l += sum over RINGS rings of A_lr f_r, in an order that compilers cannot change */
static void
analyse (const Rings *rings, gint64 first, const double *f, double *y)
{
  Legendre legendre;

  legendre_begin (&legendre);
  for (gint64 l = 0; l <= rings->lmax; l++)
    {
      if (l % 2 == 0)
        {
          double sums[SUMS] = { 0 };

          for (int i = 0; i < RINGS; i += SUMS)
            for (int k = 0; k < SUMS; k++)
              sums[k] += legendre.p[i + k] * f[i + k];
          y[l / 2] += rings->norm[l / 2]
                      * (((sums[0] + sums[4]) + (sums[2] + sums[6]))
                         + ((sums[1] + sums[5]) + (sums[3] + sums[7])));
        }
      legendre_advance (&legendre, rings, first, l);
    }
}

/* y = A diag(factor) A' x */
static void
multiply (const Rings *rings, const double *factor, const double *x, double *y)
{
  double f[RINGS];

  memset (y, 0, (gsize) rings->n_degrees * sizeof *y);
  for (gint64 first = 0; first < rings->n_filled; first += RINGS)
    {
      synthesize (rings, first, x, f);
      for (int i = 0; i < RINGS; i++)
        f[i] *= factor[first + i];
      analyse (rings, first, f, y);
    }
}

static double
dot (const double *a, const double *b, gint64 n)
{
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* a <- alpha a + beta b */
static void
combine (double *a, double alpha, const double *b, double beta, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    a[i] = alpha * a[i] + beta * b[i];
}

/* Computes the residual of the quadrature with unchanged weights. */
static void
find_lack (const Rings *rings, double *lack)
{
  memset (lack, 0, (gsize) rings->n_degrees * sizeof *lack);
  for (gint64 first = 0; first < rings->n_filled; first += RINGS)
    analyse (rings, first, rings->pixels + first, lack);
  combine (lack, -1, lack, 0, rings->n_degrees);
  lack[0] += rings->total;
}

/* Returns the largest error of the quadrature of P_l sqrt (2 l + 1), relative to the sum of the
 * weights. */
static double
largest (const Rings *rings, const double *residual)
{
  double max_residual = 0;

  for (gint64 i = 0; i < rings->n_degrees; i++)
    max_residual = MAX (max_residual, fabs (residual[i]));
  return max_residual / rings->total;
}

/* Solves A A' x = b by conjugate gradients from a given x. Returns the largest remaining error. */
static double
solve (const Rings *rings, const double *b, double *x)
{
  const gint64 n = rings->n_degrees;
  g_autofree double *r = g_new (double, n), *z = g_new (double, n), *d = g_new (double, n);
  g_autofree double *q = g_new (double, n);
  double rho, goal;

  multiply (rings, rings->close, b, z);
  goal = TOLERANCE * TOLERANCE * dot (b, z, n);
  multiply (rings, rings->mask, x, r);
  combine (r, -1, b, 1, n);
  multiply (rings, rings->close, r, z);
  memcpy (d, z, (gsize) n * sizeof *d);
  rho = dot (r, z, n);
  for (int step = 0; step < MAX_STEPS && rho > goal; step++)
    {
      double alpha, before = rho;

      multiply (rings, rings->mask, d, q);
      alpha = rho / dot (d, q, n);
      combine (x, 1, d, alpha, n);
      combine (r, 1, q, -alpha, n);
      multiply (rings, rings->close, r, z);
      rho = dot (r, z, n);
      combine (d, rho / before, z, 1, n);
    }
  multiply (rings, rings->mask, x, r);
  combine (r, -1, b, 1, n);
  return largest (rings, r);
}

/* Returns the multipole up to which the weights of armilla_ring_weights_compute() are exact by
 * default: 3 @nside, as in HEALPix's files from nside = 2048 on; even. */
gint64
armilla_ring_weights_lmax (gint64 nside)
{
  return 3 * nside / 2 * 2;
}

static gboolean
check (gint64 nside, gint64 lmax, GError **error)
{
  if (nside < 1 || nside > ARMILLA_RING_WEIGHTS_MAX_NSIDE)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "ring weights can be computed for nside from 1 to %d, not for %" G_GINT64_FORMAT
                 "; name a file that contains them", ARMILLA_RING_WEIGHTS_MAX_NSIDE, nside);
  else if (lmax < 0 || lmax % 2 != 0 || lmax / 2 + 1 > 2 * nside)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "ring weights of nside = %" G_GINT64_FORMAT " can be exact up to an even "
                 "multipole from 0 to %" G_GINT64_FORMAT ", not to %" G_GINT64_FORMAT, nside,
                 4 * nside - 2, lmax);
  else
    return TRUE;
  return FALSE;
}

/* Computes HEALPix's ring weights: those that make the quadrature of every P_l up to @lmax exact
 * and change the weights least, in the sense of HEALPix. The same program gives the same bits on
 * any machine, since it uses only sums, products, quotients and square roots. Returns factors of
 * the quadrature weights, or NULL with ARMILLA_ERROR_VALUE, or ARMILLA_ERROR_CONVERGENCE if the
 * quadrature is not exact to 1e-13. */
double *
armilla_ring_weights_compute (gint64 nside, gint64 lmax, gint64 *n_rings, GError **error)
{
  g_autofree double *lack = NULL, *x = NULL, *factors = NULL;
  double wrong = INFINITY;
  Rings rings;

  if (!check (nside, lmax, error))
    return NULL;
  rings_init (&rings, nside, lmax);
  lack = g_new (double, rings.n_degrees);
  x = g_new0 (double, rings.n_degrees);
  factors = g_new (double, rings.n_filled);
  find_lack (&rings, lack);
  for (int start = 0; start < MAX_STARTS && !(wrong <= MAX_ERROR / 8); start++)
    wrong = solve (&rings, lack, x);
  for (gint64 first = 0; first < rings.n_filled; first += RINGS)
    synthesize (&rings, first, x, factors + first);
  for (gint64 r = 0; r < rings.n_rings; r++)
    factors[r] = 1 + factors[r] / rings.pixels[r];
  *n_rings = rings.n_rings;
  rings_clear (&rings);
  if (wrong <= MAX_ERROR)
    return g_steal_pointer (&factors);
  return armilla_fail_null (error, ARMILLA_ERROR_CONVERGENCE,
                            "ring weights of nside = %" G_GINT64_FORMAT " up to l = %"
                            G_GINT64_FORMAT ": the error of the quadrature remains %.1e; choose a "
                                            "lower multipole or name a file", nside, lmax, wrong);
}
