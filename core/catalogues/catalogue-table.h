/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/table.h>

G_BEGIN_DECLS

ArmillaTable *armilla_catalogue_columns_table (const ArmillaCatalogue *catalogue,
                                               gboolean vectors, GError **error);

G_END_DECLS
