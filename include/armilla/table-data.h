/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as data that flow between nodes. Functions are called by the thread that prepares and
 * builds, on every rank alike; callbacks say where they run. */
#pragma once

#include <armilla/graph.h>
#include <armilla/table.h>

G_BEGIN_DECLS

/**
 * ArmillaTableData:
 *
 * Port type "table": an #ArmillaTable, on rank 0; its columns and rows are known when it is made.
 */
#define ARMILLA_TYPE_TABLE_DATA (armilla_table_data_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaTableData, armilla_table_data, ARMILLA, TABLE_DATA, ArmillaData)

ArmillaTableData *armilla_table_data_new (void);
ArmillaTable *armilla_cl_to_table (ArmillaCl *cl);

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
 * ArmillaHostTable:
 * @user: what the caller gave
 * @table: (transfer none): the table
 * @error: where to put an error
 *
 * Called on rank 0 in an I/O thread.
 *
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostTable) (gpointer user, const ArmillaTable *table, GError **error);

/**
 * ArmillaHostConvertTable:
 * @user: what the caller gave
 * @tables: (array): the tables that another is made from
 * @error: where to put an error
 *
 * Called on rank 0 in an I/O thread.
 *
 * Returns: (transfer full) (nullable): the table; %NULL with @error set fails the run
 */
typedef ArmillaTable *(*ArmillaHostConvertTable) (gpointer user,
                                                  const ArmillaTable *const *tables,
                                                  GError **error);
gboolean armilla_graph_convert_table (ArmillaGraph *graph, ArmillaTableData *const *in, int n,
                                      ArmillaHostConvertTable convert, gpointer user,
                                      GDestroyNotify destroy, ArmillaTableData *out,
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
gboolean armilla_graph_drain_table (ArmillaGraph *graph, ArmillaTableData *table,
                                    ArmillaHostTable take, gpointer user, GDestroyNotify destroy,
                                    GError **error);

G_END_DECLS
