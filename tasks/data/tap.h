/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where data enter and leave the graph: one step on the host a tile. */
#pragma once

#include "tasks/data/data-private.h"
#include "tasks/data/parts.h"
#include "tasks/graph/jobs.h"
#include "tasks/ranks/shared-output.h"

G_BEGIN_DECLS

/**
 * ArmillaTap:
 * @label: of the source or sink, whoever submits its steps
 * @refs: who holds it
 * @left: steps not done yet; of a sink in parts, those of this rank, its end included
 * @in_parts: whether it is a sink whose tiles stay on the ranks that own them
 * @submitted: its steps that are submitted, on any rank
 * @bytes: of the tiles of this rank's steps
 * @planned: (nullable) (element-type ArmillaForecastStep): in a forecast, its steps
 * @rings: (nullable): ring blocks of a map
 * @orders: (nullable): m-blocks of a_lm
 * @n_fields: number of fields
 * @on_map: (nullable): what its steps call, one of four
 * @on_alm: (nullable): see @on_map
 * @on_alm_all: (nullable): see @on_map
 * @on_cl: (nullable): see @on_map
 * @done: (nullable): called after the last step
 * @part: (nullable): what this rank has of a sink in parts; a forecast has none
 * @user: for these calls
 * @destroy: (nullable): frees @user
 * @rank: this rank
 *
 * What the steps of one source or sink share.
 */
typedef struct {
  ArmillaLabel *label;
  gint refs;
  gint left;
  gboolean in_parts;
  int submitted;
  double bytes;
  GArray *planned;
  ArmillaRingBlocks *rings;
  ArmillaOrderBlocks *orders;
  int n_fields;
  ArmillaHostMap on_map;
  ArmillaHostAlm on_alm;
  ArmillaHostAlmAll on_alm_all;
  ArmillaHostCl on_cl;
  ArmillaHostDone done;
  ArmillaOutputPart *part;
  gpointer user;
  GDestroyNotify destroy;
  int rank;
} ArmillaTap;

/**
 * ArmillaTapStep:
 * @tap: (owned): what the step belongs to
 * @block: number of its block; or how many blocks it has
 * @blocks: (nullable) (owned): their numbers
 */
typedef struct {
  ArmillaTap *tap;
  int block;
  int *blocks;
} ArmillaTapStep;

ArmillaTap *armilla_tap_new (ArmillaGraph *graph, int n_steps, int n_fields, ArmillaHostDone done,
                             gpointer user, GDestroyNotify destroy);
ArmillaTap *armilla_tap_new_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap on_map,
                                 ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                                 GError **error);
ArmillaTap *armilla_tap_new_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostDone done,
                                 gpointer user, GDestroyNotify destroy, GError **error);
void armilla_tap_free (gpointer tap);
ArmillaTapStep *armilla_tap_step_new (ArmillaTap *tap, int block);
gboolean armilla_tap_add (ArmillaGraph *graph, int rank, const ArmillaTile *tiles, int n_tiles,
                          enum starpu_data_access_mode mode, ArmillaHostStep run,
                          ArmillaTapStep *step, GError **error);
gboolean armilla_tap_step_done (ArmillaTap *tap, GError **error);
void armilla_tap_defer (ArmillaGraph *graph,
                        gboolean (*run) (ArmillaGraph *, ArmillaJob *, GError **), gpointer in,
                        gpointer out, ArmillaTap *tap);

/* #ArmillaHostStep */
gboolean armilla_tap_run_map (gpointer step, double *const *buffers, GError **error);
gboolean armilla_tap_run_alm (gpointer step, double *const *buffers, GError **error);
gboolean armilla_tap_run_cl (gpointer step, double *const *buffers, GError **error);

G_END_DECLS
