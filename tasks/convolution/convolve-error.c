/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a convolution may leave off, and what it then errs by: the angle at which the kernel is cut
 * off, the orders on rings, the degrees of a_lm. Errors are those of maps of white noise, a number
 * a pixel: all scales matter alike. */
#include "config.h"

#include <math.h>

#include "tasks/convolution/convolve-plan.h"

/* A cut takes a twentieth of the accuracy, orders and degrees a tenth: both cost little more. */
#define OF_CUT 0.05
#define OF_DEGREES 0.1
/* What roundings make of a sum of K times a mean, as a part of the largest b_l. */
#define ROUNDING 1e-15
/* Pixels that lie evenly see more of a short wave than others, first of all on rings of equal
 * lengths. */
#define EVENLY 4
#define EVENLY_ON_HEALPIX 3
/* Of so many pixels all pairs are summed, instead of estimates. */
#define FEW_PIXELS 500
/* What is summed is that of noise on average; one map may have more, and so may large scales. */
#define MARGIN 3.0
/* Of the output ring, of the input ring, and of aliases, each as much. */
#define ON_BOTH_SIDES 3
/* Of a kernel that jumps so much or more is left beyond the highest degree that is looked at. */
#define OF_JUMPS 0.01
/* For what a table errs by, so many pixels are looked around, and no more pairs than these. */
#define SOME_PIXELS 256
#define PAIRS 0x20000
/* Below this there are roundings. */
#define LEAST 1e-13
/* A mean finds what pixels have in common, by which noise is spread. */
#define OF_MEAN 4
/* By so many standard deviations the few waves of one map may be less than they are on average. */
#define BY_CHANCE 2
/* Rings that stand for all. */
#define SAMPLES 64

/* A window and what is left of the kernel beyond each degree. */
typedef struct {
  gint64 top;
  double pixel;          /* mean solid angle, steradian */
  double *window;        /* [top + 1] */
  double *power;         /* [top + 1]: integral of the square of degrees above */
  double *peak, *trough; /* [top + 1]: their sums at 0 and at the antipode */
  double noise;          /* what noise of 1 a pixel becomes, less its mean */
  double chance;         /* the least part of this that one map has */
  double large_scales;   /* what becomes of 1 a pixel of a sky with l (l + 1) C_l = const */
  double mean;           /* what a mean of 1 counts for */
  double largest;        /* b_l */
  gboolean ends;         /* whether the window does */
  gboolean few;          /* pixels */
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

/* Windows cost nothing, those of profiles (support x degrees^2) operations: a second at most. */
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

/* What the convolved noise of one map is at least, as a part of what it is on average: of wide
 * kernels few waves are left. Their squares are distributed as chi^2, of which the cube root is
 * nearly normal (Wilson and Hilferty 1931). */
static double
least_by_chance (const Tails *t)
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

/* What a sky of large scales has in the degrees that a kernel passes, as a part of all that it has
 * up to @degrees: of a needlet, less than noise. */
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
  /* A profile that jumps has as much beyond an octave as in it, others less. */
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
  /* Of a kernel as narrow as a pixel little more than its peak is seen. */
  t->noise = sqrt (MAX (t->pixel * t->noise, t->pixel * peak * t->pixel * peak));
  t->chance = least_by_chance (t);
  t->large_scales = passed_of_large_scales (t, armilla_convolve_degrees (grid));
  t->mean = armilla_kernel_mean_weight (t->window, t->top, t->pixel);
}

/* What noise of 1 a pixel has in degrees above one: these are waves shorter than pixels, which add
 * up where pixels lie evenly, first of all in the pixel itself and the antipodal one. */
static double
loss_beyond (const Tails *t, gint64 l)
{
  return hypot (sqrt (t->pixel * t->power[l]), t->pixel * hypot (t->peak[l], t->trough[l]));
}

/* How much of noise may be lost, so that neither noise nor a mean suffers. */
static double
allowed (const Tails *t, double accuracy)
{
  return MAX (accuracy * MIN (t->noise, t->mean), ROUNDING * t->largest);
}

