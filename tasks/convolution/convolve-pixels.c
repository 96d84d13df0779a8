/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the error of an approximate kernel (cut off, tabulated, or without some multipoles)
 * exactly, by sums over the pixels around some pixels. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tasks/convolution/convolve-plan.h"

/* relative rounding error of the sum over pixels; smaller errors are not reported */
#define ROUNDING 1e-15
/* fraction 1 / 8 of the pixels of a HEALPix ring suffices: rotations by 90 degrees and reflections
 * map the ring to itself */
#define ALIKE 8

/* Pixels around a given one: length of the chord to it, and quadrature weight. */
typedef struct {
  double *chord, *weight; /* [size] */
  double *kernel, *lost;  /* [size]: kernel K at each pixel, and error of the approximation */
  gint64 n, size;
} Around;

/* Sums over the surrounding pixels. */
typedef struct {
  double noise, lost, whole, mean, n;
} Sums;

static void
around_clear (Around *a)
{
  g_free (a->chord);
  g_free (a->weight);
  g_free (a->kernel);
  g_free (a->lost);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Around, around_clear)

static void
add_pixel (Around *a, double chord, double weight)
{
  if (a->n == a->size)
    {
      a->size = 2 * a->size + 64;
      a->chord = g_renew (double, a->chord, a->size);
      a->weight = g_renew (double, a->weight, a->size);
      a->kernel = g_renew (double, a->kernel, a->size);
      a->lost = g_renew (double, a->lost, a->size);
    }
  a->chord[a->n] = chord;
  a->weight[a->n++] = weight;
}

static double
first_azimuth (const ArmillaRing *ring)
{
  return ring->phi0_den ? G_PI * (double) ring->phi0_num / (double) ring->phi0_den : ring->phi0;
}

/* Adds the pixels of @ring whose squared chord to the pixel at azimuth @phi of the ring @from is at
 * most @chord2. */
static void
add_ring (Around *a, const ArmillaRing *ring, const ArmillaRing *from, double phi, double chord2)
{
  const double s = ring->sin_theta - from->sin_theta, c = ring->cos_theta - from->cos_theta;
  const double rest = chord2 - s * s - c * c, sines = 4 * ring->sin_theta * from->sin_theta;
  const double step = 2 * G_PI / (double) ring->n_phi;
  const double place = (phi - first_azimuth (ring)) / step;
  double reach;
  gint64 first = 0, last = ring->n_phi - 1;

  if (rest < 0)
    return;
  reach = rest < sines ? 2 * asin (sqrt (rest / sines)) / step : HUGE_VAL;
  if (reach < 0.5 * (double) (ring->n_phi - 1))
    {
      first = (gint64) ceil (place - reach - 1e-9);
      last = (gint64) floor (place + reach + 1e-9);
    }
  for (gint64 i = first; i <= last; i++)
    {
      const double h = sin (0.5 * ((double) i - place) * step);

      add_pixel (a, sqrt (MIN (s * s + c * c + sines * h * h, 4)), ring->weight);
    }
}

static void
fill_values (Around *a, const ArmillaConvolvePart *part)
{
  /* A band-limited kernel is smooth: its table has no visible error. */
  const gboolean smooth = armilla_kernel_lmax (part->kernel) >= 0;

  armilla_kernel_profile (part->kernel, a->chord, a->n, a->kernel);
  memset (a->lost, 0, sizeof (double) * (gsize) a->n);
  if (part->taken)
    armilla_kernel_profile (part->taken, a->chord, a->n, a->lost);
  for (gint64 i = 0; i < a->n; i++)
    {
      const double chord2 = a->chord[i] * a->chord[i];

      if (part->table)
        a->lost[i] = smooth && chord2 <= part->table->chord2
                       ? a->kernel[i] : armilla_kernel_table_value (part->table, chord2);
      a->lost[i] = a->kernel[i] - a->lost[i];
    }
  if (part->left)
    armilla_kernel_profile (part->left, a->chord, a->n, a->lost);
}

