/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The points of a sweep: all combinations of the values of the swept keys. */
#pragma once

#include <armilla/table.h>

#include "workflows/text/scanner.h"

G_BEGIN_DECLS

/* The parsed `sweep` of [workflow]. Without it there is one point without keys. */
typedef struct _ArmillaSweepPoints ArmillaSweepPoints;

ArmillaSweepPoints *armilla_sweep_points_new (ArmillaDocument *document, ArmillaProblems *problems);
gint64 armilla_sweep_points_count (const ArmillaSweepPoints *self);
int armilla_sweep_points_n_keys (const ArmillaSweepPoints *self);
const char *armilla_sweep_points_key (const ArmillaSweepPoints *self, int key);
int armilla_sweep_points_find (const ArmillaSweepPoints *self, const char *name);
gboolean armilla_sweep_points_failed (const ArmillaSweepPoints *self);
const char *armilla_sweep_points_text (const ArmillaSweepPoints *self, int key, gint64 point);
ArmillaTable *armilla_sweep_points_table (const ArmillaSweepPoints *self);
char *armilla_sweep_points_describe (const ArmillaSweepPoints *self, gint64 point);
gboolean armilla_is_reference (const char *name);
void armilla_sweep_points_free (ArmillaSweepPoints *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaSweepPoints, armilla_sweep_points_free)

G_END_DECLS
