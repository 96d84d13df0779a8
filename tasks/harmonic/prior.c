/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares with a prior by conjugate gradients: (G + F A'N A F) x = b, with A the synthesis, N
 * weights of pixels, F and G factors of each multipole. The equations for fewer multipoles and
 * larger pixels, solved roughly, precondition those for all of them (Smith, Zahn and Dore 2007). */
#include "config.h"

#include "codelets/fields/field-codelets.h"
#include "codelets/fields/pixel-codelets.h"
#include "tasks/harmonic/analysis-private.h"

/* number of iterations by which the work of a job is estimated */
#define USUAL_ITERATIONS 50

/* Iterations of a coarse level for each one of the next finer level, and of the coarsest level.
 * With 3 and one level more, 11 instead of 28 iterations suffice at nside 512, but the many small
 * passes of the coarsest level then take longer than the finest ones. */
#define COARSE_ITERATIONS 2
#define COARSEST_ITERATIONS 10

typedef struct {
  double tolerance;
  int max_iterations;
  int n_levels;
} PriorArgs;

/* The equations up to some lmax, with weights of pixels of about that resolution. A level is the
 * preconditioner of the next finer one. */
typedef struct _Level {
  ArmillaTransform t;         /* the adjoint */
  const ArmillaTile *weights; /* N, [ring block] */
  ArmillaCl *f, *g;
  ArmillaTile *filtered, *sum; /* [m-block] */
  ArmillaMover *movers[2];
  struct _Level *coarse;       /* NULL: none */
  /* of a coarse level, [m-block]: right-hand side, and solution */
  ArmillaTile *right, *solution;
} Level;

/* Submits out <- window x on all m-blocks. */
static gboolean
scale (const Level *self, const ArmillaTile *x, ArmillaCl *window, const ArmillaTile *out,
       GError **error)
{
  const ArmillaOrderBlocks *orders = self->t.orders;
  const ArmillaTile *tile = armilla_cl_tile (window, self->t.graph, error);

  for (int b = 0; tile && b < orders->n; b++)
    {
      ArmillaAlmArgs args = { .fault = armilla_graph_fault (self->t.graph),
                              .shape = { .lmax = orders->layout.lmax,
                                         .m_first = orders->m_first[b],
                                         .m_last = orders->m_last[b],
                                         .n_fields = self->t.n_fields },
                              .n_copies = 1,
                              .lmax_window = armilla_cl_lmax (window),
                              .n_windows = armilla_cl_n_fields (window) };
      ArmillaUse uses[] = { { x[b].handle, STARPU_R },
                            { tile->handle, STARPU_R },
                            { out[b].handle, STARPU_W } };

      armilla_order_blocks_parts (orders, b, &args.parts);
      if (!armilla_submit (self->t.graph, &armilla_scale_alm_cl, orders->owner[b], &args,
                           sizeof args, uses, G_N_ELEMENTS (uses), 0, error))
        return FALSE;
    }
  return tile != NULL;
}

/* Submits the synthesis of a ring block, its product with the weights, and the adjoint of that. */
static gboolean
weigh_block (Level *self, ArmillaTransform *forward, int b, GError **error)
{
  ArmillaTransform *t = &self->t;
  const ArmillaRingBlock *rings = &t->rings->block[b];
  const gint64 n = t->n_fields * rings->n_pixels;
  ArmillaPixelArgs args = { .fault = armilla_graph_fault (t->graph), .n_fields = t->n_fields,
                            .n_pixels = rings->n_pixels, .n_weights = t->n_fields };
  ArmillaTile map = { 0 }, weighted = { 0 };
  const ArmillaTile *const maps[] = { &map }, *const adjoined[] = { &weighted };
  gboolean ok = armilla_tile_new (t->graph, rings->owner, n, &map, error)
                && armilla_tile_new (t->graph, rings->owner, n, &weighted, error)
                && armilla_transform_rings (forward, b, maps, 0, error);
  ArmillaUse uses[] = { { map.handle, STARPU_R },
                        { self->weights[b].handle, STARPU_R },
                        { weighted.handle, STARPU_W } };

  ok = ok
       && armilla_submit (t->graph, &armilla_pixel_mask_cl, rings->owner, &args, sizeof args, uses,
                          G_N_ELEMENTS (uses), 0, error)
       && armilla_transform_rings (t, b, adjoined, 0, error);
  armilla_tile_drop (&map);
  armilla_tile_drop (&weighted);
  return ok;
}

/* #ArmillaNormal: submits out <- G x + F A'N A F x. */
static gboolean
apply (gpointer user, const ArmillaTile *x, const ArmillaTile *out, GError **error)
{
  Level *self = user;
  ArmillaTransform *t = &self->t, forward = { 0 };
  const ArmillaTile *const filtered[] = { self->filtered }, *const sum[] = { self->sum };
  gboolean ok = scale (self, x, self->f, self->filtered, error)
                && armilla_transform_begin (&forward, t->graph, ARMILLA_TRANSFORMS_SYNTHESIS,
                                            t->orders->layout, t->rings->grid, t->spins,
                                            t->n_fields, 1, FALSE, error)
                && armilla_transform_prepare (&forward, filtered, error);

  armilla_transform_restart (t, sum);
  for (int b = 0; ok && b < t->rings->n; b++)
    {
      armilla_transform_next_epoch (t);
      ok = weigh_block (self, &forward, b, error);
    }
  armilla_transform_end (&forward);
  return ok && armilla_transform_finish (t, sum, error)
         && scale (self, self->sum, self->f, out, error)
         && scale (self, x, self->g, self->filtered, error)
         && armilla_alm_combine (t, self->filtered, 1, out, error);
}

/* #ArmillaNormal: submits z <- r, with its low multipoles replaced by those that some iterations of
 * the coarse level find. */
static gboolean
precondition (gpointer user, const ArmillaTile *r, const ArmillaTile *z, GError **error)
{
  Level *self = user, *coarse = self->coarse;
  ArmillaGraph *graph = self->t.graph;
  const int n = self->t.n_fields;
  const ArmillaEquations equations
    = { .normal = apply, .precondition = coarse->coarse ? precondition : NULL, .user = coarse,
        .max_iterations = coarse->coarse ? COARSE_ITERATIONS : COARSEST_ITERATIONS };

  return armilla_alm_tiles_resize (graph, self->t.orders, r, coarse->t.orders, coarse->right, n,
                                   error)
         && armilla_alm_combine (&coarse->t, coarse->right, 0, coarse->solution, error)
         && armilla_conjugate_gradients (&coarse->t, coarse->solution, &equations, error)
         && armilla_alm_combine (&coarse->t, coarse->solution, -1, coarse->right, error)
         && armilla_alm_tiles_resize (graph, coarse->t.orders, coarse->right, self->t.orders,
                                      self->filtered, n, error)
         && armilla_alm_combine (&self->t, r, 0, z, error)
         && armilla_alm_combine (&self->t, self->filtered, 1, z, error);
}

static void
level_clear (Level *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (self->movers); i++)
    armilla_mover_free (self->movers[i]);
  if (self->t.orders)
    {
      armilla_alm_tiles_free (&self->t, self->filtered);
      armilla_alm_tiles_free (&self->t, self->sum);
      armilla_alm_tiles_free (&self->t, self->right);
      armilla_alm_tiles_free (&self->t, self->solution);
    }
  armilla_transform_end (&self->t);
}

