/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/fields/random-codelets.h"
#include "core/base/random-alm.h"
#include "core/base/random-draw.h"
#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"
#include "tasks/harmonic/harmonic.h"

/* What a job draws. */
typedef struct {
  guint64 seed, realisation;
  int n_fields;
  char **fields;   /* name of each field */
  GBytes *columns; /* int, as in ArmillaRandomFields */
  gint64 lmax_cl;
} Draw;

static void
draw_clear (gpointer user)
{
  Draw *self = user;

  g_strfreev (self->fields);
  g_bytes_unref (self->columns);
}

static void
draw_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, draw_clear);
}

/* #ArmillaHostStep: computes the factors in buffers[1] of the spectra in buffers[0]. */
static gboolean
factor (gpointer user, double *const *buffers, GError **error)
{
  const Draw *self = user;
  const ArmillaRandomFields fields = { self->n_fields, (const char *const *) self->fields,
                                       g_bytes_get_data (self->columns, NULL) };

  return armilla_random_factor (&fields, buffers[0], self->lmax_cl, buffers[1], error);
}

/* Returns the tile of the factors, which one step on the host computes for all realisations. */
static const ArmillaTile *
factor_tile (ArmillaGraph *graph, ArmillaCl *cl, Draw *self, GError **error)
{
  static const enum starpu_data_access_mode modes[] = { STARPU_R, STARPU_W };
  const ArmillaTile *in = armilla_cl_tile (cl, graph, error), *out;
  gboolean is_new;

  if (!in)
    return NULL;
  out = armilla_cl_derived_tile (cl, graph,
                                 armilla_random_factor_size (self->n_fields, self->lmax_cl),
                                 self->columns, &is_new, error);
  if (!out || !is_new)
    return out;
  const ArmillaTile tiles[] = { *in, *out };
  return armilla_host_step (graph, in->owner, tiles, modes, 2, factor,
                            g_atomic_rc_box_acquire (self), draw_unref, error)
           ? out : NULL;
}

static gboolean
run_random (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  Draw *self = job->user;
  ArmillaAlm *alm = ARMILLA_ALM (job->out);
  ArmillaOrderBlocks *orders = armilla_alm_order_blocks (alm, graph);
  const ArmillaTile *out = armilla_alm_tiles (alm, graph, error);
  const ArmillaTile *in = out ? factor_tile (graph, ARMILLA_CL (job->in[0]), self, error) : NULL;
  ArmillaRandomArgs args = { .fault = armilla_graph_fault (graph),
                             .shape = { .lmax = orders->layout.lmax,
                                        .n_fields = self->n_fields,
                                        .lmax_cl = self->lmax_cl,
                                        .seed = self->seed,
                                        .realisation = self->realisation } };
  gboolean ok = in != NULL;

  for (int b = 0; ok && b < orders->n; b++)
    {
      ArmillaUse uses[] = { { in->handle, STARPU_R }, { out[b].handle, STARPU_W } };

      args.shape.m_first = orders->m_first[b];
      args.shape.m_last = orders->m_last[b];
      ok = armilla_submit (graph, &armilla_random_alm_cl, out[b].owner, &args, sizeof args, uses,
                           G_N_ELEMENTS (uses), 0, error);
    }
  return ok;
}

/* Requests Gaussian a_lm, see armilla_random_cpu(). Returns whether the shapes fit. @cl: spectra;
 * @fields: which of them each pair of fields has; @alm: a_lm of these fields; written. */
gboolean
armilla_graph_random_alm (ArmillaGraph *graph, ArmillaCl *cl, const ArmillaRandomFields *fields,
                          guint64 seed, guint64 realisation, ArmillaAlm *alm, GError **error)
{
  const gint64 n_places = armilla_random_place (fields->n_fields, 0);
  ArmillaJob job = { .run = run_random,
                     .in = { ARMILLA_DATA (cl) },
                     .out = ARMILLA_DATA (alm),
                     .destroy = draw_unref };
  Draw *self;

  for (gint64 i = 0; i < n_places; i++)
    if (fields->columns[i] >= armilla_cl_n_fields (cl))
      return armilla_fail (error, ARMILLA_ERROR_SHAPE, "there is no spectrum %d, but only %d",
                           fields->columns[i], armilla_cl_n_fields (cl));
  if (fields->n_fields != armilla_alm_n_fields (alm))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the a_lm have %d field(s), but the spectra are of %d",
                         armilla_alm_n_fields (alm), fields->n_fields);
  self = g_atomic_rc_box_new0 (Draw);
  *self = (Draw) { seed, realisation, fields->n_fields, g_strdupv ((char **) fields->fields),
                   g_bytes_new (fields->columns, sizeof (int) * (gsize) n_places),
                   armilla_cl_lmax (cl) };
  job.user = self;
  armilla_graph_defer (graph, &job);
  return TRUE;
}
