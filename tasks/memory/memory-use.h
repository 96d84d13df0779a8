/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double armilla_memory_resident (void);
double armilla_memory_used_on (unsigned node);

G_END_DECLS
