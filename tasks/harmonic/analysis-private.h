/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"
#include "tasks/harmonic/harmonic-state.h"
#include "tasks/harmonic/transform.h"

G_BEGIN_DECLS

/* Argument of jobs that solve for a_lm. */
typedef struct {
  int iterations;   /* maximum number of iterations */
  double tolerance; /* relative residual at which conjugate gradients stop; 0: plain iterations */
  gboolean exact;   /* whether Delta is resampled in theta; without iterations */
} ArmillaAnalysisArgs;

gboolean armilla_check_fields (int a, int b, GError **error);
void armilla_job_set_transforms (ArmillaJob *job, ArmillaAlm *alm, ArmillaMap *map, int times);
gboolean armilla_check_transform (ArmillaAlm *alm, ArmillaMap *map, GError **error);
gboolean armilla_analyses_alike (ArmillaGraph *graph, const ArmillaJob *a, const ArmillaJob *b);

gboolean armilla_graph_defer_analysis (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm,
                                       ArmillaJob *job, GError **error);
gboolean armilla_graph_quadrature (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm,
                                   GError **error);
gboolean armilla_analysis_begin (ArmillaTransform *t, ArmillaGraph *graph, ArmillaJob *const *jobs,
                                 int n, const ArmillaTile **in, const ArmillaTile **out,
                                 GError **error);
gboolean armilla_analysis_thin (ArmillaTransform *t, GError **error);
/* @x, @alm: [realisation] tiles */
gboolean armilla_normal_pass (ArmillaTransform *t, const ArmillaTile *const *x,
                              const ArmillaTile *const *alm, GError **error);
/* Submits out <- A'W A x on the a_lm of one realisation. */
typedef gboolean (*ArmillaNormal) (gpointer user, const ArmillaTile *x, const ArmillaTile *out,
                                   GError **error);

/* Equations for conjugate gradients, and when to stop. */
typedef struct {
  ArmillaNormal normal;       /* the matrix, symmetric and positive */
  /* (nullable): an approximation of its inverse, which may differ from one iteration to the next */
  ArmillaNormal precondition;
  gpointer user;              /* argument of both */
  double tolerance;           /* relative residual; 0: max_iterations without looking at it */
  int max_iterations;
  const char *advice;         /* to the user if it does not converge */
} ArmillaEquations;

gboolean armilla_conjugate_gradients (ArmillaTransform *t, const ArmillaTile *x,
                                      const ArmillaEquations *equations, GError **error);
gboolean armilla_alm_tiles_resize (ArmillaGraph *graph, const ArmillaOrderBlocks *from,
                                   const ArmillaTile *in, const ArmillaOrderBlocks *to,
                                   const ArmillaTile *out, int n_fields, GError **error);
gboolean armilla_alm_combine (ArmillaTransform *t, const ArmillaTile *x, double beta,
                              const ArmillaTile *y, GError **error);
ArmillaTile *armilla_alm_tiles_like (ArmillaTransform *t, GError **error);
void armilla_alm_tiles_free (ArmillaTransform *t, ArmillaTile *tiles);

G_END_DECLS
