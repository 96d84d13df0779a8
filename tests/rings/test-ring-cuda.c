/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of ring transforms and of the monopole's fit against those of the CPU, which have
 * tests of their own against direct sums. Skips without CUDA or without a device. */
#include "config.h"

#include <glib.h>

#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
#include "codelets/fields/alm-ops.h"
#include "codelets/fields/dipole.h"
#include "codelets/fields/vector-ops.h"
#include "codelets/rings/redistribute.h"
#include "tests/rings/ring-block.h"

/* A block of rings and all that its kernels need. */
typedef struct {
  ArmillaRingShape shape;
  ArmillaRingSlot *slots;
  gint64 n_modes, n_pixels, longest;
} Rings;

static void
rings_clear (Rings *rings)
{
  g_free (rings->slots);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rings, rings_clear)

static void
rings_init (Rings *rings, const ArmillaRingSlot *slots, gint64 n_slots, gint64 mmax,
            gint64 n_fields)
{
  gint64 offset = 0;

  rings->slots = g_memdup2 (slots, sizeof *slots * (gsize) n_slots);
  rings->longest = 1;
  for (gint64 i = 0; i < n_slots; i++)
    {
      rings->slots[i].offset = offset;
      offset += slots[i].n_phi + (i % 3 == 2);
      rings->longest = MAX (rings->longest, slots[i].n_phi);
    }
  rings->shape = (ArmillaRingShape) { .mmax = mmax, .n_fields = n_fields, .n_slots = n_slots,
                                       .n_pixels = offset };
  rings->n_modes = 2 * n_fields * n_slots * (mmax + 1);
  rings->n_pixels = n_fields * offset;
}

/* Rings first_pair.. of HEALPix, n_pairs of them. */
static void
rings_init_healpix (Rings *rings, gint64 nside, gint64 first_pair, gint64 n_pairs, gint64 mmax,
                    gint64 n_fields)
{
  g_autofree ArmillaRingSlot *slots = g_new0 (ArmillaRingSlot, (gsize) (2 * n_pairs));

  for (gint64 i = 0; i < 2 * n_pairs; i++)
    {
      const gint64 ring = first_pair + i / 2 + 1;

      if (ring == 2 * nside && i % 2)
        continue;
      slots[i].n_phi = 4 * MIN (ring, nside);
      slots[i].phi0_num = ring < nside || (ring - nside) % 2 == 0;
      slots[i].phi0_den = slots[i].n_phi;
      slots[i].weight = 1 + 0.001 * (double) i;
    }
  rings_init (rings, slots, 2 * n_pairs, mmax, n_fields);
}

/* Both kernels round each value to a few 1e-15 of the 2-norm of what a pair's rings sum up (see
 * test-ring-fft.c, whose bound of 1e-14 holds for each of them): 2e-14 between the two. */
static void
assert_rings_close (const Rings *rings, const double *x, const double *y, const double *from,
                    gboolean pixels)
{
  const gint64 n_orders = 2 * (rings->shape.mmax + 1);

  for (gint64 field = 0; field < rings->shape.n_fields; field++)
    for (gint64 slot = 0; slot < rings->shape.n_slots; slot++)
      {
        const gint64 even = slot / 2 * 2, past = MIN (even + 2, rings->shape.n_slots);
        double norm = 0, limit;

        for (gint64 s = even; s < past; s++)
          {
            const ArmillaRingSlot *ring = &rings->slots[s];
            const double *values = pixels
                                       ? from + (field * rings->shape.n_slots + s) * n_orders
                                       : from + field * rings->shape.n_pixels + ring->offset;

            for (gint64 i = 0; i < (pixels ? n_orders : ring->n_phi) && ring->n_phi; i++)
              if (fabs (values[i]) < 1e29)
                norm += (pixels ? 4 : ring->weight * ring->weight) * values[i] * values[i];
          }
        limit = 2e-14 * sqrt (norm);
        if (pixels)
          for (gint64 i = 0; i < rings->slots[slot].n_phi; i++)
            {
              const gint64 at = field * rings->shape.n_pixels + rings->slots[slot].offset + i;

              g_assert_cmpfloat (fabs (x[at] - y[at]), <=, limit);
            }
        else
          for (gint64 i = 0; i < n_orders; i++)
            {
              const gint64 at = (field * rings->shape.n_slots + slot) * n_orders + i;

              g_assert_cmpfloat (fabs (x[at] - y[at]), <=, limit);
            }
      }
}

