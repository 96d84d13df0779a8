/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the limits of a convolution and estimates their errors: the cut angle of the kernel, the
 * orders on rings, the lmax of a_lm. Errors are those of maps of white noise. */
#include "config.h"

#include <math.h>

#include "tasks/convolution/convolve-plan.h"

/* fractions of the requested accuracy that the cut, and omitted multipoles or orders may consume:
 * multipoles and orders are cheap, so that their fraction is small */
#define OF_CUT 0.05
#define OF_DEGREES 0.1
/* rounding error of a sum of K times a mean, relative to the largest b_l */
#define ROUNDING 1e-15
/* factors by which sums over pixels may exceed the errors of waves shorter than a pixel that are
 * estimated for random pixels, since errors add up on evenly spaced pixels */
#define EVENLY 4
#define EVENLY_ON_HEALPIX 3
/* number of pixels up to which errors are computed from all pairs of pixels, not estimated */
#define FEW_PIXELS 500
/* safety factor: estimates hold for the mean of many noise maps; in a single map and on large
 * scales the error may be larger */
#define MARGIN 3.0
/* number of sources of the error of omitted orders, assumed equal: orders of the output ring, of
 * the input ring, and aliases */
#define ON_BOTH_SIDES 3
/* power of a kernel beyond the highest computed multipole, relative to the error of omitted orders,
 * above which the kernel counts as discontinuous */
#define OF_JUMPS 0.01
/* number of pixels around which the error of a table is sampled, and maximum number of pairs */
#define SOME_PIXELS 256
#define PAIRS 0x20000
/* minimum error; smaller ones are rounding */
#define MIN_ERROR 1e-13
/* factor of the error of the mean: errors of noise average out over pixels, those of a mean add
 * up */
#define OF_MEAN 4
/* standard deviations by which the power of a single map with few waves may fall below the
 * average */
#define BY_CHANCE 2
/* number of sampled rings */
#define SAMPLES 64

/* Window b_l of a kernel and what it contains beyond each multipole. */
typedef struct {
  gint64 top;
  double pixel;          /* mean solid angle of a pixel, steradian */
  double *window;        /* [top + 1] */
  double *power;         /* [top + 1]: sum over L > l of (2 L + 1) / 4 pi b_L^2 */
  /* [top + 1]: sums over L > l of (2 L + 1) / 4 pi b_L at angle 0, and with signs (-1)^L at the
   * antipode */
  double *peak, *trough;
  double noise;          /* rms of a convolved noise map with rms 1, without its mean */
  double chance;         /* minimum of that rms in a single map, relative to noise */
  double large_scales;   /* the same rms for a sky with l (l + 1) C_l = const and rms 1 */
  double mean;           /* convolved map of constant value 1 */
  double largest;        /* largest |b_l| */
  gboolean ends;         /* whether b_l = 0 above some multipole */
  gboolean few;          /* whether the grid has fewer than FEW_PIXELS pixels */
} Tails;

static void
tails_clear (Tails *t)
{
  g_free (t->window);
  g_free (t->power);
  g_free (t->peak);
  g_free (t->trough);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tails, tails_clear)

/* Returns the highest multipole to compute, at most 8 @degrees. If b_l must be integrated from a
 * profile, which takes a time proportional to the support times the square of the multipole, it is
 * lower, so that this takes at most about a second. */
static gint64
highest_degree (const ArmillaKernel *kernel, gint64 degrees)
{
  gint64 top = 8 * degrees;

  if (armilla_kernel_lmax (kernel) < 0)
    while (top > 2 * degrees
           && armilla_kernel_support (kernel) * (double) top * (double) top > 2e9)
      top /= 2;
  return top;
}

/* Returns the rms below which the rms of a single convolved noise map rarely is (BY_CHANCE standard
 * deviations), relative to the average over maps: a wide kernel leaves few modes. Their power is
 * distributed as chi^2, whose cube root is nearly normal (Wilson and Hilferty 1931). */
