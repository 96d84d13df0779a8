/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

char *armilla_printable (const char *text, gboolean lines);
char *armilla_ascii (char *text);
void armilla_print (FILE *file, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
