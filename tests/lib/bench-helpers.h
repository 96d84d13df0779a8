/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs share that time the CPU kernels of a recurrence on one thread:
 *   NAME [nside [lmax [fields [repeats [pairs in a block [orders in a block]]]]]]
 * prints the medians for a whole HEALPix sky, tables ready. When BENCH_STEP is set, it reads a line
 * from standard input before each repeat instead, and prints the seconds of synthesis and adjoint
 * after it, so that a script can alternate with another program. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "tests/legendre/delta-reference.h"

typedef enum { TABLE, PREPARE, SYNTHESIS, ADJOINT, FINISH, N_STEPS } Step;

/* A whole sky: its rings, and two tiles as a graph uses them, again and again. */
typedef struct {
  gint64 nside, lmax, n_fields, block_pairs, block_orders, n_blocks, n_rings;
  double **pairs, *tiles[2];
} Sky;

/* The kernels: an m-block's arrays are made (the size of a tile is returned), a step of it is done
 * on some ring pairs, all go. */
typedef struct {
  const char *fields;
  gint64 (*start) (const Sky *sky, gint64 block, gint64 m_first, gint64 m_last);
  void (*run) (gint64 block, Step step, gint64 n_pairs, double *pairs, double *tile);
  void (*clear) (gint64 n_blocks);
} Bench;

static inline void
sky_init (Sky *sky, const Bench *bench, const gint64 *arg)
{
  *sky = (Sky) { .nside = arg[0], .lmax = arg[1], .n_fields = arg[2], .block_pairs = arg[4],
                 .block_orders = arg[5] };
  sky->n_blocks = sky->lmax / sky->block_orders + 1;
  sky->n_rings = (2 * sky->nside + sky->block_pairs - 1) / sky->block_pairs;
  sky->pairs = g_new (double *, sky->n_rings);
  for (gint64 b = 0; b < sky->n_blocks; b++)
    {
      const gint64 m = b * sky->block_orders;
      const gint64 size = bench->start (sky, b, m, MIN (m + sky->block_orders - 1, sky->lmax));

      for (int i = 0; i < 2 && b == 0; i++)
        {
          sky->tiles[i] = g_new (double, size);
          delta_random (sky->tiles[i], size, 2);
        }
    }
  for (gint64 r = 0; r < sky->n_rings; r++)
    {
      const gint64 first = r * sky->block_pairs;
      const gint64 n = MIN (sky->block_pairs, 2 * sky->nside - first);

      sky->pairs[r] = g_new (double, ARMILLA_PAIR_ROWS * n);
      delta_set_healpix (sky->pairs[r], n, sky->nside, 1 + first);
    }
}

static inline void
sky_clear (Sky *sky, const Bench *bench)
{
  bench->clear (sky->n_blocks);
  for (gint64 r = 0; r < sky->n_rings; r++)
    g_free (sky->pairs[r]);
  for (int i = 0; i < 2; i++)
    g_free (sky->tiles[i]);
  g_free (sky->pairs);
}

/* All m-blocks, and between tables and their end all ring blocks of each. */
static inline double
bench_step (const Sky *sky, const Bench *bench, Step step)
{
  const gint64 start = g_get_monotonic_time ();
  const gint64 n_rings = step == SYNTHESIS || step == ADJOINT ? sky->n_rings : 1;

  for (gint64 r = 0; r < n_rings; r++)
    for (gint64 b = 0; b < sky->n_blocks; b++)
      bench->run (b, step, MIN (sky->block_pairs, 2 * sky->nside - r * sky->block_pairs),
                  sky->pairs[r], sky->tiles[(r * sky->n_blocks + b) % 2]);
  return 1e-6 * (double) (g_get_monotonic_time () - start);
}

static inline int
compare_doubles (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The main program. */
static inline int
bench_main (const Bench *bench, int argc, char *argv[])
{
  static const char *const names[] = { "table", "prepare", "synthesis", "adjoint", "finish" };
  gint64 arg[6] = { 1024, 2048, 1, 5, 256, 64 };
  const gboolean by_line = g_getenv ("BENCH_STEP") != NULL;
  g_autofree double *times = NULL;
  char line[16];
  Sky sky;

  for (int i = 1; i < argc && i <= 6; i++)
    arg[i - 1] = g_ascii_strtoll (argv[i], NULL, 10);
  times = g_new0 (double, N_STEPS * arg[3]);
  sky_init (&sky, bench, arg);
  for (gint64 r = -1; r < arg[3]; r++) /* the first warms up */
    {
      if (r >= 0 && by_line && !fgets (line, sizeof line, stdin))
        break;
      for (int step = 0; step < N_STEPS; step++)
        times[step * arg[3] + MAX (r, 0)] = bench_step (&sky, bench, (Step) step);
      if (r >= 0 && by_line)
        {
          printf ("%.6f %.6f\n", times[SYNTHESIS * arg[3] + r], times[ADJOINT * arg[3] + r]);
          fflush (stdout);
        }
    }
  sky_clear (&sky, bench);
  if (by_line)
    return 0;
  g_print ("%s nside %" G_GINT64_FORMAT " lmax %" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT ":",
           armilla_isa_name (armilla_isa_detect ()), arg[0], arg[1], bench->fields, arg[2]);
  for (int step = 0; step < N_STEPS; step++)
    {
      double *t = times + step * arg[3];

      qsort (t, (size_t) arg[3], sizeof *t, compare_doubles);
      g_print (" %s %.4f", names[step], t[arg[3] / 2]);
    }
  g_print (" s\n");
  return 0;
}
