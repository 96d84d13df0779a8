/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/table.h>

#include "core/text/text-table.h"

G_BEGIN_DECLS

/* table-columns.c: columns of words. */
gboolean armilla_table_add_words (ArmillaTable *table, ColumnKind kind, const char *name,
                                  const char *unit, const char *blurb, char *const *words,
                                  GError **error);
gboolean armilla_table_check_name (const ArmillaTable *table, const char *name, GError **error);

/* table-reader.c: whether a card of FITS can hold a key of this name. */
gboolean armilla_table_key_is_card (const char *keyword);

/* table-text.c */
ArmillaTable *armilla_table_text_read (ArmillaFitsSource *source, GError **error);

G_END_DECLS
