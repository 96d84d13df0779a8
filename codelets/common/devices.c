/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/common/devices.h"

#ifdef HAVE_CUDA
#include <cuda_runtime.h>
#endif

/* Returns the number of GPUs; 0 without a CUDA driver or in a build without CUDA. */
int
armilla_cuda_device_count (void)
{
#ifdef HAVE_CUDA
  int n = 0;

  if (cudaGetDeviceCount (&n) == cudaSuccess)
    return n;
  (void) cudaGetLastError (); /* otherwise the next checked call reports it again */
#endif
  return 0;
}

/* Returns the GPUs' names separated by ", "; "" without any. */
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

/* Returns the PCI bus address of the GPU, the same for every process of the machine; "" if the
 * driver does not report it. */
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

/* Returns the current device of this thread; -1 without a driver, or in a build without CUDA. */
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

/* Makes device, a result of armilla_cuda_current (), current again. Does nothing if it is -1 or
 * current already, since CUDA allocates memory on a GPU that becomes current for the first time. */
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

/* Returns the GPU whose memory holds the address, even if @device, which the caller of the library
 * stated, is another; @device for managed memory, which every GPU can access; -1 with problem set
 * on error. */
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
    *problem = g_strdup_printf ("not in the memory of GPU %d", device);
  else
    *problem = g_strdup_printf ("not in memory that CUDA knows: %s", cudaGetErrorString (status));
  (void) cudaGetLastError ();
#else
  (void) device;
  (void) memory;
  *problem = g_strdup ("this build of Armilla has no CUDA");
#endif
  return -1;
}

/* Waits for a stream of another program (NULL: the default stream of the device) without changing
 * the thread's current device. Returns an error message, or NULL. */
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
    text = g_strdup_printf ("CUDA cannot wait for the stream of the array: %s",
                            cudaGetErrorString (status));
  armilla_cuda_make_current (before);
  if (text)
    (void) cudaGetLastError ();
#else
  (void) device;
  (void) stream;
#endif
  return text;
}
