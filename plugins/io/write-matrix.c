/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"

struct _ArmillaWriteMatrix {
  ArmillaStage parent_instance;
  char *file;
  ArmillaStageOutput output;
  ArmillaMatrixWriter *writer; /* on rank 0 */
};

ARMILLA_DEFINE_STAGE (ArmillaWriteMatrix, armilla_write_matrix, ARMILLA, WRITE_MATRIX)

static const ArmillaPort ports[] = {
  { "matrix", armilla_matrix_get_type, ARMILLA_PORT_IN, "the matrices to write" },
  { NULL, NULL, 0, NULL },
};

/* What the I/O threads hold while they write. */
typedef struct {
  ArmillaStageOutput output;
  ArmillaMatrixWriter *writer;
} Sink;

static void
sink_free (gpointer data)
{
  Sink *sink = data;

  g_clear_pointer (&sink->writer, armilla_matrix_writer_free);
  armilla_stage_output_clear (&sink->output);
  g_free (sink);
}

static gboolean
sink_take (gpointer user, int field, gint64 row, gint64 n_rows, gint64 column, gint64 n_columns,
           double *values, GError **error)
{
  return armilla_matrix_writer_put (((Sink *) user)->writer, field, row, n_rows, column, n_columns,
                                    values, error);
}

static gboolean
sink_done (gpointer user, GError **error)
{
  Sink *sink = user;

  return armilla_matrix_writer_end (sink->writer, error)
         && armilla_stage_output_commit (&sink->output, error);
}

static void
write_matrix_clear (ArmillaWriteMatrix *self)
{
  g_clear_pointer (&self->writer, armilla_matrix_writer_free);
  armilla_stage_output_clear (&self->output);
}

static gboolean
write_matrix_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                      ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteMatrix *self = ARMILLA_WRITE_MATRIX (stage);

  (void) outputs;
  write_matrix_clear (self);
  if (!armilla_stage_output_open (&self->output, self->file, context, inputs[0], error))
    return FALSE;
  if (self->output.output != NULL)
    self->writer = armilla_matrix_writer_new (self->output.output,
                                              armilla_matrix_header (ARMILLA_MATRIX (inputs[0])),
                                              self->output.history, error);
  return self->output.output == NULL || self->writer != NULL;
}

static gboolean
write_matrix_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                    ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteMatrix *self = ARMILLA_WRITE_MATRIX (stage);
  Sink *sink = g_new0 (Sink, 1);

  (void) outputs;
  armilla_stage_output_take (&sink->output, &self->output, graph);
  sink->writer = g_steal_pointer (&self->writer);
  return armilla_graph_drain_matrix (graph, ARMILLA_MATRIX (inputs[0]), sink_take, sink_done, sink,
                                     sink_free, error);
}

static void
write_matrix_finalize (GObject *object)
{
  write_matrix_clear (ARMILLA_WRITE_MATRIX (object));
  G_OBJECT_CLASS (armilla_write_matrix_parent_class)->finalize (object);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteMatrix, file, NULL),
    "name of the file; a name that ends in .gz is compressed", ARMILLA_PROPERTY_REQUIRED },
};

static void
armilla_write_matrix_class_init (ArmillaWriteMatrixClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = write_matrix_finalize;
  stage->nick = "write-matrix";
  stage->summary = "Write matrices, such as those of a mask's coupling, to a FITS file";
  stage->description =
    "Writes an image extension of doubles: rows (NAXIS2) and columns (NAXIS1), and one plane a "
    "matrix where there are several, whose names are FIELD1, FIELD2 and so on of the header; and a "
    "binary table for each axis, ROWS and COLUMNS, with the degrees they stand for. The file "
    "appears under its name when it is whole. HISTORY holds the program's version, the seeds and "
    "the workflow.";
  stage->ports = ports;
  stage->prepare = write_matrix_prepare;
  stage->build = write_matrix_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
