/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of a page, which is well-formed as XML, too. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void armilla_html (GString *page, const char *format, ...) G_GNUC_PRINTF (2, 3);
void armilla_html_text (GString *page, const char *text, gboolean lines);
void armilla_html_json (GString *page, const char *text);
void armilla_html_cell (GString *page, const char *what, const char *value);
char *armilla_html_seconds (double seconds);

G_END_DECLS
