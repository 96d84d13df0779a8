/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/table-data.h>

#include "tasks/data/histogram-private.h"
#include "tasks/graph/jobs.h"

G_BEGIN_DECLS

/* The tile that stands for a table, owned by rank 0. */
const ArmillaTile *armilla_table_data_token (ArmillaTableData *self, ArmillaGraph *graph,
                                             GError **error);

G_END_DECLS
