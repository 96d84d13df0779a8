/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int armilla_terminal_find (void);
int armilla_terminal_width (int terminal);

G_END_DECLS
