/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times the CPU kernels of fields of spin 2 on one thread:
 *   bench-spin [nside [lmax [n_maps [repeats [pairs in a block [orders in a block]]]]]]
 * prints the medians for a whole HEALPix sky, tables ready. When BENCH_STEP is set, it reads a line
 * from standard input before each repeat instead, and prints the seconds of synthesis and adjoint
 * after it, so that a script can alternate with another program. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/spin-reference.h"

typedef struct {
  double table, prepare, synthesis, adjoint, finish;
} Times;

/* A whole sky: the m-blocks' arrays, and two tiles as a graph uses them, again and again. */
typedef struct {
  gint64 n_blocks, n_rings, block_pairs, n_tiles;
  SpinBlock *orders; /* of the first ring block */
  double **pairs, **tiles;
} Sky;

static double
seconds (void)
{
  return 1e-6 * (double) g_get_monotonic_time ();
}

static void
sky_init (Sky *sky, gint64 nside, gint64 lmax, gint64 n_maps, gint64 n_pairs, gint64 n_orders)
{
  sky->block_pairs = n_pairs;
  sky->n_blocks = lmax / n_orders + 1;
  sky->n_rings = (2 * nside + n_pairs - 1) / n_pairs;
  sky->n_tiles = 2;
  sky->orders = g_new (SpinBlock, sky->n_blocks);
  sky->pairs = g_new (double *, sky->n_rings);
  sky->tiles = g_new (double *, sky->n_tiles);
  for (gint64 b = 0; b < sky->n_blocks; b++)
    {
      const ArmillaSpinShape shape = {
        .lmax = lmax,
        .m_first = b * n_orders,
        .m_last = MIN ((b + 1) * n_orders - 1, lmax),
        .n_maps = n_maps,
        .n_pairs = n_pairs,
        .spin = 2,
        .isa = armilla_isa_detect (),
      };

      spin_block_init (&sky->orders[b], &shape);
      delta_random (sky->orders[b].alm, 4 * sky->orders[b].n_alm * n_maps, 1);
      for (gint64 i = 0; i < sky->n_tiles && b == 0; i++)
        {
          sky->tiles[i] = g_new (double, armilla_spin_tile_size (&shape));
          delta_random (sky->tiles[i], armilla_spin_tile_size (&shape), 2);
        }
    }
  for (gint64 r = 0; r < sky->n_rings; r++)
    {
      const gint64 n = MIN (n_pairs, 2 * nside - r * n_pairs);

      sky->pairs[r] = g_new (double, ARMILLA_PAIR_ROWS * n);
      delta_set_healpix (sky->pairs[r], n, nside, 1 + r * n_pairs);
    }
}

static void
sky_clear (Sky *sky)
{
  for (gint64 i = 0; i < sky->n_tiles; i++)
    g_free (sky->tiles[i]);
  for (gint64 r = 0; r < sky->n_rings; r++)
    g_free (sky->pairs[r]);
  for (gint64 b = 0; b < sky->n_blocks; b++)
    spin_block_clear (&sky->orders[b]);
  g_free (sky->tiles);
  g_free (sky->pairs);
  g_free (sky->orders);
}

/* All ring blocks of all m-blocks. */
static void
bench_kernels (const Sky *sky, gint64 nside, Times *times)
{
  double t[3];

  for (int adjoint = 0; adjoint < 2; adjoint++)
    {
      t[adjoint] = seconds ();
      for (gint64 r = 0; r < sky->n_rings; r++)
        for (gint64 i = 0; i < sky->n_blocks; i++)
          {
            const SpinBlock *b = &sky->orders[i];
            double *tile = sky->tiles[(r * sky->n_blocks + i) % 2];
            ArmillaSpinShape shape = b->shape;

            shape.n_pairs = MIN (sky->block_pairs, 2 * nside - r * sky->block_pairs);
            if (adjoint)
              armilla_spin_adjoint_cpu (&shape, b->table, tile, sky->pairs[r], 0, b->prepared,
                                        b->scratch);
            else
              armilla_spin_synthesis_cpu (&shape, b->table, b->prepared, sky->pairs[r], tile,
                                           b->scratch);
          }
    }
  t[2] = seconds ();
  times->synthesis = t[1] - t[0];
  times->adjoint = t[2] - t[1];
}

static void
bench_sky (const Sky *sky, gint64 nside, Times *times)
{
  double t[3];

  t[0] = seconds ();
  for (gint64 i = 0; i < sky->n_blocks; i++)
    armilla_spin_table_cpu (&sky->orders[i].shape, sky->orders[i].table);
  t[1] = seconds ();
  for (gint64 i = 0; i < sky->n_blocks; i++)
    armilla_spin_prepare_cpu (&sky->orders[i].shape, sky->orders[i].table, sky->orders[i].alm,
                              sky->orders[i].prepared, sky->orders[i].coupling);
  t[2] = seconds ();
  times->table = t[1] - t[0];
  times->prepare = t[2] - t[1];
  bench_kernels (sky, nside, times);
  t[0] = seconds ();
  for (gint64 i = 0; i < sky->n_blocks; i++)
    armilla_spin_finish_cpu (&sky->orders[i].shape, sky->orders[i].table,
                              sky->orders[i].prepared, sky->orders[i].alm, sky->orders[i].coupling);
  times->finish = seconds () - t[0];
}

static int
compare (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (const Times *times, size_t offset, gint64 n)
{
  g_autofree double *x = g_new (double, n);

  for (gint64 i = 0; i < n; i++)
    x[i] = *(const double *) ((const char *) (times + i) + offset);
  qsort (x, (size_t) n, sizeof *x, compare);
  return x[n / 2];
}

int
main (int argc, char *argv[])
{
  gint64 arg[6] = { 1024, 2048, 1, 5, 256, 64 };

  for (int i = 1; i < argc && i <= 6; i++)
    arg[i - 1] = g_ascii_strtoll (argv[i], NULL, 10);

  const gint64 nside = arg[0], lmax = arg[1];
  const gboolean step = getenv ("BENCH_STEP") != NULL;
  g_autofree Times *times = g_new0 (Times, arg[3]);

  Sky sky;

  sky_init (&sky, nside, lmax, arg[2], arg[4], arg[5]);
  for (gint64 r = -1; r < arg[3]; r++) /* the first warms up */
    {
      char line[16];

      if (r >= 0 && step && !fgets (line, sizeof line, stdin))
        break;
      bench_sky (&sky, nside, times + MAX (r, 0));
      if (r >= 0 && step)
        {
          printf ("%.6f %.6f\n", times[r].synthesis, times[r].adjoint);
          fflush (stdout);
        }
    }
  sky_clear (&sky);
  if (step)
    return 0;
  g_print ("%s nside %" G_GINT64_FORMAT " lmax %" G_GINT64_FORMAT " maps %" G_GINT64_FORMAT
           ": table %.4f prepare %.4f synthesis %.4f adjoint %.4f finish %.4f s\n",
           armilla_isa_name (armilla_isa_detect ()), nside, lmax, arg[2],
           median (times, G_STRUCT_OFFSET (Times, table), arg[3]),
           median (times, G_STRUCT_OFFSET (Times, prepare), arg[3]),
           median (times, G_STRUCT_OFFSET (Times, synthesis), arg[3]),
           median (times, G_STRUCT_OFFSET (Times, adjoint), arg[3]),
           median (times, G_STRUCT_OFFSET (Times, finish), arg[3]));
  return 0;
}
