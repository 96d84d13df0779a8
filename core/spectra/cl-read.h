/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/fits/fits-source.h"
#include "core/spectra/cl-table.h"

G_BEGIN_DECLS

/* No spectrum is longer than the a_lm that this program can index. */
#define ARMILLA_CL_LIMIT ((G_GINT64_CONSTANT (1) << 24) + 1)

/* cl-text.c: the columns as they are, names "" for those without; *@l: number of the column of
 * multipoles, -1 without one */
ArmillaClTable *armilla_cl_text_read (ArmillaFitsSource *source, gboolean find_l, int *l,
                                      GError **error);

/* cl-rows.c: which row belongs to which multipole */
gboolean armilla_cl_says_l (const char *name);
ArmillaClTable *armilla_cl_place (ArmillaClTable *columns, int l, ArmillaClRows rows,
                                  const char *path, GError **error);

G_END_DECLS
