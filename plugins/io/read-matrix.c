/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/tables/matrix-file.h"
#include "plugins/base/stage-util.h"

struct _ArmillaReadMatrix {
  ArmillaStage parent_instance;
  char *file;
  ArmillaMatrixReader *reader;
};

ARMILLA_DEFINE_STAGE (ArmillaReadMatrix, armilla_read_matrix, ARMILLA, READ_MATRIX)

static const ArmillaPort ports[] = {
  { "matrix", armilla_matrix_get_type, ARMILLA_PORT_OUT, "the matrices of the file" },
  { NULL, NULL, 0, NULL },
};

static gboolean
read_matrix_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                     ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaReadMatrix *self = ARMILLA_READ_MATRIX (stage);
  const ArmillaMatrixHeader *header;
  ArmillaMatrixHeader *copy;

  (void) context;
  (void) inputs;
  if (!armilla_stage_need_file (self->file, error))
    return FALSE;
  if (self->reader == NULL)
    self->reader = armilla_matrix_reader_open (self->file, error);
  if (self->reader == NULL)
    return FALSE;
  header = armilla_matrix_reader_header (self->reader);
  copy = armilla_matrix_header_new (&header->rows, &header->columns,
                                    (const char *const *) header->names, header->n_fields);
  g_free (copy->unit);
  copy->unit = g_strdup (header->unit);
  outputs[0] = ARMILLA_DATA (armilla_matrix_new (copy));
  return TRUE;
}

static gboolean
fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaReadMatrix *self = user;

  return armilla_matrix_reader_get (self->reader, piece->field, piece->first, piece->n,
                                    piece->first_column, piece->n_columns, piece->values, error);
}

static gboolean
read_matrix_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                   ArmillaData *const *outputs, GError **error)
{
  ArmillaReadMatrix *self = ARMILLA_READ_MATRIX (stage);

  (void) inputs;
  return armilla_graph_fill (graph, outputs[0], fill, g_object_ref (self), g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaReadMatrix, file, NULL),
    "name of the file, opened literally; .gz is decompressed",
    ARMILLA_PROPERTY_REQUIRED | ARMILLA_PROPERTY_INPUT_FILE },
};

static void
armilla_read_matrix_class_init (ArmillaReadMatrixClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "read-matrix";
  armilla_stage_set_example (stage,
                             "[write-matrix]; file = matrix.fits; "
                             "[read-matrix]; file = matrix.fits");
  stage->summary = "Read matrices from a FITS file";
  stage->description =
    "Reads files of write-matrix, or any FITS image with two or three axes: rows are NAXIS2, "
    "columns NAXIS1, matrices NAXIS3. NaN and infinity are errors.";
  stage->ports = ports;
  stage->prepare = read_matrix_prepare;
  stage->build = read_matrix_build;
  stage->reusable = TRUE;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaReadMatrix, reader, armilla_matrix_reader_free);
}
