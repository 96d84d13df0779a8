/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of compressed Legendre matrices: their size, how long they take to make, and how long
 * transforms take by them and by recurrence, from a sample of the orders.
 *
 *   bench-butterfly GRID LMAX TOLERANCE THREADS [SAMPLES]
 *
 * GRID: gauss (lmax + 1 rings) or healpix (nside = lmax / 2). The sample is of 16 groups of four
 * orders, evenly spaced; what it gives is scaled to all orders. */
#include <armilla/grid.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/butterfly/butterfly.h"
#include "codelets/legendre/delta-recurrence.h"

#define GROUP 4         /* orders that a task has: their rows share cache lines of a tile */
#define RING_BLOCK 256  /* pairs of a task of the recurrence */
/* Calls that are timed, at least and at most, and for how long more of them are. */
#define REPEATS 3
#define MAX_REPEATS 50
#define SECONDS 4

static const gint64 n_fields[] = { 1, 8, 64 };

/* Four orders, compressed, and what both ways of summing need for them. */
typedef struct {
  ArmillaButterflyBlock block;
  double *words;
  gint64 offsets[GROUP];
} Sample;

static struct {
  ArmillaIsa isa;
  double *basis;
  gint64 lmax, n_pairs, fields;
  double tolerance;
  double *pairs;  /* of the whole grid */
  double **parts; /* of the ring blocks */
  int n_samples;
  Sample *samples;
  double *spent;  /* [sample]: seconds of the compression */
  gint next;
} bench;

static double
now (void)
{
  return (double) g_get_monotonic_time () * 1e-6;
}

static gint64
part_pairs (gint64 part)
{
  return MIN (RING_BLOCK, bench.n_pairs - part * RING_BLOCK);
}

static void
make_pairs (const ArmillaGrid *grid)
{
  const gint64 n = bench.n_pairs, n_parts = (n + RING_BLOCK - 1) / RING_BLOCK;

  bench.pairs = g_new (double, ARMILLA_PAIR_ROWS * n);
  for (gint64 p = 0; p < n; p++)
    {
      const ArmillaRing *ring = &grid->rings[grid->pairs[p].north];
      const double row[] = { ring->cos_theta, ring->cos_lo, ring->sin_theta, ring->sin_lo };

      for (int i = 0; i < ARMILLA_PAIR_ROWS; i++)
        bench.pairs[i * n + p] = row[i];
    }
  bench.parts = g_new (double *, n_parts);
  for (gint64 b = 0; b < n_parts; b++)
    {
      bench.parts[b] = g_new (double, ARMILLA_PAIR_ROWS * part_pairs (b));
      for (int i = 0; i < ARMILLA_PAIR_ROWS; i++)
        memcpy (bench.parts[b] + i * part_pairs (b), bench.pairs + i * n + b * RING_BLOCK,
                sizeof (double) * (gsize) part_pairs (b));
    }
}

static ArmillaDeltaShape
delta_shape (const Sample *sample, gint64 pairs)
{
  return (ArmillaDeltaShape) { .lmax = bench.lmax, .m_first = sample->block.m_first,
                               .m_last = sample->block.m_last, .n_fields = bench.fields,
                               .n_pairs = pairs, .isa = (int32_t) bench.isa };
}

static void
compress (int number)
{
  Sample *sample = &bench.samples[number];
  const gint64 first
    = (2 * number + 1) * (bench.lmax + 1) / (2 * bench.n_samples) - GROUP / 2;
  double *orders[GROUP];

  sample->block = (ArmillaButterflyBlock) { .lmax = bench.lmax, .m_first = MAX (first, 0),
                                            .m_last = MAX (first, 0) + GROUP - 1,
                                            .n_pairs = bench.n_pairs,
                                            .isa = (int32_t) bench.isa };
  for (int i = 0; i < GROUP; i++)
    {
      ArmillaButterflyShape shape;
      g_autofree double *scratch = NULL;
      const gint64 *head;
      double start;

      armilla_butterfly_shape_init (&shape, bench.lmax, sample->block.m_first + i, bench.n_pairs,
                                    bench.tolerance);
      shape.isa = (int32_t) bench.isa;
      orders[i] = g_new (double, armilla_butterfly_max_words (&shape));
      scratch = g_new (double, armilla_butterfly_compress_scratch (&shape));
      start = now ();
      g_assert_null (armilla_butterfly_compress_cpu (&shape, bench.pairs, orders[i], scratch));
      bench.spent[number] += now () - start;
      head = (const gint64 *) orders[i];
      sample->offsets[i] = sample->block.n_words;
      sample->block.n_words += armilla_butterfly_pad (head[ARMILLA_BUTTERFLY_WORDS]);
      sample->block.width = MAX (sample->block.width, head[ARMILLA_BUTTERFLY_WIDTH]);
      sample->block.elements += head[ARMILLA_BUTTERFLY_ELEMENTS];
    }
  sample->words = g_new0 (double, sample->block.n_words);
  for (int i = 0; i < GROUP; i++)
    {
      memcpy (sample->words + sample->offsets[i], orders[i],
              sizeof (double) * (gsize) ((const gint64 *) orders[i])[ARMILLA_BUTTERFLY_WORDS]);
      g_free (orders[i]);
    }
}

