/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions with all kinds of kernels, from a pixel to the whole sphere wide, on all kinds of
 * grids, by both methods, at all accuracies, with and without a mean: against sums over pixels with
 * the kernel in long double. The error is at most what was asked for, or else what is reported;
 * what is reported is no more than ten times the error. ARMILLA_TEST_LARGE=1 takes all of it, an
 * hour of one core: tests/tools/convolve-grid.sh runs parts of it side by side, by -p
 * /convolve-grid/GRID, KERNEL=K, which takes the K-th kernel alone, from 0, and WIDTH=W, likewise.
 * Each kernel and width tells its results in lines "of GRID: ..." that the script adds up. */
#include "tests/convolution/convolve-helpers.h"
#include "tests/convolution/exact-kernels.h"

/* The mean of a map over its rest, as that of the CMB. */
#define MEAN 1e5
/* Pixels of grids on which all cases are convolved, even those whose plans are the same. */
#define SMALL 3000
/* On grids of fewer pixels errors are computed; on others no less is told, as a part of the
 * accuracy. */
#define FEW 500
#define MIN_REPORTED 1.0001e-4
/* Every third kernel and width is taken; under a sanitizer, which meets all of the code in a few,
 * every ninth. */
#ifdef __SANITIZE_ADDRESS__
#define EVERY 9
#else
#define EVERY 3
#endif
/* What roundings may make of sum w |K| |f|; tables of kernels err by 1e-13 of their peak. */
#define ROUNDINGS 5e-14

/* Maps of noise, which count together: of waves as long as a wide kernel one map has few, and may
 * have them weak or strong by chance. */
enum { N_WHITE = 8, RED = N_WHITE, WHITE_AND_MEAN, N_MAPS };
/* What is compared: noise, a sky of large scales, noise and a mean. */
enum { OF_WHITE, OF_RED, OF_WHITE_AND_MEAN, N_KINDS_OF_MAPS };

/* --- Sums over pixels */

typedef struct {
  ArmillaGrid *grid;
  char *name;
  double pixel; /* radian */
  double *maps; /* [N_MAPS][n_pixels] */
  long double *vectors;
  GArray *samples; /* gint64, pixels that are compared */
} Sky;

typedef struct {
  double *sums;                     /* [N_MAPS][samples] */
  double rms[N_KINDS_OF_MAPS];      /* of these */
  double absolute[N_KINDS_OF_MAPS]; /* of sum w |K| times the rms of the map */
} Sums;

static void
sky_clear (Sky *sky)
{
  g_clear_pointer (&sky->grid, armilla_grid_unref);
  g_free (sky->name);
  g_free (sky->maps);
  g_free (sky->vectors);
  g_array_unref (sky->samples);
}

static void
point_at (long double *v, const ArmillaRing *ring, gint64 i)
{
  const long double first = ring->phi0_den ? PI_L * (long double) ring->phi0_num
                                               / (long double) ring->phi0_den
                                           : (long double) ring->phi0;
  const long double phi = first + 2 * PI_L * (long double) i / (long double) ring->n_phi;

  /* of sine and cosine the one that tells the angle better */
  long double s = (long double) ring->sin_theta, z = (long double) ring->cos_theta;

  if (fabsl (z) < s)
    s = sqrtl ((1 - z) * (1 + z));
  else
    z = copysignl (sqrtl ((1 - s) * (1 + s)), z);
  v[0] = s * cosl (phi);
  v[1] = s * sinl (phi);
  v[2] = z;
}

/* Noise without a mean. */
static void
draw_noise (const ArmillaGrid *grid, GRand *rand, double *map)
{
  g_autofree double *white = random_map_array (rand, grid->n_pixels);
  double mean = 0, area = 0;

  for (gint64 r = 0; r < grid->n_rings; r++)
    for (gint64 i = 0; i < grid->rings[r].n_phi; i++)
      {
        mean += grid->rings[r].weight * white[grid->rings[r].offset + i];
        area += grid->rings[r].weight;
      }
  for (gint64 p = 0; p < grid->n_pixels; p++)
    map[p] = white[p] - mean / area;
}

