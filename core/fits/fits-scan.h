/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/table.h>

#include "core/fits/fits-source.h"

G_BEGIN_DECLS

#define ARMILLA_FITS_BLOCK 2880
#define ARMILLA_FITS_CARD 80

typedef enum {
  ARMILLA_HDU_IMAGE,
  ARMILLA_HDU_TABLE,       /* binary */
  ARMILLA_HDU_TEXT_TABLE,
  ARMILLA_HDU_OTHER        /* skipped, never read */
} ArmillaHduKind;

/* Layout of the values of a table column, or of an image, in the file. */
typedef struct {
  char type;               /* letter of TFORM; for images the letter of the same binary type */
  gint64 repeat;           /* values per row */
  gint64 width;            /* bytes per row */
  gint64 text_width; /* characters of each text in an array of texts; otherwise equal to width */
  gint64 offset;           /* offset of the first byte in a row */
  double scale, zero;
  gboolean whole; /* whether the values are integers, possibly with integer factor and offset */
  ArmillaInt128 factor, shift; /* exact scale and offset */
  gboolean has_null;
  gint64 null;             /* the integer that means "undefined" */
  char name[72], unit[72];
} ArmillaFitsColumn;

typedef struct {
  ArmillaHduKind kind;
  gint64 header, data, end; /* offsets in the file; end includes the fill */
  int bitpix;
  int n_axes;
  gint64 axes[16];
  gint64 row_bytes, rows;
  gint64 pcount, gcount;
  int n_columns;
  ArmillaFitsColumn *columns;
  gboolean verified;       /* DATASUM and CHECKSUM, if any, have been verified */
} ArmillaFitsHdu;

GPtrArray *armilla_fits_scan (ArmillaFitsSource *source, GError **error);

/* One card of a header; see fits-card.c. */
typedef struct {
  char keyword[9];
  const char *value;       /* text after "= ", NULL if the card has no value */
  char text[ARMILLA_FITS_CARD + 1];
} ArmillaFitsCard;

void armilla_fits_card_parse (ArmillaFitsCard *card, const char *bytes);
gboolean armilla_fits_card_int (const ArmillaFitsCard *card, gint64 *value);
gboolean armilla_fits_card_string (const ArmillaFitsCard *card, char value[72]);
int armilla_fits_card_index (const ArmillaFitsCard *card, const char *stem);
gboolean armilla_fits_column_parse (ArmillaFitsColumn *column, const char *tform);
gboolean armilla_fits_column_parse_text (ArmillaFitsColumn *column, const char *tform);
int armilla_fits_type_bytes (char type);

G_END_DECLS