/* A worker's buffers: large enough for any sample. */
typedef struct {
  double *prepared, *tile, *scratch;
} Buffers;

static void
apply (int number, const Buffers *buffers)
{
  Sample *sample = &bench.samples[number];
  ArmillaButterflyBlock block = sample->block;

  block.n_fields = bench.fields;
  armilla_butterfly_synthesis_cpu (&block, sample->words, sample->offsets, buffers->prepared,
                                   buffers->tile, buffers->scratch);
}

static void
apply_adjoint (int number, const Buffers *buffers)
{
  Sample *sample = &bench.samples[number];
  ArmillaButterflyBlock block = sample->block;

  block.n_fields = bench.fields;
  armilla_butterfly_adjoint_cpu (&block, sample->words, sample->offsets, buffers->tile,
                                 buffers->prepared, buffers->scratch);
}

static void
recurrence (int number, const Buffers *buffers)
{
  const Sample *sample = &bench.samples[number];

  for (gint64 b = 0; b * RING_BLOCK < bench.n_pairs; b++)
    {
      const ArmillaDeltaShape shape = delta_shape (sample, part_pairs (b));

      armilla_delta_synthesis_cpu (&shape, bench.basis, buffers->prepared, bench.parts[b], NULL,
                                   buffers->tile, buffers->scratch);
    }
}

static void
recurrence_adjoint (int number, const Buffers *buffers)
{
  const Sample *sample = &bench.samples[number];

  for (gint64 b = 0; b * RING_BLOCK < bench.n_pairs; b++)
    {
      const ArmillaDeltaShape shape = delta_shape (sample, part_pairs (b));

      armilla_delta_adjoint_cpu (&shape, bench.basis, buffers->tile, bench.parts[b], NULL, FALSE,
                                 buffers->prepared, buffers->scratch);
    }
}

static void
buffers_new (Buffers *buffers)
{
  gint64 prepared = 1, tile = 1, scratch = 1;

  for (int i = 0; i < bench.n_samples; i++)
    {
      const ArmillaDeltaShape whole = delta_shape (&bench.samples[i], bench.n_pairs);
      const ArmillaDeltaShape part = delta_shape (&bench.samples[i], RING_BLOCK);
      ArmillaButterflyBlock block = bench.samples[i].block;

      block.n_fields = bench.fields;
      prepared = MAX (prepared, armilla_delta_prepared_size (&whole));
      tile = MAX (tile, armilla_delta_tile_size (&whole));
      scratch = MAX (scratch, armilla_delta_scratch_size (&part));
      scratch = MAX (scratch, armilla_butterfly_apply_scratch (&block));
    }
  buffers->prepared = g_new (double, prepared);
  buffers->tile = g_new (double, tile);
  buffers->scratch = g_new0 (double, scratch);
  for (gint64 i = 0; i < prepared; i++)
    buffers->prepared[i] = 1e-3 * (double) (i % 17 - 8);
  for (gint64 i = 0; i < tile; i++)
    buffers->tile[i] = 1e-3 * (double) (i % 13 - 6);
}

static void
buffers_clear (Buffers *buffers)
{
  g_free (buffers->prepared);
  g_free (buffers->tile);
  g_free (buffers->scratch);
}

typedef struct {
  void (*run) (int number, const Buffers *buffers);
  Buffers buffers;
} Worker;

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  int number;

  while ((number = g_atomic_int_add (&bench.next, 1)) < bench.n_samples)
    worker->run (number, &worker->buffers);
  return NULL;
}

