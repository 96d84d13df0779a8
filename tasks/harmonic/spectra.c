/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/fields/field-codelets.h"
#include "tasks/harmonic/analysis-private.h"

#include <armilla/harmonic.h>
#include <armilla/task.h>

static ArmillaAlmArgs
alm_args (ArmillaGraph *graph, const ArmillaOrderBlocks *orders, int b, int n_fields)
{
  ArmillaAlmArgs args = { .fault = armilla_graph_fault (graph),
                          .shape = { .lmax = orders->layout.lmax,
                                     .m_first = orders->m_first[b],
                                     .m_last = orders->m_last[b],
                                     .n_fields = n_fields } };

  armilla_order_blocks_parts (orders, b, &args.parts);
  return args;
}

/* The windows of a request, and the number of output fields per input field. */
typedef struct {
  ArmillaCl *windows; /* an input of the request */
  ArmillaAlm *out;
  int n_copies;
} Scale;

static gboolean
submit_scale (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  const Scale *scale = user;
  const ArmillaOrderBlocks *orders = armilla_alm_order_blocks (scale->out, graph);
  const ArmillaTile *windows = armilla_cl_tile (scale->windows, graph, error);
  ArmillaAlmArgs args
    = alm_args (graph, orders, tiles->number, armilla_alm_n_fields (scale->out));

  if (!windows)
    return FALSE;
  ArmillaUse uses[] = { { tiles->in[0]->handle, STARPU_R },
                        { windows->handle, STARPU_R },
                        { tiles->out->handle, STARPU_W } };
  args.n_copies = scale->n_copies;
  args.lmax_window = armilla_cl_lmax (scale->windows);
  args.n_windows = armilla_cl_n_fields (scale->windows);
  return armilla_submit (graph, &armilla_scale_alm_cl, tiles->rank, &args, sizeof args, uses,
                         G_N_ELEMENTS (uses), 0, error);
}

static gboolean
scale (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaCl *windows, int n_copies, ArmillaAlm *out,
       GError **error)
{
  ArmillaData *inputs[] = { ARMILLA_DATA (alm), ARMILLA_DATA (windows) };
  const Scale how = { windows, out, n_copies };

  return armilla_check_fields (n_copies * armilla_alm_n_fields (alm), armilla_alm_n_fields (out),
                               error)
         && armilla_graph_each_tile (graph, inputs, 2, ARMILLA_DATA (out), submit_scale,
                                     g_memdup2 (&how, sizeof how), g_free, error);
}

gboolean
armilla_graph_scale_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaCl *window, ArmillaAlm *out,
                         GError **error)
{
  const int n_windows = armilla_cl_n_fields (window);

  return (n_windows == 1 || armilla_check_fields (armilla_alm_n_fields (alm), n_windows, error))
         && scale (graph, alm, window, 1, out, error);
}

/* Requests n fields per input field: the a_lm times window 0, times window 1 and so on, then those
 * of the next field. Returns whether the shapes fit. @windows: n windows b_l; 0 beyond their end;
 * @out: a_lm of n F fields and the same layout; written. */
gboolean
armilla_graph_derive_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaCl *windows,
                          ArmillaAlm *out, GError **error)
{
  return scale (graph, alm, windows, armilla_cl_n_fields (windows), out, error);
}

/* lmax up to which one task sums over all m-blocks: it takes less time than StarPU needs for a task
 * per block */
#define ALL_BLOCKS_LMAX 512

/* State that the tasks of a spectrum job share. */
typedef struct {
  ArmillaGraph *graph;
  const ArmillaOrderBlocks *orders;
  const ArmillaTile *a, *b;
  int n_fields;
  gint64 n_spectra, lmax;
} Spectra;

/* Submits the sum over n_blocks m-blocks, from first on, to the tile sums. */
static gboolean
submit_sums (const Spectra *self, int first, int n_blocks, const ArmillaTile *sums, GError **error)
{
  ArmillaSpectraArgs args = { .fault = armilla_graph_fault (self->graph), .n_blocks = n_blocks,
                              .cross = self->a != self->b,
                              .finishes = n_blocks == self->orders->n,
                              .n_spectra = self->n_spectra, .lmax = self->lmax };
  ArmillaUse uses[1 + 2 * ARMILLA_SPECTRA_BLOCKS] = { { sums->handle, STARPU_W } };

  for (int i = 0; i < n_blocks; i++)
    {
      const ArmillaAlmArgs block = alm_args (self->graph, self->orders, first + i, self->n_fields);

      args.shapes[i] = block.shape;
      args.parts[i] = block.parts;
      uses[1 + i] = (ArmillaUse) { self->a[first + i].handle, STARPU_R };
      uses[1 + n_blocks + i] = (ArmillaUse) { self->b[first + i].handle, STARPU_R };
    }
  return armilla_submit (self->graph, &armilla_spectra_cl, sums->owner, &args, sizeof args, uses,
                         1 + (args.cross ? 2 : 1) * n_blocks, 0, error);
}

