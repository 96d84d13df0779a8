/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of matrices. Any thread may read and write its own file. */
#pragma once

#include <armilla/matrix.h>

G_BEGIN_DECLS

/* A FITS file of matrices being written: an image extension of doubles, [field][row][column], and a
 * binary table for each axis. */
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

/* An open FITS file of matrices. */
typedef struct _ArmillaMatrixReader ArmillaMatrixReader;

ArmillaMatrixReader *armilla_matrix_reader_open (const char *path, GError **error);
const ArmillaMatrixHeader *armilla_matrix_reader_header (const ArmillaMatrixReader *self);
gboolean armilla_matrix_reader_get (ArmillaMatrixReader *self, int field, gint64 row,
                                    gint64 n_rows, gint64 column, gint64 n_columns, double *values,
                                    GError **error);
void armilla_matrix_reader_free (gpointer self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMatrixReader, armilla_matrix_reader_free)

G_END_DECLS
