/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps on the host whose output pixels need input pixels of other ring blocks or another grid. */
#pragma once

#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

typedef struct {
  const ArmillaGrid *grid; /* grid of the input pixels */
  /* [ring of grid]: first pixel of the ring in field 0; NULL for rings out of reach */
  const double **rings;
  gint64 *strides;         /* [ring of grid]: number of doubles from one field to the next */
} ArmillaGathered;

/* Writes the output of a ring block, such as its pixels, [field][pixel], from the input. */
typedef void (*ArmillaGatherStep) (gpointer user, const ArmillaGathered *in,
                                   const ArmillaRingBlock *block, double *out);

gboolean armilla_gather (ArmillaGraph *graph, ArmillaRingBlocks *from, const ArmillaTile *in,
                         const ArmillaRingBlock *block, const ArmillaTile *out, double reach,
                         ArmillaGatherStep step, gpointer user, GDestroyNotify destroy,
                         GError **error);

/* Like armilla_gather(), in a CPU worker instead of an I/O thread, for steps that compute for long.
 * @flops: operations of the step */
gboolean armilla_gather_task (ArmillaGraph *graph, ArmillaRingBlocks *from, const ArmillaTile *in,
                              const ArmillaRingBlock *block, const ArmillaTile *out, double reach,
                              ArmillaGatherStep step, gpointer user, GDestroyNotify destroy,
                              double flops, GError **error);

G_END_DECLS
