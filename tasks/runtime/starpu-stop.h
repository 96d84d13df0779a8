/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int armilla_starpu_stop (gboolean mpi);

G_END_DECLS
