/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/data/data-private.h"
#include "tasks/data/shapes.h"
#include "tasks/graph/jobs.h"
#include "tasks/harmonic/transform.h"

G_BEGIN_DECLS

gboolean armilla_check_fields (int a, int b, GError **error);
gboolean armilla_check_transform (ArmillaAlm *alm, ArmillaMap *map, GError **error);

gboolean armilla_graph_defer_analysis (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm,
                                       ArmillaJob *job, GError **error);
gboolean armilla_analysis_begin (ArmillaTransform *t, ArmillaGraph *graph, ArmillaJob *job,
                                 const ArmillaTile **in, const ArmillaTile **out, GError **error);
gboolean armilla_normal_pass (ArmillaTransform *t, const ArmillaTile *x, const ArmillaTile *map,
                              const ArmillaTile *alm, GError **error);
ArmillaTile *armilla_alm_tiles_like (ArmillaTransform *t, GError **error);
void armilla_alm_tiles_free (ArmillaTransform *t, ArmillaTile *tiles);

G_END_DECLS
