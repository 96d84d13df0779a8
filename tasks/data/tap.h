/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where data enter and leave the graph: one step on the host a tile. */
#pragma once

#include "tasks/data/data-private.h"
#include "tasks/data/parts.h"
#include "tasks/graph/jobs.h"
#include "tasks/ranks/shared-output.h"

G_BEGIN_DECLS

/* What the steps of one source or sink share. */
typedef struct {
  ArmillaLabel *label;          /* of the source or sink, whichever job submits its steps */
  gint refs;                    /* who holds it */
  gint left; /* steps not done yet; of a sink in parts, those of this rank, its end included */
  gboolean in_parts; /* whether it is a sink whose tiles stay on the ranks that own them */
  int submitted;                /* its steps that are submitted, on any rank */
  double bytes;                 /* of the tiles of this rank's steps */
  GArray *planned;              /* in a forecast, its steps; may be NULL */
  ArmillaCut cut;               /* how its data are cut */
  ArmillaHostPiece on_piece;    /* what its steps call, one of two; may be NULL */
  ArmillaHostAlmAll on_alm_all; /* see on_piece; may be NULL */
  ArmillaHostDone done;         /* called after the last step; may be NULL */
  /* what this rank has of a sink in parts; a forecast has none; may be NULL */
  ArmillaOutputPart *part;
  gpointer user;                /* for these calls */
  GDestroyNotify destroy;       /* frees user; may be NULL */
  int rank;                     /* this rank */
} ArmillaTap;

typedef struct {
  ArmillaTap *tap; /* (owned): what the step belongs to */
  int block;       /* number of its block; or how many blocks it has */
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