static void
draw_maps (Sky *sky)
{
  const gint64 n = sky->grid->n_pixels, lmax = MIN (armilla_convolve_degrees (sky->grid), 256);
  const ArmillaAlmLayout layout = { lmax, lmax };
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autofree double *alm = NULL, *red = NULL;

  sky->maps = g_new (double, N_MAPS * n);
  for (int f = 0; f < N_WHITE; f++)
    draw_noise (sky->grid, rand, sky->maps + f * n);
  alm = random_alm_array (rand, layout, 1);
  for (gint64 m = 0, i = 0; m <= lmax; m++)
    for (gint64 l = m; l <= lmax; l++, i++)
      for (int k = 0; k < 2; k++)
        alm[2 * i + k] *= l < 1 ? 0 : 1 / sqrt ((double) (l * (l + 1)));
  red = synthesize (NULL, sky->grid, layout, alm, 1);
  memcpy (sky->maps + RED * n, red, sizeof (double) * (gsize) n);
  for (gint64 p = 0; p < n; p++)
    sky->maps[WHITE_AND_MEAN * n + p] = MEAN + sky->maps[p];
}

/* Of the maps, what is compared; roots of means of squares. */
static void
by_kind (const double *of_maps, double *of_kinds)
{
  double sum = 0;

  for (int f = 0; f < N_WHITE; f++)
    sum += of_maps[f] * of_maps[f] / N_WHITE;
  of_kinds[OF_WHITE] = sqrt (sum);
  of_kinds[OF_RED] = of_maps[RED];
  of_kinds[OF_WHITE_AND_MEAN] = of_maps[WHITE_AND_MEAN];
}

static void
sky_init (Sky *sky, ArmillaGrid *grid, const char *name, gint64 work)
{
  const gint64 n = grid->n_pixels, want = CLAMP (work / n, 48, n);
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);

  *sky = (Sky) { .grid = grid, .name = g_strdup (name),
                 .pixel = sqrt (4 * G_PI / (double) n),
                 .vectors = g_new (long double, 3 * n),
                 .samples = g_array_new (FALSE, FALSE, sizeof (gint64)) };
  for (gint64 r = 0; r < grid->n_rings; r++)
    for (gint64 i = 0; i < grid->rings[r].n_phi; i++)
      point_at (sky->vectors + 3 * (grid->rings[r].offset + i), &grid->rings[r], i);
  for (gint64 p = 0; p < n; p++)
    if (want >= n || g_rand_double (rand) < (double) want / (double) n)
      g_array_append_val (sky->samples, p);
  draw_maps (sky);
}

/* One pixel of all maps; what roundings are measured by goes to @absolute. */
static void
sum_at (const Sky *sky, const Exact *e, gint64 p, double *sums, gsize stride, double *absolute)
{
  const ArmillaGrid *grid = sky->grid;
  const long double *v = sky->vectors + 3 * p;
  long double sum[N_MAPS] = { 0 }, size = 0;

  for (gint64 r = 0; r < grid->n_rings; r++)
    for (gint64 q = grid->rings[r].offset; q < grid->rings[r].offset + grid->rings[r].n_phi; q++)
      {
        const long double *w = sky->vectors + 3 * q;
        const long double x = v[0] - w[0], y = v[1] - w[1], z = v[2] - w[2];
        const long double k = (long double) grid->rings[r].weight
                              * exact_at (e, MIN (2, sqrtl (x * x + y * y + z * z)));

        size += fabsl (k);
        for (int f = 0; f < N_MAPS; f++)
          sum[f] += k * (long double) sky->maps[f * grid->n_pixels + q];
      }
  for (int f = 0; f < N_MAPS; f++)
    sums[(gsize) f * stride] = (double) sum[f];
  *absolute = MAX (*absolute, (double) size);
}

static double
rms_of (const double *x, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt (sum / n);
}

static void
sums_init (Sums *sums, const Sky *sky, const Exact *e)
{
  const guint n = sky->samples->len;
  double absolute = 0, rms[N_MAPS], sizes[N_MAPS];

  sums->sums = g_new (double, N_MAPS * n);
  for (guint i = 0; i < n; i++)
    sum_at (sky, e, g_array_index (sky->samples, gint64, i), sums->sums + i, n, &absolute);
  for (int f = 0; f < N_MAPS; f++)
    {
      rms[f] = rms_of (sums->sums + (gsize) f * n, n);
      sizes[f]
        = absolute * rms_of (sky->maps + f * sky->grid->n_pixels, (guint) sky->grid->n_pixels);
    }
  by_kind (rms, sums->rms);
  by_kind (sizes, sums->absolute);
}

/* --- The grid */

typedef struct {
  double used;       /* error over accuracy, where that was reached */
  double reported;   /* error over what is reported */
  double overstated; /* what is reported over the error */
  double roundings;  /* error over sum w |K| |f|, where nothing is left out */
  gint64 n, missed;
} Worst;

static const char *const method_names[] = { "auto", "harmonic", "ring" };