/* All samples once, by several threads. Returns the seconds that it took. */
static double
once (Worker *workers, int n_threads)
{
  g_autofree GThread **threads = g_new (GThread *, n_threads);
  const double start = now ();

  bench.next = 0;
  for (int i = 0; i < n_threads; i++)
    threads[i] = g_thread_new ("bench", work, &workers[i]);
  for (int i = 0; i < n_threads; i++)
    g_thread_join (threads[i]);
  return now () - start;
}

static void
compress_one (int number, const Buffers *buffers)
{
  (void) buffers;
  compress (number);
}

static void
time_all (int n_threads, double scale, double seconds[4])
{
  void (*const runs[]) (int, const Buffers *)
    = { apply, apply_adjoint, recurrence, recurrence_adjoint };
  g_autofree Worker *workers = g_new0 (Worker, n_threads);
  const double start = now ();

  for (int i = 0; i < n_threads; i++)
    buffers_new (&workers[i].buffers);
  for (int k = 0; k < 4; k++)
    seconds[k] = INFINITY;
  /* Alternately, so that what else the machine does meets all of them. */
  for (int r = 0; r < 4 * REPEATS || (r < 4 * MAX_REPEATS && now () < start + SECONDS); r++)
    {
      for (int i = 0; i < n_threads; i++)
        workers[i].run = runs[r % 4];
      seconds[r % 4] = MIN (seconds[r % 4], scale * once (workers, n_threads));
    }
  for (int i = 0; i < n_threads; i++)
    buffers_clear (&workers[i].buffers);
}

int
main (int argc, char *argv[])
{
  g_autoptr (ArmillaGrid) grid = NULL;
  double words = 0, elements = 0, spent = 0, scale;
  Worker none[8] = { 0 };
  int n_threads;

  if (argc < 5)
    {
      fprintf (stderr, "usage: bench-butterfly gauss|healpix LMAX TOLERANCE THREADS [SAMPLES]\n");
      return 2;
    }
  bench.isa = armilla_isa_detect ();
  bench.lmax = g_ascii_strtoll (argv[2], NULL, 10);
  bench.tolerance = g_ascii_strtod (argv[3], NULL);
  n_threads = CLAMP (atoi (argv[4]), 1, 8);
  bench.n_samples = argc > 5 ? MAX (1, atoi (argv[5])) : 16;
  grid = argv[1][0] == 'h' ? armilla_grid_new_healpix (bench.lmax / 2, NULL)
                           : armilla_grid_new_gauss_legendre (bench.lmax + 1, 2 * bench.lmax + 2,
                                                              NULL);
  g_assert_nonnull (grid);
  bench.n_pairs = grid->n_pairs;
  make_pairs (grid);
  bench.samples = g_new0 (Sample, bench.n_samples);
  bench.spent = g_new0 (double, bench.n_samples);
  bench.fields = 1;
  for (int i = 0; i < n_threads; i++)
    none[i].run = compress_one;
  once (none, n_threads);
  scale = (double) (bench.lmax + 1) / (GROUP * bench.n_samples);
  for (int i = 0; i < bench.n_samples; i++)
    {
      words += scale * (double) bench.samples[i].block.n_words;
      elements += scale * (double) bench.samples[i].block.elements;
      spent += scale * bench.spent[i];
    }
  printf ("%s lmax %d tolerance %g: table %.3f GB, %.4g elements of %.4g, made in %.1f s of one "
          "core\n", argv[1], (int) bench.lmax, bench.tolerance, 8e-9 * words, elements,
          0.25 * (double) bench.lmax * (double) bench.lmax * (double) bench.n_pairs, spent);
  for (gsize i = 0; i < G_N_ELEMENTS (n_fields) && argc <= 6; i++)
    {
      double t[4];

      bench.fields = n_fields[i];
      time_all (n_threads, scale, t);
      printf ("  %2d maps, %d threads: synthesis %.4f by table, %.4f by recurrence; adjoint %.4f, "
              "%.4f s; break-even at %.0f transforms (%.0f maps)\n", (int) n_fields[i], n_threads,
              t[0], t[2], t[1], t[3], t[2] > t[0] ? spent / n_threads / (t[2] - t[0]) : INFINITY,
              t[2] > t[0] ? (double) n_fields[i] * spent / n_threads / (t[2] - t[0]) : INFINITY);
    }
  return 0;
}
