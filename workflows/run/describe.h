/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/data.h>

G_BEGIN_DECLS

char *armilla_describe_data (ArmillaData *data);

G_END_DECLS