typedef struct {
  ArmillaCudaFftPlans *plans;
  gint64 block;
  Device *scratch, *slots;
} DeviceRings;

static void
device_rings_init (DeviceRings *device, const Rings *rings)
{
  ArmillaCudaMessage message = { "" };

  device->plans = armilla_cuda_fft_plans_new ();
  g_assert_nonnull (device->plans);
  assert_cuda (armilla_cuda_fft_plans_add (device->plans, &rings->shape, rings->slots,
                                           &device->block, &message));
  g_assert_cmpstr (message.text, ==, "");
  device->scratch = device_new (armilla_cuda_fft_plans_scratch (device->plans, device->block));
  device->slots
      = to_device (rings->slots, sizeof *rings->slots * (gsize) rings->shape.n_slots);
}

static void
device_rings_clear (DeviceRings *device)
{
  armilla_cuda_fft_plans_free (device->plans);
  device_free (device->scratch);
  device_free (device->slots);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DeviceRings, device_rings_clear)

/* Sums of modes may cancel, so they are as exact as those are large: n times the weight of that. */
static void
assert_normal_close (const Rings *rings, const double *x, const double *y, const double *modes)
{
  const gint64 n_orders = 2 * (rings->shape.mmax + 1);

  for (gint64 i = 0; i < rings->shape.n_fields * rings->shape.n_slots; i++)
    {
      const gint64 slot = i % rings->shape.n_slots, even = slot / 2 * 2;
      const gint64 past = MIN (even + 2, rings->shape.n_slots);
      const gint64 from = (i - slot + even) * n_orders, end = (i - slot + past) * n_orders;
      const ArmillaRingSlot *ring = &rings->slots[slot];
      double norm = 0;

      for (gint64 at = from; at < end; at++)
        norm += 4 * modes[at] * modes[at];
      for (gint64 at = i * n_orders; at < (i + 1) * n_orders; at++)
        g_assert_cmpfloat (fabs (x[at] - y[at]), <=,
                           2e-14 * sqrt (norm) * ring->weight * (double) ring->n_phi);
    }
}

/* Modes that go through pixels without them, on both processors. */
static void
check_normal (const Rings *rings, DeviceRings *device, const ArmillaFftPlans *plans,
              const double *modes, double *scratch)
{
  const gsize bytes = sizeof (double) * (gsize) rings->n_modes;
  g_autofree double *out = g_memdup2 (modes, bytes), *first = NULL;
  ArmillaCudaMessage message = { "" };

  g_assert_cmpint (one_tile_ring_normal (&rings->shape, rings->slots, plans, out, scratch), ==, 0);
  for (int run = 0; run < 2; run++)
    {
      g_autoptr (Device) d_modes = doubles_to_device (modes, rings->n_modes);
      g_autofree double *back = NULL;

      assert_cuda (armilla_ring_normal_launch (device->plans, device->block, device->slots,
                                               d_modes, device->scratch, NULL, &message));
      back = from_device (d_modes, rings->n_modes);
      if (run)
        assert_same_bits (back, first, rings->n_modes);
      assert_normal_close (rings, back, out, modes);
      first = first ? first : g_steal_pointer (&back);
    }
  g_assert_cmpstr (message.text, ==, "");
}

enum { APART = 5, BEFORE = 2 };

/* Of maps that lie elsewhere than in tiles: fields APART farther from each other, rings BEFORE
 * farther on. Both kernels must give the same bits as with tiles, and write to no other number. */
