/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean armilla_polarisation_flips (const char *name);

G_END_DECLS
