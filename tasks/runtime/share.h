/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Communication between ranks. Collective, called by the thread that started the runtime. */
#pragma once

#include <armilla/runtime.h>

G_BEGIN_DECLS

int armilla_runtime_n_local_ranks (ArmillaRuntime *runtime);
char *armilla_runtime_kind (ArmillaRuntime *runtime);
gint64 armilla_runtime_max (ArmillaRuntime *runtime, gint64 number);
gboolean armilla_runtime_share (ArmillaRuntime *runtime, GByteArray *bytes, GError **error);
GPtrArray *armilla_runtime_collect (ArmillaRuntime *runtime, GByteArray *own, GError **error);

/* Returns, on all ranks, TRUE if no rank has an error, otherwise FALSE with the error of the lowest
 * rank that has one. ARMILLA_ERROR_NUMERIC is reported last, since the failure of another rank may
 * cause it. Collective: every rank must call it at the same point.
 * @local: error of this rank, or NULL */
gboolean armilla_runtime_agree (ArmillaRuntime *runtime, GError *local, GError **error);

G_END_DECLS
