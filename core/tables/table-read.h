/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/table.h>

#include "core/fits/fits-source.h"

G_BEGIN_DECLS

/* What a text column holds where no word is. */
typedef enum { COLUMN_GUESSED, COLUMN_INTEGERS, COLUMN_NUMBERS, COLUMN_TEXTS } ColumnKind;

/* table-columns.c: columns of words. */
gboolean armilla_table_add_words (ArmillaTable *table, ColumnKind kind, const char *name,
                                  const char *unit, const char *blurb, char *const *words,
                                  GError **error);
gboolean armilla_table_check_name (const ArmillaTable *table, const char *name, GError **error);

/* table-text.c */
ArmillaTable *armilla_table_text_read (ArmillaFitsSource *source, GError **error);

/* table-ecsv.c: what the comments of an ECSV file say. */
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
