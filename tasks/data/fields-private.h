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
  ArmillaTileCall take;
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

/* The @drop of their classes, and their verbs. */
void armilla_map_drop (ArmillaData *data);
void armilla_alm_drop (ArmillaData *data);
gboolean armilla_map_cut (ArmillaData *data, ArmillaGraph *graph, ArmillaCut *cut, GError **error);
gboolean armilla_alm_cut (ArmillaData *data, ArmillaGraph *graph, ArmillaCut *cut, GError **error);
gboolean armilla_map_pieces (const ArmillaCut *cut, int tile, double *values,
                             ArmillaHostPiece call, gpointer user, GError **error);
gboolean armilla_alm_pieces (const ArmillaCut *cut, int tile, double *values,
                             ArmillaHostPiece call, gpointer user, GError **error);
const ArmillaTile *armilla_map_verb_tiles (ArmillaData *data, ArmillaGraph *graph, GError **error);
const ArmillaTile *armilla_alm_verb_tiles (ArmillaData *data, ArmillaGraph *graph, GError **error);
gboolean armilla_map_verb_begin (ArmillaData *data, ArmillaGraph *graph, int tile, GError **error);
gboolean armilla_map_verb_end (ArmillaData *data, ArmillaGraph *graph, int tile, GError **error);
gboolean armilla_map_verb_comes (ArmillaData *data, ArmillaGraph *graph, int tile, GError **error);
gboolean armilla_map_listen (ArmillaData *data, ArmillaTileCall take, gpointer user,
                             GDestroyNotify destroy);
gboolean armilla_map_renew (ArmillaData *data, ArmillaTileCall fill, gpointer user,
                            GDestroyNotify destroy);

G_END_DECLS
