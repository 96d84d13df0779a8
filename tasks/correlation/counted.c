/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reuse of counts that several nodes request: the random objects of all redshift bins are often the
 * same, and so are their pairs. Each node creates catalogues of its own, in its coordinates and
 * with its patches, so catalogues are compared by their contents. */
#include "config.h"

#include <string.h>

#include "tasks/correlation/counted.h"

/* A histogram that another count may need. */
typedef struct {
  char *name;
  ArmillaHistogram *histogram; /* held */
} Counted;

static void
counted_free (gpointer data)
{
  Counted *counted = data;

  armilla_data_unhold (ARMILLA_DATA (counted->histogram));
  g_object_unref (counted->histogram);
  g_free (counted->name);
  g_free (counted);
}

/* Returns whether two jobs may count the same, judged without the objects. */
static gboolean
is_similar (const ArmillaJob *a, const ArmillaJob *b)
{
  ArmillaHistogram *first = ARMILLA_HISTOGRAM (a->out), *second = ARMILLA_HISTOGRAM (b->out);
  const ArmillaHistogramShape *s = armilla_histogram_shape (first);
  const ArmillaHistogramShape *t = armilla_histogram_shape (second);

  return s->kind == t->kind && s->n_bins == t->n_bins && s->n_patches == t->n_patches
         && s->sums == t->sums && s->n_within == t->n_within
         && (a->in[1] == NULL) == (b->in[1] == NULL)
         && armilla_bins_equal (armilla_histogram_bins (first), armilla_histogram_bins (second));
}

/* Returns whether another node may request the same count. */
static gboolean
may_come_again (ArmillaGraph *graph, const ArmillaJob *job)
{
  for (GList *link = graph->jobs.head; link; link = link->next)
    {
      const ArmillaJob *other = link->data;

      if (armilla_job_count_args (other) && other->label != job->label && is_similar (job, other))
        return TRUE;
    }
  return FALSE;
}

static void
trim (ArmillaGraph *graph, GPtrArray *all)
{
  (void) graph; /* the graph has no jobs left */
  g_ptr_array_set_size (all, 0);
}

static const ArmillaExtraKind counted_kind = { .free = counted_free, .trim = trim };

static void
add_array (GChecksum *sum, gconstpointer array, gsize element, gint64 n)
{
  const guint8 present = array != NULL;
  const char *at = array;
  gsize left = array ? element * (gsize) n : 0;

  g_checksum_update (sum, &present, 1);
  while (left > 0)
    {
      const gsize some = MIN (left, 1 << 30);

      g_checksum_update (sum, (const guchar *) at, (gssize) some);
      at += some;
      left -= some;
    }
}

static void
add_catalogue (GChecksum *sum, const ArmillaCatalogue *catalogue, const ArmillaJob *job)
{
  const gsize size = sizeof (double);
  const gint64 n = catalogue->n;

  add_array (sum, &catalogue->n, sizeof catalogue->n, 1);
  add_array (sum, catalogue->x, size, n);
  add_array (sum, catalogue->y, size, n);
  add_array (sum, catalogue->z, size, n);
  add_array (sum, catalogue->weight, size, n);
  add_array (sum, catalogue->g1, size, n);
  add_array (sum, catalogue->g2, size, n);
  add_array (sum, armilla_job_count_args (job)->patches ? catalogue->patch : NULL,
             sizeof *catalogue->patch, n);
}

/* Returns the identity of a count (a checksum of objects, bins and summed quantities) if another
 * job may request the same, else NULL. The second catalogue is NULL for pairs within the first. */
char *
armilla_counted_name (ArmillaGraph *graph, const ArmillaJob *job,
                      ArmillaCatalogue *const *catalogues)
{
  ArmillaHistogram *out = ARMILLA_HISTOGRAM (job->out);
  const ArmillaHistogramShape *shape = armilla_histogram_shape (out);
  const ArmillaBins *bins = armilla_histogram_bins (out);
  const int words[] = { (int) shape->kind, shape->n_bins, shape->n_patches, shape->sums,
                        shape->n_within, armilla_job_count_args (job)->options.lens,
                        (int) bins->separation, (int) bins->sight, bins->n2 };
  g_autoptr (GChecksum) sum = NULL;

  if (armilla_extras_get (graph->extras, &counted_kind)->len == 0 && !may_come_again (graph, job))
    return NULL;
  sum = g_checksum_new (G_CHECKSUM_SHA256);
  add_array (sum, words, sizeof *words, G_N_ELEMENTS (words));
  add_array (sum, bins->s2, sizeof (double), bins->n + 1);
  add_array (sum, bins->v2, sizeof (double), bins->n2 + 1);
  add_array (sum, bins->period, sizeof (double), G_N_ELEMENTS (bins->period));
  for (int i = 0; i < 2; i++)
    if (catalogues[i])
      add_catalogue (sum, catalogues[i], job);
  return g_strdup (g_checksum_get_string (sum));
}

/* Returns the histogram of an equal count (name may be NULL) whose tasks are submitted, or NULL. */
ArmillaHistogram *
armilla_counted_find (ArmillaGraph *graph, const char *name)
{
  const GPtrArray *all = armilla_extras_get (graph->extras, &counted_kind);

  for (guint i = 0; name && i < all->len; i++)
    if (strcmp (((Counted *) g_ptr_array_index (all, i))->name, name) == 0)
      return ((Counted *) g_ptr_array_index (all, i))->histogram;
  return NULL;
}

/* Stores the histogram of a submitted count for equal later ones, unless name is NULL. */
void
armilla_counted_keep (ArmillaGraph *graph, const ArmillaJob *job, const char *name)
{
  Counted *counted;

  if (!name || !may_come_again (graph, job))
    return;
  counted = g_new (Counted, 1);
  counted->name = g_strdup (name);
  counted->histogram = g_object_ref (ARMILLA_HISTOGRAM (job->out));
  armilla_data_hold (job->out);
  g_ptr_array_add (armilla_extras_get (graph->extras, &counted_kind), counted);
}
