/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/memory.h"
#include "core/base/quantity.h"

#include <armilla/memory.h>

#include <unistd.h>

#include <armilla/quantity.h>

#define GIB (1024.0 * 1024.0 * 1024.0)

/* Returns the number of bytes of memory of this machine according to the kernel. */
double
armilla_memory_installed (void)
{
  return (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGE_SIZE);
}

/* Finds the memory of this machine. `ARMILLA_MEMORY` overrides the kernel's figure, e.g. on
 * machines whose memory grows on demand. Returns FALSE if `ARMILLA_MEMORY` is not a size. */
gboolean
armilla_memory_available (double *bytes, GError **error)
{
  const char *said = g_getenv ("ARMILLA_MEMORY");

  if (said != NULL)
    {
      if (armilla_quantity_parse (said, ARMILLA_DIMENSION_BYTES, bytes, error))
        return TRUE;
      g_prefix_error (error, "ARMILLA_MEMORY: ");
      return FALSE;
    }
  *bytes = armilla_memory_installed ();
  return TRUE;
}

/* Returns whether this machine has so much memory. To be called before any large allocation,
 * because malloc() may promise more than is available, and the process is killed later. */
gboolean
armilla_memory_holds (double need, const char *what, const char *advice, GError **error)
{
  double available;

  if (!armilla_memory_available (&available, error))
    return FALSE;
  if (need <= available)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "%s needs %.1f GiB of memory, and this machine has %.1f GiB; %s", what,
                       need / GIB, available / GIB, advice);
}

gpointer
armilla_memory_new (gint64 n, gsize size, const char *what, GError **error)
{
  gpointer memory = g_try_malloc0_n ((gsize) MAX (n, 1), size);

  if (memory == NULL)
    return armilla_fail_null (error, ARMILLA_ERROR_MEMORY,
                              "out of memory: cannot allocate %.1f MiB for %s; use less data, or a "
                              "machine with more memory", (double) n * (double) size / (1 << 20),
                              what);
  return memory;
}
