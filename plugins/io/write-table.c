/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"

struct _ArmillaWriteTable {
  ArmillaStage parent_instance;
  char *file;
  ArmillaTableFormat format;
  ArmillaStageOutput *output;
};

ARMILLA_DEFINE_STAGE (ArmillaWriteTable, armilla_write_table, ARMILLA, WRITE_TABLE)

static const ArmillaPort ports[] = {
  { "table", armilla_table_data_get_type, ARMILLA_PORT_IN, "the table to write" },
  { NULL, NULL, 0, NULL },
};

static gboolean
write_table_take (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaWriteTable *self = user;

  return armilla_stage_output_write_table (self->output, piece->table, self->format, error);
}

static gboolean
write_table_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                     ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteTable *self = ARMILLA_WRITE_TABLE (stage);

  (void) outputs;
  if (!armilla_stage_need_file (self->file, error)
      || !armilla_table_format (self->file, &self->format, error))
    return FALSE;
  self->output = armilla_stage_output_new (self->file, context, inputs[0], error);
  return self->output != NULL;
}

static gboolean
write_table_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                   ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteTable *self = ARMILLA_WRITE_TABLE (stage);

  (void) outputs;
  armilla_stage_output_begin (self->output, graph);
  return armilla_graph_drain (graph, inputs[0], write_table_take, NULL, g_object_ref (self),
                              g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteTable, file, NULL),
    "name of the file: ends in .fits, .ecsv, .csv, .txt or .dat, optionally followed by .gz for "
    "compression",
    ARMILLA_PROPERTY_REQUIRED },
};

static void
armilla_write_table_class_init (ArmillaWriteTableClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "write-table";
  armilla_stage_set_example (stage, "file = table.fits");
  stage->summary = "Write a table, such as a correlation function, to a FITS or a text file";
  stage->description =
    "A name that ends in .fits selects a FITS binary table with checksums, .ecsv text that "
    "astropy reads, whose numbers are read again with the same bits. Counts are 64-bit integers "
    "in both. .csv, and .txt and .dat (columns separated by blanks with their names in a "
    "comment), cannot contain units and HISTORY. The file is renamed to its final name when it is "
    "complete. HISTORY contains the program's version, the seeds and the workflow.";
  stage->ports = ports;
  stage->prepare = write_table_prepare;
  stage->build = write_table_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteTable, output, armilla_stage_output_free);
}