static double
min_noise_ratio (const Tails *t)
{
  double square = 0, fourth = 0, ninth;

  for (gint64 l = 1; l <= t->top; l++)
    {
      const double b2 = t->window[l] * t->window[l];

      square += (double) (2 * l + 1) * b2;
      fourth += (double) (2 * l + 1) * b2 * b2;
    }
  if (fourth == 0)
    return 1;
  ninth = 2 * fourth / (9 * square * square);
  return pow (1 - ninth - BY_CHANCE * sqrt (ninth), 1.5);
}

/* Returns the factor by which the kernel reduces the rms of a large-scale sky with multipoles up to
 * @degrees. A needlet, a band-pass, reduces it more than that of noise. */
static double
passed_of_large_scales (const Tails *t, gint64 degrees)
{
  double passed = 0, all = 0;

  for (gint64 l = 1; l <= degrees; l++)
    {
      const double power = (double) (2 * l + 1) / (double) (l * (l + 1));

      all += power;
      if (l <= t->top)
        passed += power * t->window[l] * t->window[l];
    }
  return sqrt (passed / all);
}

static void
tails_init (Tails *t, const ArmillaKernel *kernel, const ArmillaGrid *grid)
{
  double power = 0, peak = 0, trough = 0;

  t->top = highest_degree (kernel, armilla_convolve_degrees (grid));
  t->ends = armilla_kernel_lmax (kernel) >= 0;
  t->few = grid->n_pixels < FEW_PIXELS;
  t->pixel = 4 * G_PI / (double) grid->n_pixels;
  t->window = g_new (double, t->top + 1);
  t->power = g_new (double, t->top + 1);
  t->peak = g_new (double, t->top + 1);
  t->trough = g_new (double, t->top + 1);
  armilla_kernel_window (kernel, t->top, t->window);
  /* Estimates the power beyond the computed multipoles by that of the last octave: equal for a
   * discontinuous profile, an upper limit for others. */
  for (gint64 l = t->top / 2 + 1; !t->ends && l <= t->top; l++)
    power += (double) (2 * l + 1) / (4 * G_PI) * t->window[l] * t->window[l];
  for (gint64 l = t->top; l >= 0; l--)
    {
      const double term = (double) (2 * l + 1) / (4 * G_PI) * t->window[l];

      t->power[l] = power;
      t->peak[l] = peak;
      t->trough[l] = trough;
      power += term * t->window[l];
      peak += term;
      trough += l % 2 ? -term : term;
      t->largest = MAX (t->largest, fabs (t->window[l]));
      if (l == 1)
        t->noise = power;
    }
  /* A kernel as narrow as a pixel is sampled at its peak only: the output is noise times that. */
  t->noise = sqrt (MAX (t->pixel * t->noise, t->pixel * peak * t->pixel * peak));
  t->chance = min_noise_ratio (t);
  t->large_scales = passed_of_large_scales (t, armilla_convolve_degrees (grid));
  t->mean = armilla_kernel_mean_weight (t->window, t->top, t->pixel);
}

/* Returns the rms of the error if multipoles above l are omitted and the input is noise of rms 1
 * per pixel. Waves shorter than pixels add up on evenly spaced pixels, especially in the pixel
 * itself and the antipodal one. */
static double
loss_beyond (const Tails *t, gint64 l)
{
  return hypot (sqrt (t->pixel * t->power[l]), t->pixel * hypot (t->peak[l], t->trough[l]));
}

/* Returns the maximum rms of the error with which neither convolved noise nor a convolved mean
 * exceeds the relative accuracy. */
static double
allowed (const Tails *t, double accuracy)
{
  return MAX (accuracy * MIN (t->noise, t->mean), ROUNDING * t->largest);
}

/* Returns the lowest lmax with sufficient accuracy; -1 if it is above the computed multipoles. */
static gint64
last_degree (const Tails *t, double accuracy)
{
  const double max_loss = allowed (t, OF_DEGREES * t->chance * accuracy);
  const gint64 end = t->ends ? t->top : t->top / 2;
  gint64 l = end;

  if (loss_beyond (t, end) > max_loss)
    return -1;
  while (l > 0 && loss_beyond (t, l - 1) <= max_loss)
    l--;
  return l;
}

