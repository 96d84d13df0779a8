/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of convolutions against those of the CPU, which have tests of their own against sums
 * over pixels. Skips without CUDA or without a device. */
#include "config.h"

#include <glib.h>

#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
#include "codelets/convolution/convolve.h"
#include "codelets/legendre/delta-recurrence.h"
#include "codelets/rings/ring-fft.h"
#include "tasks/convolution/convolve-plan.h"

/* What of a plan is in device memory. */
typedef struct {
  const ArmillaConvolvePlan *plan;
  double *cosines, *terms, **pairs;
  ArmillaRingSlot **slots;
} OnDevice;

static void
on_device_init (OnDevice *d, const ArmillaConvolvePlan *plan)
{
  const ArmillaRingBlocks *rings = plan->rings;

  d->plan = plan;
  d->cosines = doubles_to_device (plan->cosines, plan->n_cosines);
  d->terms = doubles_to_device (plan->table->terms, plan->table->n * ARMILLA_KERNEL_TERMS);
  d->pairs = g_new (double *, rings->n);
  d->slots = g_new (ArmillaRingSlot *, rings->n);
  for (int b = 0; b < rings->n; b++)
    {
      const ArmillaRingBlock *block = &rings->block[b];

      d->pairs[b] = doubles_to_device (block->pairs, ARMILLA_PAIR_ROWS * block->n_pairs);
      d->slots[b] = to_device (block->slots, sizeof *block->slots * (gsize) (2 * block->n_pairs));
    }
}

static void
on_device_clear (OnDevice *d)
{
  device_free (d->cosines);
  device_free (d->terms);
  for (int b = 0; b < d->plan->rings->n; b++)
    {
      device_free (d->pairs[b]);
      device_free (d->slots[b]);
    }
  g_free (d->pairs);
  g_free (d->slots);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OnDevice, on_device_clear)

static ArmillaConvolvePlan *
make_plan (ArmillaGrid *grid, gint64 ring_block, ArmillaKernel *kernel,
           const ArmillaRingConvolution *options)
{
  g_autoptr (GError) error = NULL;
  const double speed = 1;
  ArmillaRingBlocks *rings = armilla_ring_blocks_new (grid, ring_block, 1, &speed, &error);
  ArmillaConvolvePlan *plan;

  g_assert_no_error (error);
  plan = armilla_convolve_plan_new (rings, kernel, options, &error);
  g_assert_no_error (error);
  return plan;
}

static void
drop_plan (ArmillaConvolvePlan *plan)
{
  ArmillaRingBlocks *rings = plan->rings;

  armilla_convolve_plan_free (plan);
  armilla_ring_blocks_free (rings);
}

static gint64
modes_of (const ArmillaConvolvePlan *plan, int b, gint64 n_fields)
{
  return 4 * n_fields * plan->rings->block[b].n_pairs * (plan->mmax[b] + 1);
}

/* root of the sum of (x - y)^2 over that of y^2 */
static double
distance (const double *x, const double *y, gint64 n)
{
  long double d = 0, norm = 0;

  for (gint64 i = 0; i < n; i++)
    {
      d += ((long double) x[i] - y[i]) * ((long double) x[i] - y[i]);
      norm += (long double) y[i] * y[i];
    }
  return (double) sqrtl (d / norm);
}

/* Samples of one piece on both; they stay in @values and @d_values. */
static void
check_gridding (const OnDevice *d, int out, const ArmillaConvolvePiece *piece,
                const ArmillaConvolveGroup *groups, double *values, double *d_values)
{
  const ArmillaRingBlocks *rings = d->plan->rings;
  const gint64 n = piece->gridding.n_values;
  g_autofree double *back = NULL;

  armilla_kernel_gridding_cpu (&piece->gridding, piece->groups, d->plan->cosines,
                               d->plan->table->terms, rings->block[out].pairs,
                               rings->block[piece->in_block].pairs, values);
  assert_cuda (armilla_kernel_gridding_launch (&piece->gridding, groups, d->cosines, d->terms,
                                               d->pairs[out], d->pairs[piece->in_block], d_values,
                                               NULL));
  back = from_device (d_values, n);
  /* The same operations, each rounded as IEEE 754 says, roots included. */
  assert_same_bits (back, values, n);
}

