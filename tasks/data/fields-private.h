/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What maps, a_lm and spectra are made of. Their types (map.c) stand above sources and sinks, by
 * which they are saved and loaded; their tiles (map-tiles.c) below them, where no cast can ask the
 * type whether it is right. */
#pragma once

#include "tasks/data/data-private.h"
#include "tasks/ranks/balance.h"

G_BEGIN_DECLS

/* Who takes tiles of a map, or makes them. */
typedef struct {
  ArmillaMapSink take;
  gpointer user;
  GDestroyNotify destroy;
} ArmillaMapEnd;

struct _ArmillaMap {
  ArmillaData parent_instance;
  ArmillaMapHeader header;
  ArmillaTile *tiles;
  ArmillaMover *mover;
  int n_tiles, n_come;  /* tiles, and those whose writing is submitted */
  GArray *sinks;        /* ArmillaMapEnd */
  ArmillaMapEnd source; /* take is NULL where tiles cannot be made again */
  gboolean *filled;     /* of tiles with a source */
  double *const *in_place; /* see armilla_map_set_in_place(); or NULL */
};

struct _ArmillaAlm {
  ArmillaData parent_instance;
  ArmillaAlmLayout layout;
  ArmillaFields fields;
  ArmillaTile *tiles;
  ArmillaMover *mover;
  int n_tiles;
  double *in_place; /* see armilla_alm_set_in_place(); or NULL */
  int node;
};

struct _ArmillaCl {
  ArmillaData parent_instance;
  gint64 lmax;
  ArmillaFields fields;
  ArmillaTile tile;
};

/* The @drop of their classes. */
void armilla_map_drop (ArmillaData *data);
void armilla_alm_drop (ArmillaData *data);

G_END_DECLS
