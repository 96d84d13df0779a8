/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of CUDA kernels share: device memory, and the main program. */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

static inline void
test_no_device (void)
{
#ifdef HAVE_CUDA
  g_test_skip ("no CUDA device");
#else
  g_test_skip ("built without CUDA");
#endif
}

#ifndef HAVE_CUDA
# define MAIN_ON_DEVICE(add_tests)                                                                 \
   int main (int argc, char *argv[])                                                               \
   {                                                                                               \
     g_test_init (&argc, &argv, NULL);                                                             \
     g_test_add_func ("/cuda", test_no_device);                                                    \
     return g_test_run ();                                                                         \
   }
#else
#include <cuda_runtime_api.h>

/* The main program: one test that is skipped where there is no device. */
# define MAIN_ON_DEVICE(add_tests)                                                                 \
   int main (int argc, char *argv[])                                                               \
   {                                                                                               \
     int n = 0;                                                                                    \
                                                                                                   \
     g_test_init (&argc, &argv, NULL);                                                             \
     if (cudaGetDeviceCount (&n) == cudaSuccess && n > 0)                                          \
       add_tests ();                                                                               \
     else                                                                                          \
       g_test_add_func ("/cuda", test_no_device);                                                  \
     return g_test_run ();                                                                         \
   }

#define UNSEEN (-1.6375e30)

#define assert_cuda(call) g_assert_cmpstr (cudaGetErrorString (call), ==, \
                                           cudaGetErrorString (cudaSuccess))

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

/* Without x, memory that a kernel is to write. */
static inline void *
doubles_to_device (const double *x, gint64 n)
{
  const gsize bytes = sizeof (double) * (gsize) n;

  return x ? to_device (x, bytes) : device_new (bytes);
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
#endif
