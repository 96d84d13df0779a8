/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources and sinks of the graph ("taps"): one step on the host per tile. armilla_graph_fill()
 * (sources.c) and armilla_graph_drain() (sinks.c) make a tap and defer a job; the job calls
 * armilla_tap_add() for each tile, which submits a host step (tasks/graph/host-step.c) that runs in
 * an I/O thread of the tile's rank; that step, armilla_tap_run(), calls @on_piece of the stage for
 * each contiguous piece of the tile. The pieces of maps are enumerated by map-tiles.c, those of
 * a_lm by alm-tiles.c. */
#pragma once

#include "tasks/data/data-private.h"
#include "tasks/data/parts.h"
#include "tasks/graph/jobs.h"
#include "tasks/ranks/shared-output.h"

G_BEGIN_DECLS

/* Data shared by the steps of one source or sink. */
typedef struct {
  ArmillaLabel *label;          /* label of the request, which may differ from that of the job that
                                 * submits its steps */
  gint refs;                    /* reference count */
  gint left; /* number of steps not completed; for a sink in parts those of this rank, plus one for
              * its end */
  gboolean in_parts; /* whether it is a sink whose tiles stay on the ranks that own them */
  int submitted;                /* number of its submitted steps, on any rank */
  double bytes;                 /* size of the tiles of this rank's steps */
  GArray *planned;              /* steps in a forecast, which runs none; NULL in a run */
  ArmillaCut cut;               /* division of its data into tiles */
  ArmillaHostPiece on_piece;    /* called by its steps for each piece; NULL if on_alm_all is set */
  ArmillaHostAlmAll on_alm_all; /* called once with all m-blocks; NULL if on_piece is set */
  ArmillaHostDone done;         /* called after the last step; may be NULL */
  /* this rank's part of a sink in parts; NULL otherwise, and in a forecast */
  ArmillaOutputPart *part;
  gpointer user;                /* argument of these callbacks */
  GDestroyNotify destroy;       /* frees user; may be NULL */
  int rank;                     /* this rank */
} ArmillaTap;

typedef struct {
  ArmillaTap *tap; /* (owned): source or sink of the step */
  int block;       /* number of the block; number of blocks if @blocks is set */
  int *blocks;     /* (owned): numbers of several blocks; may be NULL */
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
