/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources and sinks of the graph: one step on the host per tile. */
#pragma once

#include "tasks/data/data-private.h"
#include "tasks/data/parts.h"
#include "tasks/graph/jobs.h"
#include "tasks/ranks/shared-output.h"

G_BEGIN_DECLS

/* Data shared by the steps of one source or sink. */
typedef struct {
  ArmillaLabel *label;          /* of the source or sink, whichever job submits its steps */
  gint refs;                    /* reference count */
  gint left; /* steps not done yet; for a sink in parts, those of this rank, including its end */
  gboolean in_parts; /* whether it is a sink whose tiles stay on the ranks that own them */
  int submitted;                /* number of its submitted steps, on any rank */
  double bytes;                 /* of the tiles of this rank's steps */
  GArray *planned;              /* in a forecast, its steps; may be NULL */
  ArmillaCut cut;               /* how its data are cut */
  ArmillaHostPiece on_piece;    /* what its steps call, one of two; may be NULL */
  ArmillaHostAlmAll on_alm_all; /* see on_piece; may be NULL */
  ArmillaHostDone done;         /* called after the last step; may be NULL */
  /* this rank's part of a sink in parts; NULL otherwise, and in a forecast */
  ArmillaOutputPart *part;
  gpointer user;                /* argument of these callbacks */
  GDestroyNotify destroy;       /* frees user; may be NULL */
  int rank;                     /* this rank */
} ArmillaTap;

typedef struct {
  ArmillaTap *tap; /* (owned): source or sink of the step */
  int block;       /* number of its block, or the number of its blocks */
  int *blocks;     /* (owned): their numbers; may be NULL */
} ArmillaTapStep;

ArmillaTap *armilla_tap_new (ArmillaGraph *graph, ArmillaData *data, gboolean fills,
                             ArmillaHostPiece on_piece, ArmillaHostDone done, gpointer user,
                             GDestroyNotify destroy, GError **error);
void armilla_tap_free (gpointer tap);
ArmillaTapStep *armilla_tap_step_new (ArmillaTap *tap, int block);
gboolean armilla_tap_add (ArmillaGraph *graph, int rank, const ArmillaTile *tiles, int n_tiles,
                          enum starpu_data_access_mode mode, ArmillaHostStep run,
                          ArmillaTapStep *step, GError **error);
gboolean armilla_tap_step_done (ArmillaTap *tap, GError **error);
void armilla_tap_defer (ArmillaGraph *graph,
                        gboolean (*run) (ArmillaGraph *, ArmillaJob *, GError **),
                        ArmillaData *in, ArmillaData *out, ArmillaTap *tap);

gboolean armilla_tap_run (gpointer step, double *const *buffers, GError **error);

G_END_DECLS