static void
check_in_place (const Rings *rings, DeviceRings *device, int flags, const Device *modes,
                const double *pixels, const double *pixels_out, const double *modes_out)
{
  const gint64 n_fields = rings->shape.n_fields, n = rings->shape.n_pixels + APART;
  g_autofree gint64 *first = g_new (gint64, rings->shape.n_slots);
  g_autofree double *map = poisoned_array (n * n_fields), *back = NULL, *modes_back = NULL;
  g_autofree double *written = poisoned_array (n * n_fields);
  g_autofree double **fields = g_new (double *, n_fields);
  g_autoptr (Device) d_map = doubles_to_device (map, n * n_fields), d_first = NULL, d_in = NULL;
  g_autoptr (Device) d_modes = device_new (sizeof (double) * (gsize) rings->n_modes);
  ArmillaRingPixels there = { .n_each = 1, .tile = fields };
  ArmillaCudaMessage message = { "" };

  for (gint64 i = 0; i < rings->shape.n_slots; i++)
    first[i] = rings->slots[i].offset + BEFORE;
  d_first = to_device (first, sizeof *first * (gsize) rings->shape.n_slots);
  there.first = (const gint64 *) d_first;
  for (gint64 f = 0; f < n_fields; f++)
    for (gint64 s = 0; s < rings->shape.n_slots; s++)
      {
        const gint64 at = f * rings->shape.n_pixels + rings->slots[s].offset;
        const gsize size = sizeof (double) * (gsize) rings->slots[s].n_phi;

        memcpy (map + f * n + first[s], pixels + at, size);
        memcpy (written + f * n + first[s], pixels_out + at, size);
      }
  d_in = doubles_to_device (map, n * n_fields);
  for (gint64 f = 0; f < n_fields; f++)
    fields[f] = (double *) d_map + f * n;
  assert_cuda (armilla_ring_synthesis_launch (device->plans, device->block, device->slots, modes,
                                              &there, device->scratch, NULL, &message));
  back = from_device (d_map, n * n_fields);
  assert_same_bits (back, written, n * n_fields);
  for (gint64 f = 0; f < n_fields; f++)
    fields[f] = (double *) d_in + f * n;
  assert_cuda (armilla_ring_adjoint_launch (device->plans, device->block, device->slots, flags,
                                            &there, d_modes, device->scratch, NULL, &message));
  modes_back = from_device (d_modes, rings->n_modes);
  assert_same_bits (modes_back, modes_out, rings->n_modes);
}

