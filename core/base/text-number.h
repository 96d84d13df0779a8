/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean armilla_text_number (const char *word, double *value);
gboolean armilla_text_is_missing (const char *word);
gboolean armilla_text_value (const char *word, double *value);

G_END_DECLS
