/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/tuning/tuning.h"

G_BEGIN_DECLS

char *armilla_tuning_machine (void);
const char *armilla_tuning_workers (void);
gboolean armilla_tuning_save (const ArmillaTuning *tuning, const char *path, GError **error);
char *armilla_tuning_read (const char *path, GError **error);

/* Returns the path of the file of this machine. */
char *armilla_tuning_path (void);

G_END_DECLS
