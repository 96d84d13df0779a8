/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map2alm by conjugate gradients: A'W A a = A'W y, with A the synthesis and W the quadrature
 * weights. A'W A is symmetric, positive, and near the identity, so few iterations are needed. The
 * inner product is that of real fields: Re sum conj(a) b with m > 0 counted twice. */
#include "config.h"

#include <math.h>

#include "codelets/fields/field-codelets.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/ranks/balance.h"

/* Vectors of the method, each with the shape of the a_lm. */
typedef struct {
  ArmillaTransform *t;
  const ArmillaTile *x;  /* current solution */
  const char *advice;    /* advice to the user if it does not converge */
  ArmillaTile *r, *p, *q; /* residual, direction, A'W A p */
  ArmillaTile rr[2], pq;  /* <r, r> of this and the last iteration, <p, q> */
  ArmillaTile *partial;   /* partial sums, one per m-block */
  ArmillaTile scratch;
  ArmillaMover *movers[4];
} Solver;

/* Submits sum <- <a, b>, added in the order of the m-blocks. */
static gboolean
dot (Solver *s, const ArmillaTile *a, const ArmillaTile *b, const ArmillaTile *sum, GError **error)
{
  ArmillaTransform *t = s->t;
  ArmillaVectorArgs one = { .fault = armilla_graph_fault (t->graph),
                            .n = 1, .alpha = 1, .beta = 1 };

  if (!armilla_submit (t->graph, &armilla_zero_cl, sum->owner, &one, sizeof one,
                       (ArmillaUse[]) { { sum->handle, STARPU_W } }, 1, 0, error))
    return FALSE;
  for (int i = 0; i < t->orders->n; i++)
    {
      ArmillaAlmArgs args = { .fault = armilla_graph_fault (t->graph),
                              .shape = { .lmax = t->orders->layout.lmax,
                                         .m_first = t->orders->m_first[i],
                                         .m_last = t->orders->m_last[i],
                                         .n_fields = t->n_fields } };
      ArmillaUse part[] = { { a[i].handle, STARPU_R },
                            { b[i].handle, STARPU_R },
                            { s->partial[i].handle, STARPU_W },
                            { s->scratch.handle, STARPU_SCRATCH } };
      ArmillaUse add[] = { { s->partial[i].handle, STARPU_R }, { sum->handle, STARPU_RW } };

      armilla_order_blocks_parts (t->orders, i, &args.parts);
      if (!armilla_submit (t->graph, &armilla_dot_cl, a[i].owner, &args, sizeof args, part,
                           G_N_ELEMENTS (part), 0, error)
          || !armilla_submit (t->graph, &armilla_combine_cl, sum->owner, &one, sizeof one, add,
                              G_N_ELEMENTS (add), 0, error))
        return FALSE;
    }
  return TRUE;
}

/* armilla_step_cl: y <- y + sign num/den x; armilla_turn_cl: y <- x + sign num/den y */
static gboolean
ratio_add (Solver *s, ArmillaCodelet *form, double sign, const ArmillaTile *num,
           const ArmillaTile *den, const ArmillaTile *x, const ArmillaTile *y, GError **error)
{
  ArmillaTransform *t = s->t;

  for (int i = 0; i < t->orders->n; i++)
    {
      ArmillaVectorArgs args = { .fault = armilla_graph_fault (t->graph),
                                 .n = y[i].n, .alpha = sign };
      ArmillaUse uses[] = { { num->handle, STARPU_R },
                            { den->handle, STARPU_R },
                            { x[i].handle, STARPU_R },
                            { y[i].handle, STARPU_RW } };

      if (!armilla_submit (t->graph, form, y[i].owner, &args, sizeof args, uses,
                           G_N_ELEMENTS (uses), 0, error))
        return FALSE;
    }
  return TRUE;
}

static void
solver_clear (Solver *s)
{
  for (gsize i = 0; i < G_N_ELEMENTS (s->movers); i++)
    armilla_mover_free (s->movers[i]);
  armilla_alm_tiles_free (s->t, s->r);
  armilla_alm_tiles_free (s->t, s->p);
  armilla_alm_tiles_free (s->t, s->q);
  armilla_alm_tiles_free (s->t, s->partial);
  armilla_tile_drop (&s->rr[0]);
  armilla_tile_drop (&s->rr[1]);
  armilla_tile_drop (&s->pq);
  armilla_tile_drop (&s->scratch);
}

