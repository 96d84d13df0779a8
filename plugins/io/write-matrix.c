/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/tables/matrix-file.h"
#include "plugins/base/stage-util.h"

struct _ArmillaWriteMatrix {
  ArmillaStage parent_instance;
  char *file;
  ArmillaStageOutput *output;
  ArmillaMatrixWriter *writer; /* on rank 0 */
};

ARMILLA_DEFINE_STAGE (ArmillaWriteMatrix, armilla_write_matrix, ARMILLA, WRITE_MATRIX)

static const ArmillaPort ports[] = {
  { "matrix", armilla_matrix_get_type, ARMILLA_PORT_IN, "the matrices to write" },
  { NULL, NULL, 0, NULL },
};

static gboolean
take (gpointer user, ArmillaPiece *piece, GError **error)
{
  return armilla_matrix_writer_put (((ArmillaWriteMatrix *) user)->writer, piece->field,
                                    piece->first, piece->n, piece->first_column, piece->n_columns,
                                    piece->values, error);
}

static gboolean
done (gpointer user, GError **error)
{
  ArmillaWriteMatrix *self = user;

  return armilla_matrix_writer_end (self->writer, error)
         && armilla_stage_output_commit (self->output, error);
}

static gboolean
write_matrix_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                      ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteMatrix *self = ARMILLA_WRITE_MATRIX (stage);

  (void) outputs;
  if (!armilla_stage_need_fits (self->file, "a matrix is", error))
    return FALSE;
  self->output = armilla_stage_output_new (self->file, context, inputs[0], error);
  if (self->output == NULL || self->output->output == NULL)
    return self->output != NULL;
  self->writer = armilla_matrix_writer_new (self->output->output,
                                            armilla_matrix_header (ARMILLA_MATRIX (inputs[0])),
                                            self->output->history, error);
  return self->writer != NULL;
}

static gboolean
write_matrix_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                    ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteMatrix *self = ARMILLA_WRITE_MATRIX (stage);

  (void) outputs;
  armilla_stage_output_begin (self->output, graph);
  return armilla_graph_drain (graph, inputs[0], take, done, g_object_ref (self), g_object_unref,
                              error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteMatrix, file, NULL),
    "name of the file; a name that ends in .gz is compressed", ARMILLA_PROPERTY_REQUIRED },
};

static void
armilla_write_matrix_class_init (ArmillaWriteMatrixClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "write-matrix";
  armilla_stage_set_example (stage, "file = matrix.fits");
  stage->summary = "Write matrices, such as coupling matrices, to a FITS file";
  stage->description =
    "Writes an image extension of doubles: rows (NAXIS2), columns (NAXIS1), and one plane per "
    "matrix if there are several, with the names FIELD1, FIELD2 and so on in the header; and a "
    "binary table for each axis, ROWS and COLUMNS, with its values. The file is renamed to "
    "its final name when it is complete. HISTORY contains the program's version, the seeds and "
    "the workflow.";
  stage->ports = ports;
  stage->prepare = write_matrix_prepare;
  stage->build = write_matrix_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteMatrix, writer, armilla_matrix_writer_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteMatrix, output, armilla_stage_output_free);
}
