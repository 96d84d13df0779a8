/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

gboolean armilla_memory_there (double *bytes, GError **error);
gboolean armilla_memory_holds (double need, const char *what, const char *advice, GError **error);

G_END_DECLS
