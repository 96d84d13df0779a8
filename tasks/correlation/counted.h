/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reuse of counts that several nodes request. */
#pragma once

#include "tasks/correlation/counting.h"

G_BEGIN_DECLS

char *armilla_counted_name (ArmillaGraph *graph, const ArmillaJob *job,
                            ArmillaCatalogue *const *catalogues);
ArmillaHistogram *armilla_counted_find (ArmillaGraph *graph, const char *name);
void armilla_counted_keep (ArmillaGraph *graph, const ArmillaJob *job, const char *name);

G_END_DECLS
