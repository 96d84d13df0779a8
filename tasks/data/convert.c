/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra made of spectra by a function on the host. */
#include "config.h"

#include <armilla/task.h>

#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"

typedef struct {
  gint refs; /* of the job and the host step */
  int n;
  ArmillaHostConvertCl convert;
  gpointer user;
  GDestroyNotify destroy;
} Convert;

static void
convert_unref (gpointer data)
{
  Convert *convert = data;

  if (!g_atomic_int_dec_and_test (&convert->refs))
    return;
  if (convert->destroy)
    convert->destroy (convert->user);
  g_free (convert);
}

static gboolean
convert_step (gpointer user, double *const *buffers, GError **error)
{
  const Convert *convert = user;

  return convert->convert (convert->user, (const double *const *) buffers + 1, buffers[0], error);
}

static gboolean
run_convert (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  enum starpu_data_access_mode modes[1 + ARMILLA_JOB_INPUTS] = { STARPU_W };
  ArmillaTile tiles[1 + ARMILLA_JOB_INPUTS];
  Convert *convert = job->user;
  const ArmillaTile *tile = armilla_cl_tile (ARMILLA_CL (job->out), graph, error);

  for (int i = 0; tile && i < convert->n; i++)
    {
      tiles[i] = *tile;
      tile = armilla_cl_tile (ARMILLA_CL (job->in[i]), graph, error);
      modes[1 + i] = STARPU_R;
    }
  if (!tile)
    return FALSE;
  tiles[convert->n] = *tile;
  g_atomic_int_inc (&convert->refs);
  return armilla_host_step (graph, 0, tiles, modes, 1 + convert->n, convert_step, convert,
                            convert_unref, error);
}

/**
 * armilla_graph_convert_cl:
 * @graph: a graph
 * @in: (array length=n): spectra
 * @n: how many, 1 to 8
 * @convert: called once, on rank 0, when they are there
 * @user: for @convert
 * @destroy: (nullable): frees @user, on every rank
 * @out: spectra, none of @in; written
 * @error: return location
 *
 * Asks for spectra that a function makes of others.
 *
 * Returns: whether there are not too many; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean
armilla_graph_convert_cl (ArmillaGraph *graph, ArmillaCl *const *in, int n,
                          ArmillaHostConvertCl convert, gpointer user, GDestroyNotify destroy,
                          ArmillaCl *out, GError **error)
{
  Convert *copy;
  ArmillaJob job = { .run = run_convert, .out = ARMILLA_DATA (out), .destroy = convert_unref };

  if (n < 1 || n > ARMILLA_JOB_INPUTS)
    {
      if (destroy)
        destroy (user);
      return armilla_fail (error, ARMILLA_ERROR_SHAPE, "%d spectra cannot be read together; at "
                           "most %d can", n, ARMILLA_JOB_INPUTS);
    }
  copy = g_new (Convert, 1);
  *copy = (Convert) { 1, n, convert, user, destroy };
  job.user = copy;
  for (int i = 0; i < n; i++)
    job.in[i] = ARMILLA_DATA (in[i]);
  armilla_graph_defer (graph, &job);
  return TRUE;
}
