/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/armilla.h>

G_BEGIN_DECLS

char *armilla_starpu_folder (void);
gboolean armilla_starpu_folder_prepare (const char *folder, GError **error);
gboolean armilla_starpu_folder_probe (const char *folder, GError **error);
gboolean armilla_starpu_folder_is_whole (const char *folder);
gboolean armilla_starpu_folder_repair (const char *folder, GError **error);
void armilla_starpu_folder_remove (const char *folder);

/* Returns whether the file is complete, so that StarPU can read it; in starpu-files.c. */
gboolean armilla_starpu_bus_file_is_whole (const char *kind, const char *text, gint64 n_devices);
gboolean armilla_starpu_model_file_is_whole (const char *text);
gint64 armilla_starpu_config_devices (const char *text);

G_END_DECLS