/* Returns the fraction of the power of multipole l that is in orders above m on a ring. As a
 * function of m, a Legendre function oscillates up to m = l sin theta, where cos^-1 (m / (l sin
 * theta)) is uniformly distributed. Above, it decays like Airy's function of x = (1.5 S)^(2/3),
 * where S is the integral of sqrt (m^2 / sin^2 theta - l^2) over the interval without
 * oscillation. */
static double
part_above (double l, double sine, double m)
{
  const double reach = (l + 0.5) * sine, c = cbrt (0.5 * reach + 0.5);
  const double a = MIN ((m + 0.5) / (l + 0.5), 1), cosine = sqrt (1 - sine * sine);
  double w, s;

  if (m + 0.5 < reach)
    return 2 / G_PI * acos ((m + 0.5) / reach) + 0.134 / c;
  w = sqrt (a * a - sine * sine);
  s = (l + 0.5) * (a * atanh (w / (a * cosine)) - atanh (w / cosine));
  return 0.134 / c * exp (-2 * s) / (1 + 1.7 * pow (1.5 * s, 2.0 / 3));
}

/* Returns whether neighbouring rings have as many pixels as this one, as they have outside of the
 * polar caps. */
static gboolean
has_equals (const ArmillaGrid *grid, const ArmillaRing *ring)
{
  gint64 n = 0;

  for (gint64 r = 0; n < 3 && r < grid->n_rings; r++)
    n += grid->rings[r].n_phi == ring->n_phi;
  return n > 2;
}

/* Returns whether all rings have equal azimuths of pixels. */
static gboolean
rings_match (const ArmillaGrid *grid)
{
  const ArmillaRing *first = &grid->rings[0];
  gboolean match = TRUE;

  for (const ArmillaRing *r = first; match && r < first + grid->n_rings; r++)
    match = r->n_phi == first->n_phi && r->phi0_num == first->phi0_num
            && r->phi0_den == first->phi0_den && r->phi0 == first->phi0;
  return match;
}

/* Returns the rms of the error that omitted orders cause if the input is noise of rms 1 per pixel:
 * orders above the highest one of the output ring and of input rings and, since kernels are sampled
 * no more often than needed, aliases. Rings of equal length omit none; otherwise the shorter ring
 * determines the highest order. @jumps is set if all rings have equal pixels and the kernel is
 * discontinuous. */
static double
loss_of_orders (const Tails *t, const ArmillaGrid *grid, const ArmillaRingConvolution *options,
                gboolean *jumps)
{
  const double tolerance = armilla_convolve_tolerance (options);
  const gint64 step = 1 + grid->n_pairs / SAMPLES;
  gint64 band = MIN (t->top, 2 * armilla_convolve_degrees (grid));
  double beyond = t->ends ? 0 : t->power[t->top];
  double lost = 0, pixels = 0, partial = 0, weight;

  while (band > 1 && fabs (t->window[band]) <= tolerance * t->largest)
    band--;
  for (gint64 p = step / 2; p < grid->n_pairs; p += step)
    {
      const ArmillaRing *ring
        = &grid->rings[grid->pairs[p].north >= 0 ? grid->pairs[p].north : grid->pairs[p].south];
      gint64 order = armilla_convolve_order ((double) band, ring->sin_theta, tolerance);

      pixels += (double) ring->n_phi;
      if (has_equals (grid, ring)
          && (armilla_convolve_circle (order) >= ring->n_phi
              || options->accuracy <= ARMILLA_CONVOLVE_EXACT))
        continue;
      if (!options->anti_ringing)
        order = MIN (order, (ring->n_phi - 1) / 2);
      weight = (double) ring->n_phi * ring->weight / t->pixel;
      partial += weight;
      for (gint64 l = order + 1; l <= t->top; l++)
        lost += weight * (double) (2 * l + 1) * t->window[l] * t->window[l]
                * part_above ((double) l, ring->sin_theta, (double) order);
    }
  *jumps = FALSE;
  if (partial == 0)
    return 0;
  lost /= 4 * G_PI * pixels;
  if (rings_match (grid))
    {
      beyond *= partial / pixels;
      *jumps = beyond > OF_JUMPS * lost;
    }
  return ON_BOTH_SIDES * sqrt (t->pixel * (lost + beyond));
}

