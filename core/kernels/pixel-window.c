/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes HEALPix's pixel windows, the contents of the files pixel_window_nNNNN.fits.
 *
 * With w_lm(p) the mean of Y_lm over pixel p, W_l^2 is the mean over pixels of the sum over m of 4
 * pi / (2 l + 1) |w_lm(p)|^2: by the addition theorem the mean of P_l(x y) over pairs of points of
 * a pixel, and over pixels. In s = |x - y|^2 / 4,
 *   P_l = sum over k of (-l)_k (l + 1)_k / k!^2 s^k, of which few terms are needed, since pixels
 *   are small compared with pi / l; the means of s^k serve all multipoles. With spin 2 it is the
 *   mean of d^l_22(x y) cos 2 e, where
 *   d^l_22 = (1 - s)^2 times the sum over k of (2 - l)_k (l + 3)_k / k!^2 s^k and e is the excess
 *   of the triangle of x, y and the pixel's centre: Q and U of a pixel are means of values
 *   transported to its centre along great circles.
 *
 * Means over a pixel are by Gauss-Legendre quadrature in the coordinates of its base pixel, where
 * all pixels are squares of one area. A square on the boundary of a polar cap, or with the pole at
 * a corner, is divided into two triangles, with the corner expanded to an edge. */

#include "core/kernels/kernel.h"

#include <math.h>
#include <string.h>

#define NODES 8
#define POINTS (2 * NODES * NODES)
#define LANES 8

/* s nside^2 is below 1.1: (l^2 s)^k / k!^2 is below 1e-17 from here on for l = 4 nside. */
#define TERMS 24

/* Nodes and weights on [0, 1]: 1/2 +- node, weight */
static const double half_nodes[NODES / 2] = { 0.09171732124782490, 0.26276620495816449,
                                              0.39833323870681337, 0.48014492824876812 };
static const double half_weights[NODES / 2] = { 0.18134189168918100, 0.15685332293894365,
                                                0.11119051722668724, 0.05061426814518813 };

/* Points of a pixel as unit vectors, at longitudes from its centre, and their weights, of sum 1 */
typedef struct {
  int n;
  double x[POINTS], y[POINTS], z[POINTS], weight[POINTS];
  double centre_x, centre_z;
} Pixel;

/* Sums over pixels, of s^k nside^(2 k) and of that times (1 - s)^2 cos 2 e */
typedef struct {
  double scalar[TERMS], spin[TERMS];
} Moments;

static double
node (int i)
{
  return i < NODES / 2 ? 0.5 - half_nodes[NODES / 2 - 1 - i] : 0.5 + half_nodes[i - NODES / 2];
}

static double
node_weight (int i)
{
  return half_weights[i < NODES / 2 ? NODES / 2 - 1 - i : i - NODES / 2];
}

/* Computes sine and cosine of angles up to pi / 2 by series, because a library's sine may have
 * different bits on another processor. */
static void
sine_cosine (double angle, double *sine, double *cosine)
{
  const double square = angle * angle;

  *sine = *cosine = 1;
  for (int k = 28; k >= 2; k -= 2)
    {
      *sine = 1 - square / (k * (k + 1)) * *sine;
      *cosine = 1 - square / (k * (k - 1)) * *cosine;
    }
  *sine *= angle;
}

/* @depth = 1 - z */
static void
add_point (Pixel *self, double depth, double longitude, double weight)
{
  const double r = sqrt (depth * (2 - depth));
  double sine, cosine;

  sine_cosine (longitude, &sine, &cosine);
  self->x[self->n] = r * cosine;
  self->y[self->n] = r * sine;
  self->z[self->n] = 1 - depth;
  self->weight[self->n++] = weight;
}

/* Position of a pixel in its base pixel: steps from its northern corner in both downward
 * directions. */
typedef struct {
  double nside, a, b;
} Place;

