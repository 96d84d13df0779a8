/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/graph.h>

#include "tasks/arrays/session.h"

G_BEGIN_DECLS

/* The graphs of a plan. */
typedef enum {
  ARMILLA_KEPT_HOST,  /* for arrays in the memory of the host */
  /* for arrays in the memory of a GPU: its ring blocks are larger, unless there are several
   * ranks, which need some each, or memory is bounded */
  ARMILLA_KEPT_GPU,
  /* for arrays of the host and calls that sum over all orders, whose rounding depends on the
   * blocks of orders: these do not depend on the number of workers */
  ARMILLA_KEPT_SUMS,
  ARMILLA_KEPT_GRAPHS /* number of graphs */
} ArmillaKeptGraph;

/* What plans of one shape share. */
typedef struct {
  ArmillaSession *session; /* (transfer none): where it is kept */
  int users;               /* plans that share it */
  ArmillaGrid *grid;       /* rings of the map */
  ArmillaAlmLayout layout; /* of the a_lm */
  int n_fields;            /* fields of all copies */
  int n_components;        /* components of a copy */
  int n_copies;            /* copies */
  int *spins;              /* (array length=n_fields): their spins, equal ones side by side */
  int *copy;               /* (array length=n_fields): which copy each belongs to */
  int *component;          /* (array length=n_fields): which component of it each is */
  /* what keeps tables and plans of FFTs for each ArmillaKeptGraph; NULL before the first call,
   * after one that failed, and after the session stopped */
  ArmillaGraph *graphs[ARMILLA_KEPT_GRAPHS];
} ArmillaKept;

ArmillaKept *armilla_kept_find (ArmillaSession *session, ArmillaKept *wanted);
ArmillaGraph *armilla_kept_graph (ArmillaKept *kept, ArmillaKeptGraph which, GError **error);
void armilla_kept_forget_graph (ArmillaKept *kept, const ArmillaGraph *graph);
void armilla_kept_leave (ArmillaKept *kept);
void armilla_kept_forget_graphs (ArmillaSession *session);
void armilla_kept_free_all (ArmillaSession *session);

G_END_DECLS
