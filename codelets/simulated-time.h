/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where StarPU simulates (its SimGrid build), codelets run no code and take the time that the file
 * of a node says. */
#pragma once

#include <armilla/node-model.h>
#include <starpu.h>

G_BEGIN_DECLS

#ifdef STARPU_SIMGRID
void armilla_simulated_time_set (ArmillaNodeModel *node);
double armilla_simulated_time (struct starpu_task *task, unsigned worker, unsigned implementation);
#endif

G_END_DECLS
