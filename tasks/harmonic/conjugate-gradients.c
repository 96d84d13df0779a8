/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares by conjugate gradients: A'W A a = A'W y, with A the synthesis and W weights. For
 * map2alm these are the quadrature weights, and A'W A is near the identity, so few iterations are
 * needed. The first guess is 0. The inner product is that of real fields: Re sum conj(a) b with
 * m > 0 counted twice. */
#include "config.h"

#include <math.h>

#include "codelets/fields/field-codelets.h"
#include "tasks/graph/in-thread.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/ranks/balance.h"

/* One of the maps that are solved for together ("members"). Each has its own step lengths and its
 * own end, so its a_lm have the bits that they would have alone. */
typedef struct {
  double rr, right; /* latest <r, r> of the residual, and <x, x> of the right-hand side */
  gboolean active;  /* whether it has not converged yet */
} Member;

/* Vectors of the method, each with the shape of the a_lm. */
typedef struct {
  ArmillaTransform *t;
  const ArmillaTile *x;  /* current solution; at first the right-hand side */
  const ArmillaEquations *equations;
  ArmillaTile *r, *p, *q; /* residual, direction, A'W A p */
  ArmillaTile *z;         /* preconditioned residual; NULL without a preconditioner */
  Member *members;
  int n_members;
  double *values;         /* [member]: a result that the host reads */
  ArmillaTile rr[2], pq;  /* [member]: <r, r> of this and the previous iteration, <p, q> */
  ArmillaTile rz, zq;     /* [member]: <r, z>, <z, q> */
  int now;                /* which of rr[] is that of this iteration */
  ArmillaTile *partial;   /* [m-block]: tile with a partial sum for each member */
  ArmillaTile scratch;
  ArmillaMover *movers[5];
} Solver;

/* Finds the ranges of fields of a member. @first: field of the first member from which to search;
 * is moved beyond the fields found. With one member all fields are adjacent. With several, fields
 * are sorted by transforms of one spin, then by members. */
static void
find_ranges (const Solver *s, int *first, ArmillaMemberArgs *args)
{
  const ArmillaTransform *t = s->t;
  int *n = &args->n_ranges;

  for (*n = 0; *n < ARMILLA_MEMBER_RANGES && *first < t->n_fields; (*n)++)
    {
      args->n[*n] = s->n_members == 1 ? t->n_fields : t->spins[*first] > 0 ? 2 : 1;
      args->first[*n] = *first + args->member * args->n[*n];
      *first += s->n_members * args->n[*n];
    }
}

/* Submits the tasks of codelet @form for a member and m-block. */
static gboolean
submit_member (Solver *s, ArmillaCodelet *form, int member, int block, double sign,
               ArmillaUse *uses, int written, GError **error)
{
  ArmillaTransform *t = s->t;
  ArmillaMemberArgs args = { .fault = armilla_graph_fault (t->graph),
                             .shape = { .lmax = t->orders->layout.lmax,
                                        .m_first = t->orders->m_first[block],
                                        .m_last = t->orders->m_last[block] },
                             .sign = sign,
                             .member = member };

  armilla_order_blocks_parts (t->orders, block, &args.parts);
  for (int first = 0; first < t->n_fields; args.adds = TRUE)
    {
      find_ranges (s, &first, &args);
      if (t->graph->in_thread && !args.adds)
        uses[written].mode |= ARMILLA_IN_THREAD_APART;
      if (!armilla_submit (t->graph, form, t->orders->owner[block], &args, sizeof args, uses, 4, 0,
                           error))
        return FALSE;
      uses[written].mode = STARPU_RW;
    }
  return TRUE;
}

