/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices with labelled axes: coupling matrices, window functions of bandpowers, covariances; as
 * files, and as data that flow between nodes. Any threads may read and write files, each its own;
 * data are used by the thread that builds. */
#pragma once

#include <armilla/graph.h>
#include <armilla/output.h>

G_BEGIN_DECLS

/* Rows and columns of the blocks that a matrix is cut into. */
#define ARMILLA_MATRIX_BLOCK 256

/**
 * ArmillaMatrixAxis:
 * @label: what rows or columns are: "l"
 * @unit: its unit, "" for none
 * @n: how many there are, at least 1
 * @values: (array length=n): where each of them is: degrees, effective degrees of bins
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
 * @n_fields: matrices of this shape, 1 to 999
 * @names: (array length=n_fields): their names
 * @unit: unit of all elements, "" for none
 */
typedef struct {
  ArmillaMatrixAxis rows, columns;
  int n_fields;
  char **names;
  char *unit;
} ArmillaMatrixHeader;

ArmillaMatrixHeader *armilla_matrix_header_new (const ArmillaMatrixAxis *rows,
                                                const ArmillaMatrixAxis *columns,
                                                const char *const *names, int n_fields);
void armilla_matrix_header_free (ArmillaMatrixHeader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMatrixHeader, armilla_matrix_header_free)

/**
 * ArmillaMatrixWriter:
 *
 * A FITS file of matrices being written: an image extension of doubles, [field][row][column], and a
 * binary table for each axis.
 */
typedef struct _ArmillaMatrixWriter ArmillaMatrixWriter;

ArmillaMatrixWriter *armilla_matrix_writer_new (ArmillaOutput *output,
                                                const ArmillaMatrixHeader *header, char **history,
                                                GError **error);
gboolean armilla_matrix_writer_put (ArmillaMatrixWriter *self, int field, gint64 row,
                                    gint64 n_rows, gint64 column, gint64 n_columns,
                                    const double *values, GError **error);
gboolean armilla_matrix_writer_end (ArmillaMatrixWriter *self, GError **error);
void armilla_matrix_writer_free (ArmillaMatrixWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMatrixWriter, armilla_matrix_writer_free)

/**
 * ArmillaMatrixReader:
 *
 * An open FITS file of matrices.
 */
typedef struct _ArmillaMatrixReader ArmillaMatrixReader;

ArmillaMatrixReader *armilla_matrix_reader_open (const char *path, GError **error);
const ArmillaMatrixHeader *armilla_matrix_reader_header (const ArmillaMatrixReader *self);
gboolean armilla_matrix_reader_get (ArmillaMatrixReader *self, int field, gint64 row,
                                    gint64 n_rows, gint64 column, gint64 n_columns, double *values,
                                    GError **error);
void armilla_matrix_reader_free (gpointer self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMatrixReader, armilla_matrix_reader_free)

/**
 * ArmillaMatrix:
 *
 * Port type "matrix": F matrices of one shape. Cut into blocks of ARMILLA_MATRIX_BLOCK rows and
 * columns, of which each is a tile, double, [field][row][column]; a block and its mirror on the
 * other side of the diagonal are on the same rank.
 */
#define ARMILLA_TYPE_MATRIX (armilla_matrix_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaMatrix, armilla_matrix, ARMILLA, MATRIX, ArmillaData)

ArmillaMatrix *armilla_matrix_new (ArmillaMatrixHeader *header);
const ArmillaMatrixHeader *armilla_matrix_header (ArmillaMatrix *self);
int armilla_matrix_find (ArmillaMatrix *self, const char *name);

/**
 * ArmillaHostMatrix:
 * @user: what the caller gave
 * @field: field number
 * @row: number of the first row
 * @n_rows: number of rows
 * @column: number of the first column
 * @n_columns: number of columns
 * @values: (array): the elements, [row][column], to be filled or read
 * @error: where to put an error
 *
 * Called in an I/O thread for every field of every block.
 *
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostMatrix) (gpointer user, int field, gint64 row, gint64 n_rows,
                                       gint64 column, gint64 n_columns, double *values,
                                       GError **error);

gboolean armilla_graph_fill_matrix (ArmillaGraph *graph, ArmillaMatrix *matrix,
                                    ArmillaHostMatrix fill, gpointer user, GDestroyNotify destroy,
                                    GError **error);
gboolean armilla_graph_drain_matrix (ArmillaGraph *graph, ArmillaMatrix *matrix,
                                     ArmillaHostMatrix take, ArmillaHostDone done, gpointer user,
                                     GDestroyNotify destroy, GError **error);

G_END_DECLS
