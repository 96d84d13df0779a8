/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast objects are sorted into cells: tests/correlation/bench-cells OBJECTS THREADS [SIDE],
 * over the full sphere, or in a square of SIDE degrees. Best of ten runs, in memory that is not
 * new. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "codelets/correlation/cells.h"
#include "codelets/legendre/delta-recurrence.h"
#include "tests/correlation/pair-helpers.h"

#define HUGE_PAGE (2 << 20)

static void *kept[2];
static int64_t kept_size[2];

/* As the pool of tiles: huge pages, where there are any. */
static void *
new_pages (int64_t size)
{
  void *at = NULL;

  if (posix_memalign (&at, HUGE_PAGE, (gsize) size) != 0)
    g_error ("no memory");
  (void) madvise (at, (gsize) size, MADV_HUGEPAGE);
  return at;
}

static void *
allocate (int64_t size)
{
  for (int i = 0; i < 2; i++)
    if (kept[i] && kept_size[i] == size)
      return g_steal_pointer (&kept[i]);
  return new_pages (size);
}

static void
release (void *at, int64_t size)
{
  for (int i = 0; i < 2; i++)
    if (!kept[i])
      {
        kept[i] = at;
        kept_size[i] = size;
        return;
      }
  free (at);
}

int
main (int argc, char *argv[])
{
  const gint64 n = argc > 2 ? atoll (argv[1]) : 0;
  const int n_threads = argc > 2 ? atoi (argv[2]) : 0;
  g_autoptr (ArmillaCatalogue) c = NULL;
  double *points = NULL;
  double *nodes = NULL;
  double best = INFINITY;

  if (n < 1 || n_threads < 1)
    {
      fprintf (stderr, "usage: %s OBJECTS THREADS [SIDE]\n", argv[0]);
      return 2;
    }
  c = argc > 3 ? sky_square (n, atof (argv[3])) : sky_new (SKY_UNIFORM, n, 1, 0);
  for (int i = 0; i < 10; i++)
    {
      const ArmillaCellsInput input = { .n = n, .x = c->x, .y = c->y, .z = c->z,
                                        .n_rows = ARMILLA_ROWS_POSITION,
                                        .isa = (int32_t) armilla_isa_detect (),
                                        .allocate = allocate, .release = release };
      const gint64 start = g_get_monotonic_time ();
      ArmillaCells *cells = armilla_cells_new (&input);
      double seconds;

      if (!points)
        points = new_pages (8 * cells->n_rows * cells->n_slots);
      if (!nodes)
        nodes = new_pages (8 * ARMILLA_NODE_ROWS * cells->node_stride);
      if (!armilla_cells_fill (cells, points, nodes, n_threads))
        g_error ("no memory to sort in");
      armilla_cells_free (cells);
      seconds = (double) (g_get_monotonic_time () - start) * 1e-6;
      best = MIN (best, seconds);
    }
  printf ("%" G_GINT64_FORMAT " objects in cells with %d threads: %.2f ms, %.1f ns of each thread "
          "an object\n",
          n, n_threads, 1e3 * best, 1e9 * best * n_threads / (double) n);
  for (int i = 0; i < 2; i++)
    free (kept[i]);
  free (points);
  free (nodes);
  return 0;
}
