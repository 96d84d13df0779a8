/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

gboolean armilla_coordinates_angles (char from, char to, double angles[3], GError **error);

G_END_DECLS
