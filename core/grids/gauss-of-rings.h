/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/grid.h>

G_BEGIN_DECLS

ArmillaRing *armilla_gauss_of_rings (const ArmillaGrid *grid, gint64 degree, gint64 *n);

G_END_DECLS
