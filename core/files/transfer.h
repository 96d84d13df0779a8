/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and writing of open files, whatever signals come and however little a call moves. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Instead of an offset: where the descriptor stands, which moves on. */
#define ARMILLA_AT_POSITION (-1)

gssize armilla_read_all (int fd, void *bytes, gsize size, gint64 offset);
gssize armilla_write_all (int fd, const void *bytes, gsize size, gint64 offset);

G_END_DECLS
