/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuFFT plans on every CUDA worker of StarPU. Making a plan takes 24 ms, so plans are made before
 * the first transform, never inside a task. Does nothing without CUDA. */
#pragma once

#include <armilla/codelet.h>

#include "codelets/rings/ring-fft.h"

G_BEGIN_DECLS

typedef struct _ArmillaWorkerPlans ArmillaWorkerPlans;

ArmillaWorkerPlans *armilla_worker_plans_new (void);
gboolean armilla_worker_plans_add (ArmillaWorkerPlans *plans, int n_blocks,
                                   const ArmillaRingShape *shapes,
                                   const ArmillaRingSlot *const *slots, gint64 *first_block,
                                   gint64 *scratch, GError **error);
gboolean armilla_worker_plans_add_length (ArmillaWorkerPlans *plans, gint64 length, gint64 batch,
                                          gint64 *scratch, GError **error);
void armilla_worker_plans_free (ArmillaWorkerPlans *plans);

#ifdef HAVE_CUDA
ArmillaCudaFftPlans *armilla_worker_plans_mine (ArmillaWorkerPlans *plans);
#endif

G_END_DECLS
