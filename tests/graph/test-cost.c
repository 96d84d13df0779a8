/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels say of their work, against counting it. */
#include <math.h>
#include <string.h>

#include "codelets/butterfly/butterfly-codelets.h"
#include "codelets/convolution/convolve-codelets.h"
#include "codelets/legendre/delta-codelets.h"
#include "codelets/fields/field-codelets.h"
#include "codelets/correlation/pair-codelets.h"
#include "codelets/fields/pixel-codelets.h"
#include "codelets/fields/random-codelets.h"
#include "codelets/rings/ring-codelets.h"
#include "codelets/rotation/rotate-codelets.h"
#include "codelets/legendre/spin-codelets.h"
#include "codelets/theta/theta-codelets.h"
#include "codelets/correlation/triple-codelets.h"
#include "tasks/runtime/first-start.h"
#include "tests/legendre/delta-reference.h"

/* The cost of a task of a codelet that looks at no table. */
#define COST(name, Args, ...) armilla_##name##_cl.cost (&(Args) { __VA_ARGS__ }, NULL)

/* Steps from the first degree whose |P_lm| exceeds 2^-100, at one ring: the three-term recurrence
 * in long double, whose exponents reach far enough for it. */
static double
count_steps (gint64 lmax, gint64 m, long double cosine, long double sine)
{
  long double last = 0, now = sqrtl (1 / (4 * (long double) G_PI)), before = 0;

  for (gint64 i = 1; i <= m; i++)
    now *= sqrtl ((2 * i + 1) / (2 * (long double) i)) * sine;
  for (gint64 l = m; l <= lmax; l++)
    {
      const long double j = l + 1;
      const long double e = sqrtl ((j * j - (long double) m * m) / (4 * j * j - 1));
      long double next;

      if (fabsl (now) > 0x1p-100L || fabsl (before) > 0x1p-100L)
        return (double) ((lmax - l) / 2 + 1);
      next = (cosine * now - last) / e;
      last = e * now;
      before = now;
      now = next;
    }
  return 0;
}

static double
count_block (const ArmillaDeltaShape *shape, gint64 nside)
{
  double sum = 0;

  for (gint64 p = 0; p < shape->n_pairs; p++)
    {
      Quad c, s;

      delta_healpix_ring (nside, p + 1, &c, &s);
      for (gint64 m = shape->m_first; m <= shape->m_last; m++)
        sum += count_steps (shape->lmax, m, (long double) c, (long double) s);
    }
  return sum;
}

