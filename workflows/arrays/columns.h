/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/table.h>
#include <armilla/workflow-arrays.h>

G_BEGIN_DECLS

gboolean armilla_columns_are_box (const ArmillaFlowInput *given);
const void *armilla_columns_values (const ArmillaColumn *column);
ArmillaTable *armilla_columns_copy (const ArmillaTable *table);
ArmillaTable *armilla_columns_table (const ArmillaFlowInput *given, GError **error);
ArmillaCatalogue *armilla_columns_catalogue (const ArmillaFlowInput *given, GError **error);

G_END_DECLS
