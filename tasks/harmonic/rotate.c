/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/rotation/rotate-codelets.h"
#include "tasks/harmonic/analysis-private.h"

static gboolean
fill_seeds (gpointer user, double *const *buffers, GError **error)
{
  (void) error;
  armilla_rotate_seeds (user, buffers[0]);
  return TRUE;
}

/* Submits one block of the output, which reads all blocks of the input in order. */
static gboolean
rotate_block (ArmillaGraph *graph, ArmillaRotateArgs args, const ArmillaOrderBlocks *orders,
              const ArmillaTile *in, const ArmillaTile *out, const ArmillaTile *seeds,
              GError **error)
{
  for (int b = 0; b < orders->n; b++)
    {
      ArmillaTile scratch = { 0 };
      gboolean ok;

      args.shape.n_first = orders->m_first[b];
      args.shape.n_last = orders->m_last[b];
      armilla_order_blocks_parts (orders, b, &args.parts);
      args.shape.first = b == 0;
      args.shape.last = b == orders->n - 1;
      if (!armilla_tile_borrow (graph, 0,
                                ARMILLA_CUDA_SCRATCH (armilla_rotate_scratch_size (&args.shape)),
                                &scratch, error))
        return FALSE;
      ArmillaUse uses[] = { { seeds->handle, STARPU_R },
                            { in[b].handle, STARPU_R },
                            { out->handle, b == 0 ? STARPU_W : STARPU_RW },
                            { scratch.handle, STARPU_SCRATCH } };
      ok = armilla_submit (graph, &armilla_rotate_cl, out->owner, &args, sizeof args, uses,
                           G_N_ELEMENTS (uses), 0, error);
      armilla_tile_return (graph, &scratch);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_rotate (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  static const enum starpu_data_access_mode write = STARPU_W;
  ArmillaAlm *alm = ARMILLA_ALM (job->in[0]), *turned = ARMILLA_ALM (job->out);
  ArmillaOrderBlocks *from = armilla_alm_order_blocks (alm, graph);
  ArmillaOrderBlocks *to = armilla_alm_order_blocks (turned, graph);
  const ArmillaTile *in = armilla_alm_tiles (alm, graph, error);
  const ArmillaTile *out = in ? armilla_alm_tiles (turned, graph, error) : NULL;
  const double *angles = job->user;
  ArmillaRotateArgs args = { .fault = armilla_graph_fault (graph),
                             .shape = { .lmax = from->layout.lmax,
                                        .n_max = from->layout.mmax,
                                        .n_fields = armilla_alm_n_fields (alm),
                                        .psi = angles[0],
                                        .beta = angles[1],
                                        .phi = angles[2] } };
  gboolean ok = out != NULL;

  for (int b = 0; ok && b < to->n; b++)
    {
      ArmillaTile seeds = { 0 };

      args.shape.m_first = to->m_first[b];
      args.shape.m_last = to->m_last[b];
      armilla_graph_part_begins (graph, to->n);
      armilla_graph_next_epoch (graph);
      ok = armilla_tile_new (graph, to->owner[b], armilla_rotate_seeds_count (&args.shape), &seeds,
                             error)
           && armilla_host_step (graph, to->owner[b], &seeds, &write, 1, fill_seeds,
                                 g_memdup2 (&args.shape, sizeof args.shape), g_free, error)
           && rotate_block (graph, args, from, in, &out[b], &seeds, error);
      armilla_tile_drop (&seeds);
    }
  return ok;
}

/* Requests a'_lm = exp (-i m phi) sum_n d^l_mn (theta) exp (-i n psi) a_ln, the rotation of the
 * field within fixed axes, like healpy's rotate_alm. Gradient and curl rotate like scalars. Returns
 * whether the shapes fit; ARMILLA_ERROR_SHAPE or ARMILLA_ERROR_VALUE otherwise. */
gboolean
armilla_graph_rotate_alm (ArmillaGraph *graph, ArmillaAlm *alm, double psi, double theta,
                          double phi, ArmillaAlm *out, GError **error)
{
  const double angles[3] = { psi, theta, phi };
  ArmillaAlmLayout from = armilla_alm_layout (alm), to = armilla_alm_layout (out);
  ArmillaJob job = { .run = run_rotate,
                     .in = { ARMILLA_DATA (alm) },
                     .out = ARMILLA_DATA (out),
                     .destroy = g_free };

  if (!armilla_check_fields (armilla_alm_n_fields (alm), armilla_alm_n_fields (out), error)
      || !armilla_alm_layout_check (from, error))
    return FALSE;
  if (to.lmax != from.lmax || to.mmax != to.lmax)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the rotated a_lm have lmax %" G_GINT64_FORMAT " and mmax %"
                         G_GINT64_FORMAT "; both must be %" G_GINT64_FORMAT ", the lmax of the "
                         "input, since a rotation mixes all orders",
                         to.lmax, to.mmax, from.lmax);
  if (!(theta >= 0 && theta <= G_PI))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "the second angle is %g; must be from 0 to pi", theta);
  job.user = g_memdup2 (angles, sizeof angles);
  armilla_graph_defer (graph, &job);
  return TRUE;
}