/* The degree from which on nothing matters; -1: beyond what is known of the window. */
static gint64
last_degree (const Tails *t, double accuracy)
{
  const double most = allowed (t, OF_DEGREES * t->chance * accuracy);
  const gint64 end = t->ends ? t->top : t->top / 2;
  gint64 l = end;

  if (loss_beyond (t, end) > most)
    return -1;
  while (l > 0 && loss_beyond (t, l - 1) <= most)
    l--;
  return l;
}

/* The part of degree l that orders above m have on a ring. A Legendre function oscillates up to
 * the order l sin theta, as evenly as the angle of a chord; beyond, it falls off like Airy's
 * function of x = (1.5 S)^(2/3), S being the integral of sqrt (m^2 / sin^2 theta - l^2) up to
 * where it
 * oscillates. */
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

/* Whether rings beside this pair are as long: a cap's are not. */
static gboolean
has_equals (const ArmillaGrid *grid, const ArmillaRing *ring)
{
  gint64 n = 0;

  for (gint64 r = 0; n < 3 && r < grid->n_rings; r++)
    n += grid->rings[r].n_phi == ring->n_phi;
  return n > 2;
}

/* Whether pixels of all rings have the same azimuths. */
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

/* What noise of 1 a pixel has in the orders that are left out: those beyond the highest one of the
 * output ring and of input rings, and, as kernels are sampled no more often than need be, their
 * aliases. Rings that match each other leave none out; with others the shorter ones decide.
 * @jumps is set where all rings match and much of it is in the highest degrees. */
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

/* What the table of the kernel errs by, as part of the kernel: around some pixels or, where it
 * reaches too many, at places that lie evenly. */
static double
error_of_table (const ArmillaKernel *kernel, const ArmillaGrid *grid, double cut)
{
  enum { N = 4096 };
  const double s = sin (0.5 * cut), within = 1 + s * s * (double) grid->n_pixels;
  g_autoptr (ArmillaKernelTable) table = NULL;
  double chord[N], value[N], lost = 0, all = 0;

  if (armilla_kernel_lmax (kernel) >= 0) /* smooth: as good as can be */
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

/* What degrees above @lmax matter, by all pairs of pixels. */
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
  return t->few ? LEAST : MAX (ARMILLA_CONVOLVE_MIN_REPORTED * what->ring.accuracy, LEAST);
}

/* What is lost by degrees are aliases: as much of large scales as of noise, whatever is left of
 * either. */
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

/* Of few pixels nothing is left out but beyond a cut that is asked for; @of_rest is what that loses
 * of the sky. */
static void
sum_rings (ArmillaConvolution *what, const ArmillaGrid *grid, const ArmillaKernel *kernel,
           double of_rest)
{
  g_autoptr (ArmillaKernelTable) table = armilla_kernel_tabulate (kernel, what->ring.cut);
  const ArmillaConvolvePart part = { .kernel = kernel, .table = table };
  const ArmillaConvolveLost sum = armilla_convolve_lost (grid, &part, G_PI, grid->n_pixels);

  what->ring.exact = TRUE;
  what->by_rings.of_rest = MAX (MAX (of_rest, MARGIN * sum.lost / sum.noise), LEAST);
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
  /* All orders cost little where rings match. */
  ring->exact = ring->anti_ringing
                && (jumps || lost > allowed (t, ring->accuracy));
  if (ring->exact)
    lost = 0;
  of_rest = EVENLY * of_rest + lost / t->noise + error_of_table (kernel, grid, ring->cut);
  what->by_rings.of_rest = MAX (of_rest, min_reported (what, t));
  what->by_rings.of_mean = EVENLY * of_mean + lost;
}

/* Where the kernel leaves enough of a mean, what this errs by is a part of that. */
static void
merge_means (const Tails *t, double accuracy, ArmillaConvolveError *error)
{
  const double most = MAX (error->of_rest, accuracy) * fabs (t->window[0]);

  if (error->of_mean > most)
    {
      error->of_mean *= OF_MEAN;
      return;
    }
  error->of_rest = MAX (error->of_rest, most > 0 ? error->of_mean / fabs (t->window[0]) : 0);
  error->of_mean = 0;
}

/* Chooses what @what leaves open, for the accuracy asked for, and fills in what each method errs
 * by. Where no number of degrees is enough through a_lm, it takes as many as the grid can tell
 * apart. @cl: spectrum of the map, l = 0..@lmax, by which the error of a cut is judged (may be
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
