/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several outputs at once, and files that several processes write. One thread at a time may use an
 * output. */
#pragma once

#include <armilla/output.h>

G_BEGIN_DECLS

void armilla_output_set_passing (ArmillaOutput *output);
gboolean armilla_output_pack (ArmillaOutput *output, GError **error);
gboolean armilla_output_finish (ArmillaOutput *output, GError **error);
void armilla_output_commit_all (ArmillaOutput *const *outputs, guint n, GError **errors);

/* For several processes that write to one temporary file: */
GBytes *armilla_output_offer (ArmillaOutput *output, gboolean named, GError **error);
ArmillaOutput *armilla_output_join (const char *path, GBytes *ticket, GError **error);
gboolean armilla_output_is_joined (const ArmillaOutput *output);

G_END_DECLS
