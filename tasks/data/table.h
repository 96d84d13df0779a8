/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables made from spectra, and numbers read from tables. */
#pragma once

#include <armilla/data.h>
#include <armilla/table-data.h>

G_BEGIN_DECLS

ArmillaTable *armilla_cl_to_table (ArmillaCl *cl);
gboolean armilla_cl_check_columns (ArmillaCl *cl, GError **error);

/**
 * ArmillaHostMakeTable:
 * @user: what the caller gave
 * @words: (array): words of each histogram, or of each tile, that the table is made from
 * @error: where to put an error
 *
 * Called on rank 0 in an I/O thread.
 *
 * Returns: (transfer full) (nullable): the table; %NULL with @error set fails the run
 */
typedef ArmillaTable *(*ArmillaHostMakeTable) (gpointer user, const gint64 *const *words,
                                               GError **error);

/**
 * ArmillaHostReadNumbers:
 * @user: what the caller gave
 * @tables: (array): the tables
 * @numbers: (out): the numbers, to be filled
 * @error: where to put an error
 *
 * Called on rank 0 in an I/O thread.
 *
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostReadNumbers) (gpointer user, const ArmillaTable *const *tables,
                                            double *numbers, GError **error);
gboolean armilla_graph_read_numbers (ArmillaGraph *graph, ArmillaTableData *const *tables, int n,
                                     ArmillaHostReadNumbers read, gpointer user,
                                     GDestroyNotify destroy, ArmillaCl *numbers, GError **error);

G_END_DECLS