/* Returns the rms error of the interpolation table of the kernel relative to the kernel, from the
 * pixels around some pixels or, if the kernel reaches too many pixels, from evenly spaced
 * points. */
static double
error_of_table (const ArmillaKernel *kernel, const ArmillaGrid *grid, double cut)
{
  enum { N = 4096 };
  const double s = sin (0.5 * cut), within = 1 + s * s * (double) grid->n_pixels;
  g_autoptr (ArmillaKernelTable) table = NULL;
  double chord[N], value[N], lost = 0, all = 0;

  if (armilla_kernel_lmax (kernel) >= 0) /* band-limited, so smooth: the error is negligible */
    return 0;
  table = armilla_kernel_tabulate (kernel, cut);
  if (within < PAIRS / 16)
    {
      const ArmillaConvolvePart part = { .kernel = kernel, .table = table };
      const ArmillaConvolveLost sum
        = armilla_convolve_lost (grid, &part, cut,
                                 (gint64) MIN (PAIRS / within, SOME_PIXELS));

      return MARGIN * sum.lost / sum.noise;
    }
  for (int i = 0; i < N; i++)
    chord[i] = 2 * s * sqrt ((i + 0.5) / N);
  armilla_kernel_profile (kernel, chord, N, value);
  for (int i = 0; i < N; i++)
    {
      const double d = armilla_kernel_table_value (table, chord[i] * chord[i]) - value[i];

      lost += d * d;
      all += value[i] * value[i];
    }
  return MARGIN * sqrt (lost / all);
}

/* Returns the rms error that omitting multipoles above @lmax causes, by sums over all pairs of
 * pixels. */
static ArmillaConvolveLost
sum_degrees (const ArmillaGrid *grid, const ArmillaKernel *kernel, gint64 lmax)
{
  const gint64 end = armilla_kernel_lmax (kernel), top = MAX (end, lmax);
  g_autofree double *window = g_new (double, top + 1);
  g_autoptr (ArmillaKernel) part = NULL;

  armilla_kernel_window (kernel, top, window);
  for (gint64 l = 0; end >= 0 && l <= lmax; l++)
    window[l] = 0;
  part = armilla_kernel_new_window (window, top, NULL);
  if (end >= 0 && !part)
    return (ArmillaConvolveLost) { 1, 0, 0 };
  return armilla_convolve_lost (grid,
                                &(ArmillaConvolvePart) { .kernel = kernel,
                                                         .taken = end < 0 ? part : NULL,
                                                         .left = end < 0 ? NULL : part },
                                G_PI, grid->n_pixels);
}

static double
min_reported (const ArmillaConvolution *what, const Tails *t)
{
  return t->few ? MIN_ERROR : MAX (ARMILLA_CONVOLVE_MIN_REPORTED * what->ring.accuracy, MIN_ERROR);
}

/* Sets the errors of the method through a_lm, caused by the multipoles above its lmax. Aliasing
 * spreads them over all scales, so the error relative to a large-scale sky is computed, too. */
static void
settle_degrees (ArmillaConvolution *what, const Tails *t, const ArmillaGrid *grid,
                const ArmillaKernel *kernel)
{
  ArmillaConvolveLost sum = { .noise = t->noise };
  double seen;

  if (t->few)
    sum = sum_degrees (grid, kernel, what->lmax);
  else
    sum.lost = sum.of_mean = (grid->kind == ARMILLA_GRID_HEALPIX ? EVENLY_ON_HEALPIX : EVENLY)
                             / MARGIN * loss_beyond (t, MIN (what->lmax, t->top));
  seen = t->large_scales > 0 ? MIN (sum.noise, t->large_scales) : sum.noise;
  what->by_degrees.of_rest = MAX (MARGIN * sum.lost / seen, min_reported (what, t));
  what->by_degrees.of_mean = MARGIN * sum.of_mean;
}

/* Sets the errors by rings of a map with few pixels, whose orders are all kept, from sums over all
 * pairs of pixels: only the cut causes an error. @of_rest: its estimate. */
