/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the words of histograms of pairs and triangles to a file, on rank 0, to compare runs on
 * several ranks with a plain one. */
#include <stdio.h>

#include "tests/correlation/pair-helpers.h"

static GString *dump;

static void
put (ArmillaRuntime *runtime, ArmillaHistogramKind kind, ArmillaCatalogue *a, ArmillaCatalogue *b,
     int n_patches, int sums)
{
  g_autoptr (ArmillaBins) bins
    = armilla_bins_new_logarithmic (0.05 * DEGREE, 60 * DEGREE,
                                    kind == ARMILLA_HISTOGRAM_PAIRS ? 15 : 6, NULL);
  const ArmillaCountOptions options = { .tasks = 11 };
  g_auto (Counted) c = sky_count (runtime, kind, a, b, bins, n_patches, sums, &options);

  if (c.words)
    g_string_append_len (dump, (const char *) c.words,
                         (gssize) sizeof (gint64) * armilla_histogram_words (&c.shape));
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  const ArmillaCatalogueParts parts
    = ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR | ARMILLA_CATALOGUE_PATCH;
  g_autoptr (ArmillaCatalogue) a = sky_new (SKY_CLUSTERED, 2000, 1, parts);
  g_autoptr (ArmillaCatalogue) b = sky_new (SKY_CLUSTERED, 1300, 2, parts);
  ArmillaRuntime *runtime = argc == 2 ? armilla_runtime_start (&error) : NULL;
  gboolean ok;

  if (!runtime)
    {
      fprintf (stderr, "%s\n", error ? error->message : "usage: dump-pairs FILE");
      return 1;
    }
  dump = g_string_new (NULL);
  sky_patches (a, 6);
  sky_patches (b, 6);
  put (runtime, ARMILLA_HISTOGRAM_PAIRS, a, NULL, 0, 0);
  put (runtime, ARMILLA_HISTOGRAM_PAIRS, a, b, 6, 1 << ARMILLA_SUM_WEIGHT);
  put (runtime, ARMILLA_HISTOGRAM_PAIRS, a, NULL, 6, (1 << ARMILLA_N_SUMS) - 1);
  put (runtime, ARMILLA_HISTOGRAM_TRIANGLES, b, NULL, 0, 0);
  put (runtime, ARMILLA_HISTOGRAM_EQUAL_SIDES, b, a, 0, 0);
  ok = dump->len == 0 || g_file_set_contents (argv[1], dump->str, (gssize) dump->len, &error);
  if (!ok)
    fprintf (stderr, "%s\n", error->message);
  g_string_free (dump, TRUE);
  armilla_runtime_stop (runtime);
  return ok ? 0 : 1;
}