/* One output block. */
static void
check_block (const OnDevice *d, int out, gint64 n_fields, GRand *rand)
{
  const ArmillaConvolvePlan *plan = d->plan;
  const gint64 n_out = modes_of (plan, out, n_fields);
  g_autofree double *sum = poisoned_array (n_out), *back = NULL;
  g_autoptr (Device) d_sum = doubles_to_device (sum, n_out);

  for (guint i = 0; i < plan->pieces[out]->len; i++)
    {
      const ArmillaConvolvePiece *piece
        = &g_array_index (plan->pieces[out], ArmillaConvolvePiece, i);
      ArmillaReductionShape shape = piece->reduction;
      const gint64 n_in = modes_of (plan, piece->in_block, n_fields);
      g_autofree double *in = random_array (rand, n_in);
      g_autofree double *values = poisoned_array (piece->gridding.n_values);
      g_autoptr (Device) d_in = doubles_to_device (in, n_in);
      g_autoptr (Device) d_values = doubles_to_device (values, piece->gridding.n_values);
      g_autoptr (Device) groups
        = to_device (piece->groups, sizeof *piece->groups * (gsize) piece->gridding.n_groups);
      g_autoptr (Device) first
        = to_device (piece->first,
                     sizeof (gint32) * (gsize) (shape.out_last - shape.out_first + 2));

      check_gridding (d, out, piece, groups, values, d_values);
      shape.n_fields = n_fields;
      shape.isa = (gint32) armilla_isa_detect ();
      armilla_theta_reduction_cpu (&shape, piece->groups, piece->first, plan->cosines, values, in,
                                   sum);
      assert_cuda (armilla_theta_reduction_launch (&shape, groups, first, d->cosines, d_values,
                                                   d_in, d_sum, NULL));
    }
  back = from_device (d_sum, n_out);
  /* Products of numbers of either sign, rounded once each, added in another order: some 1e-16 each
   * of terms that are as large as the sum. */
  g_assert_cmpfloat (distance (back, sum, n_out), <, 1e-14);
}

static void
check_plan (ArmillaGrid *grid, gint64 ring_block, ArmillaKernel *kernel,
            const ArmillaRingConvolution *options, gint64 n_fields)
{
  ArmillaConvolvePlan *plan = make_plan (grid, ring_block, kernel, options);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  {
    g_auto (OnDevice) d = { 0 };

    on_device_init (&d, plan);
    for (int b = 0; b < plan->rings->n; b++)
      check_block (&d, b, n_fields, rand);
  }
  drop_plan (plan);
}

static const double arcmin = G_PI / 10800;

