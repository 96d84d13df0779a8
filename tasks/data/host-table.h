/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables made on rank 0 from tiles. */
#pragma once

#include <armilla/data.h>
#include <armilla/table-data.h>
#include <armilla/task.h>

#include "tasks/data/table.h"

G_BEGIN_DECLS

gboolean armilla_host_table (ArmillaGraph *graph, const ArmillaTile *tiles, int n,
                             ArmillaHostMakeTable make, gpointer user, GDestroyNotify destroy,
                             ArmillaTableData *table, GError **error);

G_END_DECLS
