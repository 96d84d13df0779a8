/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether data have the same shape; %ARMILLA_ERROR_SHAPE otherwise. */
#pragma once

#include <armilla/data.h>

G_BEGIN_DECLS

gboolean armilla_check_same_pixels (ArmillaMap *a, ArmillaMap *b, GError **error);
gboolean armilla_check_same_layout (ArmillaAlm *a, ArmillaAlm *b, GError **error);

G_END_DECLS
