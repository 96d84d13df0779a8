/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times the CPU kernels of delta_recurrence on one thread:
 *   bench-delta [nside [lmax [n_fields [repeats [pairs in a block [orders in a block]]]]]]
 * prints the medians for a whole HEALPix sky, tables ready. When BENCH_STEP is set, it reads a line
 * from standard input before each repeat instead, and prints the seconds of synthesis and adjoint
 * after it, so that a script can alternate with another program. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/delta-reference.h"

typedef struct {
  double table, prepare, synthesis, adjoint, finish;
} Times;

static double
seconds (void)
{
  return 1e-6 * (double) g_get_monotonic_time ();
}

/* All orders of one block of rings. */
static void
bench_block (const ArmillaDeltaShape *shape, gint64 nside, gint64 first_ring, gboolean first,
             Times *times)
{
  g_auto (DeltaBlock) b;
  double t[8];

  delta_block_init (&b, shape);
  delta_set_healpix (b.pairs, shape->n_pairs, nside, first_ring);
  delta_random (b.alm, 2 * b.n_alm * shape->n_fields, 1);
  t[0] = seconds ();
  armilla_delta_table_cpu (shape, b.table);
  t[1] = seconds ();
  armilla_delta_prepare_cpu (shape, b.table, b.alm, b.prepared);
  t[2] = seconds ();
  armilla_delta_synthesis_cpu (shape, b.table, b.prepared, b.pairs, b.tile, b.scratch);
  t[3] = seconds ();
  armilla_delta_adjoint_cpu (shape, b.table, b.tile, b.pairs, b.prepared, b.scratch);
  t[4] = seconds ();
  armilla_delta_finish_cpu (shape, b.table, b.prepared, b.alm);
  t[5] = seconds ();
  times->table += first ? t[1] - t[0] : 0;
  times->prepare += first ? t[2] - t[1] : 0;
  times->synthesis += t[3] - t[2];
  times->adjoint += t[4] - t[3];
  times->finish += first ? t[5] - t[4] : 0;
}

/* @arg: as on the command line. */
static void
bench_sky (const gint64 *arg, Times *times)
{
  const gint64 nside = arg[0], lmax = arg[1];

  for (gint64 m = 0; m <= lmax; m += arg[5])
    for (gint64 ring = 1; ring <= 2 * nside; ring += arg[4])
      {
        const ArmillaDeltaShape shape = {
          .lmax = lmax,
          .m_first = m,
          .m_last = MIN (m + arg[5] - 1, lmax),
          .n_fields = arg[2],
          .n_pairs = MIN (arg[4], 2 * nside - ring + 1),
          .isa = armilla_isa_detect (),
        };

        bench_block (&shape, nside, ring, ring == 1, times);
      }
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
  gint64 arg[6] = { 1024, 2048, 1, 3, 256, 64 };

  for (int i = 1; i < argc && i <= 6; i++)
    arg[i - 1] = g_ascii_strtoll (argv[i], NULL, 10);

  const gint64 nside = arg[0], lmax = arg[1];
  const gboolean step = getenv ("BENCH_STEP") != NULL;
  g_autofree Times *times = g_new0 (Times, arg[3]);

  for (gint64 r = 0; r < arg[3]; r++)
    {
      char line[16];

      if (step && !fgets (line, sizeof line, stdin))
        return 0;
      bench_sky (arg, times + r);
      if (step)
        {
          printf ("%.6f %.6f\n", times[r].synthesis, times[r].adjoint);
          fflush (stdout);
        }
    }
  g_print ("%s nside %" G_GINT64_FORMAT " lmax %" G_GINT64_FORMAT " fields %" G_GINT64_FORMAT
           ": table %.4f prepare %.4f synthesis %.4f adjoint %.4f finish %.4f s\n",
           armilla_isa_name (armilla_isa_detect ()), nside, lmax, arg[2],
           median (times, G_STRUCT_OFFSET (Times, table), arg[3]),
           median (times, G_STRUCT_OFFSET (Times, prepare), arg[3]),
           median (times, G_STRUCT_OFFSET (Times, synthesis), arg[3]),
           median (times, G_STRUCT_OFFSET (Times, adjoint), arg[3]),
           median (times, G_STRUCT_OFFSET (Times, finish), arg[3]));
  return 0;
}
