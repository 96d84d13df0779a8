/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the data that a run collects over realisations. */
#pragma once

#include "workflows/file/workflow.h"
#include "workflows/resume/resume.h"

G_BEGIN_DECLS

/* The lot (group of realisations) to which each collecting node of this rank adds results, and the
 * files of all lots. */
typedef struct _ArmillaCollecting ArmillaCollecting;

ArmillaCollecting *armilla_collecting_new (const ArmillaWorkflow *workflow,
                                           ArmillaRuntime *runtime, ArmillaResume *resume,
                                           GError **error);
ArmillaCollecting *armilla_collecting_new_forecast (const ArmillaWorkflow *workflow);
ArmillaLot *armilla_collecting_lot (ArmillaCollecting *self, ArmillaGraph *graph, int node,
                                    gint64 pass);
ArmillaCollected *armilla_collecting_files (const ArmillaCollecting *self, int node,
                                            gint64 point);
void armilla_collecting_remove (const ArmillaCollecting *self);
void armilla_collecting_free (ArmillaCollecting *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaCollecting, armilla_collecting_free)

G_END_DECLS