/* Submits sums <- <a, b> of each member, added in the order of the m-blocks. */
static gboolean
dot (Solver *s, const ArmillaTile *a, const ArmillaTile *b, const ArmillaTile *sums,
     GError **error)
{
  ArmillaTransform *t = s->t;
  ArmillaVectorArgs all = { .fault = armilla_graph_fault (t->graph),
                            .n = s->n_members, .alpha = 1, .beta = 1 };

  if (!armilla_submit (t->graph, &armilla_zero_cl, sums->owner, &all, sizeof all,
                       (ArmillaUse[]) { { sums->handle, STARPU_W } }, 1, 0, error))
    return FALSE;
  for (int i = 0; i < t->orders->n; i++)
    for (int k = 0; k < s->n_members; k++)
      {
        ArmillaUse part[] = { { a[i].handle, STARPU_R },
                              { b[i].handle, STARPU_R },
                              { s->partial[i].handle, k == 0 ? STARPU_W : STARPU_RW },
                              { s->scratch.handle, STARPU_SCRATCH } };

        if (!submit_member (s, &armilla_dot_cl, k, i, 1, part, 2, error))
          return FALSE;
      }
  for (int i = 0; i < t->orders->n; i++)
    {
      ArmillaUse add[] = { { s->partial[i].handle, STARPU_R }, { sums->handle, STARPU_RW } };

      if (!armilla_submit (t->graph, &armilla_combine_cl, sums->owner, &all, sizeof all, add,
                           G_N_ELEMENTS (add), 0, error))
        return FALSE;
    }
  return TRUE;
}

/* Submits for each member that has not converged y <- y + sign num/den x (armilla_step_cl) or y <-
 * x + sign num/den y (armilla_turn_cl). */
