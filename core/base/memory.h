/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of this machine. Any thread may call these functions. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

double armilla_memory_installed (void);
gboolean armilla_memory_available (double *bytes, GError **error);
gboolean armilla_memory_holds (double need, const char *what, const char *advice, GError **error);

G_END_DECLS
