/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the armilla program does about the runtime in its process. */
#pragma once

#include <armilla/runtime.h>

G_BEGIN_DECLS

extern const ArmillaProcess armilla_process;

G_END_DECLS
