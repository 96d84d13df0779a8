/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks and copies of the caller's arrays. */
#pragma once

#include <armilla/arrays.h>
#include <armilla/error.h>

G_BEGIN_DECLS

gboolean armilla_array_check (const char *name, const ArmillaArray *array, gboolean complex,
                              gint64 copies, gint64 components, gint64 numbers, GError **error);
gboolean armilla_arrays_fit (const char *name_in, const ArmillaArray *in, gboolean in_complex,
                             const char *name_out, const ArmillaArray *out, gboolean out_complex,
                             GError **error);

G_END_DECLS
