/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/random.h>

#include "tasks/data-private.h"

typedef struct {
  gint64 lmax, m_first, m_last;
  gint64 lmax_cl;
  int n_fields;
  gint64 count;
  guint64 seed, realisation;
} Draw;

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

/**
 * armilla_graph_random_alm:
 * @graph: a graph
 * @cl: F spectra
 * @seed: seed
 * @realisation: number of the realisation
 * @alm: a_lm of F fields; written
 * @error: return location
 *
 * Adds the drawing of independent Gaussian a_lm with the variances C_l, one spectrum a field; see
 * armilla_random_alm(). Drawn on the host, so that all machines agree.
 *
 * Returns: whether the steps were added
 */
gboolean
armilla_graph_random_alm (ArmillaGraph *graph, ArmillaCl *cl, guint64 seed, guint64 realisation,
                          ArmillaAlm *alm, GError **error)
{
  static const enum starpu_data_access_mode modes[2] = { STARPU_R, STARPU_W };
  ArmillaOrderBlocks *orders = armilla_graph_order_blocks (graph, armilla_alm_layout (alm));
  const ArmillaTile *out = armilla_alm_tiles (alm, graph, error);
  const ArmillaTile *in = out ? armilla_cl_tile (cl, graph, error) : NULL;
  int n_fields = armilla_alm_n_fields (alm);

  if (!in)
    return FALSE;
  if (armilla_cl_n_fields (cl) != n_fields)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                   "%d spectra cannot give %d field(s); one spectrum a field is needed",
                   armilla_cl_n_fields (cl), n_fields);
      return FALSE;
    }
  for (int b = 0; b < orders->n; b++)
    {
      Draw *d = g_new (Draw, 1);
      ArmillaTile tiles[2] = { *in, out[b] };

      *d = (Draw) { .lmax = orders->layout.lmax,
                    .m_first = orders->m_first[b],
                    .m_last = orders->m_last[b],
                    .lmax_cl = armilla_cl_lmax (cl),
                    .n_fields = n_fields,
                    .count = armilla_order_block_count (orders, b),
                    .seed = seed,
                    .realisation = realisation };
      if (!armilla_host_step (graph, orders->owner[b], tiles, modes, 2, draw, d, g_free, error))
        return FALSE;
    }
  return TRUE;
}
