/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays in the memory of a GPU: copied by kernels as those of the CPU copy them, transformed as
 * the same arrays on the host, adjoint to each other, and never brought to the host. Skips without
 * CUDA or without a device. */
#include "config.h"

#include "tests/arrays/array-helpers.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
#include <math.h>
#include <starpu.h>

#include "codelets/arrays/array-copy.h"

static ArmillaSession *session;
static ArmillaFailure failure;

enum { ROWS = 3, NUMBERS = 1000, FIRST = 100, PART = 700 };

/* Rows of numbers that lie @stride reals apart, backwards where it is negative, the middle one of
 * which is not there. */
static void
make_rows (char *data, int n_reals, int single, int stride, ArmillaArrayRow *rows)
{
  const int size = single ? 4 : 8;

  for (int f = 0; f < ROWS; f++)
    rows[f] = (ArmillaArrayRow) { .data = f == 1 ? NULL
                                                 : data + size * (f * NUMBERS * ABS (stride)
                                                    + (stride < 0 ? (1 - NUMBERS) * stride : 0)),
                                  .stride = size * stride,
                                  .n_reals = n_reals,
                                  .single = single,
                                  .n_zonal = n_reals == 2 ? FIRST + PART / 2 : 0 };
}

static void
test_copy (int n_reals, int single, int stride)
{
  const gint64 reals = ROWS * NUMBERS * ABS (stride), n = ROWS * PART * n_reals;
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree double *x = random_numbers (rand, reals), *tile = random_numbers (rand, n);
  g_autofree double *read = poisoned_array (n), *written = g_memdup2 (x, 8 * (gsize) reals);
  g_autoptr (Device) d_x = doubles_to_device (x, reals), d_tile = doubles_to_device (tile, n);
  g_autoptr (Device) d_read = device_new (8 * (gsize) n);
  g_autofree double *back = NULL, *back_x = NULL;
  ArmillaArrayRow rows[ROWS], d_rows[ROWS];

  if (single)
    for (gint64 i = 0; i < 2 * reals; i++)
      ((float *) x)[i] = (float) i / 3;
  memcpy (written, x, 8 * (gsize) reals);
  assert_cuda (cudaMemcpy (d_x, x, 8 * (gsize) reals, cudaMemcpyHostToDevice));
  make_rows ((char *) x, n_reals, single, stride, rows);
  make_rows (d_x, n_reals, single, stride, d_rows);
  armilla_array_read_cpu (rows, ROWS, FIRST, PART, read);
  assert_cuda (armilla_array_read_launch (d_rows, ROWS, FIRST, PART, d_read, NULL));
  back = from_device (d_read, n);
  assert_same_bits (back, read, n);
  make_rows ((char *) written, n_reals, single, stride, rows);
  armilla_array_write_cpu (rows, ROWS, FIRST, PART, tile);
  assert_cuda (armilla_array_write_launch (d_rows, ROWS, FIRST, PART, d_tile, NULL));
  back_x = from_device (d_x, reals);
  assert_same_bits (back_x, written, reals);
}

static void
test_copies (void)
{
  for (int n_reals = 1; n_reals <= 2; n_reals++)
    for (int single = 0; single < 2; single++)
      for (int step = -3; step <= 3; step++)
        if (step != 0)
          test_copy (n_reals, single, step * n_reals);
}

