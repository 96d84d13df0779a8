/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the comments of an ECSV file say. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a column of text holds. */
typedef enum { COLUMN_GUESSED, COLUMN_INTEGERS, COLUMN_NUMBERS, COLUMN_TEXTS } ColumnKind;

typedef struct {
  char *name, *unit, *blurb;
  ColumnKind kind;
} EcsvColumn;

typedef struct {
  GArray *columns; /* EcsvColumn */
  char *name;      /* EXTNAME; NULL without one */
  GPtrArray *keys; /* keyword, value, keyword, ... */
  GArray *is_text; /* gboolean, of each key */
  char delimiter;
} EcsvHeader;

EcsvHeader *armilla_ecsv_header_new (const char *yaml);
void armilla_ecsv_header_free (EcsvHeader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EcsvHeader, armilla_ecsv_header_free)

G_END_DECLS
