/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <algorithm>

#include "codelets/points/points-delta-math.h"
#include "codelets/rings/ring-fft-plans.h"

/* Sequences are transformed in batches of one size; the last one is padded. A thread reads or
 * writes both orders of a sequence on one ring: a whole sector of 32 bytes of a row of the tile;
 * neighbouring threads access neighbouring points of the circle. */
#define BATCH_BYTES ((int64_t) 64 << 20)
#define THREADS 256

namespace {

/* Sequences @first, @first + 1, ... of all fields, on the rings of one circle. */
struct Batch {
  ArmillaPointsDeltaShape shape;
  const double *table;
  int64_t first, n, n_rings;
  double2 *z; /* [n][points of the circle] */
};

struct Place {
  int64_t ring, mirror, even, odd; /* even, odd: the orders, -1 if the tiles lack them */
  int64_t row;                     /* doubles before the first order of the ring in the tile */
  double2 *z;
};

/* Finds the ring and the sequence of a thread; returns whether there is work for it. */
__device__ bool
find_place (const Batch &batch, Place *place)
{
  const int64_t n_sequences = armilla_points_sequences (&batch.shape);
  const int64_t sequence = batch.first + blockIdx.y;

  place->ring = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (place->ring >= batch.n_rings)
    return false;
  place->mirror = armilla_points_mirror (batch.n_rings, place->ring);
  place->even = armilla_points_order (&batch.shape, sequence % n_sequences, 0);
  place->odd = armilla_points_order (&batch.shape, sequence % n_sequences, 1);
  place->row = armilla_points_delta_row (&batch.shape, batch.n_rings, sequence / n_sequences,
                                         place->ring);
  place->z = batch.z + blockIdx.y * armilla_points_circle (batch.n_rings);
  return true;
}

/* Does the same as read_rings () of points-delta.c. */
__global__ void
read_kernel (Batch batch, double weight, const double *in)
{
  Place at;

  if (!find_place (batch, &at))
    return;
  const double2 *row = (const double2 *) (in + at.row);
  const bool pole = at.mirror == at.ring;
  double2 even = { 0, 0 }, odd = { 0, 0 };

  if (at.even >= 0)
    even = row[at.even];
  if (at.odd >= 0 && !pole)
    odd = row[at.odd];
  if (pole)
    weight = 1;
  at.z[at.ring] = make_double2 (weight * even.x + weight * odd.x, weight * even.y + weight * odd.y);
  if (!pole)
    at.z[at.mirror]
      = make_double2 (weight * even.x - weight * odd.x, weight * even.y - weight * odd.y);
}

/* Does the same as write_rings (); @reverse: sequences are read in reverse order. */
__global__ void
write_kernel (Batch batch, double weight, bool reverse, double *out)
{
  Place at;

  if (!find_place (batch, &at))
    return;
  const double *factor = batch.table + batch.shape.n_coarse + batch.shape.m_first;
  const bool pole = at.mirror == at.ring, middle = 2 * at.ring == batch.n_rings - 1;
  const double2 here = at.z[reverse ? at.mirror : at.ring];
  const double2 there = at.z[reverse ? at.ring : at.mirror];
  double2 *row = (double2 *) (out + at.row), *absent = row + batch.shape.n_orders;

  if (at.even >= 0)
    {
      const double f = factor[at.even];

      row[at.even] = pole ? make_double2 (f * here.x, f * here.y)
                          : make_double2 (f * (weight * (here.x + there.x)),
                                          f * (weight * (here.y + there.y)));
    }
  if (at.odd >= 0)
    {
      const double f = pole ? 0 : factor[at.odd];

      row[at.odd] = make_double2 (f * (weight * (here.x - there.x)),
                                  f * (weight * (here.y - there.y)));
    }
  /* The southern slot of the equator belongs to no ring. */
  if (middle && at.even >= 0)
    absent[at.even] = make_double2 (0, 0);
  if (middle && at.odd >= 0)
    absent[at.odd] = make_double2 (0, 0);
}

/* Does the same as copy_waves (), with one thread per frequency of the output. */
__global__ void
waves_kernel (Batch to, Batch from, bool reverse)
{
  const int64_t n_to = armilla_points_circle (to.n_rings);
  const int64_t n_from = armilla_points_circle (from.n_rings);
  const int64_t at = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  const bool negative = 2 * at > n_to;
  const int64_t k = negative ? n_to - at : at;

  if (at >= n_to)
    return;
  double2 *out = to.z + blockIdx.y * n_to + at;

  if (k >= to.shape.n_coarse - 1)
    {
      *out = make_double2 (0, 0);
      return;
    }
  const double2 wave
    = from.z[blockIdx.y * n_from + (k > 0 && negative != reverse ? n_from - k : k)];

  *out = make_double2 (to.table[k] * wave.x, to.table[k] * wave.y);
}

dim3
blocks_of (int64_t n, int64_t n_sequences)
{
  return dim3 ((unsigned) ((n + THREADS - 1) / THREADS), (unsigned) n_sequences);
}

cudaError_t
run_batch (const Batch &from, const Batch &to, bool refines, ArmillaCudaFftPlans *plans,
           int64_t size, const double *in, double *out, void *work, cudaStream_t stream,
           ArmillaCudaMessage *message)
{
  const int64_t n_from = armilla_points_circle (from.n_rings);
  const int64_t n_to = armilla_points_circle (to.n_rings);
  cudaError_t status;

  read_kernel<<<blocks_of (from.n_rings, from.n), THREADS, 0, stream>>> (from, refines ? 1 : 0.5,
                                                                         in);
  status = (cudaError_t) armilla_cuda_fft_run (plans, n_from, size, (double *) from.z, work, stream,
                                               message);
  if (status != cudaSuccess)
    return status;
  waves_kernel<<<blocks_of (n_to, to.n), THREADS, 0, stream>>> (to, from, refines);
  status = (cudaError_t) armilla_cuda_fft_run (plans, n_to, size, (double *) to.z, work, stream,
                                               message);
  if (status != cudaSuccess)
    return status;
  write_kernel<<<blocks_of (to.n_rings, to.n), THREADS, 0, stream>>> (to, refines ? 0.5 : 1,
                                                                      !refines, out);
  return cudaGetLastError ();
}

} // namespace

