/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/data/data.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* What tasks on some data need at once: each class of data adds to it. */
typedef struct {
  ArmillaGraph *graph; /* the graph */
  gint64 pixels;       /* of the largest ring blocks of all maps, with their fields */
  gint64 rings;        /* of the grid that has most */
  gint64 largest;      /* doubles of the largest tile */
  gint64 task; /* doubles of the tiles that a task has of data that are neither maps nor a_lm */
  gint64 alm;          /* doubles of the largest m-blocks of all a_lm */
  gint64 block_pairs;  /* of the largest ring block */
  gint64 pairs;        /* of the largest ring block, times fields */
  gint64 orders;       /* of the a_lm with the most orders */
  gint64 block_orders; /* likewise, in an m-block */
  int map_fields;      /* fields of the map that was added last */
  int alm_fields;      /* fields of the a_lm that were added last */
} ArmillaNeed;

/* A function that submits tasks or steps on one tile of data. */
typedef gboolean (*ArmillaTileCall) (ArmillaGraph *graph, gpointer user, int number,
                                     const ArmillaTile *tile, GError **error);

/* How data are cut into tiles. I/O threads know no more of them: they never hold data. */
typedef struct {
  const ArmillaDataVerbs *verbs; /* NULL: no data */
  int n_tiles, n_fields;
  ArmillaRingBlocks *rings;      /* of maps; may be NULL */
  ArmillaOrderBlocks *orders;    /* of a_lm; may be NULL */
  gint64 n_numbers;              /* of maps and a_lm: doubles of a field */
  gint64 n_rows, n_columns;      /* of matrices; of one tile, its numbers in @n_rows */
  gpointer host;                 /* what data keep outside of tiles; may be NULL */
  GDestroyNotify release;        /* gives host back; may be NULL */
  gboolean writes;               /* whether the pieces are to be filled */
} ArmillaCut;

/* What the graph has to know of a class of data. */
struct _ArmillaDataVerbs {
  gboolean is_complex;                                 /* whether the numbers are complex */
  /* whether they are values of pixels: perhaps UNSEEN, and each field has a unit of its own */
  gboolean has_pixels;
  gboolean is_whole;                                   /* whether the data are one piece */
  gboolean is_everywhere; /* whether every rank has all of it, made while the graph is submitted */
  void (*need) (ArmillaData *self, ArmillaNeed *need); /* adds what tasks need */
  /* says how the data are cut; may be NULL */
  gboolean (*cut) (ArmillaData *self, ArmillaGraph *graph, ArmillaCut *cut, GError **error);
  /* calls a function for each piece of a tile; may be NULL */
  gboolean (*pieces) (const ArmillaCut *cut, int tile, double *values, ArmillaHostPiece call,
                      gpointer user, GError **error);
  /* the tiles, registered at the first call. Those of a map with a source are filled by begin only;
   * may be NULL */
  const ArmillaTile *(*tiles) (ArmillaData *self, ArmillaGraph *graph, GError **error);
  /* submits the source of a tile, unless it has been submitted; may be NULL */
  gboolean (*begin) (ArmillaData *self, ArmillaGraph *graph, int tile, GError **error);
  /* gives a tile back that can be made again; may be NULL */
  gboolean (*end) (ArmillaData *self, ArmillaGraph *graph, int tile, GError **error);
  /* lets sinks take a tile whose writing is submitted; may be NULL */
  gboolean (*comes) (ArmillaData *self, ArmillaGraph *graph, int tile, GError **error);
  /* adds a sink; FALSE if the data are being written already; may be NULL */
  gboolean (*listen) (ArmillaData *self, ArmillaTileCall take, gpointer user,
                      GDestroyNotify destroy);
  /* sets a source that may be asked for a tile several times; FALSE if tiles have to be filled now,
   * for sinks; may be NULL */
  gboolean (*renew) (ArmillaData *self, ArmillaTileCall fill, gpointer user,
                     GDestroyNotify destroy);
  /* whether data of this class have the same tiles, whatever their fields; the error names them.
   * NULL where tiles of several data have nothing in common */
  gboolean (*same_shape) (ArmillaData *a, const char *name_a, ArmillaData *b, const char *name_b,
                          GError **error);
  /* a table with the columns of the data, (transfer full); NULL where they have none before they
   * are made */
  ArmillaTable *(*new_table) (ArmillaData *self);
};

const ArmillaDataVerbs *armilla_data_verbs (ArmillaData *self);
gboolean armilla_data_cut (ArmillaData *self, ArmillaGraph *graph, ArmillaCut *cut,
                           GError **error);
void armilla_cut_clear (ArmillaCut *cut);
const ArmillaTile *armilla_data_tiles (ArmillaData *self, ArmillaGraph *graph, GError **error);
gboolean armilla_data_tile_begin (ArmillaData *self, ArmillaGraph *graph, int tile,
                                  GError **error);
gboolean armilla_data_tile_end (ArmillaData *self, ArmillaGraph *graph, int tile, GError **error);
gboolean armilla_data_tile_comes (ArmillaData *self, ArmillaGraph *graph, int tile,
                                  GError **error);
void armilla_data_need (ArmillaData *self, ArmillaNeed *need);
void armilla_need_whole (ArmillaData *self, ArmillaNeed *need);
gboolean armilla_whole_piece (const ArmillaCut *cut, int tile, double *values,
                              ArmillaHostPiece call, gpointer user, GError **error);

void armilla_data_set_base (ArmillaData *self, ArmillaData *base);
void armilla_data_set_fields (ArmillaData *self, ArmillaFields *fields);
ArmillaData *armilla_data_base (ArmillaData *self);
int armilla_data_holds (ArmillaData *self);

/* Division of the rings of a map and of the orders of a_lm in @graph. */
ArmillaRingBlocks *armilla_map_ring_blocks (ArmillaMap *self, ArmillaGraph *graph, GError **error);
ArmillaOrderBlocks *armilla_alm_order_blocks (ArmillaAlm *self, ArmillaGraph *graph);

gboolean armilla_check_same_cut (ArmillaRingBlocks *const *rings, int n, GError **error);

/* The tiles of a_lm in @graph, one per m-block; registered at the first call. NULL on error. */
const ArmillaTile *armilla_alm_tiles (ArmillaAlm *self, ArmillaGraph *graph, GError **error);
/* The tiles of a map in @graph, one per ring block; registered at the first call. NULL on error. */
const ArmillaTile *armilla_map_tiles (ArmillaMap *self, ArmillaGraph *graph, GError **error);
/* The same for callers of armilla_data_tile_begin () and armilla_data_tile_end (). */
const ArmillaTile *armilla_map_lazy_tiles (ArmillaMap *self, ArmillaGraph *graph, GError **error);
/* A map whose pixels are in memory of the caller, which transforms access directly. */
void armilla_map_set_in_place (ArmillaMap *self, double *const *fields);
double *const *armilla_map_in_place (ArmillaMap *self);
/* The same for a_lm of one field, whose tiles are parts of that memory. */
void armilla_alm_set_in_place (ArmillaAlm *self, double *fields, int node);

G_END_DECLS