/* Caps and belt, blocks that meet across the equator, all numbers of fields at once. */
static void
test_healpix (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (32, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (300 * arcmin, NULL);
  ArmillaRingConvolution options = { 1e-10, 900 * arcmin, TRUE, TRUE, 0, 0, FALSE };

  for (gint64 n_fields = 1; n_fields <= 6; n_fields++)
    check_plan (grid, n_fields == 1 ? 64 : 17, kernel, &options, n_fields);
  options.anti_ringing = options.kernel_shift = FALSE;
  check_plan (grid, 20, kernel, &options, 1);
  options = (ArmillaRingConvolution) { 1e-3, 500 * arcmin, TRUE, TRUE, 0, 0, FALSE };
  check_plan (grid, 64, kernel, &options, 2);
}

/* More samples than a block of threads stages at once, and more orders than it has threads. */
static void
test_wide (void)
{
  g_autoptr (ArmillaGrid) healpix = armilla_grid_new_healpix (40, NULL);
  g_autoptr (ArmillaGrid) gauss = armilla_grid_new_gauss_legendre (41, 301, NULL);
  g_autoptr (ArmillaKernel) hat = armilla_kernel_new_top_hat (2.2, NULL);
  const ArmillaRingConvolution options = { 1e-4, G_PI, TRUE, TRUE, 0, 0, FALSE };

  check_plan (healpix, 80, hat, &options, 1);
  check_plan (gauss, 8, hat, &options, 3);
}

static void
test_polar (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (16, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (800 * arcmin, NULL);
  const ArmillaRingConvolution options = { 1e-10, 2600 * arcmin, TRUE, TRUE, 0, 0, FALSE };
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  ArmillaConvolvePlan *plan;

  plan = make_plan (grid, 8, kernel, &options);
  for (int in = 0; in < 2; in++)
    {
      const ArmillaRingBlock *to = &plan->rings->block[0], *from = &plan->rings->block[in];
      g_auto (OnDevice) d = { 0 };
      const ArmillaPolarShape shape
        = { .n_fields = 2, .n_rings = 5, .n_out = to->n_pairs, .n_out_pixels = to->n_pixels,
            .n_in = from->n_pairs, .n_in_pixels = from->n_pixels, .n_intervals = plan->table->n,
            .scale = plan->table->scale, .chord2 = plan->table->chord2, .fresh = in == 0,
            .isa = armilla_isa_detect () };
      g_autofree double *scratch
        = g_new (double, armilla_polar_scratch_size (plan->rings->longest, 2));
      g_autofree double *pixels = random_array (rand, 2 * from->n_pixels), *back = NULL;
      g_autofree double *sum = random_array (rand, 2 * to->n_pixels);
      g_autoptr (Device) d_sum = doubles_to_device (sum, 2 * to->n_pixels), d_pixels = NULL;

      for (gint64 i = 0; i < 2 * from->n_pixels; i += 11)
        pixels[i] = UNSEEN;
      d_pixels = doubles_to_device (pixels, 2 * from->n_pixels);
      on_device_init (&d, plan);
      armilla_polar_sum_cpu (&shape, to->slots, from->slots, to->pairs, from->pairs,
                             plan->table->terms, pixels, sum, scratch);
      assert_cuda (armilla_polar_sum_launch (&shape, d.slots[0], d.slots[in], d.pairs[0],
                                             d.pairs[in], d.terms, d_pixels, d_sum, NULL));
      back = from_device (d_sum, 2 * to->n_pixels);
      /* Sines differ in their last digit: 1e-15 of a distance, some 1e-15 of a kernel value. A
       * pixel at the edge may be in or out, where the kernel is 1e-11 of its peak. */
      g_assert_cmpfloat (distance (back, sum, 2 * to->n_pixels), <, 1e-11);
    }
  drop_plan (plan);
}

static void
test_unseen (void)
{
  enum { N = 100003 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autofree double *in = NULL, *out = NULL, *back = NULL;
  g_autoptr (Device) d_in = NULL, d_out = NULL;

  in = random_array (rand, N);
  out = random_array (rand, N);
  for (int i = 0; i < N; i += 1 + i % 5)
    in[i] = UNSEEN * (1 + 1e-6 * (i % 3));
  d_in = doubles_to_device (in, N);
  d_out = doubles_to_device (out, N);
  armilla_unseen_back_cpu (N, in, out);
  assert_cuda (armilla_unseen_back_launch (N, d_in, d_out, NULL));
  back = from_device (d_out, N);
  assert_same_bits (back, out, N);
}

enum { BEGIN, ADJOINT, GRIDDING, REDUCTION, SYNTHESIS, UNSEEN_BACK, N_PARTS };

/* Everything that a convolution does on a device, for times. */
typedef struct {
  OnDevice d;
  ArmillaCudaFftPlans *plans;
  double **modes, *sum, *values, *pixels, *out, *scratch;
  void ***groups, ***first;
  cudaEvent_t before, after;
  float ms[N_PARTS];
} Timed;

static void
lap (Timed *t, int part)
{
  float ms = 0;

  assert_cuda (cudaEventRecord (t->after, NULL));
  assert_cuda (cudaEventSynchronize (t->after));
  if (part != BEGIN)
    assert_cuda (cudaEventElapsedTime (&ms, t->before, t->after));
  t->ms[part] += ms;
  assert_cuda (cudaEventRecord (t->before, NULL));
}

static void
time_block (Timed *t, int b)
{
  const ArmillaConvolvePlan *plan = t->d.plan;
  const ArmillaRingBlock *to = &plan->rings->block[b];
  const ArmillaRingPixels out = { .n_each = 1, .tile = &t->out };
  ArmillaCudaMessage message = { "" };

  for (guint i = 0; i < plan->pieces[b]->len; i++)
    {
      const ArmillaConvolvePiece *piece = &g_array_index (plan->pieces[b], ArmillaConvolvePiece, i);
      ArmillaReductionShape shape = piece->reduction;

      shape.n_fields = 1;
      assert_cuda (armilla_kernel_gridding_launch (
        &piece->gridding, t->groups[b][i], t->d.cosines, t->d.terms, t->d.pairs[b],
        t->d.pairs[piece->in_block], t->values, NULL));
      lap (t, GRIDDING);
      assert_cuda (armilla_theta_reduction_launch (&shape, t->groups[b][i], t->first[b][i],
                                                   t->d.cosines, t->values,
                                                   t->modes[piece->in_block], t->sum, NULL));
      lap (t, REDUCTION);
    }
  assert_cuda (armilla_ring_synthesis_launch (t->plans, b, t->d.slots[b], t->sum, &out,
                                              t->scratch, NULL, &message));
  lap (t, SYNTHESIS);
  assert_cuda (armilla_unseen_back_launch (to->n_pixels, t->pixels, t->out, NULL));
  lap (t, UNSEEN_BACK);
}

static void
timed_init (Timed *t, const ArmillaConvolvePlan *plan)
{
  const ArmillaRingBlocks *rings = plan->rings;
  gint64 max_values = 0, max_modes = 0, block;
  ArmillaCudaMessage message = { "" };

  *t = (Timed) { .plans = armilla_cuda_fft_plans_new () };
  on_device_init (&t->d, plan);
  t->modes = g_new (double *, rings->n);
  t->groups = g_new (void **, rings->n);
  t->first = g_new (void **, rings->n);
  for (int b = 0; b < rings->n; b++)
    {
      const ArmillaRingBlock *ring = &rings->block[b];
      const ArmillaRingShape shape = { .mmax = plan->mmax[b],
                                       .n_fields = 1,
                                       .n_slots = 2 * ring->n_pairs,
                                       .n_pixels = ring->n_pixels };

      assert_cuda (armilla_cuda_fft_plans_add (t->plans, &shape, ring->slots, &block, &message));
      t->modes[b] = device_new (sizeof (double) * (gsize) modes_of (plan, b, 1));
      max_modes = MAX (max_modes, modes_of (plan, b, 1));
      t->groups[b] = g_new (void *, plan->pieces[b]->len);
      t->first[b] = g_new (void *, plan->pieces[b]->len);
      for (guint i = 0; i < plan->pieces[b]->len; i++)
        {
          const ArmillaConvolvePiece *p = &g_array_index (plan->pieces[b], ArmillaConvolvePiece, i);

          max_values = MAX (max_values, p->gridding.n_values);
          t->groups[b][i] = to_device (p->groups, sizeof *p->groups * (gsize) p->gridding.n_groups);
          t->first[b][i]
            = to_device (p->first,
                         sizeof (gint32) * (gsize) (p->reduction.out_last - p->reduction.out_first
                                                    + 2));
        }
    }
  t->sum = device_new (sizeof (double) * (gsize) max_modes);
  t->values = device_new (sizeof (double) * (gsize) max_values);
  t->pixels = device_new (sizeof (double) * (gsize) rings->max_pixels);
  t->out = device_new (sizeof (double) * (gsize) rings->max_pixels);
  t->scratch = device_new (armilla_cuda_fft_plans_scratch (t->plans, -1));
  assert_cuda (cudaMemset (t->pixels, 0, sizeof (double) * (gsize) rings->max_pixels));
  assert_cuda (cudaEventCreate (&t->before));
  assert_cuda (cudaEventCreate (&t->after));
}

static void
timed_clear (Timed *t)
{
  for (int b = 0; b < t->d.plan->rings->n; b++)
    {
      for (guint i = 0; i < t->d.plan->pieces[b]->len; i++)
        {
          device_free (t->groups[b][i]);
          device_free (t->first[b][i]);
        }
      device_free (t->modes[b]);
      g_free (t->groups[b]);
      g_free (t->first[b]);
    }
  g_free (t->modes);
  g_free (t->groups);
  g_free (t->first);
  device_free (t->sum);
  device_free (t->values);
  device_free (t->pixels);
  device_free (t->out);
  device_free (t->scratch);
  assert_cuda (cudaEventDestroy (t->before));
  assert_cuda (cudaEventDestroy (t->after));
  armilla_cuda_fft_plans_free (t->plans);
  on_device_clear (&t->d);
}

static void
time_plan (const char *what, const ArmillaConvolvePlan *plan)
{
  double total = 0, modes = 0;
  Timed t;

  timed_init (&t, plan);
  for (int run = 0; run < 3; run++)
    {
      double *map = t.pixels;
      const ArmillaRingPixels pixels = { .n_each = 1, .tile = &map };
      ArmillaCudaMessage message = { "" };

      for (int part = 0; part < N_PARTS; part++)
        t.ms[part] = 0;
      lap (&t, BEGIN);
      for (int b = 0; b < plan->rings->n; b++)
        assert_cuda (armilla_ring_adjoint_launch (t.plans, b, t.d.slots[b], 3, &pixels,
                                                  t.modes[b], t.scratch, NULL, &message));
      lap (&t, ADJOINT);
      for (int b = 0; b < plan->rings->n; b++)
        time_block (&t, b);
    }
  for (int part = 0; part < N_PARTS; part++)
    total += t.ms[part];
  for (int b = 0; b < plan->rings->n; b++)
    modes += 16 * (double) modes_of (plan, b, 1);
  g_test_message ("convolve %s, cut %.1f arcmin, %d blocks: gridding %.3f ms, reduction %.3f ms "
                  "(%.0f GB/s of modes read and written once), FFT %.3f + %.3f ms, unseen %.3f ms; "
                  "sum %.3f ms",
                  what, plan->table->cut / arcmin, plan->rings->n, (double) t.ms[GRIDDING],
                  (double) t.ms[REDUCTION], modes * 1e-6 / (double) t.ms[REDUCTION],
                  (double) t.ms[ADJOINT], (double) t.ms[SYNTHESIS], (double) t.ms[UNSEEN_BACK],
                  total);
  timed_clear (&t);
}

/* A map at nside 2048, device to device, part by part: reported, not judged. */
static void
test_times (void)
{
  static const double fwhm[] = { 4.7, 6, 15, 30, 60 };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (2048, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (fwhm); i++)
    {
      g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (fwhm[i] * arcmin, NULL);
      g_autofree char *what = g_strdup_printf ("nside 2048, FWHM %g arcmin", fwhm[i]);
      ArmillaRingConvolution options = { 1e-4, 0, TRUE, TRUE, 0, 0, FALSE };
      ArmillaConvolvePlan *plan;

      options.cut = armilla_kernel_choose_cut (kernel, 0.05e-4, NULL, 8192, 1e-3);
      plan = make_plan (grid, 1024, kernel, &options);
      time_plan (what, plan);
      drop_plan (plan);
    }
}

static void
add_tests (void)
{
  g_test_add_func ("/convolve-cuda/healpix", test_healpix);
  g_test_add_func ("/convolve-cuda/wide", test_wide);
  g_test_add_func ("/convolve-cuda/polar", test_polar);
  g_test_add_func ("/convolve-cuda/unseen", test_unseen);
  g_test_add_func ("/convolve-cuda/times", test_times);
}
#endif

MAIN_ON_DEVICE (add_tests)
