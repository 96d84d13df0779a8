/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/table-data.h>
#include <armilla/workflow-arrays.h>
#include <armilla/runtime.h>

#include "tasks/arrays/array-tiles.h"

G_BEGIN_DECLS

/* A result and the objects that it owns. */
typedef struct {
  ArmillaResult shown;    /* part that the caller sees; first member, since results are cast */
  ArmillaTable *table;    /* owner of the columns; may be NULL */
  ArmillaArrayRows *rows; /* fields of the array, for tasks; may be NULL */
  gint64 first;           /* number, in the whole map, of the first pixel of an image */
} ArmillaFlowResult;

gboolean armilla_result_allocate (ArmillaResult *self, int n_fields, gint64 n, gint64 size,
                                  GError **error);
ArmillaArrayRows *armilla_result_rows (ArmillaResult *self);
void armilla_result_take_table (ArmillaResult *self, ArmillaTable *table);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaResult, armilla_result_free)

/* Passes results to all ranks; in hand-out.c. */
gboolean armilla_results_broadcast (GPtrArray *results, ArmillaRuntime *runtime, GError **error);

G_END_DECLS
