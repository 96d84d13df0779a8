/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms and operations on a_lm in addition to armilla/harmonic.h. Every rank calls them in
 * `build` in the same order; they request work, which is computed after the function returns. */
#pragma once

#include <armilla/alm.h>
#include <armilla/arrays.h>
#include <armilla/data.h>

#include "core/base/random-alm.h"

G_BEGIN_DECLS

/* Methods to sum over multipoles. */
typedef enum {
  ARMILLA_LEGENDRE_AUTO,       /* by table if it exists and is faster, else by recurrence */
  ARMILLA_LEGENDRE_RECURRENCE, /* by recurrence */
  /* by table for the orders that it contains; the table is created if missing */
  ARMILLA_LEGENDRE_BUTTERFLY
} ArmillaLegendre;

typedef struct {
  ArmillaLegendre kind; /* method */
  const char *table;    /* path of a file of compressed Legendre matrices; may be NULL */
  double tolerance;     /* relative RMS error of a transform by the table */
  /* number of transforms within which compressing an order must save time; 0: compresses all orders
   * (auto: all that are faster) */
  gint64 transforms;
} ArmillaLegendreOptions;

/* Sets the method of the transforms that the current node of @graph requests from now on. */
void armilla_graph_set_legendre (ArmillaGraph *graph, const ArmillaLegendreOptions *options);
gboolean armilla_graph_precompute (ArmillaGraph *graph, ArmillaAlmLayout layout, ArmillaGrid *grid,
                                   int n_fields, GError **error);

/* Makes the graph produce tables only. */
void armilla_graph_set_precomputes (ArmillaGraph *graph);
gboolean armilla_graph_precomputes (ArmillaGraph *graph);

void armilla_graph_expect_transforms (ArmillaGraph *graph, ArmillaTransforms which);
gboolean armilla_graph_expect_skies (ArmillaGraph *graph, gint64 n);
void armilla_graph_expect_calls (ArmillaGraph *graph);

gboolean armilla_analysis_choose (ArmillaGrid *grid, ArmillaAlmLayout layout,
                                  ArmillaAnalysis *how, GError **error);
gboolean armilla_analysis_resamples (ArmillaGrid *grid, gint64 lmax);
gboolean armilla_graph_adjoint_analysis (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaMap *map,
                                         GError **error);
gboolean armilla_graph_analysis_cg (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm,
                                    double tolerance, int max_iterations, GError **error);
gboolean armilla_graph_normal_cg (ArmillaGraph *graph, ArmillaAlm *b, ArmillaGrid *grid,
                                  ArmillaAlm *x, double tolerance, int max_iterations,
                                  GError **error);
/* maximum number of levels of armilla_graph_prior_cg() */
#define ARMILLA_PRIOR_LEVELS 4
gboolean armilla_graph_prior_cg (ArmillaGraph *graph, ArmillaAlm *b, ArmillaCl *f, ArmillaCl *g,
                                 ArmillaMap *const *weights, int n_levels, double tolerance,
                                 int max_iterations, ArmillaAlm *x, GError **error);
int armilla_graph_iterations (ArmillaGraph *graph, double *residual);
gboolean armilla_graph_derive_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaCl *windows,
                                   ArmillaAlm *out, GError **error);
gboolean armilla_graph_resize_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaAlm *out,
                                   GError **error);
gboolean armilla_graph_random_alm (ArmillaGraph *graph, ArmillaCl *cl,
                                   const ArmillaRandomFields *fields, guint64 seed,
                                   guint64 realisation, ArmillaAlm *alm, GError **error);
gboolean armilla_graph_combine (ArmillaGraph *graph, ArmillaData *const *inputs,
                                const double *factors, int n, ArmillaData *out, GError **error);
gboolean armilla_graph_select_fields (ArmillaGraph *graph, ArmillaData *in, const int *fields,
                                      ArmillaData *out, GError **error);
gboolean armilla_graph_rotate_alm (ArmillaGraph *graph, ArmillaAlm *alm, double psi, double theta,
                                   double phi, ArmillaAlm *out, GError **error);

G_END_DECLS
