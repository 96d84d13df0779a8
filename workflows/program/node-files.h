/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

char *armilla_find_node_file (const char *name, GError **error);

G_END_DECLS
