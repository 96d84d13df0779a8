/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra made of spectra by a function on the host. */
#include "config.h"

#include <armilla/task.h>

#include <armilla/harmonic.h>

#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"

static gboolean
convert_step (gpointer user, double *const *buffers, GError **error)
{
  const ArmillaCall *call = user;

  return ((ArmillaHostConvertCl) call->function) (
    call->user, (const double *const *) buffers + 1, buffers[0], error);
}

static gboolean
run_convert (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  enum starpu_data_access_mode modes[1 + ARMILLA_JOB_INPUTS] = { STARPU_W };
  ArmillaTile tiles[1 + ARMILLA_JOB_INPUTS];
  const int n = ((const ArmillaCall *) job->user)->n;
  const ArmillaTile *tile = armilla_cl_tile (ARMILLA_CL (job->out), graph, error);

  for (int i = 0; tile && i < n; i++)
    {
      tiles[i] = *tile;
      tile = armilla_cl_tile (ARMILLA_CL (job->in[i]), graph, error);
      modes[1 + i] = STARPU_R;
    }
  if (!tile)
    return FALSE;
  tiles[n] = *tile;
  return armilla_host_step (graph, 0, tiles, modes, 1 + n, convert_step,
                            armilla_job_steal_user (job), armilla_call_free, error);
}

gboolean
armilla_graph_convert_cl (ArmillaGraph *graph, ArmillaCl *const *in, int n,
                          ArmillaHostConvertCl convert, gpointer user, GDestroyNotify destroy,
                          ArmillaCl *out, GError **error)
{
  const ArmillaJob job = { .run = run_convert, .out = ARMILLA_DATA (out) };
  const ArmillaCall call = { n, G_CALLBACK (convert), user, destroy };

  return armilla_graph_defer_call (graph, &job, (ArmillaData *const *) in, &call,
                                   "spectra cannot be read", error);
}