/* Some rings in any order, one of them empty, with and without weights. */
static void
test_rings (void)
{
  static const ArmillaRingSlot slots[] = { { .n_phi = 500, .offset = 200, .weight = 0.3 },
                                           { .n_phi = 0, .offset = 0, .weight = 7 },
                                           { .n_phi = 200, .offset = 0, .weight = -1.7 } };
  static const gint64 first[] = { 13, 0, 700 };
  enum { PIXELS = 700, SLOTS = G_N_ELEMENTS (slots) };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autofree double *x = random_numbers (rand, ROWS * NUMBERS);
  g_autofree double *tile = random_numbers (rand, ROWS * PIXELS);
  g_autofree double *read = poisoned_array (ROWS * PIXELS), *back = NULL;
  g_autoptr (Device) d_slots = to_device (slots, sizeof slots);
  g_autoptr (Device) d_first = to_device (first, sizeof first);
  g_autoptr (Device) d_x = doubles_to_device (x, ROWS * NUMBERS);
  g_autoptr (Device) d_tile = doubles_to_device (tile, ROWS * PIXELS);
  g_autoptr (Device) d_read = device_new (8 * ROWS * PIXELS);
  ArmillaArrayRow rows[ROWS], d_rows[ROWS];

  make_rows ((char *) x, 1, 0, 1, rows);
  make_rows (d_x, 1, 0, 1, d_rows);
  armilla_array_read_rings_cpu (rows, ROWS, SLOTS, PIXELS, slots, first, read);
  assert_cuda (armilla_array_read_rings_launch (d_rows, ROWS, SLOTS, PIXELS, d_slots, d_first,
                                                d_read, NULL));
  back = from_device (d_read, ROWS * PIXELS);
  assert_same_bits (back, read, ROWS * PIXELS);
  for (int weighted = 0; weighted < 2; weighted++)
    {
      g_autofree double *back_x = NULL;

      armilla_array_write_rings_cpu (rows, ROWS, SLOTS, PIXELS, weighted, slots, first, tile);
      assert_cuda (armilla_array_write_rings_launch (d_rows, ROWS, SLOTS, PIXELS, weighted,
                                                     d_slots, d_first, d_tile, NULL));
      back_x = from_device (d_x, ROWS * NUMBERS);
      assert_same_bits (back_x, x, ROWS * NUMBERS);
    }
}

/* The same array in the memory of the GPU; its @data is for device_free(). */
static ArmillaArray
on_gpu (ArmillaArray array, gint64 bytes)
{
  array.data = to_device (array.data, (gsize) bytes);
  array.device = ARMILLA_GPU (0);
  return array;
}

/* Compares with an array on the host, to @tolerance of its largest number, and frees the other. */
static void
assert_like (ArmillaArray gpu, const double *host, gint64 n, double tolerance)
{
  g_autofree double *back = from_device (gpu.data, n);
  double largest = 0;

  for (gint64 i = 0; i < n; i++)
    largest = MAX (largest, fabs (host[i]));
  g_assert_cmpfloat (largest, >, 0);
  for (gint64 i = 0; i < n; i++)
    if (!(fabs (back[i] - host[i]) <= tolerance * largest))
      g_error ("number %" G_GINT64_FORMAT " is %.17g, not %.17g", i, back[i], host[i]);
  device_free (gpu.data);
}

/* Spins that shapes are tried with. */
static const struct {
  int n, spins[2], parts, used[3];
} kinds[] = { { 1, { 0 }, 1, { 0 } }, { 2, { 0, 2 }, 3, { 0, 2, 2 } }, { 1, { 3 }, 2, { 3, 3 } } };

enum { LMAX = 20, COPIES = 2 };

typedef ArmillaStatus (*ToMap) (ArmillaPlan *, const ArmillaArray *, const ArmillaArray *,
                                ArmillaFailure *);

static ArmillaStatus
analysis (ArmillaPlan *plan, const ArmillaArray *map, const ArmillaArray *alm,
          ArmillaFailure *what)
{
  return armilla_plan_analysis (plan, map, alm, NULL, what);
}

static ArmillaStatus
iterated (ArmillaPlan *plan, const ArmillaArray *map, const ArmillaArray *alm,
          ArmillaFailure *what)
{
  const ArmillaAnalysis how = { .iterations = 2 };

  return armilla_plan_analysis (plan, map, alm, &how, what);
}

static ArmillaStatus
solved (ArmillaPlan *plan, const ArmillaArray *map, const ArmillaArray *alm, ArmillaFailure *what)
{
  const ArmillaAnalysis how = { .tolerance = 1e-12, .max_iterations = 200 };

  return armilla_plan_analysis (plan, map, alm, &how, what);
}

