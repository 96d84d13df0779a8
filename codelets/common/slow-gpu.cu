/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates a slow GPU for tests of unequal workers: the stream waits after each task. Results do
 * not change. */
#include <cuda_runtime.h>

__device__ static unsigned long long
now (void)
{
  unsigned long long ns;

  asm volatile ("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

__global__ void
wait_kernel (unsigned long long ns)
{
  const unsigned long long until = now () + ns;

  while (now () < until)
    __nanosleep (1000);
}

extern "C" int
armilla_slow_gpu_wait (void *stream, double seconds)
{
  wait_kernel<<<1, 1, 0, (cudaStream_t) stream>>> ((unsigned long long) (1e9 * seconds));
  return cudaGetLastError ();
}
