/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/fits/fits-output.h"
#include "core/fits/fits-pieces.h"

G_BEGIN_DECLS

gboolean armilla_fits_part_end (ArmillaFitsOutput *out, const ArmillaPieces *pieces, int n_fields,
                                GByteArray *summary, GError **error);
gboolean armilla_fits_part_merge (ArmillaFitsOutput *out, ArmillaPieces *pieces, int n_fields,
                                  gint64 total, const char *what, const guint8 *summary,
                                  gsize size, GError **error);

G_END_DECLS
