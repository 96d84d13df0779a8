/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs of counting tasks: catalogues sorted into cells. */
#pragma once

#include "codelets/correlation/cells.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/histogram-private.h"
#include "tasks/graph/jobs.h"

#include <armilla/catalogue.h>

G_BEGIN_DECLS

/* Cells whose arrays tasks can read. */
typedef struct {
  ArmillaCatalogue *catalogue;
  gboolean patches;            /* whether each cell has objects of one patch only */
  gboolean in_space; /* whether the positions are anywhere in space, not unit vectors */
  ArmillaCells *cells;         /* cells, whose arrays are the memory of the tiles */
  ArmillaTile points;          /* tile of the points, on every rank */
  ArmillaTile nodes;           /* tile of the nodes, on every rank */
} ArmillaSorted;

/* Argument of counting jobs. */
typedef struct {
  ArmillaCountOptions options;
  /* rows of the points, ARMILLA_ROWS_*, that the count needs of its first two inputs, which are
   * catalogues sorted into cells */
  int rows;
  gboolean patches;            /* whether objects of different patches must be in different cells */
  gboolean in_space;           /* whether positions may be anywhere in space */
} ArmillaCountArgs;

void armilla_graph_defer_count (ArmillaGraph *graph, ArmillaJob *job,
                                const ArmillaCountArgs *args);
const ArmillaCountArgs *armilla_job_count_args (const ArmillaJob *job);

ArmillaSorted *armilla_sorted_get (ArmillaGraph *graph, ArmillaCatalogue *catalogue,
                                   const ArmillaCountArgs *args, GError **error);
void armilla_sorted_release (ArmillaSorted *sorted);
void armilla_graph_trim_cells (ArmillaGraph *graph);

G_END_DECLS
