/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points sorted into the bands of a grid, as tiles. */
#pragma once

#include <armilla/arrays.h>
#include <armilla/catalogue.h>

#include "codelets/points/points-codelets.h"
#include "codelets/points/points-sort.h"
#include "tasks/graph/graph-private.h"
#include "tasks/graph/jobs.h"

G_BEGIN_DECLS

/* Properties of a job on points, stored as its argument; they determine how long sorted points are
 * kept. */
typedef struct {
  ArmillaAlmLayout layout;
  double epsilon;
  int input;          /* input that is the points, unless there are angles */
  /* points, which outlive the graph; sorted, they remain until it is freed. NULL: of a catalogue */
  const ArmillaPositions *angles;
  double tolerance;   /* relative residual of least squares; 0: the job solves none */
  int max_iterations; /* maximum number of its iterations */
} ArmillaPointsNeed;

typedef struct {
  ArmillaCatalogue *catalogue; /* objects with these positions; NULL: angles */
  ArmillaPointsNeed need;
  gint64 n;                    /* number of points */
  const double *x, *y, *z;     /* unit vectors; or angles, z is NULL */
  ArmillaGrid *grid;         /* the oversampled grid */
  ArmillaRingBlocks *rings;  /* its ring blocks, which are the bands */
  ArmillaPointsKernel kernel;
  ArmillaPointsGrid shape;   /* the same grid in the form that kernels use */
  gint64 *first_pair;        /* (array): first pair of each band */
  int *first_tile, *last_tile; /* (array): tiles that the supports of a band's points need; without
                                * points the last one is before the first */
  ArmillaPointsSort *sort;   /* without scratch memory: numbers of points and cells of the bands */
  gint64 *order;             /* (array): number in the catalogue of each sorted point */
  ArmillaTile *places;       /* [band]: places of the points; no handle if the band has none */
  ArmillaTile *start;        /* [band]: first point of each cell */
} ArmillaSortedPoints;

/* Adds a job on points. */
void armilla_graph_defer_points (ArmillaGraph *graph, ArmillaJob *job,
                                 const ArmillaPointsNeed *need);

/* Sets the rings and the pixels per ring of the grid from which values are interpolated. */
void armilla_points_grid_size (ArmillaAlmLayout layout, double epsilon, gint64 *n_rings,
                               gint64 *n_columns);

/* Returns the objects of a catalogue, or the angles of @need, sorted into the bands of the grid for
 * a_lm of the layout. Jobs of a graph on the same positions share them; they remain until no later
 * job may need them. */
const ArmillaSortedPoints *armilla_sorted_points_get (ArmillaGraph *graph,
                                                      const ArmillaPointsNeed *need,
                                                      ArmillaCatalogue *catalogue, GError **error);

/* Frees the points that no later job needs, once the tasks submitted so far are done. */
void armilla_sorted_points_trim (ArmillaGraph *graph);

gint64 armilla_sorted_points_count (const ArmillaSortedPoints *self, int band);
/* Number of the first sorted point of a band. */
gint64 armilla_sorted_points_first (const ArmillaSortedPoints *self, int band);

/* Returns the shape of a band for kernels; the caller sets spin and fields. */
ArmillaPointsShape armilla_sorted_points_shape (const ArmillaSortedPoints *self,
                                                const ArmillaGraph *graph, int band);
/* Adds the handles of the tiles that a band reads; or, with @of_bands, of the spread values of the
 * bands that add to a tile. @all: [band]. Returns their number. */
int armilla_sorted_points_uses (const ArmillaSortedPoints *self, int band, gboolean of_bands,
                                const ArmillaTile *all, ArmillaPointsTiles *tiles,
                                ArmillaUse *uses);

G_END_DECLS
