/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handling of SIGINT and SIGTERM: the first one stops a run with an error, after which its
 * temporary files are removed. */
#pragma once

#include <armilla/runtime.h>

G_BEGIN_DECLS

const char *armilla_signals_name (int signal_number);
gboolean armilla_signals_start (ArmillaRuntime *runtime, GError **error);
void armilla_signals_stop (void);

/* functions that the runtime calls in the armilla program, in process.c */
extern const ArmillaProcess armilla_process;

G_END_DECLS