static gboolean
too_narrow (const Exact *e, const ArmillaGrid *grid)
{
  const gint64 finest = armilla_convolve_degrees (grid);
  g_autofree double *window = g_new (double, finest + 1);
  double largest = 0;

  armilla_kernel_window (e->kernel, finest, window);
  for (gint64 l = 0; l <= finest; l++)
    largest = MAX (largest, fabs (window[l]));
  return fabs (window[finest]) > 0.5 * largest;
}

static double *
convolve_as (const ArmillaConvolution *what, const Sky *sky, ArmillaKernel *kernel)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autoptr (ArmillaMap) in = armilla_map_new (sky->grid, N_MAPS);
  g_autoptr (ArmillaMap) out = armilla_map_new (sky->grid, N_MAPS);
  const gint64 n = sky->grid->n_pixels;
  WholeMap from = { sky->maps, n }, to = { g_new (double, N_MAPS * n), n };

  g_assert_no_error (error);
  armilla_graph_fill (graph, ARMILLA_DATA (in), whole_map_fill, &from, NULL, &error);
  g_assert_no_error (error);
  armilla_graph_convolve (graph, in, kernel, what, out, &error);
  g_assert_no_error (error);
  armilla_graph_drain (graph, ARMILLA_DATA (out), whole_map_take, NULL, &to, NULL, &error);
  g_assert_no_error (error);
  armilla_data_release (ARMILLA_DATA (in));
  armilla_data_release (ARMILLA_DATA (out));
  g_assert_true (armilla_graph_wait (graph, &error));
  g_assert_no_error (error);
  return to.values;
}

static void
errors_of (const Sky *sky, const Sums *sums, const double *result, double *error)
{
  const guint n = sky->samples->len;
  g_autofree double *d = g_new (double, n);
  double errors[N_MAPS];

  for (int f = 0; f < N_MAPS; f++)
    {
      for (guint i = 0; i < n; i++)
        d[i] = result[f * sky->grid->n_pixels + g_array_index (sky->samples, gint64, i)]
               - sums->sums[(gsize) f * n + i];
      errors[f] = rms_of (d, n);
    }
  by_kind (errors, error);
}

/* Complains of a case, and goes on. */
static void
check (gboolean right, const char *what, const char *where, const double *error, const Sums *sums,
       const ArmillaConvolveError *said)
{
  if (right)
    return;
  g_test_message ("%s: %s: errors %.2g %.2g %.2g of %.2g %.2g %.2g (roundings %.2g %.2g), reported "
                  "%.2g and %.2g of the mean",
                  where, what, error[0], error[1], error[2], sums->rms[0], sums->rms[1],
                  sums->rms[2], ROUNDINGS * sums->absolute[0], ROUNDINGS * sums->absolute[2],
                  said->of_rest, said->of_mean);
  g_test_fail ();
}

/* What a method made of a kernel, and the plan by which. */
typedef struct {
  gboolean there;
  ArmillaConvolution plan;
  double *result;
  double error[N_KINDS_OF_MAPS];
} Made;

/* Returns whether results have the same bits: lmax settles all of a way by a_lm; and where rings
 * that do not match are summed pixel by pixel, nothing is left for the accuracy to decide but the
 * cut. */
static gboolean
same_plan (ArmillaConvolveMethod method, const ArmillaConvolution *a, const ArmillaConvolution *b)
{
  return method == ARMILLA_CONVOLVE_HARMONIC
           ? a->lmax == b->lmax
           : method == ARMILLA_CONVOLVE_RING && a->ring.exact && b->ring.exact
               && a->ring.cut == b->ring.cut;
}

/* Convolves, unless that was done. On a small grid it does so all the same, and sees that the bits
 * are those of before. */
static void
make_case (const Sky *sky, const Exact *e, const Sums *sums, const ArmillaConvolution *what,
           Made *made)
{
  const gsize size = sizeof (double) * N_MAPS * (gsize) sky->grid->n_pixels;
  const gboolean done = made->there && same_plan (what->method, what, &made->plan);
  double *result;

  if (done && sky->grid->n_pixels > SMALL)
    return;
  result = convolve_as (what, sky, e->kernel);
  if (done)
    g_assert_cmpmem (result, size, made->result, size);
  g_free (made->result);
  *made = (Made) { .there = TRUE, .plan = *what, .result = result };
  errors_of (sky, sums, result, made->error);
}

