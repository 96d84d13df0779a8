/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/graph.h>

#include "tasks/arrays/session.h"

G_BEGIN_DECLS

gboolean armilla_ranks_enter (ArmillaSession *session, const char *call, GError *wrong,
                              GError **error);
gboolean armilla_ranks_broadcast (ArmillaRuntime *runtime, int from, gpointer data, gsize size,
                                  GError **error);

G_END_DECLS
