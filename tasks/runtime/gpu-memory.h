/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detection of tasks that exceed the memory of every GPU of this rank, for which StarPU would wait
 * forever. */
#pragma once

#include "tasks/runtime/runtime-private.h"

G_BEGIN_DECLS

/* value of @where: any worker that the codelet supports */
#define ARMILLA_ANYWHERE (-1)

gint64 armilla_gpu_memory_find (void);
gboolean armilla_gpu_memory_where (const ArmillaRuntime *runtime,
                                   const struct starpu_codelet *codelet, gint64 bytes,
                                   gint32 *where, GError **error);

G_END_DECLS
