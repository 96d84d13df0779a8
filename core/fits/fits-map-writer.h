/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/fits/fits-map.h"
#include "core/fits/fits-output.h"
#include "core/fits/fits-pieces.h"
#include "core/fits/fits.h"

#include <armilla/map-header.h>

G_BEGIN_DECLS

/* Pixels of one field in the order of the file, in blocks; blocks without observed pixels are not
 * allocated. Single precision halves the memory. */
#define ARMILLA_STORE_BLOCK 4096

typedef struct {
  gint64 n_blocks;
  gboolean single;
  gpointer *blocks;
} ArmillaPixelStore;

struct _ArmillaMapWriter {
  ArmillaFitsOutput *out;
  ArmillaMapHeader header;
  gboolean buffered;       /* whether pixels are buffered: NESTED or partial maps, whose pixels have
                            * another order or number than in RING */
  gint64 repeat;           /* values per row and field */
  ArmillaCar car;          /* the image in the projection CAR; n_x is 0 for other files */
  gint64 first_ring;       /* ring in its northernmost row */
  gint64 row_bytes, data;
  GMutex lock;             /* guards the following fields */
  gboolean failed;
  ArmillaPieces *pieces;   /* [field] */
  ArmillaPixelStore *stores; /* [field], if buffered */
};

/* In fits-map-store.c: */
gboolean armilla_pixel_store_init (ArmillaPixelStore *store, gint64 n_pixels, gboolean single);
void armilla_pixel_store_set (ArmillaPixelStore *store, gint64 pixel, double value);
double armilla_pixel_store_get (const ArmillaPixelStore *store, gint64 pixel);
void armilla_pixel_store_clear (ArmillaPixelStore *store);

/* In fits-map-layout.c: write the headers and, at the end, buffered data. */
gboolean armilla_map_writer_begin (ArmillaMapWriter *writer, GError **error);
gboolean armilla_map_writer_put_partial (ArmillaMapWriter *writer, GError **error);
gboolean armilla_map_writer_put_values (ArmillaMapWriter *writer, int field, gint64 first,
                                        gint64 n, const double *values, GError **error);

G_END_DECLS
