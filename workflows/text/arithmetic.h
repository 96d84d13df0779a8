/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/quantity.h>

G_BEGIN_DECLS

gboolean armilla_arithmetic_meant (const char *text);
gboolean armilla_arithmetic_compute (const char *text, ArmillaDimension dimension, double *value,
                                     GError **error);

G_END_DECLS
