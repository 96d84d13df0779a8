/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/fields/random-codelets.h"
#include "core/base/random-alm.h"
#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"
#include "tasks/harmonic/harmonic.h"

static gboolean
is_polarised (const ArmillaRandomShape *shape)
{
  return shape->n_spectra != shape->n_fields;
}

/* Returns whether the spectra in buffers[0] are valid variances. */
static gboolean
check (gpointer user, double *const *buffers, GError **error)
{
  const ArmillaRandomShape *shape = user;
  const gint64 lmax_cl = shape->lmax_cl;

  if (is_polarised (shape))
    return armilla_random_alm_check_polarised (buffers[0], (int) shape->n_spectra, lmax_cl, error);
  for (gint64 f = 0; f < shape->n_fields; f++)
    if (!armilla_random_alm_check (buffers[0] + f * (lmax_cl + 1), lmax_cl, error))
      return FALSE;
  return TRUE;
}

/* Random numbers that a job uses. */
typedef struct {
  guint64 seed, realisation;
} Which;

/* Checks the spectra on the host before tasks read them, once for all realisations. */
static gboolean
run_random (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  static const enum starpu_data_access_mode mode = STARPU_RW;
  const Which *which = job->args;
  ArmillaCl *cl = ARMILLA_CL (job->in[0]);
  ArmillaAlm *alm = ARMILLA_ALM (job->out);
  ArmillaOrderBlocks *orders = armilla_alm_order_blocks (alm, graph);
  const ArmillaTile *out = armilla_alm_tiles (alm, graph, error);
  const ArmillaTile *in = out ? armilla_cl_tile (cl, graph, error) : NULL;
  ArmillaRandomArgs args = { .fault = armilla_graph_fault (graph),
                             .shape = { .lmax = orders->layout.lmax,
                                        .n_fields = armilla_alm_n_fields (alm),
                                        .n_spectra = armilla_cl_n_fields (cl),
                                        .lmax_cl = armilla_cl_lmax (cl),
                                        .seed = which->seed,
                                        .realisation = which->realisation } };
  gboolean ok = in != NULL;

  if (ok && armilla_cl_check_once (cl, is_polarised (&args.shape)))
    ok = armilla_host_step (graph, in->owner, in, &mode, 1, check,
                            g_memdup2 (&args.shape, sizeof args.shape), g_free, error);

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

/* Requests independent Gaussian a_lm with the variances C_l, one spectrum per field, see
 * armilla_random_cpu(); or, if a spin-2 pair follows a scalar field, T, E and B with the
 * correlations of their spectra. Returns whether the shapes fit. @alm: a_lm of F fields; written.
 * */
gboolean
armilla_graph_random_alm (ArmillaGraph *graph, ArmillaCl *cl, guint64 seed, guint64 realisation,
                          ArmillaAlm *alm, GError **error)
{
  static const int teb[] = { 0, 2, 2 };
  const Which which = { seed, realisation };
  int n_spectra = armilla_cl_n_fields (cl);
  ArmillaJob job = { .run = run_random,
                     .in = { ARMILLA_DATA (cl) },
                     .out = ARMILLA_DATA (alm),
                     .args = &which,
                     .args_size = sizeof which };
  const gboolean polarised = armilla_alm_n_fields (alm) == 3
                             && armilla_fields_equal (armilla_alm_spins (alm), teb, 3);

  if (polarised && (n_spectra == 4 || n_spectra == 6))
    {
      armilla_graph_defer (graph, &job);
      return TRUE;
    }
  if (polarised)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%d spectra for T, E and B; must be TT, EE, BB and TE, or all six",
                         n_spectra);
  if (n_spectra != armilla_alm_n_fields (alm))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%d spectra for %d field(s); must be one spectrum per field",
                         n_spectra, armilla_alm_n_fields (alm));
  armilla_graph_defer (graph, &job);
  return TRUE;
}