/* A function of a plan on both sides, and that it is the adjoint of another. */
static void
compare (ArmillaPlan *plan, const ArmillaArray *in, gint64 n_in, const ArmillaArray *out,
         gint64 n_out, ToMap function, double tolerance)
{
  ArmillaArray gpu_in = on_gpu (*in, 8 * n_in), gpu_out = on_gpu (*out, 8 * n_out);

  assert_ok (function (plan, in, out, &failure), &failure);
  assert_ok (function (plan, &gpu_in, &gpu_out, &failure), &failure);
  assert_like (gpu_out, out->data, n_out, tolerance);
  device_free (gpu_in.data);
}

/* <A x, y> = <x, A* y>, both sides from the GPU */
static void
assert_adjoint (ArmillaPlan *plan, const ArmillaArray *alm, const ArmillaArray *map,
                ArmillaAlmLayout layout, ToMap to_map, ToMap to_alm)
{
  const gint64 rows = alm->shape[0] * alm->shape[1], n_alm = rows * 2 * alm->shape[2],
               n_map = map->shape[0] * map->shape[1] * map->shape[2];
  ArmillaArray x = on_gpu (*alm, 8 * n_alm), y = on_gpu (*map, 8 * n_map),
               ax = on_gpu (*map, 8 * n_map), ay = on_gpu (*alm, 8 * n_alm);
  g_autofree double *back_map = NULL, *back_alm = NULL;
  long double a, b;

  assert_ok (to_map (plan, &x, &ax, &failure), &failure);
  assert_ok (to_alm (plan, &y, &ay, &failure), &failure);
  back_map = from_device (ax.data, n_map);
  back_alm = from_device (ay.data, n_alm);
  a = product (back_map, map->data, n_map);
  b = alm_product (back_alm, alm->data, layout, rows);
  g_assert_cmpfloat ((double) (fabsl (a - b) / fabsl (a)), <, 1e-12);
  for (int i = 0; i < 4; i++)
    device_free ((ArmillaArray *[]) { &x, &y, &ax, &ay }[i]->data);
}

static void
test_plan (const ArmillaPlanShape *shape, int kind, GRand *rand)
{
  const ArmillaAlmLayout layout = { shape->lmax, shape->mmax };
  const gint64 n = armilla_alm_count (layout), rows = COPIES * kinds[kind].parts;
  ArmillaPlan *plan;
  int used[COPIES * 3];

  for (int i = 0; i < rows; i++)
    used[i] = kinds[kind].used[i % kinds[kind].parts];
  assert_ok (armilla_plan_new (session, shape, &plan, &failure), &failure);
  {
    const gint64 n_pixels = armilla_plan_n_pixels (plan), n_alm = 2 * n * rows,
                 n_map = rows * n_pixels;
    g_autofree double *alm = random_alm (rand, layout, rows, used);
    g_autofree double *map = random_numbers (rand, n_map);
    g_autofree double *to_alm = g_new0 (double, n_alm), *to_map = g_new0 (double, n_map);
    const ArmillaArray a = plain (alm, COPIES, kinds[kind].parts, n, TRUE),
                       m = plain (map, COPIES, kinds[kind].parts, n_pixels, FALSE),
                       out_a = plain (to_alm, COPIES, kinds[kind].parts, n, TRUE),
                       out_m = plain (to_map, COPIES, kinds[kind].parts, n_pixels, FALSE);

    compare (plan, &a, n_alm, &out_m, n_map, armilla_plan_synthesis, 1e-12);
    compare (plan, &a, n_alm, &out_m, n_map, armilla_plan_adjoint_analysis, 1e-12);
    compare (plan, &m, n_map, &out_a, n_alm, armilla_plan_adjoint_synthesis, 1e-12);
    compare (plan, &m, n_map, &out_a, n_alm, analysis, 1e-12);
    compare (plan, &m, n_map, &out_a, n_alm, iterated, 1e-11);
    if (kind == 0 && shape->geometry == ARMILLA_GRID_HEALPIX)
      compare (plan, &m, n_map, &out_a, n_alm, solved, 1e-9);
    assert_adjoint (plan, &a, &m, layout, armilla_plan_synthesis, armilla_plan_adjoint_synthesis);
    assert_adjoint (plan, &a, &m, layout, armilla_plan_adjoint_analysis, analysis);
  }
  armilla_plan_free (plan);
}

