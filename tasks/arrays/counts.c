/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs and triangles of catalogues of the caller's. */
#include "config.h"

#include <string.h>

#include <armilla/array-functions.h>
#include <armilla/correlation.h>

#include "core/catalogues/catalogue.h"
#include "core/catalogues/histogram.h"
#include "tasks/arrays/ranks.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"
#include "tasks/graph/graph-private.h"

/* Where counts go: first to @words, on rank 0, then to the caller's arrays, on every rank. */
typedef struct {
  const ArmillaHistogramShape *shape;
  gint64 *words;
  const ArmillaPairSums *sums;
  int64_t *triangles;
} Result;

static gboolean
check_points (const char *name, const ArmillaPoints *points, GError **error)
{
  const gboolean angles = points && points->longitude && points->latitude,
                 vectors = points && points->x && points->y && points->z;

  if (!points || points->n < 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: there are no points", name);
  if (points->n > 0 && angles == vectors)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: points need either longitude and latitude, or x, y and z", name);
  if (!points->g1 != !points->g2)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: shears need both g1 and g2", name);
  return TRUE;
}

static void
copy_column (double *to, const double *from, gint64 n)
{
  if (to && n > 0)
    memcpy (to, from, sizeof (double) * (gsize) n);
}

/* (transfer full) (nullable) */
static ArmillaCatalogue *
new_catalogue (const char *name, const ArmillaPoints *points, GError **error)
{
  const ArmillaCatalogueParts parts = (points->weight ? ARMILLA_CATALOGUE_WEIGHT : 0)
                                      | (points->g1 ? ARMILLA_CATALOGUE_SHEAR : 0);
  g_autoptr (ArmillaCatalogue) catalogue = armilla_catalogue_new (points->n, parts, error);
  gboolean ok = catalogue != NULL;

  if (ok)
    {
      /* Before the angles: on a pole these turn the shears into the basis of longitude 0. */
      copy_column (catalogue->weight, points->weight, points->n);
      copy_column (catalogue->g1, points->g1, points->n);
      copy_column (catalogue->g2, points->g2, points->n);
    }
  if (ok && points->x)
    ok = armilla_catalogue_set_vectors (catalogue, 0, points->n, points->x, points->y, points->z,
                                        error);
  else if (ok)
    ok = armilla_catalogue_set_angles (catalogue, 0, points->n, points->longitude,
                                       ARMILLA_ANGLE_DEG, points->latitude, ARMILLA_ANGLE_DEG,
                                       error);
  if (ok && armilla_catalogue_check (catalogue, error))
    return g_steal_pointer (&catalogue);
  g_prefix_error (error, "%s: ", name);
  return NULL;
}

/* (transfer full) (nullable) */
static ArmillaObjects *
new_objects (const char *name, const ArmillaPoints *points, GError **error)
{
  g_autoptr (ArmillaCatalogue) catalogue = NULL;
  ArmillaObjects *objects;

  if (!check_points (name, points, error))
    return NULL;
  catalogue = new_catalogue (name, points, error);
  if (!catalogue)
    return NULL;
  objects = armilla_objects_new (armilla_catalogue_parts (catalogue));
  armilla_objects_set_catalogue (objects, catalogue);
  return objects;
}

static void
copy_sum (const Result *result, ArmillaHistogramSum sum, double *to)
{
  for (int k = 0; to && k < result->shape->n_bins; k++)
    to[k] = armilla_histogram_sum (result->shape, result->words, 0, sum, k);
}

static void
hand_over (const Result *result)
{
  const ArmillaPairSums *sums = result->sums;
  int64_t *counts = sums ? sums->count : result->triangles;

  for (gint64 i = 0; counts && i < armilla_histogram_entries (result->shape); i++)
    counts[i] = armilla_histogram_count (result->shape, result->words, 0, i);
  if (!sums)
    return;
  copy_sum (result, ARMILLA_SUM_WEIGHT, sums->weight);
  copy_sum (result, ARMILLA_SUM_SEPARATION, sums->separation);
  copy_sum (result, ARMILLA_SUM_XI_PLUS, sums->xi_plus);
  copy_sum (result, ARMILLA_SUM_XI_MINUS, sums->xi_minus);
}

static gsize
size_of_words (const Result *result)
{
  return sizeof (gint64) * (gsize) armilla_histogram_words (result->shape);
}

static gboolean
take (gpointer user, const gint64 *const *words, GError **error)
{
  const Result *result = user;

  (void) error;
  memcpy (result->words, words[0], size_of_words (result));
  return TRUE;
}

static int
wanted (const ArmillaPairSums *sums)
{
  return (sums->weight ? 1 << ARMILLA_SUM_WEIGHT : 0)
         | (sums->separation ? 1 << ARMILLA_SUM_SEPARATION : 0)
         | (sums->xi_plus ? 1 << ARMILLA_SUM_XI_PLUS : 0)
         | (sums->xi_minus ? 1 << ARMILLA_SUM_XI_MINUS : 0);
}

/* (transfer full) (nullable) */
static gint64 *
new_words (const Result *result, GError **error)
{
  gint64 *words = g_try_malloc0 (size_of_words (result));

  if (!words)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                 "out of memory: cannot allocate %.1f MiB for the counts",
                 (double) size_of_words (result) / 1048576);
  return words;
}

