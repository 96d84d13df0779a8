/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files and objects that the nodes of a graph have read and written. */
#pragma once

#include <armilla/runtime.h>

G_BEGIN_DECLS

void armilla_ledger_note_file (ArmillaGraph *graph, const char *node, const char *path);
void armilla_ledger_note_time (ArmillaGraph *graph, const char *node, gint64 begin);
void armilla_ledger_note_objects (ArmillaGraph *graph, const char *node, gint64 n);
GHashTable *armilla_ledger_new (void);

G_END_DECLS
