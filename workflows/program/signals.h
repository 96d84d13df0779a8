/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIGINT and SIGTERM end a run in order. */
#pragma once

#include <armilla/runtime.h>

G_BEGIN_DECLS

const char *armilla_signals_name (int signal_number);
gboolean armilla_signals_start (ArmillaRuntime *runtime, GError **error);
void armilla_signals_stop (void);

/* process.c: callbacks of the runtime in the armilla program */
extern const ArmillaProcess armilla_process;

G_END_DECLS