/* Sets up level @number, from 0, the finest: each next one has half the multipoles. */
static gboolean
level_init (Level *self, ArmillaGraph *graph, const ArmillaJob *job, int number, GError **error)
{
  ArmillaAlm *x = ARMILLA_ALM (job->out);
  ArmillaMap *weights = ARMILLA_MAP (job->in[3 + number]);
  const ArmillaAlmLayout all = armilla_alm_layout (x);
  const ArmillaAlmLayout layout = { all.lmax >> number, MIN (all.mmax, all.lmax >> number) };

  self->f = ARMILLA_CL (job->in[1]);
  self->g = ARMILLA_CL (job->in[2]);
  self->weights = armilla_map_tiles (weights, graph, error);
  if (!self->weights
      || !armilla_transform_begin (&self->t, graph, ARMILLA_TRANSFORMS_ANALYSIS, layout,
                                   armilla_map_grid (weights), armilla_alm_spins (x),
                                   armilla_alm_n_fields (x), 1, FALSE, error)
      || !(self->filtered = armilla_alm_tiles_like (&self->t, error))
      || !(self->sum = armilla_alm_tiles_like (&self->t, error)))
    return FALSE;
  self->movers[0] = armilla_mover_new (graph, self->filtered, self->t.orders, NULL);
  self->movers[1] = armilla_mover_new (graph, self->sum, self->t.orders, NULL);
  return number == 0
         || ((self->right = armilla_alm_tiles_like (&self->t, error))
             && (self->solution = armilla_alm_tiles_like (&self->t, error)));
}

