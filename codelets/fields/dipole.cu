/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/dipole.h"
#include "codelets/fields/field-ops-math.h"

#define RING_THREADS 128
#define SLOT_THREADS 64
#define N_SUMS ((int) (sizeof (ArmillaRingSums) / sizeof (double)))

namespace {
/* Latitude of a ring. */
struct Latitude {
  double cos_theta, sin_theta;
};
}

static __device__ Latitude
latitude_of (const ArmillaDipoleShape &shape, const double *pairs, int64_t slot)
{
  const int64_t n_pairs = shape.n_slots / 2;
  const double cos_theta = pairs[ARMILLA_PAIR_COS * n_pairs + slot / 2];

  return { slot % 2 ? -cos_theta : cos_theta, pairs[ARMILLA_PAIR_SIN * n_pairs + slot / 2] };
}

/* Returns exp (i phi) of pixel @j of a ring of @n; @first: that of pixel 0. */
static __device__ double2
azimuth_of (double2 first, int64_t j, int64_t n)
{
  double c, s;

  armilla_root_of_unity ((uint64_t) (2 * j), (uint64_t) n, &c, &s);
  return make_double2 (first.x * c - first.y * s, first.x * s + first.y * c);
}

static __device__ double2
first_azimuth (const ArmillaRingSlot &slot)
{
  double2 first;

  armilla_ring_phase (1, slot.phi0_num, slot.phi0_den, slot.phi0, &first.x, &first.y);
  return first;
}

/* One thread block per ring and field: scratch[field][slot] <- sums of the ring, by pairwise
 * halving. */
static __global__ void
ring_sums_kernel (ArmillaDipoleShape shape, const ArmillaRingSlot *slots, const double *pairs,
                  const double *pixels, ArmillaRingSums *scratch)
{
  __shared__ ArmillaRingSums all[RING_THREADS];
  const ArmillaRingSlot slot = slots[blockIdx.x];
  const Latitude latitude = latitude_of (shape, pairs, blockIdx.x);
  const double *values = pixels + blockIdx.y * shape.n_pixels + slot.offset;
  ArmillaRingSums sums = {};

  if (slot.n_phi > 0 && !(fabs (latitude.cos_theta) < shape.sin_cut))
    {
      const double2 first = first_azimuth (slot);

      for (int64_t j = threadIdx.x; j < slot.n_phi; j += RING_THREADS)
        {
          const double2 azimuth = azimuth_of (first, j, slot.n_phi);

          armilla_ring_sums_add (&sums, values[j], azimuth.x, azimuth.y);
        }
    }
  all[threadIdx.x] = sums;
  for (int half = RING_THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        {
          double *to = (double *) &all[threadIdx.x];
          const double *from = (const double *) &all[threadIdx.x + half];

          for (int i = 0; i < N_SUMS; i++)
            to[i] += from[i];
        }
    }
  if (threadIdx.x == 0)
    scratch[blockIdx.y * shape.n_slots + blockIdx.x] = all[0];
}

/* One thread block per field: each thread adds some rings; their sums are added by pairwise
 * halving. */
static __global__ void
moments_kernel (ArmillaDipoleShape shape, const double *pairs, const ArmillaRingSums *scratch,
                double *moments)
{
  __shared__ double all[SLOT_THREADS][ARMILLA_MOMENTS];
  double *mine = all[threadIdx.x];

  for (int i = 0; i < ARMILLA_MOMENTS; i++)
    mine[i] = 0;
  for (int64_t slot = threadIdx.x; slot < shape.n_slots; slot += SLOT_THREADS)
    {
      const Latitude latitude = latitude_of (shape, pairs, slot);

      armilla_moments_add (mine, &scratch[blockIdx.x * shape.n_slots + slot], latitude.cos_theta,
                           latitude.sin_theta);
    }
  for (int half = SLOT_THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        for (int i = 0; i < ARMILLA_MOMENTS; i++)
          mine[i] += all[threadIdx.x + half][i];
    }
  if (threadIdx.x == 0)
    for (int i = 0; i < ARMILLA_MOMENTS; i++)
      moments[blockIdx.x * ARMILLA_MOMENTS + i] = mine[i];
}

/* Returns the number of doubles of scratch space that armilla_dipole_moments_launch () needs. */
int64_t
armilla_dipole_scratch_size (const ArmillaDipoleShape *shape)
{
  return shape->n_fields * shape->n_slots * N_SUMS;
}

int
armilla_dipole_moments_launch (const ArmillaDipoleShape *shape, const ArmillaRingSlot *slots,
                               const double *pairs, const double *pixels, double *moments,
                               double *scratch, cudaStream_t stream)
{
  ArmillaRingSums *sums = (ArmillaRingSums *) scratch;
  cudaError_t code;

  ring_sums_kernel<<<dim3 ((unsigned) shape->n_slots, (unsigned) shape->n_fields), RING_THREADS, 0,
                     stream>>> (*shape, slots, pairs, pixels, sums);
  code = cudaGetLastError ();
  if (code != cudaSuccess)
    return code;
  moments_kernel<<<(unsigned) shape->n_fields, SLOT_THREADS, 0, stream>>> (*shape, pairs, sums,
                                                                             moments);
  return cudaGetLastError ();
}

static __global__ void
solve_kernel (int dipole, const double *moments, double *fit, int32_t *status)
{
  const int64_t field = blockIdx.x;

  status[field] =
      armilla_moments_solve (moments + field * ARMILLA_MOMENTS, dipole, fit + 4 * field) ? 1 : 0;
}

int
armilla_dipole_solve_launch (int64_t n_fields, int dipole, const double *moments, double *fit,
                             int32_t *status, cudaStream_t stream)
{
  solve_kernel<<<(unsigned) n_fields, 1, 0, stream>>> (dipole, moments, fit, status);
  return cudaGetLastError ();
}

static __global__ void
remove_kernel (ArmillaDipoleShape shape, const ArmillaRingSlot *slots, const double *pairs,
               const double *fit, const double *in, double *out)
{
  const ArmillaRingSlot slot = slots[blockIdx.x];
  const Latitude latitude = latitude_of (shape, pairs, blockIdx.x);
  const int64_t first = blockIdx.y * shape.n_pixels + slot.offset;

  if (slot.n_phi > 0)
    {
      const double2 azimuth0 = first_azimuth (slot);

      for (int64_t j = threadIdx.x; j < slot.n_phi; j += RING_THREADS)
        {
          const double2 azimuth = azimuth_of (azimuth0, j, slot.n_phi);

          out[first + j] =
              armilla_dipole_remove (in[first + j], fit + 4 * blockIdx.y, latitude.cos_theta,
                                     latitude.sin_theta, azimuth.x, azimuth.y);
        }
    }
}

int
armilla_dipole_remove_launch (const ArmillaDipoleShape *shape, const ArmillaRingSlot *slots,
                              const double *pairs, const double *fit, const double *in, double *out,
                              cudaStream_t stream)
{
  remove_kernel<<<dim3 ((unsigned) shape->n_slots, (unsigned) shape->n_fields), RING_THREADS, 0,
                  stream>>> (*shape, slots, pairs, fit, in, out);
  return cudaGetLastError ();
}
