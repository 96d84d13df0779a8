/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void armilla_log (gboolean clock, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
