/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "core/tables/table.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/histogram.h"

/* Estimated bytes in memory per byte of the file: words are stored separately, and the file may be
 * compressed. */
#define GROWS 6

struct _ArmillaReadTable {
  ArmillaStage parent_instance;
  char *file;
  int hdu;
  gint lock;           /* bit 0 guards the table */
  ArmillaTable *table; /* NULL until a realisation has read it */
};

ARMILLA_DEFINE_STAGE (ArmillaReadTable, armilla_read_table, ARMILLA, READ_TABLE)

static const ArmillaPort ports[] = {
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT, "the table" },
  { NULL, NULL, 0, NULL },
};

static gboolean
fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaReadTable *self = user;

  g_bit_lock (&self->lock, 0);
  if (self->table == NULL)
    self->table = armilla_table_read (self->file, self->hdu, error);
  piece->table = self->table != NULL ? armilla_table_ref (self->table) : NULL;
  g_bit_unlock (&self->lock, 0);
  return piece->table != NULL;
}

static gboolean
read_table_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  const ArmillaReadTable *self = ARMILLA_READ_TABLE (stage);

  (void) context;
  (void) inputs;
  if (!armilla_stage_need_file (self->file, error))
    return FALSE;
  if (g_access (self->file, R_OK) != 0)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: does not exist, or is unreadable",
                         self->file);
  outputs[0] = ARMILLA_DATA (armilla_table_data_new ());
  armilla_stage_note (outputs[0], "read-table: %s", self->file);
  return TRUE;
}

static double
read_table_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  GStatBuf about;

  (void) inputs;
  (void) outputs;
  return g_stat (ARMILLA_READ_TABLE (stage)->file, &about) == 0 ? GROWS * (double) about.st_size
                                                                : 0;
}

static gboolean
read_table_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  (void) inputs;
  return armilla_graph_fill (graph, outputs[0], fill, g_object_ref (stage), g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaReadTable, file, NULL),
    "name of the file, opened literally; .gz is decompressed",
    ARMILLA_PROPERTY_REQUIRED | ARMILLA_PROPERTY_INPUT_FILE },
  { "hdu", ARMILLA_INT (ArmillaReadTable, hdu, -1, G_MAXINT, -1),
    "number of the HDU; -1: the first binary table. Text has none" },
};

static void
armilla_read_table_class_init (ArmillaReadTableClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "read-table";
  armilla_stage_set_example (stage,
                             "[write-table]; file = table.fits; "
                             "[read-table]; file = table.fits");
  stage->summary = "Read a table from a FITS, an ECSV or a CSV file";
  stage->description =
    "Reads tables of write-table, with the same bits, and similar ones: a FITS binary table of "
    "numbers and texts, in which a vector becomes one column per element (NAME_1, NAME_2 ..); "
    "ECSV; or text in columns separated by commas, semicolons, tabs or blanks. The names are in "
    "its first line or, if one word of it is a number, in the last comment before it; columns "
    "without names are COLUMN1 and so on. Without ECSV's header a column contains integers, "
    "numbers or texts, according to its words; an empty word, or one that pandas treats as "
    "missing, such as NA, is a missing value (NaN). HISTORY is not kept.";
  stage->ports = ports;
  stage->prepare = read_table_prepare;
  stage->build = read_table_build;
  stage->memory = read_table_memory;
  stage->reusable = TRUE;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaReadTable, table, armilla_table_free);
}
