/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/fields/field-codelets.h"
#include "tasks/harmonic/analysis-private.h"

#include <armilla/harmonic.h>

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

static gboolean
run_scale (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (job->in[0]);
  ArmillaCl *window = ARMILLA_CL (job->in[1]);
  ArmillaOrderBlocks *orders = armilla_alm_order_blocks (alm, graph);
  const ArmillaTile *a = armilla_alm_tiles (alm, graph, error);
  const ArmillaTile *b = a ? armilla_alm_tiles (ARMILLA_ALM (job->out), graph, error) : NULL;
  const ArmillaTile *w = b ? armilla_cl_tile (window, graph, error) : NULL;

  for (int i = 0; w && i < orders->n; i++)
    {
      ArmillaAlmArgs args
        = alm_args (graph, orders, i, armilla_alm_n_fields (ARMILLA_ALM (job->out)));
      ArmillaUse uses[]
        = { { a[i].handle, STARPU_R }, { w->handle, STARPU_R }, { b[i].handle, STARPU_W } };

      args.n_copies = *(const int *) job->args;
      args.lmax_window = armilla_cl_lmax (window);
      args.n_windows = armilla_cl_n_fields (window);
      if (!armilla_submit (graph, &armilla_scale_alm_cl, b[i].owner, &args, sizeof args, uses,
                           G_N_ELEMENTS (uses), 0, error))
        return FALSE;
    }
  return w != NULL;
}

gboolean
armilla_graph_scale_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaCl *window, ArmillaAlm *out,
                         GError **error)
{
  const int n_copies = 1;
  int n_fields = armilla_alm_n_fields (alm), n_windows = armilla_cl_n_fields (window);
  ArmillaJob job = { .run = run_scale,
                     .in = { ARMILLA_DATA (alm), ARMILLA_DATA (window) },
                     .out = ARMILLA_DATA (out),
                     .args = &n_copies,
                     .args_size = sizeof n_copies };

  if (!armilla_check_fields (n_fields, armilla_alm_n_fields (out), error)
      || (n_windows != 1 && !armilla_check_fields (n_fields, n_windows, error)))
    return FALSE;
  armilla_graph_defer (graph, &job);
  return TRUE;
}

/* Asks for n fields of each: the a_lm times window 0, times window 1 and so on, then those of
 * the next field. Returns whether the shapes fit. @windows: n windows b_l; 0 beyond their end;
 * @out: a_lm of n F fields and the same layout; written. */
gboolean
armilla_graph_derive_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaCl *windows,
                          ArmillaAlm *out, GError **error)
{
  int n_windows = armilla_cl_n_fields (windows);
  ArmillaJob job = { .run = run_scale,
                     .in = { ARMILLA_DATA (alm), ARMILLA_DATA (windows) },
                     .out = ARMILLA_DATA (out),
                     .args = &n_windows,
                     .args_size = sizeof n_windows };

  if (!armilla_check_fields (n_windows * armilla_alm_n_fields (alm), armilla_alm_n_fields (out),
                             error))
    return FALSE;
  armilla_graph_defer (graph, &job);
  return TRUE;
}

/* cl <- cl + spectra of one m-block */
static gboolean
add_spectra (ArmillaGraph *graph, const ArmillaAlmArgs *args, const ArmillaTile *a,
             const ArmillaTile *b, const ArmillaTile *cl, GError **error)
{
  ArmillaVectorArgs add = { .fault = armilla_graph_fault (graph),
                            .n = cl->n, .alpha = 1, .beta = 1 };
  ArmillaTile part = { 0 };
  gboolean ok;

  if (!armilla_tile_new (graph, a->owner, cl->n, &part, error))
    return FALSE;
  ArmillaUse make[]
    = { { a->handle, STARPU_R }, { b->handle, STARPU_R }, { part.handle, STARPU_W } };
  ArmillaUse sum[] = { { part.handle, STARPU_R }, { cl->handle, STARPU_RW } };
  ok = armilla_submit (graph, &armilla_spectra_cl, a->owner, args, sizeof *args, make,
                       G_N_ELEMENTS (make), 0, error)
       && armilla_submit (graph, &armilla_combine_cl, cl->owner, &add, sizeof add, sum,
                          G_N_ELEMENTS (sum), 0, error);
  armilla_tile_drop (&part);
  return ok;
}

static gboolean
run_spectra (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaAlm *a = ARMILLA_ALM (job->in[0]);
  ArmillaCl *cl = ARMILLA_CL (job->out);
  ArmillaOrderBlocks *orders = armilla_alm_order_blocks (a, graph);
  const ArmillaTile *ta = armilla_alm_tiles (a, graph, error);
  const ArmillaTile *tb = ta ? armilla_alm_tiles (ARMILLA_ALM (job->in[1]), graph, error) : NULL;
  const ArmillaTile *tc = tb ? armilla_cl_tile (cl, graph, error) : NULL;
  int n_fields = armilla_alm_n_fields (a);

  if (!tc)
    return FALSE;
  ArmillaVectorArgs zero = { .fault = armilla_graph_fault (graph), .n = tc->n };
  if (!armilla_submit (graph, &armilla_zero_cl, tc->owner, &zero, sizeof zero,
                       (ArmillaUse[]) { { tc->handle, STARPU_W } }, 1, 0, error))
    return FALSE;
  for (int i = 0; i < orders->n; i++)
    {
      ArmillaAlmArgs args = alm_args (graph, orders, i, n_fields);

      args.n_spectra = armilla_cl_n_fields (cl);
      args.lmax_spectra = armilla_cl_lmax (cl);
      if (!add_spectra (graph, &args, &ta[i], &tb[i], tc, error))
        return FALSE;
    }
  ArmillaAlmArgs finish = alm_args (graph, orders, 0, n_fields);
  finish.n_spectra = armilla_cl_n_fields (cl);
  finish.lmax_spectra = armilla_cl_lmax (cl);
  return armilla_submit (graph, &armilla_spectra_finish_cl, tc->owner, &finish, sizeof finish,
                         (ArmillaUse[]) { { tc->handle, STARPU_RW } }, 1, 0, error);
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
                         "; cross spectra need equal ones", layout.lmax, layout.mmax, other.lmax,
                         other.mmax);
  armilla_graph_defer (graph, &job);
  return TRUE;
}
