/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Removal of temporary files that a killed run has left. */
typedef struct _ArmillaSweep ArmillaSweep;

ArmillaSweep *armilla_sweep_new (const char *journal);
void armilla_sweep_add (ArmillaSweep *self, const char *path);
void armilla_sweep_run (ArmillaSweep *self);
void armilla_sweep_free (ArmillaSweep *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaSweep, armilla_sweep_free)

G_END_DECLS
