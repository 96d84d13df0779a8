/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device memory for the tests of CUDA kernels; only where there is CUDA. */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

#include <cuda_runtime_api.h>

#define UNSEEN (-1.6375e30)

#define assert_cuda(call) g_assert_cmpstr (cudaGetErrorString (call), ==, \
                                           cudaGetErrorString (cudaSuccess))

static inline gboolean
skip_without_device (void)
{
  int n = 0;

  if (cudaGetDeviceCount (&n) == cudaSuccess && n > 0)
    return FALSE;
  g_test_skip ("no CUDA device");
  return TRUE;
}

static inline void *
device_new (gsize bytes)
{
  void *memory = NULL;

  assert_cuda (cudaMalloc (&memory, MAX (bytes, 1)));
  /* What a kernel forgets to write is a huge number. */
  assert_cuda (cudaMemset (memory, 0x7b, MAX (bytes, 1)));
  return memory;
}

static inline void *
to_device (const void *data, gsize bytes)
{
  void *memory = device_new (bytes);

  if (bytes)
    assert_cuda (cudaMemcpy (memory, data, bytes, cudaMemcpyHostToDevice));
  return memory;
}

static inline void
device_free (void *memory)
{
  assert_cuda (cudaFree (memory));
}

typedef void Device;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Device, device_free)

/* Waits for the kernels and copies back. */
static inline double *
from_device (const void *memory, gint64 n)
{
  double *data = g_new (double, (gsize) MAX (n, 1));

  assert_cuda (cudaDeviceSynchronize ());
  if (n)
    assert_cuda (cudaMemcpy (data, memory, sizeof (double) * (gsize) n, cudaMemcpyDeviceToHost));
  return data;
}

static inline double *
random_array (GRand *rand, gint64 n)
{
  double *x = g_new (double, (gsize) MAX (n, 1));

  for (gint64 i = 0; i < n; i++)
    x[i] = g_rand_double_range (rand, -1, 1);
  return x;
}

static inline void *
doubles_to_device (const double *x, gint64 n)
{
  return to_device (x, sizeof (double) * (gsize) n);
}

static inline double *
poisoned_array (gint64 n)
{
  double *x = g_new (double, (gsize) MAX (n, 1));

  memset (x, 0x7b, sizeof (double) * (gsize) MAX (n, 1));
  return x;
}

static inline void
assert_same_bits (const double *x, const double *y, gint64 n)
{
  g_assert_cmpmem (x, sizeof (double) * (gsize) n, y, sizeof (double) * (gsize) n);
}
