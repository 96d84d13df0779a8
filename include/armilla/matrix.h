/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices with labelled axes (coupling matrices, window functions of bandpowers, covariances) as
 * data passed between nodes. The thread that builds the graph calls these functions. */
#pragma once

#include <armilla/graph.h>
#include <armilla/output.h>

G_BEGIN_DECLS

/* rows and columns of the blocks into which matrices are divided */
#define ARMILLA_MATRIX_BLOCK 256

/**
 * ArmillaMatrixAxis:
 * @label: name of the quantity along the axis: "l"
 * @unit: unit of @values, "" for none
 * @n: number of rows or columns, at least 1
 * @values: (array length=n): coordinate of each row or column: multipoles, effective multipoles of
 *   bins
 */
typedef struct {
  char *label, *unit;
  gint64 n;
  double *values;
} ArmillaMatrixAxis;

/**
 * ArmillaMatrixHeader:
 * @rows: axis of the rows
 * @columns: axis of the columns
 * @n_fields: number of matrices of this shape, 1 to 999
 * @names: (array length=n_fields): names of the matrices
 * @unit: unit of all elements, "" for none
 */
typedef struct {
  ArmillaMatrixAxis rows, columns;
  int n_fields;
  char **names;
  char *unit;
} ArmillaMatrixHeader;

/**
 * armilla_matrix_header_new:
 * @rows: axis of the rows; copied
 * @columns: axis of the columns; copied
 * @names: (array length=n_fields): names of the fields
 * @n_fields: number of fields, 1 to 999
 *
 * Describes matrices without a unit; the caller may set one.
 *
 * Returns: (transfer full): the header
 */
ArmillaMatrixHeader *armilla_matrix_header_new (const ArmillaMatrixAxis *rows,
                                                const ArmillaMatrixAxis *columns,
                                                const char *const *names, int n_fields);

/**
 * armilla_matrix_header_free:
 * @self: (transfer full) (nullable): a header
 */
void armilla_matrix_header_free (ArmillaMatrixHeader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMatrixHeader, armilla_matrix_header_free)

/**
 * ArmillaMatrix:
 *
 * Port type "matrix": F matrices of one shape. They are divided into blocks of ARMILLA_MATRIX_BLOCK
 * rows and columns, each a tile, double, [field][row][column]; a block and its mirror on the other
 * side of the diagonal are on the same rank.
 */
#define ARMILLA_TYPE_MATRIX (armilla_matrix_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaMatrix, armilla_matrix, ARMILLA, MATRIX, ArmillaData)

/**
 * armilla_matrix_new:
 * @header: (transfer full): shape, names, unit, axes
 *
 * Describes matrices.
 *
 * Returns: (transfer full): the matrices
 */
ArmillaMatrix *armilla_matrix_new (ArmillaMatrixHeader *header);

/**
 * armilla_matrix_header:
 * @self: matrices
 *
 * Returns: (transfer none): shape, names, unit, axes
 */
const ArmillaMatrixHeader *armilla_matrix_header (ArmillaMatrix *self);

/**
 * armilla_matrix_find:
 * @self: matrices
 * @name: name of a field
 *
 * Returns: number of the field, or -1 if there is none of that name
 */
int armilla_matrix_find (ArmillaMatrix *self, const char *name);

G_END_DECLS
