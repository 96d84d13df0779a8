/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with units, as users write them. Any thread may call these functions. */
#pragma once

#include <armilla/quantity.h>

G_BEGIN_DECLS

gboolean armilla_quantity_parse (const char *text, ArmillaDimension dimension, double *value,
                                 GError **error);
double armilla_quantity_in_unit (double number, const char *unit);
const char *armilla_dimension_units (ArmillaDimension dimension);

G_END_DECLS
