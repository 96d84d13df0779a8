/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <algorithm>

#include "codelets/rings/ring-fft-plans.h"

namespace {
/* Arguments that all launches share. */
struct Call {
  ArmillaCudaFftPlans *plans;
  const ArmillaFftBlock *block;
  void *work;
  cudaStream_t stream;
  ArmillaCudaMessage *message;
};
}

static cudaError_t
run_plan (const ArmillaFftPlan *plan, double2 *data, int direction, void *work,
          cudaStream_t stream, ArmillaCudaMessage *message)
{
  cufftDoubleComplex *array = (cufftDoubleComplex *) data;

  ARMILLA_CUDA_TRY (armilla_cufft_check (cufftSetStream (plan->handle, stream),
                                         "choosing the stream", plan->length, plan->batch,
                                         message));
  ARMILLA_CUDA_TRY (armilla_cufft_check (cufftSetWorkArea (plan->handle, work),
                                         "setting the work area", plan->length, plan->batch,
                                         message));
  return armilla_cufft_check (cufftExecZ2Z (plan->handle, array, array, direction), "transforming",
                              plan->length, plan->batch, message);
}

int
armilla_cuda_fft_run (ArmillaCudaFftPlans *plans, int64_t length, int64_t batch, double *data,
                      void *work, cudaStream_t stream, ArmillaCudaMessage *message)
{
  return run_plan (armilla_fft_find_plan (plans, length, batch), (double2 *) data, CUFFT_INVERSE,
                   work, stream, message);
}

static cudaError_t
transform (const Call &call, int64_t length, int64_t count, double2 *data, int direction)
{
  return run_plan (armilla_fft_find_plan (call.plans, length, armilla_fft_batch (length, count)),
                   data, direction, call.work, call.stream, call.message);
}

/* Writes the padding and the chirp of a chunk; called before the data are stored, since these are
 * multiplied by the chirp. */
static cudaError_t
pad_chunk (const Call &call, const ArmillaRingChunk &chunk)
{
  if (chunk.direct)
    return cudaSuccess;
  return armilla_cuda_check (armilla_ring_pad_device (&chunk, call.stream), "padding rings",
                             call.message);
}

/* Transforms the data of each couple, data[k] <- sum_j data[j] exp (2 pi i j k / n), except for the
 * last step of chirp-z, which armilla_ring_combine_device() takes. */
static cudaError_t
transform_chunk (const Call &call, const ArmillaRingChunk &chunk)
{
  const int64_t count = chunk.n_couples * chunk.shape.n_fields * chunk.radix;

  if (!chunk.direct)
    {
      ARMILLA_CUDA_TRY (
          transform (call, chunk.length, count + chunk.n_couples, chunk.data, CUFFT_FORWARD));
      ARMILLA_CUDA_TRY (armilla_cuda_check (armilla_ring_multiply_device (&chunk, call.stream),
                                            "convolving rings", call.message));
    }
  return transform (call, chunk.length, count, chunk.data, CUFFT_INVERSE);
}

static ArmillaRingChunk
make_chunk (const ArmillaFftBlock &block, const ArmillaFftGroup &group, int64_t first,
            const ArmillaRingSlot *slots, void *scratch)
{
  ArmillaRingChunk chunk = {};

  chunk.shape = block.shape;
  chunk.slots = slots;
  chunk.couples = block.couples + group.first + first;
  chunk.n_couples = std::min (group.per_chunk, group.n_couples - first);
  chunk.longest = group.longest;
  chunk.length = group.length;
  chunk.radix = group.radix;
  chunk.direct = group.direct;
  chunk.data = (double2 *) scratch;
  if (!group.direct)
    chunk.chirp = chunk.data + chunk.n_couples * block.shape.n_fields * group.radix * group.length;
  return chunk;
}

static ArmillaRingMap
map_of (const ArmillaFftBlock &block, const ArmillaRingPixels &pixels)
{
  ArmillaRingMap map = { pixels.tile[0], block.shape.n_pixels, pixels.first };

  if (pixels.n_each == 1 && block.shape.n_fields > 1)
    map.stride = pixels.tile[1] - pixels.tile[0];
  return map;
}

