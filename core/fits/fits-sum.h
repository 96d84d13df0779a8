/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint32 armilla_fits_sum (guint32 sum, const guint8 *bytes, gsize n);
guint32 armilla_fits_sum_at (gint64 offset, const guint8 *bytes, gsize n);
void armilla_fits_sum_add (guint32 *sum, guint32 more);

G_END_DECLS