/* In a session that was entered. */
static void
count (ArmillaSession *session, ArmillaObjects *a, ArmillaObjects *b, ArmillaHistogram *histogram,
       Result *result, GError **error)
{
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (session->runtime, NULL, error);
  g_autofree gint64 *words = NULL;
  const gboolean pairs = result->sums != NULL;
  GError *wrong = NULL;

  if (!graph)
    return;
  result->shape = armilla_histogram_shape (histogram);
  result->words = words = new_words (result, &wrong);
  if (words
      && (pairs ? armilla_graph_count_pairs (graph, a, b, NULL, histogram, &wrong)
                : armilla_graph_count_triangles (graph, a, b, NULL, histogram, &wrong)))
    armilla_graph_drain_histograms (graph, &histogram, 1, take, result, NULL, &wrong);
  if (armilla_graph_agree (graph, wrong, error) && armilla_graph_wait (graph, error)
      && armilla_ranks_hand_out (session->runtime, 0, words, size_of_words (result), error))
    hand_over (result);
  armilla_data_release (ARMILLA_DATA (histogram));
}

static char *
describe (ArmillaSession *session, const ArmillaPoints *a, const ArmillaPoints *b,
          const double *edges, int n_bins, const Result *result)
{
  if (!session->options.communicator)
    return NULL;
  return g_strdup_printf ("%s of %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                          " objects in %d bins from %g to %g, sums %d",
                          result->sums ? "pairs" : "triangles", (gint64) a->n,
                          b ? (gint64) b->n : 0, n_bins, edges[0], edges[n_bins],
                          result->sums ? wanted (result->sums) : 0);
}

/* The objects have tiles, which go while the workers are there. */
static ArmillaStatus
run (ArmillaSession *session, const ArmillaPoints *a, const ArmillaPoints *b, const double *edges,
     int n_bins, ArmillaHistogramKind kind, Result *result, ArmillaFailure *failure)
{
  GError *error = NULL, *wrong = NULL;
  g_autofree char *text = NULL;
  g_autoptr (ArmillaBins) bins = NULL;
  g_autoptr (ArmillaHistogram) histogram = NULL;
  g_autoptr (ArmillaObjects) of_a = NULL, of_b = NULL;

  if (!edges || (!result->sums && !result->triangles))
    g_set_error (&wrong, ARMILLA_ERROR, ARMILLA_ERROR_VALUE, "%s: there is no array",
                 !edges ? "edges" : kind == ARMILLA_HISTOGRAM_PAIRS ? "sums" : "counts");
  else
    {
      bins = armilla_bins_new (edges, n_bins, &wrong);
      g_prefix_error (&wrong, "edges: ");
    }
  if (bins)
    histogram = armilla_histogram_new (kind, bins, 0, result->sums ? wanted (result->sums) : 0,
                                       &wrong);
  if (histogram)
    of_a = new_objects ("a", a, &wrong);
  if (of_a && b)
    of_b = new_objects ("b", b, &wrong);
  if (!wrong)
    text = describe (session, a, b, edges, n_bins, result);
  if (armilla_ranks_enter (session, text, wrong, &error))
    {
      count (session, of_a, of_b, histogram, result, &error);
      armilla_session_let_go (session);
    }
  return armilla_failure_set (failure, error);
}

ArmillaStatus
armilla_array_pairs (ArmillaSession *session, const ArmillaPoints *a, const ArmillaPoints *b,
                     const double *edges, int n_bins, const ArmillaPairSums *sums,
                     ArmillaFailure *failure)
{
  Result result = { .sums = sums };

  return run (session, a, b, edges, n_bins, ARMILLA_HISTOGRAM_PAIRS, &result, failure);
}

ArmillaStatus
armilla_array_triangles (ArmillaSession *session, const ArmillaPoints *a, const ArmillaPoints *b,
                         const double *edges, int n_bins, int64_t *counts, ArmillaFailure *failure)
{
  Result result = { .triangles = counts };

  return run (session, a, b, edges, n_bins, ARMILLA_HISTOGRAM_TRIANGLES, &result, failure);
}