static void
test_transforms (void)
{
  double weights[16];
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (int i = 0; i < 16; i++)
    weights[i] = 1 + 0.01 * i;
  for (int kind = 0; kind < (int) G_N_ELEMENTS (kinds); kind++)
    {
      ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = 8, .lmax = LMAX,
                                 .mmax = LMAX - 3, .spins = kinds[kind].spins,
                                 .n_spins = kinds[kind].n, .copies = COPIES };

      test_plan (&shape, kind, rand);
      shape.ring_weights = weights;
      shape.n_ring_weights = 16;
      test_plan (&shape, kind, rand);
      shape.ring_weights = NULL;
      shape.geometry = ARMILLA_GRID_GAUSS_LEGENDRE;
      shape.n_theta = LMAX + 1;
      shape.n_phi = 2 * LMAX + 1;
      test_plan (&shape, kind, rand);
    }
}

/* Every second component of arrays of single precision, stored backwards. */
static void
test_strides (void)
{
  static const int spins[] = { 0 };
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = 8, .lmax = LMAX,
                                   .mmax = LMAX, .spins = spins, .n_spins = 1, .copies = 1 };
  const ArmillaAlmLayout layout = { LMAX, LMAX };
  const gint64 n = armilla_alm_count (layout), n_pixels = 768;
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autofree double *x = random_alm (rand, layout, 1, spins), *map = g_new (double, n_pixels);
  g_autofree float *mixed = g_new0 (float, 4 * n), *back = g_new0 (float, 2 * n_pixels);
  g_autoptr (Device) d_alm = NULL, d_map = device_new (8 * (gsize) n_pixels);
  const ArmillaArray in = plain (x, 1, 1, n, TRUE), out = plain (map, 1, 1, n_pixels, FALSE);
  ArmillaArray gpu_in = { .type = ARMILLA_FLOAT32, .shape = { 1, 1, n }, .strides = { 0, 0, -16 },
                          .device = ARMILLA_GPU (0) },
               gpu_out = { .type = ARMILLA_FLOAT32, .shape = { 1, 1, n_pixels },
                           .strides = { 0, 0, 8 }, .device = ARMILLA_GPU (0) };
  ArmillaPlan *plan;

  for (gint64 i = 0; i < n; i++)
    for (int part = 0; part < 2; part++)
      {
        mixed[4 * (n - 1 - i) + part] = (float) x[2 * i + part];
        x[2 * i + part] = (float) x[2 * i + part];
      }
  d_alm = to_device (mixed, 16 * (gsize) n);
  gpu_in.data = (char *) d_alm + 16 * (n - 1);
  gpu_out.data = d_map;
  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  assert_ok (armilla_plan_synthesis (plan, &in, &out, &failure), &failure);
  assert_ok (armilla_plan_synthesis (plan, &gpu_in, &gpu_out, &failure), &failure);
  assert_cuda (cudaMemcpy (back, d_map, 8 * (gsize) n_pixels, cudaMemcpyDeviceToHost));
  for (gint64 i = 0; i < n_pixels; i++)
    g_assert_cmpfloat (fabs (back[2 * i] - map[i]), <, 1e-5);
  armilla_plan_free (plan);
}

static void
test_gradient (void)
{
  static const int spin1[] = { 1 }, spin0[] = { 0, 0 };
  ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = 16, .lmax = LMAX,
                             .mmax = LMAX, .spins = spin1, .n_spins = 1, .copies = 1 };
  const ArmillaAlmLayout layout = { LMAX, LMAX };
  const gint64 n = armilla_alm_count (layout), n_pixels = 3072;
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree double *x = random_alm (rand, layout, 1, spin0);
  g_autofree double *map = random_numbers (rand, 2 * n_pixels);
  g_autofree double *to_map = g_new0 (double, 2 * n_pixels), *to_alm = g_new0 (double, 2 * n);
  const ArmillaArray alm = plain (x, 1, 1, n, TRUE), out_alm = plain (to_alm, 1, 1, n, TRUE),
                     pair = plain (map, 1, 2, n_pixels, FALSE),
                     out = plain (to_map, 1, 2, n_pixels, FALSE);
  ArmillaPlan *plan;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  compare (plan, &alm, 2 * n, &out, 2 * n_pixels, armilla_plan_gradient, 1e-12);
  compare (plan, &pair, 2 * n_pixels, &out_alm, 2 * n, armilla_plan_adjoint_gradient, 1e-12);
  assert_adjoint (plan, &alm, &pair, layout, armilla_plan_gradient, armilla_plan_adjoint_gradient);
  armilla_plan_free (plan);
}

