/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of redistribution, of a_lm and of vectors against those of the CPU. Skips without
 * CUDA or without a device. */
#include "config.h"

#include <glib.h>

#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
#include "codelets/fields/alm-ops.h"
#include "codelets/fields/dipole.h"
#include "codelets/fields/vector-ops.h"
#include "codelets/rings/redistribute.h"

static void
test_redistribute (void)
{
  const gint64 sizes[][2] = { { 1, 1 }, { 31, 33 }, { 32, 32 }, { 33, 5 }, { 100, 70 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gint64 n_fields = 1; n_fields < 4; n_fields += 2)
      {
        const gint64 n_m = sizes[i][0], n_pairs = sizes[i][1];
        const ArmillaRedistributeShape shape = { n_m + 9, 4, n_m + 3, n_fields, n_pairs,
                                                 n_pairs + n_m % 2, n_m % 2 };
        const gint64 n_tile = n_m * n_fields * 4 * shape.tile_pairs;
        const gint64 n_modes = n_fields * 4 * n_pairs * (shape.mmax + 1);
        g_autofree ArmillaRingSlot *slots = g_new0 (ArmillaRingSlot, (gsize) (2 * n_pairs));
        g_autofree double *tile = random_array (rand, n_tile);
        g_autofree double *modes = random_array (rand, n_modes);
        g_autofree double *tile_out = poisoned_array (n_tile);
        g_autofree double *modes_out = poisoned_array (n_modes);
        g_autofree double *tile_back = NULL, *modes_back = NULL;
        g_autoptr (Device) d_tile = doubles_to_device (tile, n_tile);
        g_autoptr (Device) d_modes = doubles_to_device (modes, n_modes);
        g_autoptr (Device) d_tile_out = doubles_to_device (tile_out, n_tile);
        g_autoptr (Device) d_modes_out = doubles_to_device (modes_out, n_modes);
        g_autoptr (Device) d_slots = NULL;

        for (gint64 k = 0; k < 2 * n_pairs; k++)
          slots[k].n_phi = k % 5 == 1 ? 0 : 4;
        d_slots = to_device (slots, sizeof *slots * (gsize) (2 * n_pairs));
        armilla_redistribute_forward_cpu (&shape, slots, tile, modes_out);
        armilla_redistribute_backward_cpu (&shape, slots, modes, tile_out);
        assert_cuda (
            armilla_redistribute_forward_launch (&shape, d_slots, d_tile, d_modes_out, NULL));
        assert_cuda (
            armilla_redistribute_backward_launch (&shape, d_slots, d_modes, d_tile_out, NULL));
        modes_back = from_device (d_modes_out, n_modes);
        tile_back = from_device (d_tile_out, n_tile);
        assert_same_bits (modes_back, modes_out, n_modes);
        assert_same_bits (tile_back, tile_out, n_tile);
      }
}

static void
check_alm_ops (const ArmillaAlmShape *s, GRand *rand)
{
  const gint64 n = 2 * s->n_fields * armilla_alm_shape_count (s);
  const gint64 lmax_window = s->lmax * 2 / 3, n_window = s->n_fields * (lmax_window + 1);
  const gint64 n_spectra = s->n_fields * (s->n_fields + 1) / 2;
  const gint64 lmax_cl = s->lmax - s->lmax / 7, n_cl = n_spectra * (lmax_cl + 1);
  g_autofree double *window = random_array (rand, n_window);
  g_autofree double *a = random_array (rand, n), *b = random_array (rand, n);
  g_autofree double *scaled = poisoned_array (n), *cl = poisoned_array (n_cl), *absolute = NULL;
  g_autofree double *scaled_back = NULL, *cl_back = NULL, *dot_back = NULL, *finished = NULL;
  g_autoptr (Device) d_window = doubles_to_device (window, n_window);
  g_autoptr (Device) d_a = doubles_to_device (a, n), d_b = doubles_to_device (b, n);
  g_autoptr (Device) d_scaled = device_new (sizeof (double) * (gsize) n);
  g_autoptr (Device) d_cl = device_new (sizeof (double) * (gsize) n_cl);
  g_autoptr (Device) d_dot = device_new (sizeof (double) * (1 + ARMILLA_DOT_SCRATCH));
  const ArmillaOrderParts whole = { 1, { s->m_first, s->m_last + 1 } };
  double dot, dot_aa, dot_bb;

  for (int many = 0; many < 3; many++)
    {
      const gint64 n_windows = many ? s->n_fields : 1, n_copies = many == 2 ? s->n_fields : 1;

      g_clear_pointer (&scaled_back, g_free);
      armilla_alm_scale_cpu (s, n_copies, n_windows, lmax_window, window, a, scaled);
      assert_cuda (armilla_alm_scale_launch (s, n_copies, n_windows, lmax_window, d_window, d_a,
                                             d_scaled, NULL));
      scaled_back = from_device (d_scaled, n);
      assert_same_bits (scaled_back, scaled, n);
    }
  armilla_alm_spectra_cpu (s, n_spectra, lmax_cl, a, b, FALSE, cl);
  assert_cuda (armilla_alm_spectra_launch (s, &whole, n_spectra, lmax_cl, d_a, d_b, FALSE,
                                           d_cl, NULL));
  cl_back = from_device (d_cl, n_cl);
  /* Sums of up to 4 n_m products below 1 in two orders: each rounds to 1.1e-16 of partial sums that
   * are some sqrt (n_m) large at random: n_m below 100, so 100 * 40 * 1.1e-16 is never reached. */
  for (gint64 i = 0; i < n_cl; i++)
    g_assert_cmpfloat_with_epsilon (cl_back[i], cl[i], 4.4e-13);
  armilla_spectra_finish_cpu (lmax_cl, n_spectra, cl_back);
  assert_cuda (armilla_spectra_finish_launch (lmax_cl, n_spectra, d_cl, NULL));
  finished = from_device (d_cl, n_cl);
  assert_same_bits (finished, cl_back, n_cl);
  armilla_alm_dot_cpu (s, a, b, 0, &dot);
  armilla_alm_dot_cpu (s, a, a, 0, &dot_aa);
  armilla_alm_dot_cpu (s, b, b, 0, &dot_bb);
  assert_cuda (armilla_alm_dot_launch (s, &whole, d_a, d_b, 0, d_dot, (double *) d_dot + 1, NULL));
  dot_back = from_device (d_dot, 1);
  /* Chains of at most 300 roundings, see test-field-ops.c. */
  g_assert_cmpfloat (fabs (dot_back[0] - dot), <=, 600 * 1.2e-16 * sqrt (dot_aa * dot_bb));
}

static void
test_alm_ops (void)
{
  const ArmillaAlmShape shapes[] = { { 0, 0, 0, 1 },    { 5, 0, 5, 2 },     { 17, 3, 9, 3 },
                                     { 300, 0, 99, 1 }, { 300, 300, 300, 2 }, { 2000, 7, 64, 3 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    check_alm_ops (&shapes[i], rand);
}

/* Sums over a block in parts have the bits of those over blocks of these orders, added in turn. */
static void
test_parts (void)
{
  const ArmillaAlmShape whole = { 300, 3, 99, 1 };
  const ArmillaOrderParts parts = { 4, { 3, 10, 11, 60, 100 } };
  const gint64 n = 2 * armilla_alm_shape_count (&whole), n_cl = whole.lmax + 1;
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autofree double *a = random_array (rand, n), *b = random_array (rand, n);
  g_autofree double *cl = g_new0 (double, n_cl), *cl_back = NULL, *dot_back = NULL;
  g_autofree double *added = NULL;
  gint64 offset = 0;
  double dot = 0;

  {
    g_autoptr (Device) d_a = doubles_to_device (a, n), d_b = doubles_to_device (b, n);
    g_autoptr (Device) d_cl = device_new (sizeof (double) * (gsize) n_cl);
    g_autoptr (Device) d_sums = device_new (sizeof (double) * (gsize) n_cl);
    g_autoptr (Device) d_dot = device_new (sizeof (double) * (1 + ARMILLA_DOT_SCRATCH));
    double *d_scratch = (double *) d_dot + 1;

    for (int p = 0; p < parts.n; p++)
      {
        const ArmillaAlmShape part = { 300, parts.first[p], parts.first[p + 1] - 1, 1 };
        const ArmillaOrderParts one = { 1, { part.m_first, part.m_last + 1 } };
        const double *from_a = (const double *) d_a + offset;
        const double *from_b = (const double *) d_b + offset;
        g_autofree double *part_cl = NULL, *part_dot = NULL;

        assert_cuda (armilla_alm_spectra_launch (&part, &one, 1, part.lmax, from_a, from_b, FALSE,
                                                 d_cl, NULL));
        assert_cuda (armilla_alm_spectra_launch (&part, &one, 1, part.lmax, from_a, from_b, p > 0,
                                                 d_sums, NULL));
        assert_cuda (armilla_alm_dot_launch (&part, &one, from_a, from_b, 0, d_dot, d_scratch,
                                             NULL));
        part_cl = from_device (d_cl, n_cl);
        part_dot = from_device (d_dot, 1);
        for (gint64 l = 0; l < n_cl; l++)
          cl[l] += part_cl[l];
        dot += part_dot[0];
        offset += 2 * armilla_alm_shape_count (&part);
      }
    g_assert_cmpint (offset, ==, n);
    added = from_device (d_sums, n_cl);
    assert_same_bits (added, cl, n_cl);
    assert_cuda (armilla_alm_spectra_launch (&whole, &parts, 1, whole.lmax, d_a, d_b, FALSE, d_cl,
                                             NULL));
    assert_cuda (armilla_alm_dot_launch (&whole, &parts, d_a, d_b, 0, d_dot, d_scratch, NULL));
    cl_back = from_device (d_cl, n_cl);
    dot_back = from_device (d_dot, 1);
    assert_same_bits (cl_back, cl, n_cl);
    assert_same_bits (dot_back, &dot, 1);
  }
}

static void
test_vector_ops (void)
{
  enum { N = 10007 };
  const double factors[][2] = { { 0, 0 }, { 1, 0 }, { 0, -2 }, { 0.3, 0.7 } };
  const double scalars[] = { 3, 7, 0 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree double *x = random_array (rand, N), *y = random_array (rand, N);
  g_autofree double *out = poisoned_array (N);

  for (int i = 0; i < N; i += 11)
    y[i] = i % 2 ? UNSEEN : (float) UNSEEN;
  {
    g_autoptr (Device) d_x = doubles_to_device (x, N), d_y = doubles_to_device (y, N);
    g_autoptr (Device) d_out = device_new (sizeof (double) * N);
    g_autoptr (Device) d_scalars = doubles_to_device (scalars, 3);
    double *num = d_scalars, *den = num + 1, *zero = num + 2;

    for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
      {
        g_autofree double *back = NULL;

        armilla_vector_combine_cpu (N, factors[i][0], x, factors[i][1], y, out);
        assert_cuda (armilla_vector_combine_launch (N, factors[i][0], d_x, factors[i][1], d_y,
                                                    d_out, NULL));
        back = from_device (d_out, N);
        assert_same_bits (back, out, N);
      }
    for (int i = 0; i < 2; i++)
      {
        g_autofree double *back = NULL;

        armilla_vector_step_cpu (N, -1, scalars + 2 * i, scalars + 1 + i, x, y, out);
        assert_cuda (armilla_vector_step_launch (N, -1, i ? zero : num, i ? zero : den, d_x, d_y,
                                                 d_out, NULL));
        back = from_device (d_out, N);
        assert_same_bits (back, out, N);
      }
    assert_cuda (armilla_vector_combine_launch (0, 1, d_x, 1, d_y, d_out, NULL));
  }
}

/* Realisations of a tile, of which some numbers are UNSEEN at times, some at once. */
static void
check_collect (ArmillaCollectShape shape, GRand *rand)
{
  const gint64 n_sums = shape.n * (1 + shape.squares + shape.minimum + shape.maximum);
  g_autofree double *sums = poisoned_array (n_sums), *back = NULL;
  g_autoptr (Device) d_sums = doubles_to_device (sums, n_sums);

  shape.count = 1;
  for (int at_once = 1; at_once < 4; shape.count += at_once++)
    {
      double *values[3];
      Device *devices[3];
      const double *d_values[3];

      for (int r = 0; r < at_once; r++)
        {
          values[r] = random_array (rand, shape.n);
          for (gint64 i = 3 * (shape.count + r - 1); shape.unseen && i < shape.n; i += 10)
            values[r][i] = UNSEEN;
          d_values[r] = devices[r] = doubles_to_device (values[r], shape.n);
        }
      armilla_vector_collect_cpu (&shape, at_once, (const double *const *) values, sums);
      assert_cuda (armilla_vector_collect_launch (&shape, at_once, d_values, d_sums, NULL));
      for (int r = 0; r < at_once; r++)
        {
          device_free (devices[r]);
          g_free (values[r]);
        }
    }
  back = from_device (d_sums, n_sums);
  assert_same_bits (back, sums, n_sums);
}

static void
test_collect (void)
{
  const gint64 sizes[] = { 1, 33, 4097, 1000003 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int kept = 0; kept < 16; kept++)
      check_collect ((ArmillaCollectShape) { .n = sizes[i],
                                             .unseen = kept & 1,
                                             .squares = kept >> 1 & 1,
                                             .minimum = kept >> 2 & 1,
                                             .maximum = kept >> 3 },
                     rand);
}

static void
add_tests (void)
{
  g_test_add_func ("/field-cuda/redistribute", test_redistribute);
  g_test_add_func ("/field-cuda/alm-ops", test_alm_ops);
  g_test_add_func ("/field-cuda/parts", test_parts);
  g_test_add_func ("/field-cuda/vector-ops", test_vector_ops);
  g_test_add_func ("/field-cuda/collect", test_collect);
}
#endif

MAIN_ON_DEVICE (add_tests)
