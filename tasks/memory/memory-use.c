/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/memory/memory-use.h"

#include <stdio.h>
#include <unistd.h>

#include <starpu.h>


/* Returns the resident bytes of this process; negative if unknown. */
double
armilla_memory_resident (void)
{
  FILE *file = fopen ("/proc/self/statm", "r");
  long size, pages = -1;

  if (!file)
    return -1;
  if (fscanf (file, "%ld %ld", &size, &pages) != 2)
    pages = -1;
  if (fclose (file) != 0 || pages < 0)
    return -1;
  return (double) pages * (double) sysconf (_SC_PAGE_SIZE);
}

/* Returns the bytes that StarPU has allocated on the node; negative if unknown. */
double
armilla_memory_used_on (unsigned node)
{
#if STARPU_MAJOR_VERSION > 1 || STARPU_MINOR_VERSION >= 4
  return (double) starpu_memory_get_used (node);
#else
  starpu_ssize_t total = starpu_memory_get_total (node);

  return total < 0 ? -1 : (double) (total - starpu_memory_get_available (node));
#endif
}