static gboolean
ratio_add (Solver *s, ArmillaCodelet *form, double sign, const ArmillaTile *num,
           const ArmillaTile *den, const ArmillaTile *x, const ArmillaTile *y, GError **error)
{
  for (int i = 0; i < s->t->orders->n; i++)
    for (int k = 0; k < s->n_members; k++)
      {
        ArmillaUse uses[] = { { num->handle, STARPU_R },
                              { den->handle, STARPU_R },
                              { x[i].handle, STARPU_R },
                              { y[i].handle, STARPU_RW } };

        if (s->members[k].active && !submit_member (s, form, k, i, sign, uses, 3, error))
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
  armilla_alm_tiles_free (s->t, s->z);
  armilla_alm_tiles_free (s->t, s->partial);
  armilla_tile_drop (&s->rr[0]);
  armilla_tile_drop (&s->rr[1]);
  armilla_tile_drop (&s->pq);
  armilla_tile_drop (&s->rz);
  armilla_tile_drop (&s->zq);
  armilla_tile_drop (&s->scratch);
  g_free (s->members);
  g_free (s->values);
}

static gboolean
solver_init (Solver *s, GError **error)
{
  ArmillaGraph *graph = s->t->graph;
  int n = s->t->orders->n;

  /* On GPUs all maps are one member: starting a small kernel per member takes longer than running
   * it. */
  s->n_members = graph->view.gpus
                   ? 1 : s->t->n_fields / armilla_graph_fields_of_one (graph, s->t->n_fields);
  s->members = g_new0 (Member, s->n_members);
  s->values = g_new0 (double, s->n_members);
  s->r = armilla_alm_tiles_like (s->t, error);
  s->p = s->r ? armilla_alm_tiles_like (s->t, error) : NULL;
  s->q = s->p ? armilla_alm_tiles_like (s->t, error) : NULL;
  s->z = s->q && s->equations->precondition ? armilla_alm_tiles_like (s->t, error) : NULL;
  if (!s->q || (s->equations->precondition && !s->z))
    return FALSE;
  s->partial = g_new0 (ArmillaTile, n);
  for (int i = 0; i < n; i++)
    if (!armilla_tile_new (graph, s->t->orders->owner[i], s->n_members, &s->partial[i],
                           error))
      return FALSE;
  for (int i = 0; i < (s->z ? 5 : 4); i++)
    s->movers[i]
      = armilla_mover_new (graph, (ArmillaTile *[]) { s->r, s->p, s->q, s->partial, s->z }[i],
                           s->t->orders, NULL);
  return armilla_tile_new (graph, 0, s->n_members, &s->rr[0], error)
         && armilla_tile_new (graph, 0, s->n_members, &s->rr[1], error)
         && armilla_tile_new (graph, 0, s->n_members, &s->pq, error)
         && armilla_tile_new (graph, 0, s->n_members, &s->rz, error)
         && armilla_tile_new (graph, 0, s->n_members, &s->zq, error)
         && armilla_tile_new (graph, 0, ARMILLA_CUDA_SCRATCH (ARMILLA_DOT_SCRATCH), &s->scratch,
                              error);
}

/* Submits the same with a preconditioner, which may differ between iterations, so that the new
 * direction is made orthogonal by <z, q>, with q of the previous iteration, instead of <r, z>. */
static gboolean
iterate_preconditioned (Solver *s, gboolean first, GError **error)
{
  const ArmillaEquations *e = s->equations;

  s->now = 1 - s->now;
  return e->precondition (e->user, s->r, s->z, error)
         && (first ? armilla_alm_combine (s->t, s->z, 0, s->p, error)
                   : dot (s, s->z, s->q, &s->zq, error)
                       && ratio_add (s, &armilla_turn_cl, -1, &s->zq, &s->pq, s->z, s->p, error))
         && dot (s, s->r, s->z, &s->rz, error)
         && e->normal (e->user, s->p, s->q, error)
         && dot (s, s->p, s->q, &s->pq, error)
         && ratio_add (s, &armilla_step_cl, 1, &s->rz, &s->pq, s->p, s->x, error)
         && ratio_add (s, &armilla_step_cl, -1, &s->rz, &s->pq, s->q, s->r, error)
         && dot (s, s->r, s->r, &s->rr[s->now], error);
}

/* Submits one iteration, in which members that have converged do not change. */
static gboolean
iterate (Solver *s, gboolean first, GError **error)
{
  const ArmillaTile *old = &s->rr[s->now], *new = &s->rr[1 - s->now];

  if (s->equations->tolerance > 0)
    armilla_graph_balance (s->t->graph);
  if (s->equations->precondition)
    return iterate_preconditioned (s, first, error);
  s->now = 1 - s->now;
  return s->equations->normal (s->equations->user, s->p, s->q, error)
         && dot (s, s->p, s->q, &s->pq, error)
         && ratio_add (s, &armilla_step_cl, 1, old, &s->pq, s->p, s->x, error)
         && ratio_add (s, &armilla_step_cl, -1, old, &s->pq, s->q, s->r, error)
         && dot (s, s->r, s->r, new, error)
         && ratio_add (s, &armilla_turn_cl, 1, new, old, s->r, s->p, error);
}

/* Turns the right-hand side in x into the residual of the first guess, x = 0. */
static gboolean
begin (Solver *s, GError **error)
{
  if (!armilla_alm_combine (s->t, s->x, 0, s->r, error)
      || !armilla_alm_combine (s->t, s->x, 0, s->p, error)
      || !armilla_alm_combine (s->t, s->r, -1, s->x, error)
      || !dot (s, s->r, s->r, &s->rr[0], error)
      || (s->equations->tolerance > 0
          && !armilla_graph_fetch (s->t->graph, &s->rr[0], s->values, error)))
    return FALSE;
  for (int k = 0; k < s->n_members; k++)
    s->members[k] = (Member) { .right = s->values[k], .active = TRUE };
  return TRUE;
}

/* Finds the members that have not converged, from numbers that are equal on all ranks, so that all
 * stop after the same iteration. After a failure on another rank a number is undefined; NaN must
 * not keep the loop running. @worst: (nullable) (out): member with the largest relative residual */
static gboolean
find_active (Solver *s, const Member **worst, GError **error)
{
  const double tolerance = s->equations->tolerance;

  *worst = NULL;
  if (!armilla_graph_fetch (s->t->graph, &s->rr[s->now], s->values, error))
    return FALSE;
  for (int k = 0; k < s->n_members; k++)
    {
      Member *member = &s->members[k];

      member->rr = s->values[k];
      member->active = sqrt (member->rr) > tolerance * sqrt (member->right);
      if (member->active
          && (!*worst || member->rr * (*worst)->right > (*worst)->rr * member->right))
        *worst = member;
    }
  return TRUE;
}

/* Records the number of iterations and the largest relative residual. */
static void
record (const Solver *s, int n_iterations)
{
  ArmillaHarmonicState *state = armilla_harmonic_state (s->t->graph);

  state->n_iterations = n_iterations;
  state->residual = 0;
  for (int k = 0; k < s->n_members; k++)
    if (s->members[k].right > 0)
      state->residual = MAX (state->residual, sqrt (s->members[k].rr / s->members[k].right));
}

static gboolean
solve (Solver *s, GError **error)
{
  const ArmillaEquations *e = s->equations;
  ArmillaFault *fault = armilla_graph_fault (s->t->graph);
  const Member *worst;
  int i = 0;

  if (!begin (s, error))
    return FALSE;
  if (e->tolerance == 0)
    {
      while (i < e->max_iterations && iterate (s, i == 0, error))
        i++;
      return i == e->max_iterations;
    }
  if (!find_active (s, &worst, error))
    return FALSE;
  for (; worst; i++)
    {
      if (i == e->max_iterations)
        {
          armilla_fault_set (fault, ARMILLA_ERROR_CONVERGENCE,
                             "conjugate gradients: the relative residual is %.3g after %d "
                             "iterations, not %.3g; %s", sqrt (worst->rr / worst->right), i,
                             e->tolerance, e->advice);
          break;
        }
      if (!iterate (s, i == 0, error) || !find_active (s, &worst, error))
        return FALSE;
    }
  record (s, i);
  for (int k = 0; k < s->n_members; k++)
    if (!isfinite (s->members[k].rr))
      armilla_fault_set (fault, ARMILLA_ERROR_CONVERGENCE,
                         "conjugate gradients: the residual is not finite");
  return TRUE;
}

/* Replaces the right-hand side x by the solution. With a tolerance submission waits for each
 * iteration, since only its result shows whether another iteration is needed; tasks submitted
 * before continue meanwhile; failure to converge fails the graph with ARMILLA_ERROR_CONVERGENCE.
 * @t: a transform whose a_lm have the shape of x */
gboolean
armilla_conjugate_gradients (ArmillaTransform *t, const ArmillaTile *x,
                             const ArmillaEquations *equations, GError **error)
{
  Solver solver = { .t = t, .x = x, .equations = equations };
  const gboolean ok = solver_init (&solver, error) && solve (&solver, error);

  solver_clear (&solver);
  return ok;
}

/* #ArmillaNormal: for the only realisation of the transform @user */
static gboolean
normal_pass (gpointer user, const ArmillaTile *x, const ArmillaTile *out, GError **error)
{
  return armilla_normal_pass (user, &x, &out, error);
}

static gboolean
run_cg (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaAnalysisArgs *args = job->args;
  const ArmillaTile *in, *out;
  ArmillaTransform t;
  const ArmillaEquations equations
    = { .normal = normal_pass, .user = &t, .tolerance = args->tolerance,
        .max_iterations = args->iterations,
        .advice = "raise max-iterations, or choose a lower lmax" };
  const gboolean ok = armilla_analysis_begin (&t, graph, &job, 1, &in, &out, error)
                      && armilla_analysis_thin (&t, error)
                      && armilla_conjugate_gradients (&t, out, &equations, error);

  armilla_transform_end (&t);
  return ok;
}

/* Requests the solution of A'W A a = A'W y. Returns whether the shapes fit; failure to converge
 * fails the graph with ARMILLA_ERROR_CONVERGENCE.
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
  const ArmillaEquations equations
    = { .normal = normal_pass, .user = &t, .tolerance = args->tolerance,
        .max_iterations = args->iterations, .advice = "choose a lower lmax" };
  gboolean ok;

  if (!out)
    return FALSE;
  ok = armilla_transform_begin (&t, graph, ARMILLA_TRANSFORMS_ANALYSIS, armilla_alm_layout (x),
                                job->user, armilla_alm_spins (x), armilla_alm_n_fields (x), 1,
                                FALSE, error)
       && armilla_alm_combine (&t, in, 0, out, error)
       && armilla_conjugate_gradients (&t, out, &equations, error);
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
