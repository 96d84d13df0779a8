/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/graph.h>

#include "tasks/arrays/session.h"

G_BEGIN_DECLS

/* Graphs of a plan. */
typedef enum {
  ARMILLA_PLAN_HOST,  /* for arrays in host memory */
  /* for arrays on a GPU: larger ring blocks, unless several ranks share them or memory is
   * bounded */
  ARMILLA_PLAN_GPU,
  /* for host arrays in calls that sum over all orders: rounding depends on the m-blocks, which must
   * not depend on the number of workers */
  ARMILLA_PLAN_SUMS,
  ARMILLA_PLAN_GRAPHS
} ArmillaPlanGraph;

struct ArmillaPlan {
  ArmillaSession *session; /* (owned): session whose workers compute */
  ArmillaGrid *grid;       /* rings of the map; NULL: points */
  ArmillaPositions *points; /* (owned), with its arrays; NULL: rings */
  int n_iterations;        /* of the last conjugate gradients */
  double residual;         /* their relative residual */
  ArmillaAlmLayout layout;
  int n_fields;            /* fields of all copies */
  int n_components;        /* components of a copy */
  int n_copies;            /* copies */
  int *spins; /* (array length=n_fields): spin of each field; fields of equal spin are adjacent */
  int *copy;               /* (array length=n_fields): copy of each field */
  int *component;          /* (array length=n_fields): component of each field within its copy */
  /* graph with tables and FFT plans for each ArmillaPlanGraph; NULL before the first call, after a
   * failed one, and after the session stopped */
  ArmillaGraph *graphs[ARMILLA_PLAN_GRAPHS];
};

ArmillaGrid *armilla_plan_shape_grid (const ArmillaPlanShape *shape, GError **error);
char *armilla_plan_describe_call (const ArmillaPlan *plan, const char *format, ...)
  G_GNUC_PRINTF (2, 3);

ArmillaGraph *armilla_plan_graph (ArmillaPlan *plan, ArmillaPlanGraph which, GError **error);
void armilla_plan_forget_graph (ArmillaPlan *plan, const ArmillaGraph *graph);
void armilla_plan_forget_graphs (ArmillaPlan *plan);

G_END_DECLS
