/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions @save and @load of the classes of data. */
#pragma once

#include "tasks/data/data-private.h"

G_BEGIN_DECLS

gboolean armilla_numbers_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                               GError **error);
gboolean armilla_numbers_load (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                               GError **error);
gboolean armilla_table_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                             GError **error);
gboolean armilla_table_load (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                             GError **error);
gboolean armilla_catalogue_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                                 GError **error);
gboolean armilla_catalogue_load (ArmillaData *data, ArmillaCatalogue *like, ArmillaGraph *graph,
                                 ArmillaCheckpoint *file, GError **error);

G_END_DECLS
