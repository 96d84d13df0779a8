/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files named by users. A pipe, device, socket or folder is rejected at once, since reading it
 * could block forever. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int armilla_regular_open (const char *path, int flags, GError **error);
char *armilla_regular_read (const char *path, gsize max_bytes, gsize *length, GError **error);

/* In transfer.c: read and write completely, despite signals and partial transfers. */
/* Used instead of an offset: the current position of the descriptor, which advances. */
#define ARMILLA_AT_POSITION (-1)

gssize armilla_read_all (int fd, void *bytes, gsize size, gint64 offset);
gssize armilla_write_all (int fd, const void *bytes, gsize size, gint64 offset);

G_END_DECLS
