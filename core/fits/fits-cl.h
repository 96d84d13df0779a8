/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/fits/fits-source.h"

#include <armilla/fits.h>

G_BEGIN_DECLS

/* No spectrum is longer than the a_lm that this program can index. */
#define ARMILLA_CL_LIMIT ((G_GINT64_CONSTANT (1) << 24) + 1)

ArmillaClTable *armilla_cl_text_read (ArmillaFitsSource *source, GError **error);

G_END_DECLS
