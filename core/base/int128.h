/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers of 128 bits as text. */
#pragma once

#include <armilla/table.h>

G_BEGIN_DECLS

char *armilla_int128_to_string (ArmillaInt128 value);

G_END_DECLS
