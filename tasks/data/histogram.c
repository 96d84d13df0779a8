/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/histogram-private.h"
#include "tasks/graph/jobs.h"

struct _ArmillaHistogram {
  ArmillaData parent_instance;
  ArmillaHistogramShape shape;
  ArmillaBins *bins;
  ArmillaTile tile;
};

G_DEFINE_FINAL_TYPE (ArmillaHistogram, armilla_histogram, ARMILLA_TYPE_DATA)

static void
armilla_histogram_drop (ArmillaData *data)
{
  armilla_tile_drop (&ARMILLA_HISTOGRAM (data)->tile);
}

static void
armilla_histogram_finalize (GObject *object)
{
  g_clear_pointer (&ARMILLA_HISTOGRAM (object)->bins, armilla_bins_unref);
  G_OBJECT_CLASS (armilla_histogram_parent_class)->finalize (object);
}

static void
armilla_histogram_class_init (ArmillaHistogramClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = armilla_histogram_finalize;
  ARMILLA_DATA_CLASS (klass)->drop = armilla_histogram_drop;
}

static void
armilla_histogram_init (ArmillaHistogram *self)
{
  (void) self;
}

static gboolean
check_size (const ArmillaHistogramShape *shape, GError **error)
{
  if (armilla_histogram_words (shape) <= MAX_WORDS)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "a histogram of %d bins and %d patches has %" G_GINT64_FORMAT
                       " numbers, more than %d; take fewer bins", shape->n_bins, shape->n_patches,
                       armilla_histogram_words (shape), MAX_WORDS);
}

/* Describes a histogram. Returns the histogram; ARMILLA_ERROR_VALUE when it is negative in size,
 * or when triangles shall have patches or sums, ARMILLA_ERROR_MEMORY when it is too large; NULL
 * on error. */
ArmillaHistogram *
armilla_histogram_new (ArmillaHistogramKind kind, ArmillaBins *bins, int n_patches, int sums,
                       GError **error)
{
  const ArmillaHistogramShape shape = { kind, bins->n, n_patches, sums, 0 };
  ArmillaHistogram *self;

  if (n_patches < 0 || n_patches > ARMILLA_PATCHES_MAX || sums < 0 || sums >= 1 << ARMILLA_N_SUMS)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "there are %d patches; there must be from 0 to %d", n_patches,
                              ARMILLA_PATCHES_MAX);
  if (kind != ARMILLA_HISTOGRAM_PAIRS && (n_patches > 0 || sums != 0))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "triangles are counted without patches and weights");
  if (!check_size (&shape, error))
    return NULL;
  self = g_object_new (ARMILLA_TYPE_HISTOGRAM, NULL);
  self->shape = shape;
  self->bins = armilla_bins_ref (bins);
  return self;
}

/* Has it keep a row for the pairs within each patch. Returns whether there is room for them. */
gboolean
armilla_histogram_keep_within (ArmillaHistogram *self, GError **error)
{
  g_return_val_if_fail (!self->tile.handle, FALSE);
  self->shape.n_within = self->shape.n_patches;
  return check_size (&self->shape, error);
}

const ArmillaHistogramShape *
armilla_histogram_shape (ArmillaHistogram *self)
{
  return &self->shape;
}

ArmillaBins *
armilla_histogram_bins (ArmillaHistogram *self)
{
  return self->bins;
}

/* Returns the one tile, owned by rank 0, registered at the first call; NULL on error. */
const ArmillaTile *
armilla_histogram_tile (ArmillaHistogram *self, ArmillaGraph *graph, GError **error)
{
  if (!self->tile.handle
      && !armilla_tile_new (graph, 0, armilla_histogram_words (&self->shape), &self->tile, error))
    return NULL;
  return &self->tile;
}

static gboolean
drain_step (gpointer user, double *const *buffers, GError **error)
{
  const ArmillaCall *call = user;
  const gint64 *words[ARMILLA_JOB_INPUTS];

  for (int i = 0; i < call->n; i++)
    words[i] = (const gint64 *) (gconstpointer) buffers[i];
  return ((ArmillaHostHistograms) call->function) (call->user, words, error);
}

static gboolean
run_drain (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  enum starpu_data_access_mode modes[ARMILLA_JOB_INPUTS];
  ArmillaTile tiles[ARMILLA_JOB_INPUTS];
  const int n = ((const ArmillaCall *) job->user)->n;

  for (int i = 0; i < n; i++)
    {
      const ArmillaTile *tile
        = armilla_histogram_tile (ARMILLA_HISTOGRAM (job->in[i]), graph, error);

      if (!tile)
        return FALSE;
      tiles[i] = *tile;
      modes[i] = STARPU_R;
    }
  return armilla_host_step (graph, 0, tiles, modes, n, drain_step, armilla_job_steal_user (job),
                            armilla_call_free, error);
}

/* Asks for histograms to be handed to the host, all at once. Returns whether there are not too
 * many. @n: how many, at most 8; @take: called once, on rank 0; @destroy: frees @user, on every
 * rank (may be NULL). */
gboolean
armilla_graph_drain_histograms (ArmillaGraph *graph, ArmillaHistogram *const *histograms, int n,
                                ArmillaHostHistograms take, gpointer user, GDestroyNotify destroy,
                                GError **error)
{
  const ArmillaJob job = { .run = run_drain };
  const ArmillaCall call = { n, G_CALLBACK (take), user, destroy };

  return armilla_graph_defer_call (graph, &job, (ArmillaData *const *) histograms, &call,
                                   "histograms cannot be drained", error);
}
