/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph-private.h"

G_BEGIN_DECLS

/* The tiles of a map in @graph, one a ring block; registered at the first call. NULL on error. */
const ArmillaTile *armilla_map_tiles (ArmillaMap *self, ArmillaGraph *graph, GError **error);
/* The tiles of a_lm in @graph, one an m-block. */
const ArmillaTile *armilla_alm_tiles (ArmillaAlm *self, ArmillaGraph *graph, GError **error);
/* The one tile of spectra, owned by rank 0. */
const ArmillaTile *armilla_cl_tile (ArmillaCl *self, ArmillaGraph *graph, GError **error);

G_END_DECLS
