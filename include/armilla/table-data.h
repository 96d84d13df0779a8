/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as data passed between nodes. The thread that prepares and builds stages calls these
 * functions, on every rank. */
#pragma once

#include <armilla/graph.h>
#include <armilla/table.h>

G_BEGIN_DECLS

/**
 * ArmillaTableData:
 *
 * Port type "table": an #ArmillaTable, on rank 0; its columns and rows are known when the table is
 * computed.
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

G_END_DECLS
