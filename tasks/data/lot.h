/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of lots of spectra and tables: a head, the numbers of each realisation and, for tables, a
 * description of the numbers. */
#pragma once

#include <armilla/table.h>

G_BEGIN_DECLS

/* What the file begins with. */
typedef struct {
  gint64 n_values; /* numbers of each realisation */
  gint64 pattern;  /* bytes that describe tables, 0 for spectra */
} ArmillaLotHead;

GBytes *armilla_lot_pattern (const ArmillaTable *table);
ArmillaTable *armilla_lot_parse_pattern (GBytes *bytes);
double *armilla_lot_numbers (const ArmillaTable *table, gint64 *n, GError **error);
guint armilla_lot_shape (const ArmillaTable *table);

G_END_DECLS
