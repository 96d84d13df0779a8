/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/catalogues/cosmology.h"

#include <math.h>

/* speed of light over 100 km / s / Mpc, in Mpc: distances are in Mpc / h */
#define HUBBLE_DISTANCE 2997.92458
/* width of the intervals of ln (1 + z) in which the integrand is nearly a polynomial */
#define WIDTH 0.125

/* Gauss-Legendre quadrature with 10 points: exact for polynomials of degree 19. */
static const double nodes[5] = { 0.14887433898163122, 0.43339539412924719, 0.67940956829902441,
                                 0.86506336668898451, 0.97390652851717172 };
static const double weights[5] = { 0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
                                   0.14945134915058059, 0.066671344308688138 };

/* Returns dD / du in units of the Hubble distance, u = ln (1 + z): (1 + z) / E (z). */
static double
integrand (const ArmillaCosmology *c, double u)
{
  const double a = exp (-u);
  const double energy = exp (3 * ((1 + c->w0 + c->wa) * u - c->wa * (1 - a)));

  return 1 / (a * sqrt (c->omega_m / (a * a * a) + (1 - c->omega_m) * energy));
}

static double
integrate (const ArmillaCosmology *c, double from, double to)
{
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0;

  for (int k = 0; k < 5; k++)
    sum += weights[k]
           * (integrand (c, middle - half * nodes[k]) + integrand (c, middle + half * nodes[k]));
  return half * sum;
}

/* Computes comoving distances in Mpc / h, with relative errors below 1e-12. @redshift: finite, not
 * negative. The arrays may be the same. */
void
armilla_cosmology_distances (const ArmillaCosmology *self, const double *redshift, gint64 n,
                             double *distance)
{
  g_autofree double *before = NULL;
  double max = 0;
  gint64 n_intervals;

  for (gint64 i = 0; i < n; i++)
    max = MAX (max, redshift[i]);
  n_intervals = (gint64) (log1p (max) / WIDTH) + 1;
  before = g_new0 (double, n_intervals + 1);
  for (gint64 k = 0; k < n_intervals; k++)
    before[k + 1] = before[k] + integrate (self, (double) k * WIDTH, (double) (k + 1) * WIDTH);
  for (gint64 i = 0; i < n; i++)
    {
      const double u = log1p (redshift[i]);
      const gint64 k = MIN ((gint64) (u / WIDTH), n_intervals - 1);

      distance[i] = HUBBLE_DISTANCE * (before[k] + integrate (self, (double) k * WIDTH, u));
    }
}
