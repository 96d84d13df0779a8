/* SPDX-License-Identifier: GPL-3.0-or-later */
/* White noise on the host. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

void armilla_random_noise (guint64 seed, guint64 realisation, int n_fields, gint64 first, gint64 n,
                           double *const *out);

G_END_DECLS
