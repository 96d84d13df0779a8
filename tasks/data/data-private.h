/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/data/data.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* Sizes from which the memory of the tasks of a node is computed; each class of data adds its
 * part. */
typedef struct {
  ArmillaGraph *graph; /* the graph */
  gint64 pixels; /* pixels of the largest ring blocks, summed over all maps and their fields */
  gint64 rings;        /* rings of the grid that has the most */
  gint64 largest;      /* doubles of the largest tile */
  gint64 task; /* doubles of all tiles that one task accesses, for data other than maps and a_lm */
  gint64 alm;          /* doubles of the largest m-blocks, summed over all a_lm */
  gint64 block_pairs;  /* ring pairs of the largest ring block */
  gint64 pairs;        /* sum over maps of ring pairs of the largest ring block times fields */
  gint64 orders;       /* number of orders m, of the a_lm with the most */
  gint64 block_orders; /* orders of the largest m-block */
  /* ring pairs of the whole grid times fields, if an analysis may resample the rings */
  gint64 whole_pairs;
  gint64 exact_lmax;   /* highest multipole for which the quadrature on the grid's rings is exact */
  gint64 lmax;         /* highest lmax of all a_lm */
  int map_fields;      /* fields of the map that was added last */
  int alm_fields;      /* fields of the a_lm that were added last */
} ArmillaNeed;

/* Function that submits tasks or steps for one tile of data. */
typedef gboolean (*ArmillaTileCall) (ArmillaGraph *graph, gpointer user, int number,
                                     const ArmillaTile *tile, GError **error);

/* Division of data into tiles. I/O threads use it in place of the data, since they must not hold
 * references to GObjects of the submitting thread. */
typedef struct {
  const ArmillaDataVerbs *verbs; /* functions of the data's class; NULL: no data */
  int n_tiles, n_fields;
  ArmillaRingBlocks *rings;      /* ring blocks of maps; may be NULL */
  ArmillaOrderBlocks *orders;    /* m-blocks of a_lm; may be NULL */
  gint64 n_numbers;              /* doubles of a field of maps and a_lm */
  gint64 n_rows, n_columns; /* shape of matrices; data of one tile have its numbers in @n_rows */
  gpointer host;                 /* state of the data outside of tiles; may be NULL */
  GDestroyNotify release;        /* frees host; may be NULL */
  gboolean writes; /* whether a source writes the pieces; otherwise a sink reads them */
} ArmillaCut;

/* Functions of a class of data, by which the graph processes it: those of maps are in map.c and
 * map-tiles.c, those of a_lm in alm.c and alm-tiles.c. */
struct _ArmillaDataVerbs {
  gboolean is_complex;                                 /* whether the numbers are complex */
  /* whether the numbers are values of pixels, which may be UNSEEN, and each field has a unit of its
   * own */
  gboolean has_pixels;
  gboolean is_whole;                                   /* whether the data consist of one piece */
  gboolean is_everywhere; /* whether every rank has all of the data, which are computed while the
                           * graph is submitted */
  void (*need) (ArmillaData *self, ArmillaNeed *need); /* adds the memory that tasks on the data
                                                        * need */
  /* describes the division into tiles; may be NULL */
  gboolean (*cut) (ArmillaData *self, ArmillaGraph *graph, ArmillaCut *cut, GError **error);
  /* calls a function for each contiguous piece of a tile; may be NULL */
  gboolean (*pieces) (const ArmillaCut *cut, int tile, double *values, ArmillaHostPiece call,
                      gpointer user, GError **error);
  /* returns the tiles, registered at the first call. Tiles of a map with a source are filled by
   * begin only; may be NULL */
  const ArmillaTile *(*tiles) (ArmillaData *self, ArmillaGraph *graph, GError **error);
  /* submits the source of a tile unless it has been submitted; may be NULL */
  gboolean (*begin) (ArmillaData *self, ArmillaGraph *graph, int tile, GError **error);
  /* releases a tile that can be computed again; may be NULL */
  gboolean (*end) (ArmillaData *self, ArmillaGraph *graph, int tile, GError **error);
  /* passes a tile whose writing is submitted to the sinks; may be NULL */
  gboolean (*pass) (ArmillaData *self, ArmillaGraph *graph, int tile, GError **error);
  /* adds a sink; returns FALSE if writing of the data has begun; may be NULL */
  gboolean (*listen) (ArmillaData *self, ArmillaTileCall take, gpointer user,
                      GDestroyNotify destroy);
  /* sets a source that can fill a tile several times; returns FALSE if the tiles must be filled
   * now, for sinks; may be NULL */
  gboolean (*renew) (ArmillaData *self, ArmillaTileCall fill, gpointer user,
                     GDestroyNotify destroy);
  /* returns whether data of this class have the same tiles, whatever their fields; the error names
   * them. NULL if tiles of two data of the class never correspond */
  gboolean (*same_shape) (ArmillaData *a, const char *name_a, ArmillaData *b, const char *name_b,
                          GError **error);
  /* returns (transfer full) a table with the columns of the data; NULL if they have no columns
   * before they are computed */
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
gboolean armilla_data_tile_pass (ArmillaData *self, ArmillaGraph *graph, int tile,
                                 GError **error);
void armilla_data_need (ArmillaData *self, ArmillaNeed *need);
void armilla_need_whole (ArmillaData *self, ArmillaNeed *need);
gboolean armilla_whole_piece (const ArmillaCut *cut, int tile, double *values,
                              ArmillaHostPiece call, gpointer user, GError **error);

void armilla_data_set_base (ArmillaData *self, ArmillaData *base);
void armilla_data_set_fields (ArmillaData *self, ArmillaFields *fields);
ArmillaData *armilla_data_base (ArmillaData *self);
int armilla_data_holds (ArmillaData *self);

const ArmillaTile *armilla_cl_derived_tile (ArmillaCl *self, ArmillaGraph *graph, gint64 n,
                                            GBytes *by, gboolean *is_new, GError **error);

/* Division of the rings of a map and of the orders of a_lm in @graph. */
ArmillaRingBlocks *armilla_map_ring_blocks (ArmillaMap *self, ArmillaGraph *graph, GError **error);
ArmillaOrderBlocks *armilla_alm_order_blocks (ArmillaAlm *self, ArmillaGraph *graph);

gboolean armilla_check_same_cut (ArmillaRingBlocks *const *rings, int n, GError **error);

/* The tiles of a_lm in @graph, one per m-block; registered at the first call. NULL on error. */
const ArmillaTile *armilla_alm_tiles (ArmillaAlm *self, ArmillaGraph *graph, GError **error);
/* The tiles of a map in @graph, one per ring block; registered at the first call. NULL on error. */
const ArmillaTile *armilla_map_tiles (ArmillaMap *self, ArmillaGraph *graph, GError **error);
/* Like armilla_map_tiles (), for callers that fill each tile by armilla_data_tile_begin () and drop
 * it by armilla_data_tile_end (). */
const ArmillaTile *armilla_map_lazy_tiles (ArmillaMap *self, ArmillaGraph *graph, GError **error);
/* A map whose pixels are in memory of the caller, which transforms access directly. */
void armilla_map_set_in_place (ArmillaMap *self, double *const *fields);
double *const *armilla_map_in_place (ArmillaMap *self);
/* Makes a_lm of one field use the caller's memory; its tiles are parts of that memory. */
gboolean armilla_alm_set_in_place (ArmillaAlm *self, double *fields, int node);

G_END_DECLS
