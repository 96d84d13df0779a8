/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/graph.h>

#include "tasks/arrays/session.h"

G_BEGIN_DECLS

/* The graphs of a plan. */
typedef enum {
  ARMILLA_PLAN_HOST,  /* for arrays in the memory of the host */
  /* for arrays in the memory of a GPU: its ring blocks are larger, unless there are several
   * ranks, which need some each, or memory is bounded */
  ARMILLA_PLAN_GPU,
  /* for arrays of the host and calls that sum over all orders, whose rounding depends on the
   * blocks of orders: these do not depend on the number of workers */
  ARMILLA_PLAN_SUMS,
  ARMILLA_PLAN_GRAPHS /* number of graphs */
} ArmillaPlanGraph;

struct ArmillaPlan {
  ArmillaSession *session; /* (owned): whose workers compute */
  ArmillaGrid *grid;       /* rings of the map */
  ArmillaAlmLayout layout; /* of the a_lm */
  int n_fields;            /* fields of all copies */
  int n_components;        /* components of a copy */
  int n_copies;            /* copies */
  int *spins;              /* (array length=n_fields): their spins, equal ones side by side */
  int *copy;               /* (array length=n_fields): which copy each belongs to */
  int *component;          /* (array length=n_fields): which component of it each is */
  /* what keeps tables and plans of FFTs for each ArmillaPlanGraph; NULL before the first call,
   * after one that failed, and after the session stopped */
  ArmillaGraph *graphs[ARMILLA_PLAN_GRAPHS];
};

ArmillaGrid *armilla_plan_shape_grid (const ArmillaPlanShape *shape, GError **error);
char *armilla_plan_describe_call (const ArmillaPlan *plan, const char *format, ...)
  G_GNUC_PRINTF (2, 3);

ArmillaGraph *armilla_plan_graph (ArmillaPlan *plan, ArmillaPlanGraph which, GError **error);
void armilla_plan_forget_graph (ArmillaPlan *plan, const ArmillaGraph *graph);
void armilla_plan_forget_graphs (ArmillaPlan *plan);

G_END_DECLS