static void
check_case (const Sky *sky, const Exact *e, const Sums *sums, const ArmillaConvolution *what,
            Made *made, Worst *w, const char *where)
{
  const ArmillaConvolveMethod method = what->method;
  const double accuracy = what->ring.accuracy, *error = made->error;
  const ArmillaConvolveError *said
    = method == ARMILLA_CONVOLVE_RING ? &what->by_rings : &what->by_degrees;
  double real = 0;

  make_case (sky, e, sums, what, made);
  if (method == ARMILLA_CONVOLVE_AUTO) /* either one that says it reaches the accuracy */
    said = what->by_rings.of_rest <= accuracy ? &what->by_rings : &what->by_degrees;
  w->n++;
  w->missed += said->of_rest > accuracy;
  for (int f = 0; f < N_KINDS_OF_MAPS; f++)
    {
      const double roundings = ROUNDINGS * sums->absolute[f], rms = sums->rms[f];
      const double bound
        = said->of_rest * rms + (f == OF_WHITE_AND_MEAN ? said->of_mean * MEAN : 0);

      if (method != ARMILLA_CONVOLVE_AUTO)
        check (error[f] <= bound + roundings, "more than is reported", where, error, sums, said);
      if (said->of_rest <= accuracy)
        {
          check (error[f] <= accuracy * rms + roundings, "more than was asked for", where, error,
                 sums, said);
          w->used = MAX (w->used, (error[f] - roundings) / (accuracy * rms));
        }
      if (error[f] > roundings)
        w->reported = MAX (w->reported, (error[f] - roundings) / bound);
      if (said->of_rest <= 1e-13)
        w->roundings = MAX (w->roundings, error[f] / sums->absolute[f]);
      if (f != OF_WHITE_AND_MEAN || said->of_mean == 0)
        real = MAX (real, (error[f] + roundings) / rms);
      /* A top hat of 180 degrees leaves nothing but a mean: no error is a part of nothing. */
      if (rms <= roundings)
        real = INFINITY;
    }
  if (method != ARMILLA_CONVOLVE_AUTO
      && (sky->grid->n_pixels < FEW || said->of_rest > MIN_REPORTED * accuracy))
    {
      check (said->of_rest <= 10 * real, "a tenth of what is reported", where, error, sums, said);
      w->overstated = MAX (w->overstated, said->of_rest / real);
    }
}

static gboolean
large_too (void)
{
  return g_strcmp0 (g_getenv ("ARMILLA_TEST_LARGE"), "1") == 0;
}

static void
tell (const Sky *sky, Shape kind, double width, const Worst *worst)
{
  for (int m = 0; m < 3; m++)
    g_test_message ("of %s: %s %.3g deg %s: cases %" G_GINT64_FORMAT " missed %" G_GINT64_FORMAT
                    " error/accuracy %.2g error/reported %.2g reported/error %.3g roundings %.2g",
                    sky->name, kind_names[kind], width * 180 / G_PI, method_names[m], worst[m].n,
                    worst[m].missed, worst[m].used, worst[m].reported, worst[m].overstated,
                    worst[m].roundings);
}

static void
check_accuracy (const Sky *sky, const Exact *e, const Sums *sums, Shape kind, double width,
                double accuracy, Made *made, Worst *worst)
{
  /* As harmonic or as ring alone: settling for both fills in the same. */
  ArmillaConvolution what = { .method = ARMILLA_CONVOLVE_AUTO, .lmax = -1,
                              .ring = { .accuracy = accuracy, .anti_ringing = TRUE,
                                        .kernel_shift = TRUE } };

  armilla_convolution_settle (&what, sky->grid, e->kernel, NULL, 0);
  for (int m = 0; m < 3; m++)
    {
      if (m == 0 && large_too () && fabs (accuracy - 1e-4) > 1e-6)
        continue; /* either of the others */
      g_autofree char *where
        = g_strdup_printf ("%s, %s, %.3g deg (%.3g pixels), %s, accuracy %g", sky->name,
                           kind_names[kind], width * 180 / G_PI, width / sky->pixel,
                           method_names[m], accuracy);

      what.method = (ArmillaConvolveMethod) m;
      check_case (sky, e, sums, &what, &made[m], &worst[m], where);
    }
}

static void
check_kernel (const Sky *sky, Shape kind, double width, double finest, double step)
{
  Made made[3] = { 0 };
  Worst worst[3] = { 0 };
  Exact e;
  Sums sums;

  make_kernel (&e, kind, width);
  if (too_narrow (&e, sky->grid))
    g_test_message ("of %s: %s %.3g deg: refused, narrower than a pixel", sky->name,
                    kind_names[kind], width * 180 / G_PI);
  else
    {
      sums_init (&sums, sky, &e);
      for (double accuracy = 1e-2; accuracy > 0.5 * finest; accuracy *= step)
        check_accuracy (sky, &e, &sums, kind, width, accuracy, made, worst);
      tell (sky, kind, width, worst);
      for (int m = 0; m < 3; m++)
        g_free (made[m].result);
      g_free (sums.sums);
    }
  exact_clear (&e);
}