/* Submits a sum for each m-block, and their sum to the tile cl. */
static gboolean
submit_parts (const Spectra *self, const ArmillaTile *cl, GError **error)
{
  const int n = self->orders->n;
  const ArmillaSumArgs args = { armilla_graph_fault (self->graph), n, self->n_spectra, self->lmax };
  g_autofree ArmillaTile *parts = g_new0 (ArmillaTile, n);
  g_autofree ArmillaUse *uses = g_new (ArmillaUse, 1 + n);
  gboolean ok = TRUE;

  uses[0] = (ArmillaUse) { cl->handle, STARPU_W };
  for (int i = 0; ok && i < n; i++)
    {
      ok = armilla_tile_new (self->graph, self->a[i].owner, cl->n, &parts[i], error)
           && submit_sums (self, i, 1, &parts[i], error);
      uses[1 + i] = (ArmillaUse) { parts[i].handle, STARPU_R };
    }
  ok = ok && armilla_submit (self->graph, &armilla_spectra_finish_cl, cl->owner, &args,
                             sizeof args, uses, 1 + n, 0, error);
  for (int i = 0; i < n; i++)
    armilla_tile_drop (&parts[i]);
  return ok;
}

static gboolean
run_spectra (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaAlm *a = ARMILLA_ALM (job->in[0]);
  ArmillaCl *cl = ARMILLA_CL (job->out);
  const ArmillaTile *tile;
  Spectra spectra = { .graph = graph, .orders = armilla_alm_order_blocks (a, graph),
                      .n_fields = armilla_alm_n_fields (a),
                      .n_spectra = armilla_cl_n_fields (cl), .lmax = armilla_cl_lmax (cl) };

  spectra.a = armilla_alm_tiles (a, graph, error);
  spectra.b = spectra.a ? armilla_alm_tiles (ARMILLA_ALM (job->in[1]), graph, error) : NULL;
  tile = spectra.b ? armilla_cl_tile (cl, graph, error) : NULL;
  if (!tile)
    return FALSE;
  if (spectra.orders->n == 1
      || (armilla_alm_layout (a).lmax <= ALL_BLOCKS_LMAX
          && spectra.orders->n <= ARMILLA_SPECTRA_BLOCKS))
    return submit_sums (&spectra, 0, spectra.orders->n, tile, error);
  return submit_parts (&spectra, tile, error);
}

gboolean
armilla_graph_spectra (ArmillaGraph *graph, ArmillaAlm *a, ArmillaAlm *b, ArmillaCl *cl,
                       GError **error)
{
  ArmillaAlmLayout layout = armilla_alm_layout (a), other = armilla_alm_layout (b);
  int n_fields = armilla_alm_n_fields (a);
  ArmillaJob job = { .run = run_spectra,
                     .in = { ARMILLA_DATA (a), ARMILLA_DATA (b) },
                     .out = ARMILLA_DATA (cl) };

  if (!armilla_check_fields (n_fields, armilla_alm_n_fields (b), error))
    return FALSE;
  if (armilla_cl_n_fields (cl) > n_fields * (n_fields + 1) / 2)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE, "%d field(s) have %d spectra, not %d",
                         n_fields, n_fields * (n_fields + 1) / 2, armilla_cl_n_fields (cl));
  if (armilla_cl_lmax (cl) > layout.lmax)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "a_lm up to lmax %" G_GINT64_FORMAT " have no spectra up to %"
                         G_GINT64_FORMAT, layout.lmax, armilla_cl_lmax (cl));
  if (layout.lmax != other.lmax || layout.mmax != other.mmax)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the a_lm have lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT
                         " and lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT
                         "; must be equal for cross spectra", layout.lmax, layout.mmax, other.lmax,
                         other.mmax);
  armilla_graph_defer (graph, &job);
  return TRUE;
}