static void
sum_rings (ArmillaConvolution *what, const ArmillaGrid *grid, const ArmillaKernel *kernel,
           double of_rest)
{
  g_autoptr (ArmillaKernelTable) table = armilla_kernel_tabulate (kernel, what->ring.cut);
  const ArmillaConvolvePart part = { .kernel = kernel, .table = table };
  const ArmillaConvolveLost sum = armilla_convolve_lost (grid, &part, G_PI, grid->n_pixels);

  what->ring.exact = TRUE;
  what->by_rings.of_rest = MAX (MAX (of_rest, MARGIN * sum.lost / sum.noise), MIN_ERROR);
  what->by_rings.of_mean = MARGIN * sum.of_mean;
}

static void
settle_rings (ArmillaConvolution *what, const Tails *t, const ArmillaGrid *grid,
              const ArmillaKernel *kernel, const double *cl, gint64 lmax)
{
  ArmillaRingConvolution *ring = &what->ring;
  const gboolean whole = t->few && ring->anti_ringing && ring->kernel_shift;
  double of_rest, of_mean, lost;
  gboolean jumps;

  if (ring->cut <= 0)
    ring->cut = whole ? armilla_kernel_support (kernel)
                      : armilla_kernel_choose_cut (kernel, OF_CUT * t->chance * ring->accuracy, cl,
                                                   lmax, t->pixel);
  ring->cut = MIN (ring->cut, armilla_kernel_support (kernel));
  of_rest = armilla_kernel_truncation_error (kernel, ring->cut, cl, lmax, t->pixel, &of_mean);
  ring->tolerance = allowed (t, OF_DEGREES * t->chance * ring->accuracy) / t->noise;
  if (whole)
    {
      sum_rings (what, grid, kernel, of_rest);
      return;
    }
  lost = loss_of_orders (t, grid, ring, &jumps);
  /* Keeps all orders if omitting them causes too large an error. */
  ring->exact = ring->anti_ringing
                && (jumps || lost > allowed (t, ring->accuracy));
  if (ring->exact)
    lost = 0;
  of_rest = EVENLY * of_rest + lost / t->noise + error_of_table (kernel, grid, ring->cut);
  what->by_rings.of_rest = MAX (of_rest, min_reported (what, t));
  what->by_rings.of_mean = EVENLY * of_mean + lost;
}

/* Adds the error of the mean to the error of the rest, as a fraction of the convolved mean, unless
 * that fraction is larger than the accuracy: a kernel with b_0 near 0 leaves no mean. Then both
 * errors are reported. */
static void
merge_means (const Tails *t, double accuracy, ArmillaConvolveError *error)
{
  const double max_error = MAX (error->of_rest, accuracy) * fabs (t->window[0]);

  if (error->of_mean > max_error)
    {
      error->of_mean *= OF_MEAN;
      return;
    }
  error->of_rest = MAX (error->of_rest, max_error > 0 ? error->of_mean / fabs (t->window[0]) : 0);
  error->of_mean = 0;
}

/* Chooses the parameters that @what leaves open (cut, lmax, orders) for the requested accuracy, and
 * sets the estimated errors of both methods. If no lmax suffices, it is the highest multipole that
 * the grid resolves. @cl: spectrum of the map, l = 0..@lmax, for the error of the cut (may be
 * NULL). */
void
armilla_convolution_settle (ArmillaConvolution *what, const ArmillaGrid *grid,
                            const ArmillaKernel *kernel, const double *cl, gint64 lmax)
{
  const gint64 degrees = armilla_convolve_degrees (grid);
  g_auto (Tails) tails = { 0 };

  tails_init (&tails, kernel, grid);
  if (what->lmax < 0)
    what->lmax = last_degree (&tails, what->ring.accuracy);
  if (what->lmax < 0)
    what->lmax = degrees;
  settle_degrees (what, &tails, grid, kernel);
  merge_means (&tails, what->ring.accuracy, &what->by_degrees);
  if (what->method == ARMILLA_CONVOLVE_HARMONIC)
    return;
  if (!cl)
    lmax = MIN (degrees, 2 * armilla_kernel_band_limit (kernel, 1e-14, degrees) + 64);
  settle_rings (what, &tails, grid, kernel, cl, MIN (lmax, degrees));
  merge_means (&tails, what->ring.accuracy, &what->by_rings);
}
