/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of maps. The owner of each tile computes its part; rank 0 merges them in the order of
 * the tiles, so that the bits do not depend on ranks and workers. */
#include "config.h"

#include <armilla/task.h>
#include <math.h>

#include "codelets/fields/statistics-codelets.h"
#include "codelets/fields/statistics-math.h"
#include "tasks/data/make.h"
#include "tasks/pixels/statistics.h"

#define MAX_TABLES 4

typedef struct {
  ArmillaStatisticsShape shape;
  ArmillaTile sum;
  /* tables not made yet, which the job then does not own */
  ArmillaStatisticsTable tables[MAX_TABLES];
  int n_tables;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  armilla_tile_drop (&job->sum);
  for (int i = 0; i < job->n_tables; i++)
    {
      if (job->tables[i].destroy)
        job->tables[i].destroy (job->tables[i].user);
      g_object_unref (job->tables[i].table);
    }
  g_free (job);
}

static gboolean
make_tables (ArmillaGraph *graph, Job *job, GError **error)
{
  gboolean ok = TRUE;

  while (ok && job->n_tables > 0)
    {
      ArmillaStatisticsTable *table = &job->tables[--job->n_tables];

      ok = armilla_host_make (graph, &job->sum, 1, ARMILLA_DATA (table->table), table->make,
                              table->user, table->destroy, error);
      g_object_unref (table->table);
    }
  return ok;
}

/* Submits two tasks: the statistics of a tile, and their addition to the sum. */
static gboolean
submit_parts (ArmillaGraph *graph, const ArmillaTileSet *tiles, Job *job,
              const ArmillaTile *part, const ArmillaTile *scratch, GError **error)
{
  ArmillaStatisticsArgs args = { .fault = armilla_graph_fault (graph), .shape = job->shape,
                                 .first = tiles->number == 0 };
  ArmillaUse find[] = { { tiles->in[0]->handle, STARPU_R },
                        { part->handle, STARPU_W },
                        { scratch->handle, STARPU_SCRATCH },
                        { job->shape.n_masks > 0 ? tiles->in[1]->handle : NULL, STARPU_R } };
  ArmillaUse merge[] = { { part->handle, STARPU_R },
                         { job->sum.handle, args.first ? STARPU_W : STARPU_RW } };

  args.shape.n_pixels = tiles->n;
  return armilla_submit (graph, &armilla_statistics_cl, tiles->rank, &args, sizeof args, find,
                         job->shape.n_masks > 0 ? 4 : 3, 0, error)
         && armilla_submit (graph, &armilla_statistics_merge_cl, 0, &args, sizeof args, merge, 2,
                            0, error);
}

static gboolean
submit_tiles (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  Job *job = user;
  ArmillaStatisticsShape shape = job->shape;
  const gint64 words = shape.n_fields * armilla_statistics_words (&shape);
  ArmillaTile part = { 0 }, scratch = { 0 };
  gboolean ok;

  shape.n_pixels = tiles->n;
  ok = (tiles->number > 0 || armilla_tile_new (graph, 0, words, &job->sum, error))
       && armilla_tile_new (graph, tiles->rank, words, &part, error)
       && armilla_tile_new (graph, tiles->rank,
                            MAX (1, ARMILLA_CUDA_SCRATCH (armilla_statistics_scratch (&shape))),
                            &scratch, error)
       && submit_parts (graph, tiles, job, &part, &scratch, error);
  armilla_tile_drop (&part);
  armilla_tile_drop (&scratch);
  return ok && (tiles->number + 1 < tiles->count || make_tables (graph, job, error));
}

/* Reads the statistics of a field from the words that armilla_graph_map_statistics() passes to
 * tables. */
void
armilla_statistics_read (const gint64 *words, int field, gint64 n_bins, ArmillaStatistics *found)
{
  const ArmillaStatisticsShape shape = { .n_bins = n_bins };
  const double *from
    = (const double *) (gconstpointer) words + field * armilla_statistics_words (&shape);
  const ArmillaMoments *m = (const ArmillaMoments *) (gconstpointer) from;
  const double second = m->m2 / m->n;
  const gboolean varies = m->n > 1 && second > 0;

  *found = (ArmillaStatistics) {
    .n = (gint64) m->n,
    .mean = m->n > 0 ? m->mean : NAN,
    .variance = m->n > 1 ? m->m2 / (m->n - 1) : NAN,
    .skewness = varies ? m->m3 / m->n / (second * sqrt (second)) : NAN,
    .kurtosis = varies ? m->m4 / m->n / (second * second) - 3 : NAN,
    .min = m->n > 0 ? m->min : NAN,
    .max = m->n > 0 ? m->max : NAN,
    .counters = n_bins > 0 ? from + sizeof *m / sizeof (double) : NULL,
  };
}

/* Returns the (inclusive) lower edge of a bin; for @n_bins @high, which belongs to the last bin. */
double
armilla_statistics_edge (gint64 n_bins, double low, double high, gint64 bin)
{
  return armilla_bin_edge (low, high, n_bins, bin);
}

/* Requests count, mean, variance, skewness, kurtosis and extremes of the seen pixels of each field,
 * and their histogram. Returns whether the shapes fit; ARMILLA_ERROR_SHAPE otherwise. @destroy of
 * @tables is always called. */
gboolean
armilla_graph_map_statistics (ArmillaGraph *graph, ArmillaMap *map, ArmillaMap *mask,
                              gint64 n_bins, double low, double high,
                              const ArmillaStatisticsTable *tables, int n_tables, GError **error)
{
  ArmillaData *inputs[] = { ARMILLA_DATA (map), mask ? ARMILLA_DATA (mask) : NULL };
  Job *job = g_new0 (Job, 1);

  g_return_val_if_fail (n_tables > 0 && n_tables <= MAX_TABLES, FALSE);
  job->shape = (ArmillaStatisticsShape) { .n_fields = armilla_map_n_fields (map),
                                          .n_masks = mask ? armilla_map_n_fields (mask) : 0,
                                          .n_bins = n_bins, .low = low, .high = high };
  for (; job->n_tables < n_tables; job->n_tables++)
    {
      job->tables[job->n_tables] = tables[job->n_tables];
      g_object_ref (tables[job->n_tables].table);
    }
  if (mask && job->shape.n_masks != 1 && job->shape.n_masks != job->shape.n_fields)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                   "the mask has %d fields; must have one, or as many as the map: %d",
                   (int) job->shape.n_masks, (int) job->shape.n_fields);
      job_free (job);
      return FALSE;
    }
  return armilla_graph_each_tile (graph, inputs, mask ? 2 : 1, NULL, submit_tiles, job, job_free,
                                  error);
}