static gboolean
solver_init (Solver *s, GError **error)
{
  ArmillaGraph *graph = s->t->graph;
  int n = s->t->orders->n;

  s->r = armilla_alm_tiles_like (s->t, error);
  s->p = s->r ? armilla_alm_tiles_like (s->t, error) : NULL;
  s->q = s->p ? armilla_alm_tiles_like (s->t, error) : NULL;
  if (!s->q)
    return FALSE;
  s->partial = g_new0 (ArmillaTile, n);
  for (int i = 0; i < n; i++)
    if (!armilla_tile_new (graph, s->t->orders->owner[i], 1, &s->partial[i], error))
      return FALSE;
  for (int i = 0; i < 4; i++)
    s->movers[i] = armilla_mover_new (graph, (ArmillaTile *[]) { s->r, s->p, s->q, s->partial }[i],
                                      s->t->orders, NULL);
  return armilla_tile_new (graph, 0, 1, &s->rr[0], error)
         && armilla_tile_new (graph, 0, 1, &s->rr[1], error)
         && armilla_tile_new (graph, 0, 1, &s->pq, error)
         && armilla_tile_new (graph, 0, ARMILLA_CUDA_SCRATCH (ARMILLA_DOT_SCRATCH), &s->scratch,
                              error);
}

/* Submits alm <- A'W A x for the only realisation. */
static gboolean
normal_pass (Solver *s, const ArmillaTile *x, const ArmillaTile *alm, GError **error)
{
  return armilla_normal_pass (s->t, &x, &alm, error);
}

/* Submits one iteration; *now is the index in rr[] of the latest <r, r>. */
static gboolean
iterate (Solver *s, int *now, GError **error)
{
  const ArmillaTile *old = &s->rr[*now], *new = &s->rr[1 - *now];

  armilla_graph_balance (s->t->graph);
  *now = 1 - *now;
  return normal_pass (s, s->p, s->q, error)
         && dot (s, s->p, s->q, &s->pq, error)
         && ratio_add (s, &armilla_step_cl, 1, old, &s->pq, s->p, s->x, error)
         && ratio_add (s, &armilla_step_cl, -1, old, &s->pq, s->q, s->r, error)
         && dot (s, s->r, s->r, new, error)
         && ratio_add (s, &armilla_turn_cl, 1, new, old, s->r, s->p, error);
}

/* The initial guess x is the right-hand side itself, whose norm scales the tolerance. */
static gboolean
solve (Solver *s, double tolerance, int max_iterations, GError **error)
{
  ArmillaGraph *graph = s->t->graph;
  double right = 0, rr = 0;
  int now = 0;

  if (!dot (s, s->x, s->x, &s->pq, error)
      || !armilla_graph_fetch (graph, &s->pq, &right, error)
      || !normal_pass (s, s->x, s->r, error) || !armilla_alm_combine (s->t, s->x, -1, s->r, error)
      || !armilla_alm_combine (s->t, s->r, 0, s->p, error)
      || !dot (s, s->r, s->r, &s->rr[0], error))
    return FALSE;
  for (int i = 0;; i++)
    {
      if (!armilla_graph_fetch (graph, &s->rr[now], &rr, error))
        return FALSE;
      /* Every rank reads the same number, so all ranks stop in the same iteration. After a failure
       * on another rank the value is undefined and must not keep the loop running. */
      if (!(sqrt (rr) > tolerance * sqrt (right)))
        break;
      if (i == max_iterations)
        {
          armilla_fault_set (armilla_graph_fault (graph), ARMILLA_ERROR_CONVERGENCE,
                             "conjugate gradients: the relative residual is %.3g after %d "
                             "iterations, not %.3g; %s", sqrt (rr / right), i, tolerance,
                             s->advice);
          break;
        }
      if (!iterate (s, &now, error))
        return FALSE;
    }
  if (!isfinite (rr))
    armilla_fault_set (armilla_graph_fault (graph), ARMILLA_ERROR_CONVERGENCE,
                       "conjugate gradients: the residual is not finite");
  return TRUE;
}

