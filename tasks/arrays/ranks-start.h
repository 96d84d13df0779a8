/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean armilla_ranks_agree_to_start (const void *communicator, GError *local, GError **error);

G_END_DECLS
