/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codelets that copy between tiles and arrays of other programs. The caller chooses the worker: a
 * task must run where the memory of the array can be accessed. */
#pragma once

#include <armilla/codelet.h>

#include "codelets/arrays/array-copy.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault; /* error latch of this rank */
  /* (array length=n_rows): rows of the array, one per field; must outlive the task */
  const ArmillaArrayRow *rows;
  gint64 n_rows;       /* number of fields */
  gint64 first;        /* index of the tile's first value in its row; unused for tiles of rings */
  gint64 n;            /* number of values of each field in the tile */
  gint64 n_slots;      /* number of rings of a tile of rings */
  /* whether pixels are multiplied by their quadrature weight when they are written */
  gboolean weighted;
} ArmillaArrayArgs;

/* Buffers: 0 W tile [row][number]. */
extern ArmillaCodelet armilla_array_read_cl;
/* Buffers: 0 R tile. */
extern ArmillaCodelet armilla_array_write_cl;
/* Buffers: 0 W tile [row][pixel], 1 R ring slots, 2 R first pixels (int64). */
extern ArmillaCodelet armilla_array_read_rings_cl;
/* Buffers: 0 R tile, 1 R ring slots, 2 R first pixels. */
extern ArmillaCodelet armilla_array_write_rings_cl;

G_END_DECLS
