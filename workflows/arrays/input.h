/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/graph.h>
#include <armilla/matrix.h>
#include <armilla/table.h>
#include <armilla/workflow-arrays.h>

#include "tasks/arrays/array-tiles.h"

G_BEGIN_DECLS

/**
 * ArmillaInput:
 * @name: node whose place it takes
 * @kind: what it is
 * @rows: (owned) (nullable): the array, as tasks see it
 * @n: numbers of each field
 * @layout: of a_lm
 * @n_fields: fields or spectra
 * @grid: (owned) (nullable): of a map
 * @spins: (array length=n_fields): of a map or a_lm
 * @names: (array length=n_fields): of the fields or spectra
 * @unit: (nullable): of all of them
 * @coordinates: (nullable): G, E or C
 * @table: (owned) (nullable): a table
 * @catalogue: (owned) (nullable): a catalogue
 * @matrix: (owned) (nullable): description of matrices
 * @elements: (nullable): of matrices, in the caller's memory
 * @others: (owned) (element-type ArmillaInput): arrays of further realisations
 * @number: (nullable): expression for the number of the array to take, 0 for this one
 *
 * An array of the caller's that was found to be in order.
 */
typedef struct {
  char *name;
  ArmillaFlowKind kind;
  ArmillaArrayRows *rows;
  gint64 n;
  ArmillaAlmLayout layout;
  int n_fields;
  ArmillaGrid *grid;
  int *spins;
  char **names;
  char *unit, *coordinates;
  ArmillaTable *table;
  ArmillaCatalogue *catalogue;
  ArmillaMatrixHeader *matrix;
  const double *elements;
  GPtrArray *others;
  char *number;
} ArmillaInput;

ArmillaInput *armilla_input_new (const char *name, const ArmillaFlowInput *given, GError **error);
void armilla_input_free (ArmillaInput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaInput, armilla_input_free)

G_END_DECLS
