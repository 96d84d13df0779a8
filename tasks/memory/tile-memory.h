/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the bytes that all tiles together may use now. */
typedef gint64 (*ArmillaTileRoom) (gpointer user);

/* Called after an allocation of @bytes has failed. */
typedef void (*ArmillaTileMissing) (gpointer user, gsize bytes);

void armilla_tile_memory_start (ArmillaTileRoom room, ArmillaTileMissing missing, gpointer user);
gsize armilla_tile_memory_idle (void);
void armilla_tile_memory_stop (void);

G_END_DECLS
