/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A part of a JSON text that is a complete value. */
typedef struct {
  const char *start;
  gsize length;
} ArmillaJsonPiece;

/* Iterator over the members of an object or the elements of an array. */
typedef struct {
  const char *at;  /* next byte */
  const char *end; /* end of the text */
  gint64 line;     /* number of the line that contains @at, from 1 */
  char closing;    /* closing bracket of the object or array */
  gboolean begun;  /* whether a member has been returned */
} ArmillaJsonPieces;

gboolean armilla_json_pieces_enter (ArmillaJsonPieces *self, ArmillaJsonPiece value, char opening,
                                    gint64 line);
gboolean armilla_json_pieces_next (ArmillaJsonPieces *self, ArmillaJsonPiece *key,
                                   ArmillaJsonPiece *value, gint64 *line, GError **error);

G_END_DECLS
