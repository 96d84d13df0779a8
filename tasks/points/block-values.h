/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers computed from the pixels around ring blocks of a map, on every rank while the graph is
 * submitted. */
#pragma once

#include "tasks/ranks/gather.h"

G_BEGIN_DECLS

/* maximum number of results that exist at a time; maximum of their doubles, unless one result has
 * more */
#define ARMILLA_PARTS_AHEAD 64
#define ARMILLA_PARTS_DOUBLES (G_GINT64_CONSTANT (1) << 25)

/* How to compute and take the numbers of the parts of a request. All functions but step and destroy
 * are called by the submitting thread, on every rank. */
typedef struct {
  int (*block) (gpointer user, int part);      /* ring block around which the part is */
  gint64 (*size) (gpointer user, int part);    /* number of doubles, at least 1 */
  gpointer (*begin) (gpointer user, int part); /* returns the user data of the step */
  ArmillaGatherStep step;
  GDestroyNotify destroy;                      /* frees the user data of a step */
  /* operations of a step that computes for long, in a CPU worker; NULL: it runs in an I/O thread */
  double (*flops) (gpointer user, int part);
  /* takes the numbers, part by part; not called in a forecast, in which nothing is computed */
  gboolean (*take) (gpointer user, int part, const double *values, GError **error);
} ArmillaBlockValues;

gboolean armilla_block_values (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                               const ArmillaTile *in, double reach, int n_parts,
                               const ArmillaBlockValues *how, gpointer user, GError **error);

G_END_DECLS
