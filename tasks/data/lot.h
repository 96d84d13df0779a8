/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of "lots", groups of realisations whose spectra or tables are stored together: a header,
 * the numbers of each realisation and, for tables, a description of their columns. */
#pragma once

#include <armilla/table.h>

G_BEGIN_DECLS

/* Header of the file. */
typedef struct {
  gint64 n_values; /* numbers per realisation */
  gint64 pattern;  /* size of the description of a table's columns in bytes; 0 for spectra */
} ArmillaLotHead;

GBytes *armilla_lot_pattern (const ArmillaTable *table);
ArmillaTable *armilla_lot_parse_pattern (GBytes *bytes);
double *armilla_lot_numbers (const ArmillaTable *table, gint64 *n, GError **error);
guint armilla_lot_shape (const ArmillaTable *table);

G_END_DECLS
