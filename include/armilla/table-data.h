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

/**
 * armilla_table_data_new:
 *
 * Describes a table.
 *
 * Returns: (transfer full): the data, without a table
 */
ArmillaTableData *armilla_table_data_new (void);

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

/**
 * armilla_graph_convert_table:
 * @graph: a graph
 * @in: (array length=n): tables
 * @n: how many, 1 to 8
 * @convert: called once, on rank 0, when they are there
 * @user: for @convert
 * @destroy: (nullable): frees @user, on every rank
 * @out: a table without a source; written
 * @error: return location
 *
 * Asks for a table that a function makes of others.
 *
 * Returns: %TRUE
 */
gboolean armilla_graph_convert_table (ArmillaGraph *graph, ArmillaTableData *const *in, int n,
                                      ArmillaHostConvertTable convert, gpointer user,
                                      GDestroyNotify destroy, ArmillaTableData *out,
                                      GError **error);

/**
 * armilla_graph_drain_table:
 * @graph: a graph
 * @table: a table
 * @take: called once, on rank 0, when the table is there
 * @user: for @take
 * @destroy: (nullable): frees @user, on every rank
 * @error: return location
 *
 * Hands a table to the host.
 *
 * Returns: %TRUE
 */
gboolean armilla_graph_drain_table (ArmillaGraph *graph, ArmillaTableData *table,
                                    ArmillaHostTable take, gpointer user, GDestroyNotify destroy,
                                    GError **error);

G_END_DECLS
