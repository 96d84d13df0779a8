/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that users name. A pipe, device, socket or folder in the place of one is refused at once,
 * where reading it would wait forever. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int armilla_regular_open (const char *path, int flags, GError **error);
char *armilla_regular_read (const char *path, gsize most, gsize *length, GError **error);

G_END_DECLS