int
armilla_ring_synthesis_launch (ArmillaCudaFftPlans *plans, int64_t block,
                               const ArmillaRingSlot *slots, const double *modes,
                               const ArmillaRingPixels *pixels, void *scratch,
                               cudaStream_t stream, ArmillaCudaMessage *message)
{
  const ArmillaFftBlock &the_block = plans->blocks[(size_t) block];
  const ArmillaRingMap map = map_of (the_block, *pixels);
  const Call call = { plans, &the_block, (char *) scratch + the_block.array_bytes, stream,
                      message };

  for (const ArmillaFftGroup &group : the_block.groups)
    for (int64_t first = 0; first < group.n_couples; first += group.per_chunk)
      {
        const ArmillaRingChunk chunk = make_chunk (the_block, group, first, slots, scratch);

        ARMILLA_CUDA_TRY (pad_chunk (call, chunk));
        ARMILLA_CUDA_TRY (armilla_cuda_check (armilla_ring_fold_device (&chunk, modes, stream),
                                              "folding modes", message));
        ARMILLA_CUDA_TRY (transform_chunk (call, chunk));
        ARMILLA_CUDA_TRY (armilla_cuda_check (armilla_ring_combine_device (&chunk, &map, stream),
                                              "writing rings", message));
      }
  return cudaSuccess;
}

int
armilla_ring_adjoint_launch (ArmillaCudaFftPlans *plans, int64_t block,
                             const ArmillaRingSlot *slots, int flags,
                             const ArmillaRingPixels *pixels, double *modes, void *scratch,
                             cudaStream_t stream, ArmillaCudaMessage *message)
{
  const ArmillaFftBlock &the_block = plans->blocks[(size_t) block];
  const ArmillaRingMap map = map_of (the_block, *pixels), none = {};
  const Call call = { plans, &the_block, (char *) scratch + the_block.array_bytes, stream,
                      message };

  ARMILLA_CUDA_TRY (
      armilla_cuda_check (armilla_ring_clear_device (&the_block.shape, the_block.absent,
                                                     the_block.n_absent, modes, stream),
                          "clearing modes", message));
  for (const ArmillaFftGroup &group : the_block.groups)
    for (int64_t first = 0; first < group.n_couples; first += group.per_chunk)
      {
        const ArmillaRingChunk chunk = make_chunk (the_block, group, first, slots, scratch);

        ARMILLA_CUDA_TRY (pad_chunk (call, chunk));
        ARMILLA_CUDA_TRY (armilla_cuda_check (
            armilla_ring_gather_device (&chunk, &map, flags, stream), "reading rings", message));
        ARMILLA_CUDA_TRY (transform_chunk (call, chunk));
        if (!chunk.direct)
          ARMILLA_CUDA_TRY (armilla_cuda_check (armilla_ring_combine_device (&chunk, &none, stream),
                                                "combining rings", message));
        ARMILLA_CUDA_TRY (armilla_cuda_check (
            armilla_ring_unfold_device (&chunk, modes, flags, stream), "writing modes", message));
      }
  return cudaSuccess;
}

int
armilla_ring_normal_launch (ArmillaCudaFftPlans *plans, int64_t block,
                            const ArmillaRingSlot *slots, double *modes, void *scratch,
                            cudaStream_t stream, ArmillaCudaMessage *message)
{
  const ArmillaFftBlock &the_block = plans->blocks[(size_t) block];
  const int flags = ARMILLA_RING_WEIGHTED | ARMILLA_RING_AS_FOLDED;

  ARMILLA_CUDA_TRY (
      armilla_cuda_check (armilla_ring_clear_device (&the_block.shape, the_block.absent,
                                                     the_block.n_absent, modes, stream),
                          "clearing modes", message));
  for (const ArmillaFftGroup &group : the_block.groups)
    for (int64_t first = 0; first < group.n_couples; first += group.per_chunk)
      {
        ArmillaRingChunk chunk = make_chunk (the_block, group, first, slots, scratch);

        /* Nothing is transformed, so elements are stored as for a transform of their own length. */
        chunk.length *= chunk.radix;
        chunk.radix = 1;
        chunk.direct = true;
        ARMILLA_CUDA_TRY (armilla_cuda_check (armilla_ring_fold_device (&chunk, modes, stream),
                                              "folding modes", message));
        ARMILLA_CUDA_TRY (armilla_cuda_check (
            armilla_ring_unfold_device (&chunk, modes, flags, stream), "writing modes", message));
      }
  return cudaSuccess;
}
