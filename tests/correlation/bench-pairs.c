/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast pairs are counted: tests/correlation/bench-pairs OBJECTS FIRST LAST BINS [SUMS [brute]],
 * angles in degrees, over the full sphere; SUMS as in #ArmillaHistogramShape. Best of five runs. A
 * seventh argument reads the objects from a file of doubles, x, y and z one after the other, with
 * sums of shears also g1 and g2; then a line a bin has the pairs, and of shears the sums for xi+
 * and xi-.
 * tests/correlation/bench-pairs triangles OBJECTS SIDE LAST BINS: triangles up to LAST degrees of
 * objects in a square of SIDE degrees. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/correlation/pair-helpers.h"

/* The first @n values behind @at go into a column. */
static const double *
take_column (double *column, const double *at, gint64 n)
{
  memcpy (column, at, sizeof (double) * (gsize) n);
  return at + n;
}

static ArmillaCatalogue *
read_points (const char *path, int parts)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  const gsize columns = parts & ARMILLA_CATALOGUE_SHEAR ? 5 : 3;
  gsize length = 0;
  gint64 n;
  const double *at;
  ArmillaCatalogue *c;

  if (!g_file_get_contents (path, &contents, &length, &error))
    g_error ("%s", error->message);
  if (length % (columns * sizeof (double)) != 0)
    g_error ("%s does not hold %" G_GSIZE_FORMAT " columns of doubles", path, columns);
  n = (gint64) (length / (columns * sizeof (double)));
  c = sky_new (SKY_UNIFORM, n, 1, (ArmillaCatalogueParts) parts);
  at = (const double *) (gconstpointer) contents;
  at = take_column (c->x, at, n);
  at = take_column (c->y, at, n);
  at = take_column (c->z, at, n);
  if (c->g1)
    (void) take_column (c->g2, take_column (c->g1, at, n), n);
  return c;
}

static void
print_bins (const Counted *c)
{
  for (int k = 0; k < c->shape.n_bins; k++)
    {
      printf ("%" G_GINT64_FORMAT, armilla_histogram_count (&c->shape, c->words, 0, k));
      for (int s = ARMILLA_SUM_XI_PLUS; s <= ARMILLA_SUM_XI_MINUS; s++)
        if (c->shape.sums & 1 << s)
          printf (" %.17g", armilla_histogram_sum (&c->shape, c->words, 0, s, k));
      printf ("\n");
    }
}

static int
bench_triangles (char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaBins) bins
    = armilla_bins_new_linear (0, atof (argv[4]) * DEGREE, atoi (argv[5]), &error);
  g_autoptr (ArmillaCatalogue) a = sky_square (atoll (argv[2]), atof (argv[3]));
  ArmillaRuntime *runtime = bins ? armilla_runtime_start (&error) : NULL;
  double best = INFINITY, triangles = 0;

  if (!runtime)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  for (int i = 0; i < 3; i++)
    {
      const gint64 start = g_get_monotonic_time ();
      g_auto (Counted) c
        = sky_count (runtime, ARMILLA_HISTOGRAM_TRIANGLES, a, NULL, bins, 0, 0, NULL);

      best = MIN (best, (double) (g_get_monotonic_time () - start) * 1e-6);
      triangles = 0;
      for (gint64 k = 0; c.words && k < armilla_histogram_entries (&c.shape); k++)
        triangles += (double) armilla_histogram_count (&c.shape, c.words, 0, k);
    }
  printf ("%s objects in %s x %s deg, triangles to %s deg: %.6g in %.4f s, %.3g triangles/s\n",
          argv[2], argv[3], argv[3], argv[4], triangles, best, triangles / best);
  armilla_runtime_stop (runtime);
  return 0;
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  const int sums = argc > 5 ? atoi (argv[5]) : 0;
  const int parts = (sums & 1 ? ARMILLA_CATALOGUE_WEIGHT : 0)
                    | (sums & 12 ? ARMILLA_CATALOGUE_SHEAR : 0);
  const ArmillaCountOptions options = { .brute = argc > 6 && strcmp (argv[6], "brute") == 0 };
  g_autoptr (ArmillaBins) bins = NULL;
  g_autoptr (ArmillaCatalogue) a = NULL;
  ArmillaRuntime *runtime;
  gint64 pairs = 0;
  double best = INFINITY;

  if (argc == 6 && strcmp (argv[1], "triangles") == 0)
    return bench_triangles (argv);
  if (argc < 5)
    {
      fprintf (stderr,
               "usage: %s OBJECTS FIRST LAST BINS [SUMS [brute [FILE]]], or\n"
               "       %s triangles OBJECTS SIDE LAST BINS\n",
               argv[0], argv[0]);
      return 2;
    }
  bins = armilla_bins_new_logarithmic (atof (argv[2]) * DEGREE, atof (argv[3]) * DEGREE,
                                       atoi (argv[4]), &error);
  runtime = bins ? armilla_runtime_start (&error) : NULL;
  if (!runtime)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  a = argc > 7 ? read_points (argv[7], parts)
               : sky_new (SKY_UNIFORM, atoll (argv[1]), 1, (ArmillaCatalogueParts) parts);
  for (int i = 0; i < 5; i++)
    {
      const gint64 start = g_get_monotonic_time ();
      g_auto (Counted) c
        = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, NULL, bins, 0, sums, &options);

      best = MIN (best, (double) (g_get_monotonic_time () - start) * 1e-6);
      pairs = 0;
      if (c.words && i == 0 && argc > 7)
        print_bins (&c);
      for (int k = 0; c.words && k < bins->n; k++)
        pairs += armilla_histogram_count (&c.shape, c.words, 0, k);
    }
  printf ("%" G_GINT64_FORMAT " objects, %s to %s deg, %s bins: %" G_GINT64_FORMAT
          " pairs, %.4f s, %.3g pairs/s, %.3g tests/s\n",
          a->n, argv[2], argv[3], argv[4], pairs, best, (double) pairs / best,
          (double) a->n * (double) (a->n - 1) / 2 / best);
  armilla_runtime_stop (runtime);
  return 0;
}
