/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

const char *armilla_suggest (const char *name, const char *const *candidates);
char *armilla_suggest_text (const char *name, const char *what, const char *const *candidates);

G_END_DECLS
