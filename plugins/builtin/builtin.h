/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in stages. */
#pragma once

#include "plugins/base/registry.h"

G_BEGIN_DECLS

gboolean armilla_registry_add_builtin (ArmillaRegistry *self, GError **error);

gboolean armilla_registry_load_modules (ArmillaRegistry *self, GError **error);

gboolean armilla_registry_load_default (ArmillaRegistry *self, GError **error);

G_END_DECLS