/* Runs both kernels on both processors, the CUDA ones twice, which must give the same bits. */
static void
check_rings (const Rings *rings, GRand *rand)
{
  g_auto (DeviceRings) device = { 0 };
  const int flags = ARMILLA_RING_WEIGHTED | ARMILLA_RING_UNSEEN_IS_ZERO;
  ArmillaFftPlans *plans = armilla_fft_plans_new ();
  g_autofree double *modes = random_array (rand, rings->n_modes);
  g_autofree double *pixels = random_array (rand, rings->n_pixels);
  g_autofree double *modes_out = poisoned_array (rings->n_modes);
  g_autofree double *pixels_out = poisoned_array (rings->n_pixels);
  g_autofree double *first_modes = NULL, *first_pixels = NULL;
  g_autofree double *scratch
      = g_new (double, (gsize) armilla_ring_scratch_size (rings->longest, rings->shape.mmax));
  g_autoptr (Device) d_modes = doubles_to_device (modes, rings->n_modes), d_pixels = NULL;
  ArmillaCudaMessage message = { "" };

  for (gint64 i = 0; i < rings->n_pixels; i += 13)
    pixels[i] = UNSEEN;
  d_pixels = doubles_to_device (pixels, rings->n_pixels);
  device_rings_init (&device, rings);
  g_assert_cmpint (armilla_fft_plans_add (plans, rings->slots, rings->shape.n_slots), ==, 0);
  g_assert_cmpint (one_tile_ring_synthesis (&rings->shape, rings->slots, plans, modes,
                                            pixels_out, scratch),
                   ==, 0);
  check_normal (rings, &device, plans, modes, scratch);
  g_assert_cmpint (one_tile_ring_adjoint (&rings->shape, rings->slots, plans, flags, pixels,
                                          modes_out, scratch),
                   ==, 0);
  armilla_fft_plans_free (plans);
  for (int run = 0; run < 2; run++)
    {
      g_autoptr (Device) d_modes_out = device_new (sizeof (double) * (gsize) rings->n_modes);
      g_autoptr (Device) d_pixels_out = device_new (sizeof (double) * (gsize) rings->n_pixels);
      g_autofree double *modes_back = NULL, *pixels_back = NULL;
      double *in = d_pixels, *out = d_pixels_out;
      const ArmillaRingPixels from = one_tile_of_pixels (&rings->shape, &in),
                              to = one_tile_of_pixels (&rings->shape, &out);

      assert_cuda (armilla_ring_synthesis_launch (device.plans, device.block, device.slots,
                                                  d_modes, &to, device.scratch, NULL, &message));
      assert_cuda (armilla_ring_adjoint_launch (device.plans, device.block, device.slots, flags,
                                                &from, d_modes_out, device.scratch, NULL,
                                                &message));
      modes_back = from_device (d_modes_out, rings->n_modes);
      pixels_back = from_device (d_pixels_out, rings->n_pixels);
      if (run)
        {
          assert_same_bits (modes_back, first_modes, rings->n_modes);
          assert_same_bits (pixels_back, first_pixels, rings->n_pixels);
        }
      assert_rings_close (rings, pixels_back, pixels_out, modes, TRUE);
      assert_rings_close (rings, modes_back, modes_out, pixels, FALSE);
      first_modes = first_modes ? first_modes : g_steal_pointer (&modes_back);
      first_pixels = first_pixels ? first_pixels : g_steal_pointer (&pixels_back);
    }
  check_in_place (rings, &device, flags, d_modes, pixels, first_pixels, first_modes);
  g_assert_cmpstr (message.text, ==, "");
}

/* All lengths from 1 to 40, in pairs and alone, with orders below and far beyond Nyquist. */
static void
test_short_rings (void)
{
  const gint64 orders[] = { 0, 1, 7, 64, 200 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_auto (Rings) rings = { 0 };
      ArmillaRingSlot slots[161] = { { 0 } };

      for (int k = 0; k < 80; k++)
        slots[k] = (ArmillaRingSlot){ .n_phi = k / 2 + 1, .phi0_num = k % 3, .phi0_den = 7,
                                      .weight = 1.5 };
      for (int k = 80; k < 161; k++)
        slots[k] = (ArmillaRingSlot){ .n_phi = k - 80, .phi0 = 0.1 * (k % 4), .weight = 2 };
      rings_init (&rings, slots, 161, orders[i], 2);
      check_rings (&rings, rand);
    }
}