static gboolean
run_cg (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaAnalysisArgs *args = job->args;
  const ArmillaTile *in, *out;
  ArmillaTransform t;
  Solver solver = { .t = &t, .advice = "raise max-iterations, or choose a lower lmax" };
  gboolean ok = armilla_analysis_begin (&t, graph, &job, 1, &in, &out, error)
                && armilla_analysis_thin (&t, error);

  solver.x = out;
  ok = ok && solver_init (&solver, error)
       && solve (&solver, args->tolerance, args->iterations, error);
  solver_clear (&solver);
  armilla_transform_end (&t);
  return ok;
}

/* Requests the solution of A'W A a = A'W y. Submission waits for each iteration, since only its
 * result shows whether another iteration is needed; tasks submitted before continue meanwhile.
 * Returns whether the shapes fit; failure to converge fails the graph with
 * ARMILLA_ERROR_CONVERGENCE.
 * @alm: a_lm of F fields; written. */
gboolean
armilla_graph_analysis_cg (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm, double tolerance,
                           int max_iterations, GError **error)
{
  const ArmillaAnalysisArgs args = { .iterations = max_iterations, .tolerance = tolerance };
  ArmillaJob job = { .run = run_cg, .args = &args, .args_size = sizeof args };

  return armilla_graph_defer_analysis (graph, map, alm, &job, error);
}

static gboolean
run_normal_cg (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaAnalysisArgs *args = job->args;
  ArmillaAlm *b = ARMILLA_ALM (job->in[0]), *x = ARMILLA_ALM (job->out);
  const ArmillaTile *in = armilla_alm_tiles (b, graph, error);
  const ArmillaTile *out = in ? armilla_alm_tiles (x, graph, error) : NULL;
  ArmillaTransform t = { 0 };
  Solver solver = { .t = &t, .x = out, .advice = "choose a lower lmax" };
  gboolean ok;

  if (!out)
    return FALSE;
  ok = armilla_transform_begin (&t, graph, ARMILLA_TRANSFORMS_ANALYSIS, armilla_alm_layout (x),
                                job->user, armilla_alm_spins (x), armilla_alm_n_fields (x), 1,
                                FALSE, error)
       && solver_init (&solver, error)
       && armilla_alm_combine (&t, in, 0, out, error)
       && solve (&solver, args->tolerance, args->iterations, error);
  if (t.orders)
    solver_clear (&solver);
  armilla_transform_end (&t);
  return ok;
}

/* Requests the solution of A'W A x = b, with A the synthesis on @grid and W its quadrature weights.
 * If only b_00 = sqrt (4 pi) is not 0, the map A x holds factors of W that make the quadrature
 * exact for all multipoles of the layout; where all pixels have one weight these are the factors
 * closest to 1 in the least-squares sense. Submission waits for each iteration. Returns whether the
 * shapes fit; failure to converge fails the graph with ARMILLA_ERROR_CONVERGENCE. */
gboolean
armilla_graph_normal_cg (ArmillaGraph *graph, ArmillaAlm *b, ArmillaGrid *grid, ArmillaAlm *x,
                         double tolerance, int max_iterations, GError **error)
{
  const ArmillaAnalysisArgs args = { .iterations = max_iterations, .tolerance = tolerance };
  ArmillaJob job = { .run = run_normal_cg, .in = { ARMILLA_DATA (b) }, .out = ARMILLA_DATA (x),
                     .args = &args, .args_size = sizeof args, .user = armilla_grid_ref (grid),
                     .destroy = (GDestroyNotify) armilla_grid_unref };
  const ArmillaAlmLayout in = armilla_alm_layout (b), out = armilla_alm_layout (x);

  if (in.lmax != out.lmax || in.mmax != out.mmax
      || armilla_alm_n_fields (b) != armilla_alm_n_fields (x))
    {
      armilla_grid_unref (grid);
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "the right-hand side and the solution differ in lmax, mmax or the "
                           "number of fields");
    }
  armilla_graph_defer (graph, &job);
  return TRUE;
}