/* Returns the number of sequences per batch if there are up to @n_sequences. */
int64_t
armilla_points_delta_batch (const ArmillaPointsDeltaShape *shape, int64_t n_sequences)
{
  const int64_t max_sequences = BATCH_BYTES / (16 * armilla_points_circle (shape->n_fine));

  return std::max<int64_t> (
    1, std::min<int64_t> (n_sequences, std::min<int64_t> (max_sequences, 65535)));
}

/* Does the same as armilla_points_refine_cpu (), or armilla_points_coarsen_cpu () if @refines is 0,
 * in device memory. @plans: has plans for @batch sequences on both circles; @scratch: room for
 * @batch sequences on both circles, then the larger work area of both plans; @message: set unless
 * the returned CUDA error code is cudaSuccess. */
int
armilla_points_delta_launch (const ArmillaPointsDeltaShape *shape, int refines, const double *table,
                             ArmillaCudaFftPlans *plans, int64_t batch, const double *in,
                             double *out, void *scratch, cudaStream_t stream,
                             ArmillaCudaMessage *message)
{
  const int64_t n_sequences = armilla_points_sequences (shape) * shape->n_fields;
  const int64_t n_from = refines ? shape->n_coarse : shape->n_fine;
  const int64_t n_to = refines ? shape->n_fine : shape->n_coarse;
  double2 *z = (double2 *) scratch, *a = z + batch * armilla_points_circle (n_from);
  double2 *work = a + batch * armilla_points_circle (n_to);
  cudaError_t status = cudaSuccess;

  for (int64_t first = 0; first < n_sequences && status == cudaSuccess; first += batch)
    {
      const int64_t n = std::min (batch, n_sequences - first);
      const Batch from = { *shape, table, first, n, n_from, z };
      const Batch to = { *shape, table, first, n, n_to, a };

      status = run_batch (from, to, refines, plans, batch, in, out, work, stream, message);
    }
  return message->text[0] ? status
                          : armilla_cuda_check (status, "resampling rings of points", message);
}
