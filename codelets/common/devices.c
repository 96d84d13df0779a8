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

#ifdef HAVE_CUDA
/* Whether an address is in the memory of @device, as far as CUDA knows. */
static char *
check_memory (int device, const void *memory)
{
  struct cudaPointerAttributes found;
  const cudaError_t status = cudaPointerGetAttributes (&found, memory);

  if (status != cudaSuccess)
    return g_strdup_printf ("CUDA does not know its memory: %s", cudaGetErrorString (status));
  if (found.type != cudaMemoryTypeDevice && found.type != cudaMemoryTypeManaged)
    return g_strdup_printf ("it is not in the memory of GPU %d", device);
  if (found.device != device)
    return g_strdup_printf ("it is on GPU %d, not on GPU %d", found.device, device);
  return NULL;
}
#endif

/**
 * armilla_cuda_wait:
 * @device: number of a GPU, as CUDA counts them
 * @stream: (nullable): a stream of that GPU; %NULL: its default stream
 * @memory: an address in the memory of that GPU
 *
 * Waits for what is queued on a stream of another program's, and leaves the calling thread on the
 * GPU that it is on.
 *
 * Returns: (transfer full) (nullable): what is wrong; %NULL where nothing is
 */
char *
armilla_cuda_wait (int device, void *stream, const void *memory)
{
  char *text = NULL;
#ifdef HAVE_CUDA
  int before = 0;
  cudaError_t status = cudaGetDevice (&before);

  if (status == cudaSuccess)
    status = cudaSetDevice (device);
  if (status == cudaSuccess)
    {
      text = check_memory (device, memory);
      if (!text)
        status = cudaStreamSynchronize ((cudaStream_t) stream);
      (void) cudaSetDevice (before);
    }
  if (!text && status != cudaSuccess)
    text = g_strdup_printf ("CUDA does not wait for its stream: %s", cudaGetErrorString (status));
  if (text)
    (void) cudaGetLastError ();
#else
  (void) device;
  (void) stream;
  (void) memory;
#endif
  return text;
}
