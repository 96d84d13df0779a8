/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint32 armilla_fits_sum (guint32 sum, const guint8 *bytes, gsize n);

G_END_DECLS