/* Bytes that went between host and GPUs since it was called last. */
static double
transferred (void)
{
  double bytes = 0;

  for (int bus = 0; bus < (int) starpu_bus_get_count (); bus++)
    {
      struct starpu_profiling_bus_info info;

      g_assert_cmpint (starpu_bus_get_profiling_info (bus, &info), ==, 0);
      bytes += (double) info.transferred_bytes;
    }
  return bytes;
}

/* What a stream still has to do is waited for; and once tables are on the GPU nothing goes there or
 * comes from it. */
static void
wait_a_moment (void *user)
{
  (void) user;
  g_usleep (100000);
}

static void
test_stream (void)
{
  static const int spins[] = { 0, 2 }, used[] = { 0, 2, 2 };
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = 32, .lmax = 64,
                                   .mmax = 64, .spins = spins, .n_spins = 2, .copies = 1 };
  const ArmillaAlmLayout layout = { 64, 64 };
  const gint64 n = armilla_alm_count (layout), n_pixels = 12288, bytes = 48 * n;
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autofree double *x = random_alm (rand, layout, 3, used);
  g_autofree double *map = g_new (double, 3 * n_pixels);
  const ArmillaArray in = plain (x, 1, 3, n, TRUE), out = plain (map, 1, 3, n_pixels, FALSE);
  ArmillaArray gpu_in = on_gpu (in, bytes), gpu_out = on_gpu (out, 24 * n_pixels);
  ArmillaPlan *plan;
  cudaStream_t stream;

  assert_cuda (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking));
  gpu_in.stream = gpu_out.stream = stream;
  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  assert_ok (armilla_plan_synthesis (plan, &in, &out, &failure), &failure);
  assert_cuda (cudaMemset (gpu_in.data, 0, (gsize) bytes));
  assert_ok (armilla_plan_synthesis (plan, &gpu_in, &gpu_out, &failure), &failure);
  g_assert_cmpfloat (transferred (), >, 0);
  assert_cuda (cudaLaunchHostFunc (stream, wait_a_moment, NULL));
  assert_cuda (cudaMemcpyAsync (gpu_in.data, x, (gsize) bytes, cudaMemcpyHostToDevice, stream));
  assert_ok (armilla_plan_synthesis (plan, &gpu_in, &gpu_out, &failure), &failure);
  g_assert_cmpfloat (transferred (), ==, 0);
  assert_like (gpu_out, map, 3 * n_pixels, 1e-12);
  armilla_plan_free (plan);
  assert_cuda (cudaStreamDestroy (stream));
  device_free (gpu_in.data);
}

static void
assert_refused (ArmillaStatus status, const char *start)
{
  g_assert_cmpint (status, ==, ARMILLA_STATUS_ARGUMENT);
  if (!g_str_has_prefix (failure.text, start))
    g_error ("\"%s\" does not begin with \"%s\"", failure.text, start);
}

static void
test_errors (void)
{
  static const int spins[] = { 0 };
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = 4, .lmax = 4,
                                   .mmax = 4, .spins = spins, .n_spins = 1, .copies = 1 };
  double x[30] = { 0 }, map[192];
  const ArmillaArray in = plain (x, 1, 1, 15, TRUE), out = plain (map, 1, 1, 192, FALSE);
  ArmillaArray gpu_in = on_gpu (in, 240), gpu_out = on_gpu (out, 1536), wrong;
  ArmillaPlan *plan;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  assert_refused (armilla_plan_synthesis (plan, &gpu_in, &out, &failure),
                  "map: is in the memory of the host, but alm in that of a GPU");
  wrong = in;
  wrong.device = ARMILLA_GPU (0);
  assert_refused (armilla_plan_synthesis (plan, &wrong, &gpu_out, &failure),
                  "alm: not in the memory of GPU 0");
  wrong = gpu_out;
  wrong.device = -1;
  assert_refused (armilla_plan_synthesis (plan, &gpu_in, &wrong, &failure),
                  "map: device = -1");
  assert_ok (armilla_plan_synthesis (plan, &gpu_in, &gpu_out, &failure), &failure);
  armilla_plan_free (plan);
  device_free (gpu_in.data);
  device_free (gpu_out.data);
}

