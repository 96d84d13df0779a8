/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/peaks/peaks.h"

#include <cuda_runtime.h>

#define CHAINS 8 /* independent sums per thread: with 64 warps per multiprocessor they hide the
                  * latency */
#define THREADS 256
#define BLOCKS_PER_PROCESSOR 8
#define ROUNDS 5
#define ROUND_MS 5.0f
#define COPY_BYTES ((size_t) 256 << 20) /* larger than the caches */

__global__ void
fma_kernel (double *unknown, int n)
{
  const double a = unknown[0], b = unknown[1];
  double x[CHAINS], sum = 0;

#pragma unroll
  for (int i = 0; i < CHAINS; i++)
    x[i] = threadIdx.x + i;
  for (int k = 0; k < n; k++)
    {
#pragma unroll
      for (int i = 0; i < CHAINS; i++)
        x[i] = fma (x[i], a, b);
    }
#pragma unroll
  for (int i = 0; i < CHAINS; i++)
    sum += x[i];
  if (sum == -1) /* never true, as all are positive, but the compiler cannot know */
    unknown[2] = sum;
}

struct Clock {
  cudaEvent_t begin, end;
};

static cudaError_t
stop (const Clock *clock, float *ms)
{
  cudaError_t error = cudaEventRecord (clock->end, 0);

  if (error == cudaSuccess)
    error = cudaEventSynchronize (clock->end);
  return error != cudaSuccess ? error : cudaEventElapsedTime (ms, clock->begin, clock->end);
}

/* Doubles the work until a round takes long enough; then *best becomes the operations per second of
 * the fastest of several rounds. */
static cudaError_t
measure_flops (const Clock *clock, int processors, double *buffer, double *best)
{
  const double numbers[2] = { 1 - 1e-9, 1e-9 };
  const int blocks = processors * BLOCKS_PER_PROCESSOR;
  cudaError_t error = cudaMemcpy (buffer, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  int n = 256;

  for (int r = 0; error == cudaSuccess && r < ROUNDS;)
    {
      float ms = 0;

      error = cudaEventRecord (clock->begin, 0);
      if (error == cudaSuccess)
        {
          fma_kernel<<<blocks, THREADS>>> (buffer, n);
          error = cudaGetLastError ();
        }
      if (error == cudaSuccess)
        error = stop (clock, &ms);
      if (error == cudaSuccess && ms < ROUND_MS / 2)
        {
          n *= 2;
          continue;
        }
      const double rate = 2.0 * CHAINS * THREADS * blocks * (double) n / (1e-3 * ms);
      if (error == cudaSuccess && *best < rate)
        *best = rate;
      r++;
    }
  return error;
}

static cudaError_t
measure_copy (const Clock *clock, char *buffer, double *best)
{
  cudaError_t error = cudaSuccess;

  for (int r = 0; error == cudaSuccess && r < ROUNDS; r++)
    {
      float ms = 0;

      error = cudaEventRecord (clock->begin, 0);
      if (error == cudaSuccess)
        error = cudaMemcpyAsync (buffer + COPY_BYTES, buffer, COPY_BYTES, cudaMemcpyDeviceToDevice,
                                 0);
      if (error == cudaSuccess)
        error = stop (clock, &ms);
      if (error == cudaSuccess && ms > 0 && *best < 2.0 * COPY_BYTES / (1e-3 * ms))
        *best = 2.0 * COPY_BYTES / (1e-3 * ms);
    }
  return error;
}

static cudaError_t
measure (const Clock *clock, int device, ArmillaPeaks *peaks)
{
  void *buffer = NULL;
  int processors = 0;
  cudaError_t error = cudaDeviceGetAttribute (&processors, cudaDevAttrMultiProcessorCount, device);
  cudaError_t freed;

  if (error == cudaSuccess)
    error = cudaMalloc (&buffer, 2 * COPY_BYTES);
  if (error != cudaSuccess)
    return error;
  error = cudaMemset (buffer, 0, 2 * COPY_BYTES);
  if (error == cudaSuccess)
    error = measure_copy (clock, (char *) buffer, &peaks->gpu_bytes);
  if (error == cudaSuccess)
    error = measure_flops (clock, processors, (double *) buffer, &peaks->gpu_flops);
  freed = cudaFree (buffer);
  return error != cudaSuccess ? error : freed;
}

/* Measures gpu_flops and gpu_bytes (0 on failure). Takes about 50 ms after the initialisation of
 * CUDA, and 512 MiB of device memory. The caller's current device does not change. Returns a CUDA
 * error code. */
extern "C" int
armilla_peaks_measure_gpu (ArmillaPeaks *peaks, int device)
{
  Clock clock = { NULL, NULL };
  int before = 0;
  cudaError_t error = cudaGetDevice (&before);

  peaks->gpu_flops = peaks->gpu_bytes = 0;
  if (error == cudaSuccess)
    error = cudaSetDevice (device);
  if (error != cudaSuccess)
    return error;
  error = cudaEventCreate (&clock.begin);
  if (error == cudaSuccess)
    error = cudaEventCreate (&clock.end);
  if (error == cudaSuccess)
    error = measure (&clock, device, peaks);
  if (clock.begin && cudaEventDestroy (clock.begin) != cudaSuccess && error == cudaSuccess)
    error = cudaErrorUnknown;
  if (clock.end && cudaEventDestroy (clock.end) != cudaSuccess && error == cudaSuccess)
    error = cudaErrorUnknown;
  if (cudaSetDevice (before) != cudaSuccess && error == cudaSuccess)
    error = cudaErrorUnknown;
  if (error != cudaSuccess)
    peaks->gpu_flops = peaks->gpu_bytes = 0;
  return error;
}
