/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/random.h>

#include "tasks/data-private.h"
#include "tasks/jobs.h"

#define PART_COUNT 65536 /* coefficients that one thread draws at a time: some milliseconds */

typedef struct {
  gint64 lmax, m_first, m_last;
  gint64 lmax_cl;
  int n_fields, n_spectra;
  gint64 count;
  guint64 seed, realisation;
  int n_threads;
} Draw;

/* What some orders of a field are drawn from and to. */
typedef struct {
  const Draw *draw;
  const double *cl;
  int field;
  gint64 m_first, m_last;
  double *out;
} Part;

/* T, E and B from the spectra of all pairs. */
static gboolean
draw_polarised (gpointer user, double *const *buffers, GError **error)
{
  const Draw *d = user;

  if (!armilla_random_alm_check_polarised (buffers[0], d->n_spectra, d->lmax_cl, error))
    return FALSE;
  armilla_random_alm_polarised (buffers[0], d->n_spectra, d->lmax_cl, d->lmax, d->m_first,
                                d->m_last, d->seed, d->realisation, buffers[1]);
  return TRUE;
}

static void
draw_part (gpointer data, gpointer user)
{
  Part *part = data;
  const Draw *d = part->draw;

  (void) user;
  armilla_random_alm (part->cl, d->lmax_cl, d->lmax, part->m_first, part->m_last, d->seed,
                      d->realisation, (guint64) part->field, part->out);
  g_free (part);
}

/* One field, some orders at a time, each in a thread of @pool. */
static void
draw_field (GThreadPool *pool, const Draw *d, const double *cl, int field, double *out)
{
  Part *part = NULL;
  gint64 n = 0;

  for (gint64 m = d->m_first; m <= d->m_last; m++)
    {
      if (part == NULL)
        {
          part = g_new (Part, 1);
          *part = (Part) { d, cl, field, m, m, out };
        }
      part->m_last = m;
      n += d->lmax + 1 - m;
      if (n < PART_COUNT && m < d->m_last)
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
  gboolean split = d->n_threads > 1 && d->count * d->n_fields > 2 * PART_COUNT;
  GThreadPool *pool = NULL;

  for (int f = 0; f < d->n_fields; f++)
    if (!armilla_random_alm_check (buffers[0] + f * (d->lmax_cl + 1), d->lmax_cl, error))
      return FALSE;
  if (split)
    pool = g_thread_pool_new (draw_part, NULL, d->n_threads, TRUE, NULL);
  if (pool != NULL && g_thread_pool_get_num_threads (pool) == 0)
    {
      g_thread_pool_free (pool, TRUE, FALSE);
      pool = NULL;
    }
  for (int f = 0; f < d->n_fields; f++)
    {
      const double *cl = buffers[0] + f * (d->lmax_cl + 1);
      double *out = buffers[1] + 2 * f * d->count;

      if (pool != NULL)
        draw_field (pool, d, cl, f, out);
      else
        armilla_random_alm (cl, d->lmax_cl, d->lmax, d->m_first, d->m_last, d->seed,
                            d->realisation, (guint64) f, out);
    }
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

static gboolean
run_random (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  static const enum starpu_data_access_mode modes[2] = { STARPU_R, STARPU_W };
  ArmillaCl *cl = ARMILLA_CL (job->in[0]);
  ArmillaAlm *alm = ARMILLA_ALM (job->out);
  ArmillaOrderBlocks *orders = armilla_alm_order_blocks (alm, graph);
  const ArmillaTile *out = armilla_alm_tiles (alm, graph, error);
  const ArmillaTile *in = out ? armilla_cl_tile (cl, graph, error) : NULL;

  for (int b = 0; in && b < orders->n; b++)
    {
      Draw *d = g_new (Draw, 1);
      ArmillaTile tiles[2] = { *in, out[b] };

      *d = (Draw) { .lmax = orders->layout.lmax,
                    .m_first = orders->m_first[b],
                    .m_last = orders->m_last[b],
                    .lmax_cl = armilla_cl_lmax (cl),
                    .n_fields = armilla_alm_n_fields (alm),
                    .n_spectra = armilla_cl_n_fields (cl),
                    .count = armilla_order_block_count (orders, b),
                    .seed = job->seed[0],
                    .realisation = job->seed[1],
                    .n_threads = count_threads (graph) };
      if (!armilla_host_step (graph, orders->owner[b], tiles, modes, 2,
                              job->flag ? draw_polarised : draw, d, g_free, error))
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
 * @alm: a_lm of F fields; written
 * @error: return location
 *
 * Asks for independent Gaussian a_lm with the variances C_l, one spectrum a field, see
 * armilla_random_alm(); or, where a scalar field is followed by a pair of spin 2, for T, E and B
 * correlated as their spectra say, see armilla_random_alm_polarised(). Drawn on the host, so that
 * all machines agree.
 *
 * Returns: whether the shapes fit; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean
armilla_graph_random_alm (ArmillaGraph *graph, ArmillaCl *cl, guint64 seed, guint64 realisation,
                          ArmillaAlm *alm, GError **error)
{
  static const int teb[] = { 0, 2, 2 };
  int n_spectra = armilla_cl_n_fields (cl);
  ArmillaJob job = { .run = run_random,
                     .in = { ARMILLA_DATA (cl) },
                     .out = ARMILLA_DATA (alm),
                     .flag = armilla_alm_n_fields (alm) == 3
                             && armilla_fields_equal (armilla_alm_spins (alm), teb, 3),
                     .seed = { seed, realisation } };

  if (job.flag && (n_spectra == 4 || n_spectra == 6))
    {
      armilla_graph_defer (graph, &job);
      return TRUE;
    }
  if (job.flag)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                   "%d spectra cannot give T, E and B; TT, EE, BB and TE are needed, or all six",
                   n_spectra);
      return FALSE;
    }
  if (n_spectra != armilla_alm_n_fields (alm))
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                   "%d spectra cannot give %d field(s); one spectrum a field is needed",
                   n_spectra, armilla_alm_n_fields (alm));
      return FALSE;
    }
  armilla_graph_defer (graph, &job);
  return TRUE;
}
