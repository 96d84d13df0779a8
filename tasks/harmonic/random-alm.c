/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/alm.h>

#include "codelets/fields/random-codelets.h"
#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"

#define PART_COUNT 65536 /* coefficients that one thread draws at a time: some milliseconds */

typedef struct {
  ArmillaRandomShape shape;
  int n_threads;
} Draw;

/* Some orders of a field, and where they go. */
typedef struct {
  ArmillaRandomShape shape;
  const double *cl;
  int field;
  double *out;
} Part;

static gboolean
is_polarised (const ArmillaRandomShape *shape)
{
  return shape->n_spectra != shape->n_fields;
}

/* Whether the spectra in buffers[0] can be drawn from. */
static gboolean
check (gpointer user, double *const *buffers, GError **error)
{
  const Draw *d = user;
  const gint64 lmax_cl = d->shape.lmax_cl;

  if (is_polarised (&d->shape))
    return armilla_random_alm_check_polarised (buffers[0], (int) d->shape.n_spectra, lmax_cl,
                                               error);
  for (gint64 f = 0; f < d->shape.n_fields; f++)
    if (!armilla_random_alm_check (buffers[0] + f * (lmax_cl + 1), lmax_cl, error))
      return FALSE;
  return TRUE;
}

static void
draw_part (gpointer data, gpointer user)
{
  Part *part = data;
  const ArmillaRandomShape *s = &part->shape;

  (void) user;
  armilla_random_alm (part->cl, s->lmax_cl, s->lmax, s->m_first, s->m_last, s->seed,
                      s->realisation, (guint64) part->field, part->out);
  g_free (part);
}

/* One field, some orders at a time, each in a thread of @pool. */
static void
draw_field (GThreadPool *pool, const ArmillaRandomShape *shape, const double *cl, int field,
            double *out)
{
  Part *part = NULL;
  gint64 n = 0;

  for (gint64 m = shape->m_first; m <= shape->m_last; m++)
    {
      if (part == NULL)
        {
          part = g_new (Part, 1);
          *part = (Part) { *shape, cl, field, out };
          part->shape.m_first = m;
        }
      part->shape.m_last = m;
      n += shape->lmax + 1 - m;
      if (n < PART_COUNT && m < shape->m_last)
        continue;
      out += 2 * n;
      n = 0;
      /* The pool has all its threads: nothing to start can fail. */
      g_thread_pool_push (pool, g_steal_pointer (&part), NULL);
    }
}

static gboolean
draw (gpointer user, double *const *buffers, GError **error)
{
  const Draw *d = user;
  const ArmillaRandomShape *shape = &d->shape;
  const gint64 count = armilla_random_count (shape);
  gboolean split = !is_polarised (shape) && d->n_threads > 1
                   && count * shape->n_fields > 2 * PART_COUNT;
  GThreadPool *pool = NULL;

  if (!check (user, buffers, error))
    return FALSE;
  if (split)
    pool = g_thread_pool_new (draw_part, NULL, d->n_threads, TRUE, NULL);
  if (pool != NULL && g_thread_pool_get_num_threads (pool) == 0)
    {
      g_thread_pool_free (pool, TRUE, FALSE);
      pool = NULL;
    }
  if (pool == NULL)
    armilla_random_cpu (shape, buffers[0], buffers[1]);
  for (int f = 0; pool != NULL && f < shape->n_fields; f++)
    draw_field (pool, shape, buffers[0] + f * (shape->lmax_cl + 1), f,
                buffers[1] + 2 * f * count);
  if (pool != NULL)
    g_thread_pool_free (pool, FALSE, TRUE);
  return TRUE;
}

/* A GPU waits for what the host draws: all cores draw then, but those that drive GPUs. Where cores
 * compute, those do that have no worker. */
static int
count_threads (const ArmillaGraph *graph)
{
  int busy = (int) (starpu_cuda_worker_get_count () > 0 ? starpu_cuda_worker_get_count ()
                                                        : starpu_worker_get_count ());

  return MAX (graph->runtime->cores_bound - busy, 1);
}

static Draw *
draw_new (ArmillaGraph *graph, const ArmillaJob *job, const ArmillaOrderBlocks *orders, int b)
{
  Draw *d = g_new (Draw, 1);

  *d = (Draw) { .shape = { .lmax = orders->layout.lmax,
                           .m_first = orders->m_first[b],
                           .m_last = orders->m_last[b],
                           .n_fields = armilla_alm_n_fields (ARMILLA_ALM (job->out)),
                           .n_spectra = armilla_cl_n_fields (ARMILLA_CL (job->in[0])),
                           .lmax_cl = armilla_cl_lmax (ARMILLA_CL (job->in[0])),
                           .seed = job->seed[0],
                           .realisation = job->seed[1] },
                .n_threads = count_threads (graph) };
  return d;
}

