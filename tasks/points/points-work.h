/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks of transforms at points. */
#pragma once

#include "codelets/arrays/array-copy.h"
#include "tasks/data/data-private.h"
#include "tasks/harmonic/transform.h"
#include "tasks/points/sorted-points.h"

G_BEGIN_DECLS

/* Points, a transform, and the tiles of both. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaTransform transform;
  const ArmillaSortedPoints *points;
  int n_fields;
  gboolean begun;      /* whether the transform must be ended */
  ArmillaTile *values; /* [band]: values, [field][point]; no handle if the band has no points */
  ArmillaTile *pixels; /* [band]: tile of the grid, while it is needed */
  ArmillaTile *spread; /* [group of fields][band]: spread values, while they are needed */
  int *n_missing;      /* [band]: tiles of its supports that are not submitted */
  int *n_readers;      /* [band]: bands that need its tile and are not submitted */
} ArmillaPointsWork;

gboolean armilla_points_work_begin (ArmillaPointsWork *self, ArmillaGraph *graph,
                                    ArmillaTransforms which, ArmillaAlm *alm,
                                    const ArmillaJob *job, GError **error);
void armilla_points_work_end (ArmillaPointsWork *self);

gboolean armilla_points_synthesise (ArmillaPointsWork *self, const ArmillaTile *alm,
                                    GError **error);
gboolean armilla_points_adjoin (ArmillaPointsWork *self, const ArmillaTile *alm, GError **error);
gboolean armilla_points_take_values (ArmillaPointsWork *self, const ArmillaArrayRow *rows,
                                     GError **error);
gboolean armilla_points_give_values (ArmillaPointsWork *self, const ArmillaArrayRow *rows,
                                     GError **error);
void armilla_points_drop_values (ArmillaPointsWork *self);

G_END_DECLS
