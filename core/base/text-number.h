/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <armilla/table.h>

G_BEGIN_DECLS

gboolean armilla_text_number (const char *word, double *value);
gboolean armilla_text_is_missing (const char *word);
gboolean armilla_text_value (const char *word, double *value);

/* In int128.c: integers of 128 bits. */
char *armilla_int128_to_string (ArmillaInt128 value);

G_END_DECLS
