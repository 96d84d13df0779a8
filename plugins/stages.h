/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The GTypes that the family descriptors list. */

#include <glib-object.h>

G_BEGIN_DECLS

GType armilla_read_alm_get_type (void);
GType armilla_read_cl_get_type (void);
GType armilla_read_map_get_type (void);
GType armilla_write_alm_get_type (void);
GType armilla_write_cl_get_type (void);
GType armilla_write_map_get_type (void);

G_END_DECLS