/* The spectra are looked at on the host first; no task reads them before that. */
static gboolean
draw_by_tasks (ArmillaGraph *graph, ArmillaJob *job, const ArmillaOrderBlocks *orders,
               const ArmillaTile *cl, const ArmillaTile *alm, GError **error)
{
  static const enum starpu_data_access_mode mode = STARPU_RW;
  gboolean ok = armilla_host_step (graph, cl->owner, cl, &mode, 1, check,
                                   draw_new (graph, job, orders, 0), g_free, error);

  for (int b = 0; ok && b < orders->n; b++)
    {
      g_autofree Draw *d = draw_new (graph, job, orders, b);
      ArmillaRandomArgs args = { .fault = armilla_graph_fault (graph), .shape = d->shape };
      ArmillaUse uses[] = { { cl->handle, STARPU_R }, { alm[b].handle, STARPU_W } };

      ok = armilla_submit (graph, &armilla_random_alm_cl, alm[b].owner, &args, sizeof args, uses,
                           G_N_ELEMENTS (uses), 0, error);
    }
  return ok;
}

static gboolean
run_random (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  static const enum starpu_data_access_mode modes[2] = { STARPU_R, STARPU_W };
  ArmillaCl *cl = ARMILLA_CL (job->in[0]);
  ArmillaAlm *alm = ARMILLA_ALM (job->out);
  ArmillaOrderBlocks *orders = armilla_alm_order_blocks (alm, graph);
  const ArmillaTile *out = armilla_alm_tiles (alm, graph, error);
  const ArmillaTile *in = out ? armilla_cl_tile (cl, graph, error) : NULL;

  if (in && job->flag && graph->view.gpus)
    return draw_by_tasks (graph, job, orders, in, out, error);
  for (int b = 0; in && b < orders->n; b++)
    {
      ArmillaTile tiles[2] = { *in, out[b] };

      if (!armilla_host_step (graph, orders->owner[b], tiles, modes, 2, draw,
                              draw_new (graph, job, orders, b), g_free, error))
        return FALSE;
    }
  return in != NULL;
}

/**
 * armilla_graph_random_alm:
 * @graph: a graph
 * @cl: F spectra; or of T, E and B four (TT, EE, BB, TE) or six (and EB, TB)
 * @seed: seed
 * @realisation: number of the realisation
 * @on_gpu: whether GPUs draw where GPUs compute; the last bits are then CUDA's
 * @alm: a_lm of F fields; written
 * @error: return location
 *
 * Asks for independent Gaussian a_lm with the variances C_l, one spectrum a field, see
 * armilla_random_alm(); or, where a scalar field is followed by a pair of spin 2, for T, E and B
 * correlated as their spectra say, see armilla_random_alm_polarised(). Drawn on the host, so that
 * all machines agree, unless @on_gpu.
 *
 * Returns: whether the shapes fit; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean
armilla_graph_random_alm (ArmillaGraph *graph, ArmillaCl *cl, guint64 seed, guint64 realisation,
                          gboolean on_gpu, ArmillaAlm *alm, GError **error)
{
  static const int teb[] = { 0, 2, 2 };
  int n_spectra = armilla_cl_n_fields (cl);
  ArmillaJob job = { .run = run_random,
                     .in = { ARMILLA_DATA (cl) },
                     .out = ARMILLA_DATA (alm),
                     .flag = on_gpu,
                     .seed = { seed, realisation } };
  const gboolean polarised = armilla_alm_n_fields (alm) == 3
                             && armilla_fields_equal (armilla_alm_spins (alm), teb, 3);

  if (polarised && (n_spectra == 4 || n_spectra == 6))
    {
      armilla_graph_defer (graph, &job);
      return TRUE;
    }
  if (polarised)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%d spectra cannot give T, E and B; TT, EE, BB and TE are needed, or all "
                         "six", n_spectra);
  if (n_spectra != armilla_alm_n_fields (alm))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%d spectra cannot give %d field(s); one spectrum a field is needed",
                         n_spectra, armilla_alm_n_fields (alm));
  armilla_graph_defer (graph, &job);
  return TRUE;
}