/* Returns the mean square of convolved noise of rms 1 per pixel, without its mean. @value: kernel
 * at each pixel; @area: solid angle of the grid; @mean: convolved map of constant value 1. */
static double
square_of_noise (const Around *a, const double *value, double area, double *mean)
{
  double sum = 0, squares = 0, weights = 0;

  for (gint64 i = 0; i < a->n; i++)
    sum += a->weight[i] * value[i];
  *mean = sum;
  sum /= area;
  for (gint64 i = 0; i < a->n; i++)
    {
      const double v = a->weight[i] * (value[i] - sum);

      squares += v * v;
    }
  for (gint64 i = 0; i < a->n; i++)
    weights += a->weight[i];
  /* pixels beyond the chord, where the kernel is 0, contribute by the subtracted mean */
  return squares + MAX (area - weights, 0) * sum * sum * (a->n ? weights / (double) a->n : 0);
}

static void
add_sums (Sums *sums, const Around *a, double area, double count)
{
  double mean, whole = 0;

  sums->noise += count * square_of_noise (a, a->kernel, area, &mean);
  sums->lost += count * square_of_noise (a, a->lost, area, &mean);
  sums->mean += count * mean * mean;
  for (gint64 i = 0; i < a->n; i++)
    whole += a->weight[i] * a->weight[i] * a->kernel[i] * a->kernel[i];
  sums->whole += count * whole;
  sums->n += count;
}

/* Collects the pixels around a pixel of a ring. */
static void
look_around (Around *a, const ArmillaGrid *grid, const ArmillaRing *from, double i, double chord2)
{
  const double phi = first_azimuth (from) + 2 * G_PI * i / (double) from->n_phi;

  a->n = 0;
  for (gint64 r = 0; r < grid->n_rings; r++)
    add_ring (a, &grid->rings[r], from, phi, chord2);
}

/* Returns the rms of convolved noise and of the error of the approximation, averaged over about
 * @some pixels, or over all that differ by symmetry if there are fewer. The kernel and its
 * approximation are 0 beyond the angle @reach (radian). */
ArmillaConvolveLost
armilla_convolve_lost (const ArmillaGrid *grid, const ArmillaConvolvePart *part, double reach,
                       gint64 some)
{
  const double s = 2 * sin (0.5 * MIN (reach, G_PI)), chord2 = reach < G_PI ? s * s : HUGE_VAL;
  const gint64 step = 1 + (grid->n_pairs - 1) / some, each = MAX (1, some / grid->n_pairs);
  g_auto (Around) around = { 0 };
  Sums sums = { 0 };
  double area = 0, min_noise, lost;

  for (gint64 r = 0; r < grid->n_rings; r++)
    area += grid->rings[r].weight * (double) grid->rings[r].n_phi;
  for (gint64 p = step / 2; p < grid->n_pairs; p += step)
    {
      const ArmillaRingPair *pair = &grid->pairs[p];
      const ArmillaRing *from = &grid->rings[pair->north >= 0 ? pair->north : pair->south];
      const gint64 unlike = 1 + (from->n_phi - 1) / ALIKE, n = MIN (each, unlike);
      const double stands_for = (double) (from->n_phi * (pair->north >= 0 && pair->south >= 0
                                                           ? 2 : 1)) / (double) n;

      for (gint64 i = 0; i < n; i++)
        {
          look_around (&around, grid, from, (double) (i * unlike / n), chord2);
          fill_values (&around, part);
          add_sums (&sums, &around, area, stands_for);
        }
    }
  min_noise = ROUNDING * sqrt (sums.whole / sums.n);
  lost = sqrt (sums.lost / sums.n);
  return (ArmillaConvolveLost) { MAX (sqrt (sums.noise / sums.n), min_noise),
                                 lost > min_noise ? lost : 0, sqrt (sums.mean / sums.n) };
}
