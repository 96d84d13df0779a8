/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points sorted into the bands of a grid, as tiles. */
#pragma once

#include <armilla/catalogue.h>

#include "codelets/points/points-codelets.h"
#include "codelets/points/points-sort.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaGrid *grid;         /* the oversampled grid */
  ArmillaRingBlocks *rings;  /* its ring blocks, which are the bands */
  ArmillaPointsKernel kernel;
  ArmillaPointsGrid shape;   /* the grid as the kernels see it */
  gint64 *first_pair;        /* (array): first pair of each band */
  ArmillaPointsSort *sort;
  gint64 *order;             /* (array): number in the catalogue of each sorted point */
  ArmillaTile *places;       /* [band]: places of the points; no handle if the band has none */
  ArmillaTile *start;        /* [band]: first point of each cell */
} ArmillaSortedPoints;

ArmillaGrid *armilla_points_grid (ArmillaAlmLayout layout, GError **error);
gboolean armilla_sorted_points_init (ArmillaSortedPoints *self, ArmillaGraph *graph,
                                     ArmillaAlmLayout layout, int n_fields, double epsilon,
                                     const ArmillaCatalogue *catalogue, GError **error);
/* Frees the data once the tasks submitted so far are done with the tiles. */
void armilla_sorted_points_clear (ArmillaSortedPoints *self);

gint64 armilla_sorted_points_count (const ArmillaSortedPoints *self, int band);
/* Number of the first sorted point of a band. */
gint64 armilla_sorted_points_first (const ArmillaSortedPoints *self, int band);

/* The band, without spin and fields. */
ArmillaPointsShape armilla_sorted_points_shape (const ArmillaSortedPoints *self,
                                                const ArmillaGraph *graph, int band);
/* Adds the handles of the tiles that a band with points reads; or, with @of_bands, of the spread
 * values of the bands with points that add to a tile. @all: [band]. Returns their number. */
int armilla_sorted_points_uses (const ArmillaSortedPoints *self, int band, gboolean of_bands,
                                const ArmillaTile *all, ArmillaPointsTiles *tiles,
                                ArmillaUse *uses);

G_END_DECLS