/* Adds a point in a cap, where 1 - z = r^2 / 3, and the longitude is pi / 2 b / (a + b), with r =
 * (a + b) / nside (Gorski et al. 2005, section 5.1). */
static void
add_cap_point (Pixel *self, const Place *at, double u, double v, double weight)
{
  const double a = at->a + u, b = at->b + v, r = (a + b) / at->nside;
  const double centre = (at->b + 0.5) / (at->a + at->b + 1);

  add_point (self, r * r / 3, G_PI / 2 * (b / (a + b) - centre), weight);
}

/* Adds a point between the caps, where z and the longitude are linear. */
static void
add_belt_point (Pixel *self, const Place *at, double u, double v, double weight)
{
  const double r = (at->a + at->b + u + v) / at->nside;

  add_point (self, (2 * r - 1) / 3, G_PI / 4 * (v - u) / at->nside, weight);
}

static void
set_centre (Pixel *self, double depth)
{
  self->centre_x = sqrt (depth * (2 - depth));
  self->centre_z = 1 - depth;
}

/* Sets the points of pixel (a, b) of a cap, in ring a + b + 1 from the north. */
static void
set_cap_pixel (Pixel *self, gint64 nside, gint64 a, gint64 b)
{
  const Place at = { (double) nside, (double) a, (double) b };
  const double r = (double) (a + b + 1) / (double) nside;
  const gboolean at_pole = a + b == 0, at_end = a + b + 1 == nside;

  self->n = 0;
  set_centre (self, r * r / 3);
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++)
      {
        double u = node (i), v = node (j), weight = node_weight (i) * node_weight (j);

        if (!at_pole && !at_end)
          {
            add_cap_point (self, &at, u, v, weight);
            continue;
          }
        /* two triangles, with the northern and the southern corner */
        weight *= u;
        v *= u;
        add_cap_point (self, &at, u - v, v, weight);
        if (at_end)
          add_belt_point (self, &at, 1 - (u - v), 1 - v, weight);
        else
          add_cap_point (self, &at, 1 - (u - v), 1 - v, weight);
      }
}

/* Sets the points of a pixel between the caps, where all pixels of a ring are equivalent. */
static void
set_belt_pixel (Pixel *self, gint64 nside, gint64 ring)
{
  const Place at = { (double) nside, (double) (ring - 1), 0 };

  self->n = 0;
  set_centre (self, (2 * (double) ring / (double) nside - 1) / 3);
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++)
      add_belt_point (self, &at, node (i), node (j), node_weight (i) * node_weight (j));
}

/* Pairs point i with LANES points from j on, each pair once. */
static void
add_pairs (const Pixel *p, int i, int j, double scale, double (*scalar)[LANES],
           double (*spin)[LANES])
{
  double step[LANES], even[LANES], turned[LANES];

  for (int k = 0; k < LANES; k++)
    {
      const int other = j + k;
      const double x = p->x[other] - p->x[i], y = p->y[other] - p->y[i], z = p->z[other] - p->z[i];
      const double s = (x * x + y * y + z * z) / 4;
      const double triple
        = p->centre_x * (p->y[i] * p->z[other] - p->z[i] * p->y[other])
          + p->centre_z * (p->x[i] * p->y[other] - p->y[i] * p->x[other]);
      /* tan (e / 2), then cos e; e: spherical excess of both points and the centre */
      const double tangent = triple / (2 - 2 * s
                                       + p->centre_x * (p->x[i] + p->x[other])
                                       + p->centre_z * (p->z[i] + p->z[other]));
      const double turn = (1 - tangent * tangent) / (1 + tangent * tangent);

      step[k] = s * scale;
      even[k] = (other > i ? 2 : other == i ? 1 : 0) * p->weight[i] * p->weight[other];
      turned[k] = even[k] * (1 - s) * (1 - s) * (2 * turn * turn - 1);
    }
  for (int term = 0; term < TERMS; term++)
    for (int k = 0; k < LANES; k++)
      {
        scalar[term][k] += even[k];
        spin[term][k] += turned[k];
        even[k] *= step[k];
        turned[k] *= step[k];
      }
}

