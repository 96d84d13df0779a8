/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>
#include "core/fits/fits-output.h"

G_BEGIN_DECLS

/* Parts of 0..total-1 that have been written: disjoint intervals in ascending order, merged if they
 * touch. Each number must be written exactly once, in any order. */
typedef struct {
  gint64 first, end;
} ArmillaPiece;

typedef struct {
  GArray *pieces;
  gint64 covered;
} ArmillaPieces;

void armilla_pieces_init (ArmillaPieces *pieces);
gboolean armilla_pieces_add (ArmillaPieces *pieces, gint64 total, gint64 first, gint64 n,
                             const char *path, int field, const char *what, GError **error);
gboolean armilla_pieces_complete (const ArmillaPieces *pieces, gint64 total, const char *path,
                                  int field, const char *what, GError **error);
void armilla_pieces_clear (ArmillaPieces *pieces);

/* In fits-part.c: exchange pieces between processes. */
gboolean armilla_fits_part_end (ArmillaFitsOutput *out, const ArmillaPieces *pieces, int n_fields,
                                GByteArray *summary, GError **error);
gboolean armilla_fits_part_merge (ArmillaFitsOutput *out, ArmillaPieces *pieces, int n_fields,
                                  gint64 total, const char *what, const guint8 *summary,
                                  gsize size, GError **error);

G_END_DECLS
