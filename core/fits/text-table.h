/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in text: columns between blanks or commas, '#' begins a comment. */
#pragma once

#include "core/fits/fits-source.h"

G_BEGIN_DECLS

/**
 * ArmillaTextTable:
 * @path: the file
 * @line: number of the line at hand, the first is 1
 * @n_columns: 0 until the caller has seen the first row
 * @words: of the line at hand; valid until the next one
 * @comment: (nullable): words of the last comment before the first row
 * @bytes: the file
 * @next: (nullable): where the next line begins
 *
 * Text that is read line by line.
 */
typedef struct {
  const char *path;
  gint64 line;
  int n_columns;
  GPtrArray *words;
  char **comment;
  char *bytes, *next;
} ArmillaTextTable;

gboolean armilla_text_table_open (ArmillaTextTable *table, ArmillaFitsSource *source,
                                  gint64 limit, const char *too_long, GError **error);
gboolean armilla_text_table_next (ArmillaTextTable *table);
gboolean armilla_text_table_fits (const ArmillaTextTable *table, GError **error);
char **armilla_text_table_words (const ArmillaTextTable *table);
gboolean armilla_text_table_error (const ArmillaTextTable *table, GError **error,
                                   const char *format, ...) G_GNUC_PRINTF (3, 4);
void armilla_text_table_clear (ArmillaTextTable *table);
gboolean armilla_text_number (char *word, double *value);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaTextTable, armilla_text_table_clear)

G_END_DECLS
