/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/rings/ring-fft-device.h"
#include "codelets/rings/ring-fft-math.h"

/* The grids of threads are (elements, couple, field) or (elements, couple); a couple is one or two
 * rings that are transformed together (ring-fft-device.h). Each thread owns one element of a
 * couple, so that sums have a fixed order without atomic additions. */
#define THREADS 256
#define WARP 32
#define MAX_GRID 65535
#define SHARES 4

typedef ArmillaRingChunk Chunk;
typedef ArmillaRingCouple Couple;

static unsigned
blocks_for (int64_t n, int64_t per_block)
{
  return (unsigned) ((n + per_block - 1) / per_block);
}

static __device__ double2
product (double2 a, double2 b)
{
  return make_double2 (a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* 64-bit divisions are slow and rarely needed here. */
static __device__ int64_t
remainder_of (int64_t a, int64_t b)
{
  if ((a | b) >> 32 == 0)
    return (uint32_t) a % (uint32_t) b;
  return a % b;
}

static __device__ int64_t
quotient_of (int64_t a, int64_t b)
{
  if ((a | b) >> 32 == 0)
    return (uint32_t) a / (uint32_t) b;
  return a / b;
}

/* exp (i pi j^2 / q). */
static __device__ double2
chirp_of (int64_t j, int64_t q)
{
  double2 chirp;

  armilla_root_of_unity (armilla_chirp_index (j, q), (uint64_t) q, &chirp.x, &chirp.y);
  return chirp;
}

static __device__ bool
is_rotated (const ArmillaRingSlot &slot)
{
  return slot.phi0_den ? slot.phi0_num != 0 : slot.phi0 != 0;
}

static __device__ bool
same_azimuth (const ArmillaRingSlot &a, const ArmillaRingSlot &b)
{
  return a.phi0_num == b.phi0_num && a.phi0_den == b.phi0_den && a.phi0 == b.phi0;
}

static __device__ double2
phase_of (const ArmillaRingSlot &slot, int64_t m)
{
  double2 phase = make_double2 (1, 0);

  if (is_rotated (slot))
    armilla_ring_phase (m, slot.phi0_num, slot.phi0_den, slot.phi0, &phase.x, &phase.y);
  return phase;
}

/* A thread block processes one couple and many m, so it tabulates phases: exp (i m phi0) =
 * coarse[m / FINE] fine[m % FINE]. Phases of orders beyond the table are computed individually. */
#define FINE 256
#define COARSE 272

namespace {
struct Phases {
  double2 fine[FINE], coarse[COARSE];
};
}

/* Fills the tables of phases of a ring. All threads of a block (THREADS >= FINE) must call it, and
 * a barrier must follow. */
static __device__ void
fill_phases (Phases &phases, const ArmillaRingSlot &slot, int64_t mmax)
{
  const int t = threadIdx.x;

  if (!is_rotated (slot))
    return;
  if (t < FINE)
    phases.fine[t] = phase_of (slot, t);
  for (int i = t; i < COARSE && (int64_t) i * FINE <= mmax; i += THREADS)
    phases.coarse[i] = phase_of (slot, (int64_t) i * FINE);
}

static __device__ double2
phase_from (const Phases &phases, const ArmillaRingSlot &slot, int64_t m)
{
  if (!is_rotated (slot))
    return make_double2 (1, 0);
  if (m >= (int64_t) FINE * COARSE)
    return phase_of (slot, m);
  return product (phases.coarse[m / FINE], phases.fine[m % FINE]);
}

static __device__ double2 *
data_of (const Chunk &chunk, int64_t couple, int64_t field)
{
  return chunk.data + (couple * chunk.shape.n_fields + field) * chunk.radix * chunk.length;
}

static __device__ const double2 *
conjugate_of (const Chunk &chunk, int64_t couple)
{
  return chunk.chirp + couple * chunk.length;
}

/* Stores element k of the input in its part of data. With chirp-z it is multiplied by the chirp,
 * whose conjugate armilla_ring_pad_device () has written. */
static __device__ void
put (const Chunk &chunk, double2 *data, const double2 *conjugate, int64_t k, double2 value)
{
  if (chunk.direct)
    data[k] = value;
  else
    {
      const int64_t at = quotient_of (k, chunk.radix);
      const double2 chirp = conjugate[at];

      data[(k - at * chunk.radix) * chunk.length + at]
        = product (value, make_double2 (chirp.x, -chirp.y));
    }
}

namespace {
/* Modes of one ring. */
struct Ring {
  ArmillaRingSlot slot;
  const double2 *modes; /* NULL: no ring */
};
}

static __device__ Ring
ring_of (const Chunk &chunk, int64_t slot, int64_t field, const double2 *modes)
{
  Ring ring = {};

  if (slot >= 0)
    {
      ring.slot = chunk.slots[slot];
      ring.modes = modes + (field * chunk.shape.n_slots + slot) * (chunk.shape.mmax + 1);
    }
  return ring;
}

/* Adds mode m of each ring, rotated to the ring's first pixel, or its conjugate, to sum[ring]. */
static __device__ void
add_mode (const Ring ring[2], const Phases phases[2], bool same, int64_t m, bool conjugate,
          double2 sum[2])
{
  const double2 phase = phase_from (phases[0], ring[0].slot, m);

#pragma unroll
  for (int i = 0; i < 2; i++)
    if (ring[i].modes)
      {
        const double2 turn = i == 0 || same ? phase : phase_from (phases[i], ring[i].slot, m);
        const double2 turned = product (ring[i].modes[m], turn);

        sum[i].x += turned.x;
        sum[i].y += conjugate ? -turned.y : turned.y;
      }
}

/* Sets z[k] and z[n - k] to north + i south. LANES threads share the modes that alias to k. */
template <int LANES>
static __device__ void
fold_element (const Chunk &chunk, const Ring ring[2], const Phases phases[2], bool same, int64_t n,
              int64_t k, double2 *data, const double2 *conjugate)
{
  const int64_t mmax = chunk.shape.mmax, lane = threadIdx.x % LANES;
  double2 sum[2] = { make_double2 (0, 0), make_double2 (0, 0) };

  if (k <= n / 2)
    {
      for (int64_t m = k + lane * n; m <= mmax; m += LANES * n)
        if (m > 0)
          add_mode (ring, phases, same, m, false, sum);
      for (int64_t m = n - k + lane * n; m <= mmax; m += LANES * n)
        add_mode (ring, phases, same, m, true, sum);
    }
  for (int offset = LANES / 2; offset > 0; offset /= 2)
#pragma unroll
    for (int i = 0; i < 2; i++)
      {
        sum[i].x += __shfl_xor_sync (0xffffffffu, sum[i].x, offset);
        sum[i].y += __shfl_xor_sync (0xffffffffu, sum[i].y, offset);
      }
  if (lane > 0 || k > n / 2)
    return;
  if (k == 0)
#pragma unroll
    for (int i = 0; i < 2; i++)
      if (ring[i].modes)
        sum[i].x += ring[i].modes[0].x;
  if (k == 0 || 2 * k == n)
    put (chunk, data, conjugate, k, make_double2 (sum[0].x, sum[1].x));
  else
    {
      put (chunk, data, conjugate, k, make_double2 (sum[0].x - sum[1].y, sum[0].y + sum[1].x));
      put (chunk, data, conjugate, n - k, make_double2 (sum[0].x + sum[1].y, sum[1].x - sum[0].y));
    }
}

template <int LANES>
static __global__ void __launch_bounds__ (THREADS)
fold_kernel (Chunk chunk, const double2 *modes)
{
  __shared__ Phases phases[2];
  const Couple couple = chunk.couples[blockIdx.y];
  const int64_t per_round = (int64_t) gridDim.x * (THREADS / LANES);
  double2 *data = data_of (chunk, blockIdx.y, blockIdx.z);
  const Ring ring[2] = { ring_of (chunk, couple.first, blockIdx.z, modes),
                         ring_of (chunk, couple.second, blockIdx.z, modes) };
  const bool same = same_azimuth (ring[0].slot, ring[1].slot);

  fill_phases (phases[0], ring[0].slot, chunk.shape.mmax);
  if (!same)
    fill_phases (phases[1], ring[1].slot, chunk.shape.mmax);
  __syncthreads ();
  /* All threads of a block take part, since lanes add for each other. */
  for (int64_t first = (int64_t) blockIdx.x * (THREADS / LANES); first <= couple.n / 2;
       first += per_round)
    fold_element<LANES> (chunk, ring, phases, same, couple.n, first + threadIdx.x / LANES, data,
                         conjugate_of (chunk, blockIdx.y));
}

/* Returns the number of thread blocks that share the elements of a couple. */
static unsigned
shares_of (int64_t n_elements, int64_t per_block)
{
  const unsigned blocks = blocks_for (n_elements, per_block);

  return blocks < SHARES ? blocks : SHARES;
}

/* Sums the modes that alias to each element of the half spectra of a couple. A whole warp, or 8
 * threads, process an element if rings are so short that it sums many modes. */
cudaError_t
armilla_ring_fold_device (const Chunk *chunk, const double *reals, cudaStream_t stream)
{
  const double2 *modes = (const double2 *) reals;
  const int64_t n_elements = chunk->longest / 2 + 1;
  const unsigned n_couples = (unsigned) chunk->n_couples;
  const unsigned n_fields = (unsigned) chunk->shape.n_fields;

  if (chunk->shape.mmax >= 8 * chunk->longest)
    fold_kernel<WARP><<<dim3 (shares_of (n_elements * WARP, THREADS), n_couples, n_fields),
                        THREADS, 0, stream>>> (*chunk, modes);
  else if (chunk->shape.mmax >= 4 * chunk->longest)
    fold_kernel<8><<<dim3 (shares_of (n_elements * 8, THREADS), n_couples, n_fields), THREADS, 0,
                     stream>>> (*chunk, modes);
  else
    fold_kernel<1>
        <<<dim3 (shares_of (n_elements, THREADS), n_couples, n_fields), THREADS, 0, stream>>> (
            *chunk, modes);
  return cudaGetLastError ();
}

/* Returns the address of pixel 0 of a ring. */
static __device__ double *
ring_in (const ArmillaRingMap &map, const Chunk &chunk, int64_t slot, int64_t field)
{
  return map.values + field * map.stride
         + (map.first ? map.first[slot] : chunk.slots[slot].offset);
}

static __global__ void
gather_kernel (Chunk chunk, ArmillaRingMap map, int flags)
{
  const Couple couple = chunk.couples[blockIdx.y];
  const int64_t j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  double2 value = make_double2 (0, 0);

  if (j >= couple.n)
    return;
  value.x = ring_in (map, chunk, couple.first, blockIdx.z)[j];
  if (couple.second >= 0)
    value.y = ring_in (map, chunk, couple.second, blockIdx.z)[j];
  if (flags & ARMILLA_RING_UNSEEN_IS_ZERO)
    value = make_double2 (armilla_unseen_to_zero (value.x), armilla_unseen_to_zero (value.y));
  put (chunk, data_of (chunk, blockIdx.y, blockIdx.z), conjugate_of (chunk, blockIdx.y), j, value);
}

/* z[j] <- pixel j of the first ring + i pixel j of the second. */
cudaError_t
armilla_ring_gather_device (const Chunk *chunk, const ArmillaRingMap *map, int flags,
                            cudaStream_t stream)
{
  gather_kernel<<<dim3 (blocks_for (chunk->longest, THREADS), (unsigned) chunk->n_couples,
                        (unsigned) chunk->shape.n_fields),
                  THREADS, 0, stream>>> (*chunk, *map, flags);
  return cudaGetLastError ();
}

static __global__ void
pad_kernel (Chunk chunk)
{
  const int64_t q = chunk.couples[blockIdx.y].n / chunk.radix;
  const int64_t t = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  const int64_t distance = t < q ? t : chunk.length - t;
  double2 chirp = make_double2 (0, 0);

  if (t >= chunk.length)
    return;
  if (distance < q)
    {
      chirp = chirp_of (distance, q);
      chirp.y = -chirp.y;
    }
  chunk.chirp[blockIdx.y * chunk.length + t] = chirp;
  if (t < q)
    return;
  for (int64_t part = 0; part < chunk.shape.n_fields * chunk.radix; part++)
    data_of (chunk, blockIdx.y, 0)[part * chunk.length + t] = make_double2 (0, 0);
}

/* Writes zeros behind the q elements of each part, and the conjugate chirp to chunk->chirp, at
 * positive and negative (modulo length) indices. */
cudaError_t
armilla_ring_pad_device (const Chunk *chunk, cudaStream_t stream)
{
  pad_kernel<<<dim3 (blocks_for (chunk->length, THREADS), (unsigned) chunk->n_couples), THREADS, 0,
               stream>>> (*chunk);
  return cudaGetLastError ();
}

static __global__ void
multiply_kernel (Chunk chunk)
{
  const int64_t t = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  double2 *data = data_of (chunk, blockIdx.y, 0);
  double2 chirp;

  if (t >= chunk.length)
    return;
  /* The length is a power of two: this is exact. */
  chirp = chunk.chirp[blockIdx.y * chunk.length + t];
  chirp.x *= 1.0 / (double) chunk.length;
  chirp.y *= 1.0 / (double) chunk.length;
  for (int64_t part = 0; part < chunk.shape.n_fields * chunk.radix; part++)
    data[part * chunk.length + t] = product (data[part * chunk.length + t], chirp);
}

/* Multiplies the transform of the data by the transform of the chirp, divided by length. */
cudaError_t
armilla_ring_multiply_device (const Chunk *chunk, cudaStream_t stream)
{
  multiply_kernel<<<dim3 (blocks_for (chunk->length, THREADS), (unsigned) chunk->n_couples),
                    THREADS, 0, stream>>> (*chunk);
  return cudaGetLastError ();
}

/* value[t] <- sum_s i^(s t) value[s] */
template <int RADIX>
static __device__ void
butterfly (double2 (&value)[RADIX])
{
  if (RADIX == 2)
    {
      const double2 a = value[0], b = value[RADIX - 1];

      value[0] = make_double2 (a.x + b.x, a.y + b.y);
      value[RADIX - 1] = make_double2 (a.x - b.x, a.y - b.y);
    }
  if (RADIX == 4)
    {
      const double2 a = value[0], b = value[RADIX / 4], c = value[RADIX / 2], d = value[RADIX - 1];
      const double2 sum = make_double2 (a.x + c.x, a.y + c.y);
      const double2 dif = make_double2 (a.x - c.x, a.y - c.y);
      const double2 odd = make_double2 (b.x + d.x, b.y + d.y);
      const double2 turned = make_double2 (d.y - b.y, b.x - d.x);

      value[0] = make_double2 (sum.x + odd.x, sum.y + odd.y);
      value[RADIX / 4] = make_double2 (dif.x + turned.x, dif.y + turned.y);
      value[RADIX / 2] = make_double2 (sum.x - odd.x, sum.y - odd.y);
      value[RADIX - 1] = make_double2 (dif.x - turned.x, dif.y - turned.y);
    }
}

template <int RADIX>
static __global__ void
combine_kernel (Chunk chunk, ArmillaRingMap map)
{
  const Couple couple = chunk.couples[blockIdx.y];
  const int64_t q = couple.n / RADIX;
  const int64_t j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  double2 *data = data_of (chunk, blockIdx.y, blockIdx.z) + j;
  double2 value[RADIX];

  if (j >= q)
    return;
#pragma unroll
  for (int s = 0; s < RADIX; s++)
    value[s] = data[s * chunk.length];
  if (!chunk.direct)
    {
      double2 factor = chirp_of (j, q), twiddle;

      armilla_root_of_unity ((uint64_t) (2 * j), (uint64_t) couple.n, &twiddle.x, &twiddle.y);
#pragma unroll
      for (int s = 0; s < RADIX; s++)
        {
          value[s] = product (value[s], factor);
          factor = product (factor, twiddle);
        }
      butterfly (value);
    }
  double *first = NULL, *second = NULL;

  if (map.values)
    {
      first = ring_in (map, chunk, couple.first, blockIdx.z) + j;
      if (couple.second >= 0)
        second = ring_in (map, chunk, couple.second, blockIdx.z) + j;
    }
#pragma unroll
  for (int t = 0; t < RADIX; t++)
    {
      if (first)
        first[t * q] = value[t].x;
      else
        data[t * chunk.length] = value[t];
      if (second)
        second[t * q] = value[t].y;
    }
}

/* Completes the chirp-z transforms and combines their parts. The results are written to the rings;
 * if @map has none, to chunk->data. */
cudaError_t
armilla_ring_combine_device (const Chunk *chunk, const ArmillaRingMap *map, cudaStream_t stream)
{
  const dim3 grid (blocks_for (chunk->longest / chunk->radix, THREADS),
                   (unsigned) chunk->n_couples, (unsigned) chunk->shape.n_fields);

  if (chunk->radix == 4)
    combine_kernel<4><<<grid, THREADS, 0, stream>>> (*chunk, *map);
  else if (chunk->radix == 2)
    combine_kernel<2><<<grid, THREADS, 0, stream>>> (*chunk, *map);
  else
    combine_kernel<1><<<grid, THREADS, 0, stream>>> (*chunk, *map);
  return cudaGetLastError ();
}

static __device__ void
unfold_mode (const Chunk &chunk, const Couple &couple, const ArmillaRingSlot slot[2],
             const Phases phases[2], bool same, int64_t m, double2 *modes, int flags)
{
  const int64_t n = couple.n, q = quotient_of (n, chunk.radix);
  const double2 *data = data_of (chunk, blockIdx.y, blockIdx.z);
  const int64_t slots[2] = { couple.first, couple.second };
  const int64_t k = m < n ? m : remainder_of (m, n), mirror = k == 0 ? 0 : n - k;
  const int64_t part = chunk.direct ? 0 : quotient_of (k, q);
  const int64_t mirror_part = chunk.direct ? 0 : quotient_of (mirror, q);
  const double2 ahead = data[part * chunk.length + k - part * q];
  const double2 behind = data[mirror_part * chunk.length + mirror - mirror_part * q];
  const bool as_folded = flags & ARMILLA_RING_AS_FOLDED;
  const double2 v = as_folded ? behind : ahead, u = as_folded ? ahead : behind;
  const double2 phase = phase_from (phases[0], slot[0], m);
  double2 sums[2];

  sums[0] = make_double2 (0.5 * (u.x + v.x), 0.5 * (u.y - v.y));
  sums[1] = make_double2 (0.5 * (u.y + v.y), 0.5 * (v.x - u.x));
#pragma unroll
  for (int i = 0; i < 2; i++)
    if (slots[i] >= 0)
      {
        const double weight = (flags & ARMILLA_RING_WEIGHTED ? slot[i].weight : 1)
                              * (as_folded ? (double) n : 1);
        const double2 turn = i == 0 || same ? phase : phase_from (phases[i], slot[i], m);
        const double2 mode = product (sums[i], make_double2 (weight * turn.x, -weight * turn.y));

        modes[(blockIdx.z * chunk.shape.n_slots + slots[i]) * (chunk.shape.mmax + 1) + m]
          = make_double2 (mode.x, m == 0 ? 0 : mode.y);
      }
}

static __global__ void __launch_bounds__ (THREADS)
unfold_kernel (Chunk chunk, double2 *modes, int flags)
{
  __shared__ Phases phases[2];
  const Couple couple = chunk.couples[blockIdx.y];
  const ArmillaRingSlot slot[2]
    = { chunk.slots[couple.first], chunk.slots[couple.second >= 0 ? couple.second : couple.first] };
  const bool same = same_azimuth (slot[0], slot[1]);

  fill_phases (phases[0], slot[0], chunk.shape.mmax);
  if (!same)
    fill_phases (phases[1], slot[1], chunk.shape.mmax);
  __syncthreads ();
  for (int64_t m = (int64_t) blockIdx.x * THREADS + threadIdx.x; m <= chunk.shape.mmax;
       m += (int64_t) gridDim.x * THREADS)
    unfold_mode (chunk, couple, slot, phases, same, m, modes, flags);
}

/* The modes of both rings of every couple <- the transforms in data. */
cudaError_t
armilla_ring_unfold_device (const Chunk *chunk, double *modes, int flags, cudaStream_t stream)
{
  unfold_kernel<<<dim3 (shares_of (chunk->shape.mmax + 1, THREADS), (unsigned) chunk->n_couples,
                        (unsigned) chunk->shape.n_fields),
                  THREADS, 0, stream>>> (*chunk, (double2 *) modes, flags);
  return cudaGetLastError ();
}

static __global__ void
clear_kernel (ArmillaRingShape shape, const int64_t *absent, double *modes)
{
  const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

  if (i < 2 * (shape.mmax + 1))
    modes[2 * (blockIdx.z * shape.n_slots + absent[blockIdx.y]) * (shape.mmax + 1) + i] = 0;
}

/* Modes of slots without a ring <- 0. */
cudaError_t
armilla_ring_clear_device (const ArmillaRingShape *shape, const int64_t *absent, int64_t n_absent,
                           double *modes, cudaStream_t stream)
{
  cudaError_t code = cudaSuccess;

  for (int64_t first = 0; first < n_absent && code == cudaSuccess; first += MAX_GRID)
    {
      const unsigned count = (unsigned) (n_absent - first < MAX_GRID ? n_absent - first : MAX_GRID);

      clear_kernel<<<dim3 (blocks_for (2 * (shape->mmax + 1), THREADS), count,
                           (unsigned) shape->n_fields),
                     THREADS, 0, stream>>> (*shape, absent + first, modes);
      code = cudaGetLastError ();
    }
  return code;
}