/* Whichever GPU is current and whichever the caller says, arrays are used where they are, and the
 * current GPU stays so. Of arrays on two GPUs a call is refused. */
static void
test_current_gpu (void)
{
  static const int spins[] = { 0 };
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = 8, .lmax = LMAX,
                                   .mmax = LMAX, .spins = spins, .n_spins = 1, .copies = 1 };
  const ArmillaAlmLayout layout = { LMAX, LMAX };
  const gint64 n = armilla_alm_count (layout), n_pixels = 768;
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autofree double *x = random_alm (rand, layout, 1, spins), *map = g_new0 (double, n_pixels);
  const ArmillaArray in = plain (x, 1, 1, n, TRUE), out = plain (map, 1, 1, n_pixels, FALSE);
  const int n_gpus = armilla_session_gpus (session);
  ArmillaPlan *plan;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  assert_ok (armilla_plan_synthesis (plan, &in, &out, &failure), &failure);
  for (int there = 0; there < n_gpus; there++)
    for (int current = 0; current < n_gpus; current++)
      for (int said = 0; said < 2; said++)
        {
          ArmillaArray gpu_in, gpu_out;
          int after = -1;

          assert_cuda (cudaSetDevice (there));
          gpu_in = on_gpu (in, 16 * n);
          gpu_out = on_gpu (out, 8 * n_pixels);
          gpu_in.device = gpu_out.device = ARMILLA_GPU (said ? there : there + 1);
          assert_cuda (cudaMemset (gpu_out.data, 0, 8 * (gsize) n_pixels));
          assert_cuda (cudaDeviceSynchronize ());
          assert_cuda (cudaSetDevice (current));
          assert_ok (armilla_plan_synthesis (plan, &gpu_in, &gpu_out, &failure), &failure);
          assert_cuda (cudaGetDevice (&after));
          g_assert_cmpint (after, ==, current);
          assert_like (gpu_out, map, n_pixels, 1e-12);
          device_free (gpu_in.data);
        }
  assert_cuda (cudaSetDevice (0));
  if (n_gpus > 1)
    {
      ArmillaArray gpu_in = on_gpu (in, 16 * n), gpu_out;

      assert_cuda (cudaSetDevice (1));
      gpu_out = on_gpu (out, 8 * n_pixels);
      assert_cuda (cudaSetDevice (0));
      assert_refused (armilla_plan_synthesis (plan, &gpu_in, &gpu_out, &failure),
                      "map: is in the memory of GPU 1, but alm in that of GPU 0");
      device_free (gpu_in.data);
      device_free (gpu_out.data);
    }
  armilla_plan_free (plan);
}

static void
add_tests (void)
{
  int current = -1;

  session = armilla_session_new (NULL);
  assert_ok (armilla_session_start (session, &failure), &failure);
  g_assert_cmpint (armilla_session_gpus (session), >, 0);
  assert_cuda (cudaGetDevice (&current));
  g_assert_cmpint (current, ==, 0); /* as it was before the start */
  starpu_profiling_status_set (STARPU_PROFILING_ENABLE);
  g_test_add_func ("/array-gpu/copies", test_copies);
  g_test_add_func ("/array-gpu/rings", test_rings);
  g_test_add_func ("/array-gpu/transforms", test_transforms);
  g_test_add_func ("/array-gpu/strides", test_strides);
  g_test_add_func ("/array-gpu/gradient", test_gradient);
  g_test_add_func ("/array-gpu/stream", test_stream);
  g_test_add_func ("/array-gpu/errors", test_errors);
  g_test_add_func ("/array-gpu/current-gpu", test_current_gpu);
}
#endif

MAIN_ON_DEVICE (add_tests)
