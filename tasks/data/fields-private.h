/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals of maps, a_lm and spectra. The types (map.c and others) call sources and sinks (tap.c),
 * which save and load data; sources and sinks call the functions of tiles (map-tiles.c and others).
 * The latter must not call the types, and so cast without GObject's check of the type. */
#pragma once

#include "tasks/data/data-private.h"
#include "tasks/ranks/balance.h"

G_BEGIN_DECLS

/* Functions to call for each tile of a map: those of a sink or of the source. */
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
  int n_tiles, n_come;  /* number of tiles, and number of those whose writing was submitted */
  GArray *sinks;        /* ArmillaMapEnd */
  ArmillaMapEnd source; /* take is NULL if tiles cannot be computed again */
  gboolean *filled;     /* [tile]: whether the source has been submitted for it */
  double *const *in_place; /* see armilla_map_set_in_place(); or NULL */
};

struct _ArmillaAlm {
  ArmillaData parent_instance;
  ArmillaAlmLayout layout;
  ArmillaFields fields;
  ArmillaTile *tiles;
  ArmillaMover *mover;
  int n_tiles;
  double *in_place; /* address of the a_lm, see armilla_alm_set_in_place(); or NULL */
  int node;
};

struct _ArmillaCl {
  ArmillaData parent_instance;
  gint64 lmax;
  ArmillaFields fields;
  ArmillaTile tile;
  ArmillaTile derived; /* see armilla_cl_derived_tile () */
  GBytes *derived_by;  /* how it is derived */
};

/* The @drop of these classes, and their tables of functions. */
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
gboolean armilla_map_begin (ArmillaData *data, ArmillaGraph *graph, int tile, GError **error);
gboolean armilla_map_end (ArmillaData *data, ArmillaGraph *graph, int tile, GError **error);
gboolean armilla_map_pass (ArmillaData *data, ArmillaGraph *graph, int tile, GError **error);
gboolean armilla_map_listen (ArmillaData *data, ArmillaTileCall take, gpointer user,
                             GDestroyNotify destroy);
gboolean armilla_map_renew (ArmillaData *data, ArmillaTileCall fill, gpointer user,
                            GDestroyNotify destroy);

G_END_DECLS
