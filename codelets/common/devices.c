/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/common/devices.h"

#ifdef HAVE_CUDA
#include <cuda_runtime.h>
#endif

/**
 * armilla_cuda_device_count:
 *
 * Returns: number of GPUs that the CUDA driver has; 0 without a driver, or in a build without CUDA
 */
int
armilla_cuda_device_count (void)
{
#ifdef HAVE_CUDA
  int n = 0;

  if (cudaGetDeviceCount (&n) == cudaSuccess)
    return n;
  (void) cudaGetLastError (); /* it would be told again by the next call that is checked */
#endif
  return 0;
}

/**
 * armilla_cuda_device_names:
 *
 * Returns: (transfer full): the names of the GPUs, separated by ", "; empty without any
 */
char *
armilla_cuda_device_names (void)
{
  GString *names = g_string_new (NULL);
#ifdef HAVE_CUDA
  int n = armilla_cuda_device_count ();

  for (int i = 0; i < n; i++)
    {
      struct cudaDeviceProp properties;
      gboolean known = cudaGetDeviceProperties (&properties, i) == cudaSuccess;

      g_string_append_printf (names, "%s%s", i ? ", " : "", known ? properties.name : "unknown");
    }
#endif
  return g_string_free (names, FALSE);
}

/**
 * armilla_cuda_device_place:
 * @device: number of a GPU, as this process counts
 *
 * Returns: (transfer full): its place on the bus, the same for every process of the machine; empty
 *   where the driver does not say
 */
char *
armilla_cuda_device_place (int device)
{
  char place[32] = "";

#ifdef HAVE_CUDA
  if (cudaDeviceGetPCIBusId (place, (int) sizeof place, device) != cudaSuccess)
    {
      (void) cudaGetLastError ();
      place[0] = '\0';
    }
#endif
  (void) device;
  return g_strdup (place);
}

/**
 * armilla_cuda_current:
 *
 * Returns: the GPU that CUDA calls of this thread concern; -1 without a driver, or in a build
 *   without CUDA
 */
int
armilla_cuda_current (void)
{
#ifdef HAVE_CUDA
  int device = 0;

  if (cudaGetDevice (&device) == cudaSuccess)
    return device;
  (void) cudaGetLastError ();
#endif
  return -1;
}

/**
 * armilla_cuda_make_current:
 * @device: what armilla_cuda_current() returned
 *
 * Has CUDA calls of this thread concern @device again. Does nothing if they do, or if it is -1: to
 * set a GPU that was never used would take memory there.
 */
void
armilla_cuda_make_current (int device)
{
#ifdef HAVE_CUDA
  if (device >= 0 && device != armilla_cuda_current () && cudaSetDevice (device) != cudaSuccess)
    (void) cudaGetLastError ();
#else
  (void) device;
#endif
}

/**
 * armilla_cuda_find:
 * @device: number of a GPU, as CUDA counts them: where the memory is said to be
 * @memory: an address
 * @problem: (out) (transfer full): what is wrong, where it is not in the memory of a GPU
 *
 * Returns: the GPU in whose memory it is, whatever was said; @device for managed memory, which all
 *   can use; -1 with @problem
 */
int
armilla_cuda_find (int device, const void *memory, char **problem)
{
#ifdef HAVE_CUDA
  struct cudaPointerAttributes found;
  const cudaError_t status = cudaPointerGetAttributes (&found, memory);

  if (status == cudaSuccess && found.type == cudaMemoryTypeDevice)
    return found.device;
  if (status == cudaSuccess && found.type == cudaMemoryTypeManaged)
    return device;
  if (status == cudaSuccess)
    *problem = g_strdup_printf ("it is not in the memory of GPU %d", device);
  else
    *problem = g_strdup_printf ("CUDA does not know its memory: %s", cudaGetErrorString (status));
  (void) cudaGetLastError ();
#else
  (void) device;
  (void) memory;
  *problem = g_strdup ("this Armilla was built without CUDA");
#endif
  return -1;
}

/**
 * armilla_cuda_wait:
 * @device: number of a GPU, as CUDA counts them
 * @stream: (nullable): a stream of that GPU; %NULL: its default stream
 *
 * Waits for what is queued on a stream of another program's, and leaves the calling thread on the
 * GPU that it is on.
 *
 * Returns: (transfer full) (nullable): what is wrong; %NULL where nothing is
 */
char *
armilla_cuda_wait (int device, void *stream)
{
  char *text = NULL;
#ifdef HAVE_CUDA
  const int before = armilla_cuda_current ();
  cudaError_t status = cudaSetDevice (device);

  if (status == cudaSuccess)
    status = cudaStreamSynchronize ((cudaStream_t) stream);
  if (status != cudaSuccess)
    text = g_strdup_printf ("CUDA does not wait for its stream: %s", cudaGetErrorString (status));
  armilla_cuda_make_current (before);
  if (text)
    (void) cudaGetLastError ();
#else
  (void) device;
  (void) stream;
#endif
  return text;
}
