/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <algorithm>

#include "codelets/rings/ring-fft-plans.h"
#include "codelets/theta/theta-resample-math.h"

/* Sequences are transformed in batches of one size; the last one is padded. A thread reads or
 * writes both orders of a sequence on one ring: a whole memory sector of a row of the tile.
 * Adjacent threads process adjacent points of the circle. */
#define BATCH_BYTES ((int64_t) 64 << 20)
#define THREADS 256

namespace {

/* A batch: n of the sequences of all fields, from @first on. */
struct Batch {
  ArmillaResampleShape shape;
  const double *table;
  int64_t first, n;
  double2 *z; /* [n][n_points] */
};

struct Place {
  int64_t slot, ring, mirror, even, odd; /* orders, -1 if absent */
  int64_t row; /* doubles before the first order of the slot in the tile */
  double2 *z;
};

/* Finds the ring and the sequence of this thread. Returns false if there is none. */
__device__ bool
find_place (const Batch &batch, int output, Place *place)
{
  const ArmillaResampleShape &shape = batch.shape;
  const int64_t n_pairs = armilla_resample_pairs (&shape, output);
  const int64_t n_sequences = armilla_resample_sequences (&shape);
  const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  const int64_t sequence = batch.first + blockIdx.y;

  if (i >= 2 * n_pairs)
    return false;
  place->slot = i < n_pairs ? 2 * i : 2 * (i - n_pairs) + 1;
  place->ring = armilla_resample_ring (&shape, batch.table, output, place->slot);
  place->mirror = place->ring < 0 ? -1 : armilla_resample_mirror (&shape, place->ring);
  place->even = armilla_resample_order (&shape, sequence % n_sequences, 0);
  place->odd = armilla_resample_order (&shape, sequence % n_sequences, 1);
  place->row
    = armilla_resample_at (&shape, n_pairs, sequence / n_sequences, place->slot, 0);
  place->z = batch.z + blockIdx.y * armilla_resample_points (&shape);
  return true;
}

__global__ void
read_kernel (Batch batch, const double *in)
{
  Place at;

  if (!find_place (batch, 0, &at) || at.ring < 0)
    return;
  const double2 *row = (const double2 *) (in + at.row), zero = { 0, 0 };
  const double2 even = at.even < 0 ? zero : row[at.even];
  const double2 odd = at.odd < 0 || at.mirror == at.ring ? zero : row[at.odd];

  at.z[at.ring] = make_double2 (even.x + odd.x, even.y + odd.y);
  at.z[at.mirror] = make_double2 (even.x - odd.x, even.y - odd.y);
}

__global__ void
write_kernel (Batch batch, double *out)
{
  Place at;

  if (!find_place (batch, 1, &at))
    return;
  double2 *row = (double2 *) (out + at.row), even = { 0, 0 }, odd = { 0, 0 };

  if (at.ring >= 0)
    even = at.z[at.ring];
  if (at.ring >= 0 && at.mirror != at.ring)
    {
      const double2 north = even, south = at.z[at.mirror];

      even = make_double2 (north.x + south.x, north.y + south.y);
      odd = make_double2 (north.x - south.x, north.y - south.y);
    }
  if (at.even >= 0)
    row[at.even] = even;
  if (at.odd >= 0)
    row[at.odd] = odd;
}

/* Finds the point of the circle that this thread processes, and its index in an array of sequences.
 * Returns false if there is none. */
__device__ bool
find_point (const Batch &batch, int64_t *point, int64_t *index)
{
  const int64_t n = armilla_resample_points (&batch.shape);

  *point = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  *index = blockIdx.y * n + *point;
  return *point < n;
}

__global__ void
turn_kernel (Batch batch, double2 *a)
{
  int64_t k, i;

  if (!find_point (batch, &k, &i))
    return;
  const double2 phase
    = ((const double2 *) armilla_resample_phases (&batch.shape, batch.table))[k];

  a[i] = make_double2 (a[i].x * phase.x - a[i].y * phase.y, a[i].x * phase.y + a[i].y * phase.x);
}

__global__ void
midway_kernel (Batch batch, double2 *a)
{
  int64_t j, i;

  if (!find_point (batch, &j, &i))
    return;
  const double w = armilla_resample_midway (&batch.shape, batch.table)[j];

  a[i] = make_double2 (w * a[i].x, w * a[i].y);
}

__global__ void
add_kernel (Batch batch, const double2 *a)
{
  int64_t j, i;

  if (find_point (batch, &j, &i))
    batch.z[i] = make_double2 (fma (batch.table[j], batch.z[i].x, a[i].x),
                               fma (batch.table[j], batch.z[i].y, a[i].y));
}

dim3
blocks_of (int64_t n, int64_t n_sequences)
{
  return dim3 ((unsigned) ((n + THREADS - 1) / THREADS), (unsigned) n_sequences);
}

/* Processes one batch: z <- E in; a <- H' w H z; z <- v z + a; out <- E' z. */
cudaError_t
run_batch (const Batch &batch, ArmillaCudaFftPlans *plans, int64_t size, const double *in,
           double *out, double2 *a, void *work, cudaStream_t stream, ArmillaCudaMessage *message)
{
  const int64_t n = armilla_resample_points (&batch.shape);
  const dim3 points = blocks_of (n, batch.n);
  const size_t bytes = sizeof *a * (size_t) (n * batch.n);
  cudaError_t status = cudaSuccess;

  if (!batch.shape.to_map) /* rings may be missing */
    status = cudaMemsetAsync (batch.z, 0, bytes, stream);
  read_kernel<<<blocks_of (2 * armilla_resample_pairs (&batch.shape, 0), batch.n), THREADS, 0,
                stream>>> (batch, in);
  if (status == cudaSuccess)
    status = cudaMemcpyAsync (a, batch.z, bytes, cudaMemcpyDeviceToDevice, stream);
  for (int i = 0; i < 4 && status == cudaSuccess; i++)
    {
      status = (cudaError_t) armilla_cuda_fft_run (plans, n, size, (double *) a, work, stream,
                                                   message);
      if (i == 0 || i == 2)
        turn_kernel<<<points, THREADS, 0, stream>>> (batch, a);
      else if (i == 1)
        midway_kernel<<<points, THREADS, 0, stream>>> (batch, a);
    }
  if (status != cudaSuccess)
    return status;
  add_kernel<<<points, THREADS, 0, stream>>> (batch, a);
  write_kernel<<<blocks_of (2 * armilla_resample_pairs (&batch.shape, 1), batch.n), THREADS, 0,
                 stream>>> (batch, out);
  return cudaGetLastError ();
}

} // namespace