static double
sum_lanes (const double *lanes)
{
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
         + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/* Adds the moments of @count equivalent pixels. */
static void
add_pixel (Moments *sum, const Pixel *pixel, gint64 nside, gint64 count)
{
  double scalar[TERMS][LANES] = { { 0 } }, spin[TERMS][LANES] = { { 0 } };
  const double scale = (double) nside * (double) nside;

  for (int i = 0; i < pixel->n; i++)
    for (int j = i / LANES * LANES; j < pixel->n; j += LANES)
      add_pairs (pixel, i, j, scale, scalar, spin);
  for (int term = 0; term < TERMS; term++)
    {
      sum->scalar[term] += (double) count * sum_lanes (scalar[term]);
      sum->spin[term] += (double) count * sum_lanes (spin[term]);
    }
}

static void
add_moments (Moments *sum, const Moments *ring, double factor)
{
  for (int term = 0; term < TERMS; term++)
    {
      sum->scalar[term] += factor * ring->scalar[term];
      sum->spin[term] += factor * ring->spin[term];
    }
}

/* Computes means over all pixels: each ring has four equivalent pixels, or eight away from the
 * middle of a quarter. */
static void
find_moments (Moments *mean, gint64 nside)
{
  Pixel pixel;

  memset (mean, 0, sizeof *mean);
  for (gint64 ring = 1; ring <= 2 * nside; ring++)
    {
      Moments sum = { { 0 }, { 0 } };

      if (ring > nside)
        {
          set_belt_pixel (&pixel, nside, ring);
          add_pixel (&sum, &pixel, nside, 4 * nside);
        }
      else
        for (gint64 a = 0; 2 * a <= ring - 1; a++)
          {
            set_cap_pixel (&pixel, nside, a, ring - 1 - a);
            add_pixel (&sum, &pixel, nside, 2 * a == ring - 1 ? 4 : 8);
          }
      add_moments (mean, &sum,
                   (ring == 2 * nside ? 1 : 2) / (12 * (double) nside * (double) nside));
    }
}

/* Returns the hypergeometric sum of moments with a = low, b = high */
static double
series (const double *moments, double low, double high, double scale)
{
  double factor = 1, sum = 0;

  for (int k = 0; k < TERMS; k++)
    {
      sum += factor * moments[k];
      factor *= (low + k) * (high + k) / ((k + 1.0) * (k + 1.0) * scale);
    }
  return sum;
}

/* Computes the pixel window by its definition, averaged over all pixels, to about 1e-11. The same
 * program gives the same bits on any machine. The time is proportional to the square of @nside.
 * Returns FALSE with ARMILLA_ERROR_VALUE for arguments out of range. */
gboolean
armilla_pixel_window_compute (gint64 nside, gint64 lmax, double *scalar, double *spin2,
                              GError **error)
{
  const double scale = (double) nside * (double) nside;
  Moments mean;

  if (nside < 1 || nside > ARMILLA_PIXEL_WINDOW_MAX_NSIDE || lmax < 0 || lmax > 4 * nside)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "pixel windows are computed for nside from 1 to %d up to l = 4 nside, not "
                         "for %" G_GINT64_FORMAT " up to %" G_GINT64_FORMAT
                         "; name a file that contains it", ARMILLA_PIXEL_WINDOW_MAX_NSIDE, nside,
                         lmax);
  find_moments (&mean, nside);
  for (gint64 l = 0; l <= lmax; l++)
    {
      const double degree = (double) l;

      scalar[l] = sqrt (MAX (0, series (mean.scalar, -degree, degree + 1, scale)));
      spin2[l] = l < 2 ? 0 : sqrt (MAX (0, series (mean.spin, 2 - degree, degree + 3, scale)));
    }
  return TRUE;
}
