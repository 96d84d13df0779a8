/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/grid.h>

G_BEGIN_DECLS

gint64 armilla_gauss_of_rings_count (gint64 degree);
ArmillaRing *armilla_gauss_of_rings (const ArmillaGrid *grid, gint64 degree);

G_END_DECLS