/* Returns the number of sequences per batch for @n_sequences sequences in total. */
int64_t
armilla_resample_batch (const ArmillaResampleShape *shape, int64_t n_sequences)
{
  const int64_t max_sequences = BATCH_BYTES / (16 * armilla_resample_points (shape));

  return std::max<int64_t> (
    1, std::min<int64_t> (n_sequences, std::min<int64_t> (max_sequences, 65535)));
}

/* Like armilla_resample_cpu (), in device memory. @batch: sequences of a batch, whose plan has been
 * added to the plans; @scratch: room for two arrays of a batch, and the work of the plan after
 * them; @message: empty, set unless the result, a CUDA error code, is cudaSuccess. */
int
armilla_resample_launch (const ArmillaResampleShape *shape, const double *table,
                         ArmillaCudaFftPlans *plans, int64_t batch, const double *in, double *out,
                         void *scratch, cudaStream_t stream, ArmillaCudaMessage *message)
{
  const int64_t n = armilla_resample_points (shape), all = batch * n;
  const int64_t n_sequences = armilla_resample_sequences (shape) * shape->n_fields;
  double2 *z = (double2 *) scratch;
  cudaError_t status = cudaSuccess;

  for (int64_t first = 0; first < n_sequences && status == cudaSuccess; first += batch)
    {
      const Batch part = { *shape, table, first, std::min (batch, n_sequences - first), z };

      status = run_batch (part, plans, batch, in, out, z + all, z + 2 * all, stream, message);
    }
  return message->text[0] ? status : armilla_cuda_check (status, "resampling rings", message);
}
