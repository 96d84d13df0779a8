/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables made from spectra. */
#pragma once

#include <armilla/data.h>
#include <armilla/table-data.h>

G_BEGIN_DECLS

ArmillaTable *armilla_cl_to_table (ArmillaCl *cl);
gboolean armilla_cl_check_columns (ArmillaCl *cl, GError **error);

G_END_DECLS
