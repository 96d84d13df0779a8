/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph/jobs.h"

G_BEGIN_DECLS

double armilla_job_work (const ArmillaJob *job);
void armilla_graph_job_begins (ArmillaGraph *graph, ArmillaJob *const *jobs, int n);
void armilla_graph_job_ends (ArmillaGraph *graph);

G_END_DECLS