static void
test_needed_steps (void)
{
  static const struct {
    gint64 lmax, m_first, m_last, nside;
    double tolerance;
  } cases[] = {
    /* Whole transforms: what the formula is for, as its documentation promises. */
    { 64, 0, 64, 32, 0.05 },
    { 256, 0, 256, 128, 0.05 },
    { 1024, 0, 1024, 128, 0.02 },
    { 2048, 0, 2048, 64, 0.02 },
    /* Blocks of orders, where errors of the formula do not average out. */
    { 1024, 0, 99, 128, 0.05 },
    { 1024, 500, 650, 128, 0.05 },
    { 1024, 900, 1024, 128, 0.1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const ArmillaDeltaShape shape = { .lmax = cases[i].lmax,
                                        .m_first = cases[i].m_first,
                                        .m_last = cases[i].m_last,
                                        .n_fields = 1,
                                        .n_pairs = 2 * cases[i].nside };
      g_autofree double *pairs = g_new (double, ARMILLA_PAIR_ROWS * shape.n_pairs);
      double exact = count_block (&shape, cases[i].nside);

      delta_set_healpix (pairs, shape.n_pairs, cases[i].nside, 1);
      g_assert_cmpfloat (fabs (armilla_delta_needed_steps (&shape, pairs) - exact), <,
                         cases[i].tolerance * exact);
      g_assert_cmpfloat (armilla_delta_needed_steps (&shape, NULL), >, exact);
    }
}

/* Without rings: every degree of every order once, in twos. */
static void
test_all_steps (void)
{
  const ArmillaDeltaShape shape
    = { .lmax = 21, .m_first = 3, .m_last = 17, .n_fields = 2, .n_pairs = 7 };
  double steps = 0;

  for (gint64 m = 3; m <= 17; m++)
    steps += 7 * (double) ((21 - m) / 2 + 1);
  g_assert_cmpfloat (armilla_delta_needed_steps (&shape, NULL), ==, steps);
  g_assert_cmpfloat (armilla_delta_synthesis_cost (&shape, NULL).flops, ==, 20 * steps);
}

/* A pole needs order 0 only. */
static void
test_pole (void)
{
  const double pairs[ARMILLA_PAIR_ROWS] = { 1, 0, 0, 0 };
  ArmillaDeltaShape shape
    = { .lmax = 100, .m_first = 0, .m_last = 100, .n_fields = 1, .n_pairs = 1 };
  const double steps = armilla_delta_needed_steps (&shape, pairs);

  shape.m_last = 0;
  g_assert_cmpfloat (armilla_delta_needed_steps (&shape, pairs), ==, 51);
  shape.m_first = shape.m_last = 1;
  g_assert_cmpfloat (armilla_delta_needed_steps (&shape, pairs), ==, 0);
  /* Orders are sampled: the first sample stands for a few. */
  g_assert_cmpfloat (steps, <=, 5 * 51);
}

static void
test_bytes (void)
{
  const ArmillaRedistributeShape move = { 9, 2, 5, 3, 6, 0, 0 };
  const ArmillaRingShape ring = { .mmax = 9, .n_fields = 3, .n_slots = 2, .n_pixels = 20 };
  const ArmillaRingSlot slots[2] = { { .n_phi = 16 }, { .n_phi = 4, .offset = 16 } };
  const ArmillaAlmShape alm = { 4, 0, 4, 2 };
  const ArmillaCost moved = COST (redistribute_forward, ArmillaRedistributeArgs, .shape = move);
  const ArmillaCost zeroed = COST (zero, ArmillaVectorArgs, .n = 10);
  const ArmillaCost sum = COST (combine, ArmillaVectorArgs, .n = 10, .alpha = 1, .beta = 1);

  /* 4 orders, 3 fields, 12 rings, complex numbers, read and written */
  g_assert_cmpfloat (moved.bytes, ==, 4 * 3 * 12 * 16 * 2);
  g_assert_cmpfloat (moved.flops, ==, 0);
  g_assert_cmpfloat (armilla_ring_cost (&ring, slots).bytes, ==, 3 * (20 * 8 + 2 * 10 * 16));
  /* 2.5 16 4 + 2.5 4 2, and 6 for each of 2 10 modes */
  g_assert_cmpfloat (armilla_ring_cost (&ring, slots).flops, ==, 3 * (160 + 20 + 120));
  g_assert_cmpfloat (sum.bytes, ==, 240);
  g_assert_cmpfloat (sum.flops, ==, 30);
  g_assert_cmpfloat (zeroed.bytes, ==, 80);
  g_assert_cmpfloat (zeroed.flops, ==, 0);
  /* 15 coefficients a field */
  /* 15 coefficients of 1 + 2 fields of a member: 4 operations, or a product and a sum of doubles */
  g_assert_cmpfloat (COST (dot, ArmillaMemberArgs, .shape = alm, .n_ranges = 2,
                           .n = { 1, 2 }).flops, ==, 3 * 15 * 4);
  g_assert_cmpfloat (COST (step, ArmillaMemberArgs, .shape = alm, .n_ranges = 2,
                           .n = { 1, 2 }).bytes, ==, 3 * 15 * 2 * 8 * 3);
}

/* 3 groups with 40 samples, one field, 5 output pairs with 7 orders from 6 with 9. */
static void
test_convolve (void)
{
  const ArmillaGriddingShape gridding = { .n_groups = 3, .n_values = 40 };
  const ArmillaReductionShape reduction = { .coefficients = 100, .products = 70, .n_fields = 1,
                                            .out_last = 4, .mmax_out = 6, .n_in = 6, .mmax_in = 8,
                                            .fresh = 1 };

  g_assert_cmpfloat (armilla_kernel_gridding_cost (&gridding).flops, ==, 19 * 40);
  g_assert_cmpfloat (armilla_kernel_gridding_cost (&gridding).bytes, ==,
                     8 * 40 + 3 * sizeof (ArmillaConvolveGroup));
  g_assert_cmpfloat (armilla_theta_reduction_cost (&reduction).flops, ==, 200 + 8 * 70);
  g_assert_cmpfloat (armilla_theta_reduction_cost (&reduction).bytes, ==,
                     32 * (6 * 9 + 5 * 7));
  g_assert_cmpfloat (COST (unseen_back, ArmillaConvolveArgs, .n = 10).bytes, ==, 80);
}

/* 2 orders of the output (1, 2), 3 of the input (0 to 2), degrees from the greater to 4 */
static void
test_rotate (void)
{
  const ArmillaRotateShape shape = { .lmax = 4, .m_first = 1, .m_last = 2, .n_first = 0,
                                     .n_last = 2, .n_max = 4, .n_fields = 2, .first = 1 };
  const double terms = (4 + 4 + 3) + (3 + 3 + 3);
  const ArmillaCost cost = COST (rotate, ArmillaRotateArgs, .shape = shape);

  g_assert_cmpfloat (cost.flops, ==, 16 * terms);
  /* seeds; 5 + 4 + 3 and 4 + 3 coefficients of 2 fields */
  g_assert_cmpfloat (cost.bytes, ==, 8 * 4 * 6 + 32 * (12 + 7));
}

/* 3 orders of lmax 6 (5, 4 and 3 degrees), 2 fields, two sets of 3 factors up to 4; of 2 complex
 * numbers 3 products and 1 sum */
static void
test_random (void)
{
  const ArmillaRandomShape shape = { .lmax = 6, .m_first = 2, .m_last = 4, .n_fields = 2,
                                     .lmax_cl = 4 };
  const ArmillaCost cost = COST (random_alm, ArmillaRandomArgs, .shape = shape);

  g_assert_cmpint (armilla_random_count (&shape), ==, 12);
  g_assert_cmpfloat (cost.flops, ==, 85 * 24 + (6 + 2) * 12);
  g_assert_cmpfloat (cost.bytes, ==, 16 * 24 + 8 * 2 * 3 * 5);
}

/* 2 orders of lmax 4 (3 and 2 steps) on 5 pairs, 3 fields */
static void
test_butterfly (void)
{
  const ArmillaButterflyBlock block = { .lmax = 4, .m_first = 0, .m_last = 1, .n_fields = 3,
                                        .n_pairs = 5, .n_words = 70, .elements = 20 };
  ArmillaCost cost = COST (butterfly_synthesis, ArmillaButterflyArgs, .block = block);
  ArmillaButterflyShape shape;
  ArmillaCost small, large;

  g_assert_cmpfloat (cost.flops, ==, 8 * 3 * 20);
  g_assert_cmpfloat (cost.bytes, ==, 8 * (70 + 4 * 3 * 5 + 4 * 3 * 2 * 5));
  armilla_butterfly_shape_init (&shape, 1024, 0, 513, 1e-10);
  small = armilla_butterfly_compress_cost (&shape);
  armilla_butterfly_shape_init (&shape, 2048, 0, 1025, 1e-10);
  large = armilla_butterfly_compress_cost (&shape);
  /* L^2 log L: 4 times the elements, a stage more. */
  g_assert_cmpfloat (large.flops / small.flops, >, 4);
  g_assert_cmpfloat (large.flops / small.flops, <, 5);
}

static void
test_pairs (void)
{
  ArmillaPairShape shape = { .n_bins = 5, .n_items = 3, .pairs = 100 };
  const ArmillaTripleShape triple = { .n_bins = 4, .n_leaves = 2, .tests = 7 };
  ArmillaCost cost = COST (pair_histogram, ArmillaPairArgs, .shape = shape);

  /* 8 operations of the squared chord and a comparison; 3 items of 4 words, 5 counts */
  g_assert_cmpfloat (cost.flops, ==, 900);
  g_assert_cmpfloat (cost.bytes, ==, 8 * (12 + 5));
  /* 2 patches, a sum of three words beside each count */
  shape.n_patches = 2;
  shape.sums = 1;
  cost = COST (pair_histogram, ArmillaPairArgs, .shape = shape);
  g_assert_cmpfloat (cost.bytes, ==, 8 * (12 + 3 * 5 * 4));
  /* 2 leaves of 16 slots, 4 5 6 / 6 triples of bins */
  cost = COST (triple_histogram, ArmillaTripleArgs, .shape = triple);
  g_assert_cmpfloat (cost.flops, ==, 63);
  g_assert_cmpfloat (cost.bytes, ==, 8 * (3 * 32 + 20));
  cost = COST (histogram_merge, ArmillaMergeArgs, NULL, 3, 5, 1, 0);
  g_assert_cmpfloat (cost.bytes, ==, 8 * 3 * 60);
  cost = COST (histogram_merge, ArmillaMergeArgs, NULL, 3, 5, 1, 1);
  g_assert_cmpfloat (cost.bytes, ==, 8 * 2 * 60);
}

/* The functions work on any arguments, and find tables. */
static void
test_codelets (void)
{
  static const ArmillaCodelet *const codelets[] = {
    &armilla_delta_table_cl,          &armilla_delta_prepare_cl,
    &armilla_delta_finish_cl,         &armilla_delta_synthesis_cl,
    &armilla_delta_adjoint_cl,        &armilla_ring_synthesis_cl,
    &armilla_ring_adjoint_cl,         &armilla_redistribute_forward_cl,
    &armilla_redistribute_backward_cl, &armilla_theta_synthesis_cl,
    &armilla_theta_adjoint_cl,        &armilla_theta_resample_cl,
    &armilla_zero_cl,
    &armilla_combine_cl,              &armilla_step_cl,
    &armilla_turn_cl,                 &armilla_ring_normal_cl,
    &armilla_dot_cl,                  &armilla_scale_alm_cl,
    &armilla_spectra_cl,              &armilla_spectra_finish_cl,
    &armilla_moments_cl,              &armilla_remove_dipole_cl,
    &armilla_pixel_weights_cl,        &armilla_pixel_mask_cl,
    &armilla_pixel_scale_cl,          &armilla_pixel_combine_cl,
    &armilla_kernel_gridding_cl,      &armilla_theta_reduction_cl,
    &armilla_polar_sum_cl,            &armilla_unseen_back_cl,
    &armilla_rotate_cl,               &armilla_spin_table_cl,
    &armilla_spin_prepare_cl,         &armilla_spin_finish_cl,
    &armilla_spin_synthesis_cl,       &armilla_spin_adjoint_cl,
    &armilla_rotate_cl,               &armilla_pair_histogram_cl,
    &armilla_shear_histogram_cl,      &armilla_histogram_merge_cl,
    &armilla_triple_histogram_cl,     &armilla_butterfly_compress_cl,
    &armilla_butterfly_synthesis_cl,  &armilla_butterfly_adjoint_cl,
    &armilla_random_alm_cl,
  };
  /* Larger than any arguments; all zero, and so are the shapes. */
  const guint64 args[64] = { 0 };
  starpu_data_handle_t handles[STARPU_NMAXBUFS];
  const ArmillaPolarShape polar = { .n_fields = 2, .n_rings = 1, .n_out = 3, .n_out_pixels = 30,
                                    .n_in = 4, .n_in_pixels = 100, .chord2 = 1, .fresh = 1 };
  const ArmillaRingSlot slots[2] = { { .n_phi = 4 }, { .n_phi = 4, .offset = 26 } };
  double table[64] = { 0 };
  ArmillaRuntime runtime = { 0 };
  struct starpu_conf conf;
  ArmillaCost cost;

  g_assert_true (armilla_first_start (&runtime, NULL)); /* other tests may start it now */
  g_assert_cmpint (starpu_conf_init (&conf), ==, 0);
  conf.ncpus = 1;
  g_assert_cmpint (starpu_init (&conf), ==, 0);
  for (int i = 0; i < STARPU_NMAXBUFS; i++)
    starpu_vector_data_register (&handles[i], STARPU_MAIN_RAM, (uintptr_t) table,
                                 G_N_ELEMENTS (table), sizeof table[0]);
  for (gsize i = 0; i < G_N_ELEMENTS (codelets); i++)
    {
      cost = codelets[i]->cost (args, handles);
      g_assert_true (cost.flops >= 0 && cost.bytes >= 0);
    }
  memcpy (table, slots, sizeof slots);
  cost = armilla_polar_sum_cl.cost (&(ArmillaConvolveArgs) { .polar = polar }, handles);
  /* 8 pixels, each with the quarter of 100 that are in its disc; those read once. A value of the
   * kernel, of 22 operations, is that of 8 pairs; 2 operations a pair and field */
  g_assert_cmpfloat (cost.flops, ==, (22.0 / 8 + 2 * 2) * 8 * 25);
  g_assert_cmpfloat (cost.bytes, ==, 2 * 8 * (100 + 8));
  for (int i = 0; i < STARPU_NMAXBUFS; i++)
    starpu_data_unregister (handles[i]);
  starpu_shutdown ();
  armilla_first_start_end (&runtime);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cost/needed-steps", test_needed_steps);
  g_test_add_func ("/cost/all-steps", test_all_steps);
  g_test_add_func ("/cost/pole", test_pole);
  g_test_add_func ("/cost/bytes", test_bytes);
  g_test_add_func ("/cost/random", test_random);
  g_test_add_func ("/cost/rotate", test_rotate);
  g_test_add_func ("/cost/convolve", test_convolve);
  g_test_add_func ("/cost/butterfly", test_butterfly);
  g_test_add_func ("/cost/pairs", test_pairs);
  g_test_add_func ("/cost/codelets", test_codelets);
  return g_test_run ();
}
