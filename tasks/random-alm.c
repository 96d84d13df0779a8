/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/random.h>

#include "tasks/data-private.h"
#include "tasks/jobs.h"

typedef struct {
  gint64 lmax, m_first, m_last;
  gint64 lmax_cl;
  int n_fields, n_spectra;
  gint64 count;
  guint64 seed, realisation;
} Draw;

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

static gboolean
draw (gpointer user, double *const *buffers, GError **error)
{
  const Draw *d = user;

  for (int f = 0; f < d->n_fields; f++)
    {
      const double *cl = buffers[0] + f * (d->lmax_cl + 1);

      if (!armilla_random_alm_check (cl, d->lmax_cl, error))
        return FALSE;
      armilla_random_alm (cl, d->lmax_cl, d->lmax, d->m_first, d->m_last, d->seed, d->realisation,
                          (guint64) f, buffers[1] + 2 * f * d->count);
    }
  return TRUE;
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
                    .realisation = job->seed[1] };
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
