/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine of StarPU's SimGrid build: time passes as the file of a node says, and data have no
 * memory of their own. Nothing may wait but through StarPU: all threads of it are one. */
#pragma once

#include "tasks/runtime-private.h"

G_BEGIN_DECLS

#ifdef STARPU_SIMGRID
gboolean armilla_simulation_start (GError **error);
void armilla_simulation_begin (void);
gboolean armilla_simulation_has_gpus (void);
void armilla_simulation_io (void (*run) (gpointer), gpointer user);
gboolean armilla_simulation_host_step (const char *stage, double bytes, GError **error);
void armilla_simulation_stop (void);
#endif

#define ARMILLA_LONGEST_PAUSE 100e-6 /* s of simulated time between two looks */

/* As g_cond_wait(). @pause: 0 when the waiting begins. */
static inline void
armilla_wait (GCond *changed, GMutex *lock, double *pause)
{
#ifdef STARPU_SIMGRID
  (void) changed;
  *pause = CLAMP (1.2 * *pause, 1e-6, ARMILLA_LONGEST_PAUSE);
  g_mutex_unlock (lock);
  starpu_sleep ((float) *pause);
  g_mutex_lock (lock);
#else
  (void) pause;
  g_cond_wait (changed, lock);
#endif
}

G_END_DECLS