static void
tell_iterations (ArmillaGraph *graph, const ArmillaJob *job)
{
  double residual;
  const int n = armilla_graph_iterations (graph, &residual);

  if (job->label->node)
    armilla_graph_note (graph, job->label->node,
                        "conjugate gradients: %d iterations, relative residual %.2g", n, residual);
}

static gboolean
run_prior (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const PriorArgs *args = job->args;
  const ArmillaTile *b = armilla_alm_tiles (ARMILLA_ALM (job->in[0]), graph, error);
  const ArmillaTile *out = b ? armilla_alm_tiles (ARMILLA_ALM (job->out), graph, error) : NULL;
  Level levels[ARMILLA_PRIOR_LEVELS] = { { .f = NULL } };
  const ArmillaEquations equations
    = { .normal = apply, .precondition = args->n_levels > 1 ? precondition : NULL,
        .user = &levels[0], .tolerance = args->tolerance, .max_iterations = args->max_iterations,
        .advice = "raise max-iterations" };
  gboolean ok = out != NULL;

  for (int i = 0; ok && i < args->n_levels; i++)
    {
      ok = level_init (&levels[i], graph, job, i, error);
      if (i > 0)
        levels[i - 1].coarse = &levels[i];
    }
  ok = ok && armilla_alm_combine (&levels[0].t, b, 0, out, error)
       && armilla_conjugate_gradients (&levels[0].t, out, &equations, error);
  if (ok)
    tell_iterations (graph, job);
  for (int i = 0; i < args->n_levels; i++)
    level_clear (&levels[i]);
  return ok;
}

/* Requests the solution of (G + F A'N A F) x = b. Submission waits for each iteration. Returns
 * whether the shapes fit; failure to converge fails the graph with ARMILLA_ERROR_CONVERGENCE. @b: F
 * fields; @f, @g: one spectrum, or F, diagonals of F and G; 0 beyond their end; @weights:
 * [n_levels] N, maps of F fields, at least 0; each next one, for the preconditioner, has the sums
 * of the weights of larger pixels, and is used for half the multipoles; @n_levels: at least 1, at
 * most ARMILLA_PRIOR_LEVELS; @tolerance: of the residual, relative to b; @x: of the shape of @b;
 * written */
gboolean
armilla_graph_prior_cg (ArmillaGraph *graph, ArmillaAlm *b, ArmillaCl *f, ArmillaCl *g,
                        ArmillaMap *const *weights, int n_levels, double tolerance,
                        int max_iterations, ArmillaAlm *x, GError **error)
{
  const PriorArgs args = { tolerance, max_iterations, n_levels };
  ArmillaJob job = { .run = run_prior,
                     .in = { ARMILLA_DATA (b), ARMILLA_DATA (f), ARMILLA_DATA (g) },
                     .out = ARMILLA_DATA (x),
                     .args = &args, .args_size = sizeof args };

  g_return_val_if_fail (n_levels >= 1 && n_levels <= ARMILLA_PRIOR_LEVELS, FALSE);
  for (int i = 0; i < n_levels; i++)
    job.in[3 + i] = ARMILLA_DATA (weights[i]);
  if (!armilla_check_transform (x, weights[0], error)
      || !armilla_check_fields (armilla_alm_n_fields (b), armilla_alm_n_fields (x), error))
    return FALSE;
  armilla_job_set_transforms (&job, x, weights[0], 2 * MIN (max_iterations, USUAL_ITERATIONS));
  armilla_graph_defer (graph, &job);
  return TRUE;
}
