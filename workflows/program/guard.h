/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says why a rank died, when it cannot say so itself. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void armilla_guard_start (void);
void armilla_guard_catch (void);
void armilla_guard_silence (void);
void armilla_guard_finish (void);
_Noreturn void armilla_guard_end (const char *reason);
gboolean armilla_guard_watches (void);
void armilla_guard_stop (void);

G_END_DECLS