/* Caps, the edge of the belt, and the belt down to the equator. */
static void
test_healpix_rings (void)
{
  const gint64 first[] = { 0, 50, 100 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    for (gint64 n_fields = 1; n_fields < 4; n_fields += 2)
      {
        g_auto (Rings) rings = { 0 };

        rings_init_healpix (&rings, 64, first[i], 28, 128 + 100 * (n_fields / 2), n_fields);
        check_rings (&rings, rand);
      }
}

/* Many rings of a length with large prime factors, lengths of all radices, and long rings. */
static void
test_other_rings (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  const gint64 lengths[] = { 1021, 2042, 4084, 4093, 8188, 1000, 3, 1021 };
  g_auto (Rings) equal = { 0 }, mixed = { 0 };
  ArmillaRingSlot slots[40] = { { 0 } };

  for (int k = 0; k < 40; k++)
    slots[k] = (ArmillaRingSlot){ .n_phi = k == 7 ? 0 : 202, .phi0 = k, .weight = 1 };
  rings_init (&equal, slots, 40, 150, 2);
  check_rings (&equal, rand);
  for (int k = 0; k < 16; k++)
    slots[k] = (ArmillaRingSlot){ .n_phi = lengths[k / 2], .phi0_num = 1,
                                  .phi0_den = lengths[k / 2], .weight = 1 };
  rings_init (&mixed, slots, 16, 3000, 1);
  check_rings (&mixed, rand);
}

/* All blocks of a map share a few plans. */
static void
test_plan_count (void)
{
  ArmillaCudaFftPlans *plans;

  plans = armilla_cuda_fft_plans_new ();
  for (gint64 first = 0; first < 512; first += 64)
    {
      g_auto (Rings) rings = { 0 };
      ArmillaCudaMessage message = { "" };
      gint64 block = -1;

      rings_init_healpix (&rings, 256, first, 64, 512, 1);
      assert_cuda (
          armilla_cuda_fft_plans_add (plans, &rings.shape, rings.slots, &block, &message));
      g_assert_cmpint (block, ==, first / 64);
      g_assert_cmpuint (armilla_cuda_fft_plans_scratch (plans, block), <=,
                        armilla_cuda_fft_plans_scratch (plans, -1));
    }
  /* Padded lengths 256 and 512, and 1024 itself, three batches each at most. */
  g_assert_cmpint (armilla_cuda_fft_plans_count (plans), <=, 9);
  g_assert_cmpuint (armilla_cuda_fft_plans_scratch (plans, -1), <=, 256 << 20);
  armilla_cuda_fft_plans_free (plans);
}

/* A ring that no device holds is refused with a message, and the plans stay usable. */
static void
test_failure (void)
{
  const ArmillaRingSlot huge = { .n_phi = G_GINT64_CONSTANT (1) << 42 };
  const ArmillaRingShape shape
      = { .mmax = 10, .n_fields = 1, .n_slots = 1, .n_pixels = huge.n_phi };
  ArmillaCudaFftPlans *plans;
  ArmillaCudaMessage message = { "" };
  g_auto (Rings) rings = { 0 };
  gint64 block = -1;

  plans = armilla_cuda_fft_plans_new ();
  g_assert_nonnull (plans);
  g_assert_cmpint (armilla_cuda_fft_plans_add (plans, &shape, &huge, &block, &message), ==,
                   cudaErrorMemoryAllocation);
  g_assert_nonnull (strstr (message.text, "a ring of 4398046511104 pixels needs"));
  g_assert_cmpint (block, ==, -1);
  rings_init_healpix (&rings, 4, 0, 8, 8, 1);
  assert_cuda (armilla_cuda_fft_plans_add (plans, &rings.shape, rings.slots, &block, &message));
  g_assert_cmpint (block, ==, 0);
  armilla_cuda_fft_plans_free (plans);
}

static void
test_dipole (void)
{
  g_auto (Rings) rings = { 0 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autofree double *pixels = NULL, *pairs = NULL, *out = NULL, *moments_back = NULL;
  g_autofree double *fit_back = NULL, *out_back = NULL;
  g_autoptr (Device) d_slots = NULL, d_pairs = NULL, d_pixels = NULL, d_out = NULL;
  g_autoptr (Device) d_moments = NULL, d_scratch = NULL, d_fit = NULL, d_status = NULL;
  double moments[3 * ARMILLA_MOMENTS], fit[12];
  int32_t status[3], status_back[3];
  ArmillaDipoleShape shape;

  rings_init_healpix (&rings, 40, 0, 80, 1, 3);
  shape = (ArmillaDipoleShape){ 3, 160, rings.shape.n_pixels, 0.1 };
  pairs = g_new0 (double, (gsize) (ARMILLA_PAIR_ROWS * 80));
  for (int p = 0; p < 80; p++)
    {
      pairs[ARMILLA_PAIR_COS * 80 + p] = cos ((p + 1) * G_PI / 160);
      pairs[ARMILLA_PAIR_SIN * 80 + p] = sin ((p + 1) * G_PI / 160);
    }
  pixels = random_array (rand, rings.n_pixels);
  for (gint64 i = 0; i < rings.n_pixels; i++)
    if (i % 7 == 3 || i >= 2 * rings.shape.n_pixels)
      pixels[i] = UNSEEN;
  out = poisoned_array (rings.n_pixels);
  d_slots = to_device (rings.slots, sizeof *rings.slots * 160);
  d_pairs = doubles_to_device (pairs, ARMILLA_PAIR_ROWS * 80);
  d_pixels = doubles_to_device (pixels, rings.n_pixels);
  d_out = doubles_to_device (out, rings.n_pixels);
  d_moments = device_new (sizeof moments);
  d_scratch = device_new (sizeof (double) * (gsize) armilla_dipole_scratch_size (&shape));
  d_fit = device_new (sizeof fit);
  d_status = device_new (sizeof status);
  armilla_dipole_moments_cpu (&shape, rings.slots, pairs, pixels, moments);
  assert_cuda (armilla_dipole_moments_launch (&shape, d_slots, d_pairs, d_pixels, d_moments,
                                              d_scratch, NULL));
  moments_back = from_device (d_moments, 3 * ARMILLA_MOMENTS);
  /* 19200 terms below 1, each rounded like its sum, in chains of at most 300 on either side:
   * 300 * 1.1e-16 * 19200 = 6e-10 at the worst, at random the root of the count of that. */
  for (int i = 0; i < 3 * ARMILLA_MOMENTS; i++)
    g_assert_cmpfloat_with_epsilon (moments_back[i], moments[i], 3e-11);
  armilla_dipole_solve_cpu (3, TRUE, moments_back, fit, status);
  assert_cuda (armilla_dipole_solve_launch (3, TRUE, d_moments, d_fit, d_status, NULL));
  fit_back = from_device (d_fit, 12);
  assert_cuda (cudaMemcpy (status_back, d_status, sizeof status, cudaMemcpyDeviceToHost));
  assert_same_bits (fit_back, fit, 12);
  g_assert_cmpmem (status_back, sizeof status, status, sizeof status);
  g_assert_cmpint (status[0], ==, 0);
  g_assert_cmpint (status[2], ==, 1); /* nothing seen in the third field */
  armilla_dipole_remove_cpu (&shape, rings.slots, pairs, fit, pixels, out);
  assert_cuda (
      armilla_dipole_remove_launch (&shape, d_slots, d_pairs, d_fit, d_pixels, d_out, NULL));
  out_back = from_device (d_out, rings.n_pixels);
  /* Azimuths differ by 4e-16, the fit is below 1: a few roundings of values below 3. */
  for (gint64 i = 0; i < rings.n_pixels; i++)
    g_assert_cmpfloat_with_epsilon (out_back[i], out[i], 4e-15);
  for (gint64 i = 0; i < rings.n_pixels; i++)
    if (pixels[i] == UNSEEN)
      g_assert_cmpfloat (out_back[i], ==, out[i]);
}

static float
elapsed (cudaEvent_t begin, cudaEvent_t end)
{
  float ms = 0;

  assert_cuda (cudaEventSynchronize (end));
  assert_cuda (cudaEventElapsedTime (&ms, begin, end));
  return ms;
}

/* All ring blocks of a map at nside 2048, mmax 4096: times are reported, not judged. */
static void
test_timing (void)
{
  enum { NSIDE = 2048, MMAX = 4096, N_PAIRS = 1024, N_BLOCKS = 2 * NSIDE / N_PAIRS };
  const gint64 begin_plans = g_get_monotonic_time ();
  ArmillaCudaFftPlans *plans = NULL;
  g_autoptr (Device) d_modes = NULL, d_pixels = NULL, d_scratch = NULL, d_slots = NULL;
  g_autofree ArmillaRingSlot *all = g_new (ArmillaRingSlot, 4 * NSIDE);
  const gsize n_modes = 2 * 2 * N_PAIRS * (MMAX + 1), n_pixels = 2 * N_PAIRS * 4 * NSIDE;
  const ArmillaRedistributeShape shape = { MMAX, 0, MMAX, 1, N_PAIRS, 0, 0 };
  ArmillaCudaMessage message = { "" };
  double *map;
  const ArmillaRingPixels pixels = { .n_each = 1, .tile = &map };
  cudaEvent_t event[5];
  gint64 block;

  plans = armilla_cuda_fft_plans_new ();
  for (int b = 0; b < N_BLOCKS; b++)
    {
      g_auto (Rings) rings = { 0 };

      rings_init_healpix (&rings, NSIDE, b * N_PAIRS, N_PAIRS, MMAX, 1);
      memcpy (all + 2 * N_PAIRS * b, rings.slots, sizeof *all * 2 * N_PAIRS);
      assert_cuda (
          armilla_cuda_fft_plans_add (plans, &rings.shape, rings.slots, &block, &message));
    }
  g_test_message ("%d plans in %.0f ms, scratch %.1f MB",
                  (int) armilla_cuda_fft_plans_count (plans),
                  1e-3 * (double) (g_get_monotonic_time () - begin_plans),
                  1e-6 * (double) armilla_cuda_fft_plans_scratch (plans, -1));
  d_modes = device_new (sizeof (double) * n_modes);
  d_pixels = device_new (sizeof (double) * MAX (n_pixels, n_modes));
  map = d_pixels;
  d_scratch = device_new (armilla_cuda_fft_plans_scratch (plans, -1));
  d_slots = to_device (all, sizeof *all * 4 * NSIDE);
  assert_cuda (cudaMemset (d_modes, 0, sizeof (double) * n_modes));
  for (int i = 0; i < 5; i++)
    assert_cuda (cudaEventCreate (&event[i]));
  for (int run = 0; run < 4; run++)
    {
      assert_cuda (cudaEventRecord (event[0], NULL));
      for (int b = 0; b < N_BLOCKS; b++)
        assert_cuda (armilla_ring_synthesis_launch (
            plans, b, (ArmillaRingSlot *) d_slots + 2 * N_PAIRS * b, d_modes, &pixels, d_scratch,
            NULL, &message));
      assert_cuda (cudaEventRecord (event[1], NULL));
      for (int b = 0; b < N_BLOCKS; b++)
        assert_cuda (armilla_ring_adjoint_launch (
            plans, b, (ArmillaRingSlot *) d_slots + 2 * N_PAIRS * b, 3, &pixels, d_modes,
            d_scratch, NULL, &message));
      assert_cuda (cudaEventRecord (event[2], NULL));
      for (int b = 0; b < N_BLOCKS; b++)
        assert_cuda (
            armilla_redistribute_forward_launch (&shape, d_slots, d_pixels, d_modes, NULL));
      assert_cuda (cudaEventRecord (event[3], NULL));
      for (int b = 0; b < N_BLOCKS; b++)
        assert_cuda (armilla_ring_normal_launch (
            plans, b, (ArmillaRingSlot *) d_slots + 2 * N_PAIRS * b, d_modes, d_scratch, NULL,
            &message));
      assert_cuda (cudaEventRecord (event[4], NULL));
      g_test_message ("nside %d, mmax %d, %d blocks: synthesis %.2f ms, adjoint %.2f ms, "
                      "redistribution %.2f ms, modes there and back %.2f ms",
                      NSIDE, MMAX, N_BLOCKS, elapsed (event[0], event[1]),
                      elapsed (event[1], event[2]), elapsed (event[2], event[3]),
                      elapsed (event[3], event[4]));
    }
  for (int i = 0; i < 5; i++)
    assert_cuda (cudaEventDestroy (event[i]));
  armilla_cuda_fft_plans_free (plans);
}

static void
add_tests (void)
{
  g_test_add_func ("/ring-cuda/dipole", test_dipole);
  g_test_add_func ("/ring-cuda/short-rings", test_short_rings);
  g_test_add_func ("/ring-cuda/healpix-rings", test_healpix_rings);
  g_test_add_func ("/ring-cuda/other-rings", test_other_rings);
  g_test_add_func ("/ring-cuda/plan-count", test_plan_count);
  g_test_add_func ("/ring-cuda/failure", test_failure);
  g_test_add_func ("/ring-cuda/timing", test_timing);
}
#endif

MAIN_ON_DEVICE (add_tests)