static void
check_sky (Sky *sky, gboolean large)
{
  const double widths[] = { 1 * sky->pixel, 2.3 * sky->pixel, 7.1 * sky->pixel, 41 * G_PI / 180,
                            149.3 * G_PI / 180, G_PI };
  const char *kernel = g_getenv ("KERNEL"), *width = g_getenv ("WIDTH");

  for (Shape kind = 0; kind < N_KINDS; kind++)
    for (gsize i = 0; i < G_N_ELEMENTS (widths); i++)
      if ((!kernel || atoi (kernel) == (int) kind) && (!width || atoi (width) == (int) i)
          && widths[i] <= G_PI
          && (large || (kind + i) % EVERY == 0 || (kind == SHARP_WINDOW && i == 1)))
        check_kernel (sky, kind, widths[i], 1e-10, large ? 1e-2 : 1e-4);
}

typedef enum { HEALPIX, GAUSS_LEGENDRE, CLENSHAW_CURTIS, DRISCOLL_HEALY } Family;

static const char *const family_names[]
  = { "healpix", "gauss-legendre", "clenshaw-curtis", "driscoll-healy" };

static ArmillaGrid *
grid_of (Family family, gint64 n)
{
  switch (family)
    {
    case HEALPIX:
      return armilla_grid_new_healpix (n, NULL);
    case GAUSS_LEGENDRE:
      return armilla_grid_new_gauss_legendre (n, 2 * n, NULL);
    case CLENSHAW_CURTIS:
      return armilla_grid_new_equiangular (ARMILLA_GRID_CLENSHAW_CURTIS, n + 1, 2 * n, NULL);
    default:
      return armilla_grid_new_equiangular (ARMILLA_GRID_DRISCOLL_HEALY, 2 * (n / 2), 2 * n, NULL);
    }
}

typedef struct {
  Family family;
  gint64 n;
  gboolean always; /* a part of it at least */
} Sphere;

static void
test_grid (gconstpointer data)
{
  const Sphere *c = data;
  g_autofree char *name
    = g_strdup_printf ("%s-%" G_GINT64_FORMAT, family_names[c->family], c->n);
  Sky sky;

  sky_init (&sky, grid_of (c->family, c->n), name, large_too () ? 3000000 : 400000);
  check_sky (&sky, large_too ());
  sky_clear (&sky);
}

int
main (int argc, char *argv[])
{
  static const Sphere spheres[] = {
    { HEALPIX, 1, TRUE }, { HEALPIX, 2, FALSE }, { HEALPIX, 3, FALSE }, { HEALPIX, 4, FALSE },
    { HEALPIX, 5, FALSE }, { HEALPIX, 6, FALSE }, { HEALPIX, 7, TRUE }, { HEALPIX, 8, FALSE },
    { HEALPIX, 11, FALSE }, { HEALPIX, 12, TRUE }, { HEALPIX, 16, FALSE }, { HEALPIX, 24, FALSE },
    { HEALPIX, 32, FALSE }, { HEALPIX, 48, FALSE }, { HEALPIX, 64, FALSE }, { HEALPIX, 100, FALSE },
    { HEALPIX, 128, FALSE }, { GAUSS_LEGENDRE, 11, TRUE }, { GAUSS_LEGENDRE, 32, FALSE },
    { GAUSS_LEGENDRE, 64, FALSE }, { GAUSS_LEGENDRE, 128, FALSE }, { CLENSHAW_CURTIS, 11, TRUE },
    { CLENSHAW_CURTIS, 32, FALSE }, { CLENSHAW_CURTIS, 64, FALSE }, { CLENSHAW_CURTIS, 128, FALSE },
    { DRISCOLL_HEALY, 11, TRUE }, { DRISCOLL_HEALY, 32, FALSE }, { DRISCOLL_HEALY, 64, FALSE },
    { DRISCOLL_HEALY, 128, FALSE },
  };

  start_tests (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (spheres); i++)
    if (spheres[i].always || large_too ())
      {
        g_autofree char *path
          = g_strdup_printf ("/convolve-grid/%s-%" G_GINT64_FORMAT,
                             family_names[spheres[i].family], spheres[i].n);

        g_test_add_data_func (path, &spheres[i], test_grid);
      }
  return run_tests ();
}
