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
