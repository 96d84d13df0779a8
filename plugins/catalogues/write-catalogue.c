/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <armilla/armilla.h>

#include "core/catalogues/binning.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/histogram.h"
#include "tasks/data/objects.h"

typedef enum { POSITIONS_ANGLES, POSITIONS_VECTORS } Positions;

struct _ArmillaWriteCatalogue {
  ArmillaStage parent_instance;
  char *file;
  Positions positions;
  ArmillaTableFormat format;
  ArmillaStageOutput *output;
};

ARMILLA_DEFINE_STAGE (ArmillaWriteCatalogue, armilla_write_catalogue, ARMILLA, WRITE_CATALOGUE)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects to write" },
  { NULL, NULL, 0, NULL },
};

static const char *const positions[] = {
  [POSITIONS_ANGLES] = "angles", [POSITIONS_VECTORS] = "vectors", NULL,
};

static gboolean
write_catalogue_make (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  ArmillaWriteCatalogue *self = user;

  out->table = armilla_catalogue_table (in[0].catalogue, self->positions == POSITIONS_VECTORS,
                                        error);
  return out->table != NULL;
}

static gboolean
write_catalogue_take (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaWriteCatalogue *self = user;

  return armilla_stage_output_write_table (self->output, piece->table, self->format, error);
}

static gboolean
write_catalogue_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                         ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteCatalogue *self = ARMILLA_WRITE_CATALOGUE (stage);
  const ArmillaCatalogue *like = armilla_objects_like (ARMILLA_OBJECTS (inputs[0]));
  g_autoptr (ArmillaTable) empty = NULL;

  (void) outputs;
  if (!armilla_stage_need_file (self->file, error)
      || !armilla_table_format (self->file, &self->format, error))
    return FALSE;
  /* Reports clashing column names before the run. */
  empty = armilla_catalogue_table (like, self->positions == POSITIONS_VECTORS, error);
  if (empty != NULL)
    self->output = armilla_stage_output_new (self->file, context, inputs[0], error);
  return self->output != NULL;
}

static gboolean
write_catalogue_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                       ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteCatalogue *self = ARMILLA_WRITE_CATALOGUE (stage);
  g_autoptr (ArmillaTableData) table = armilla_table_data_new ();

  (void) outputs;
  armilla_stage_output_begin (self->output, graph);
  return armilla_graph_make (graph, inputs, 1, ARMILLA_DATA (table), write_catalogue_make,
                             g_object_ref (self), g_object_unref, error)
         && armilla_graph_drain (graph, ARMILLA_DATA (table), write_catalogue_take, NULL,
                                 g_object_ref (self), g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteCatalogue, file, NULL),
    "name of the file: ends in .fits, .ecsv, .csv, .txt or .dat, optionally followed by .gz for "
    "compression",
    ARMILLA_PROPERTY_REQUIRED },
  { "positions", ARMILLA_ENUM (ArmillaWriteCatalogue, positions, positions, POSITIONS_ANGLES),
    "columns of positions: two angles, or x, y and z" },
};

static void
armilla_write_catalogue_class_init (ArmillaWriteCatalogueClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "write-catalogue";
  armilla_stage_set_example (stage, "file = objects.fits");
  stage->summary = "Write a catalogue to a FITS binary table or to text";
  stage->description =
    "Writes positions as RA and DEC (GLON and GLAT for galactic, ELON and ELAT for ecliptic "
    "coordinates) in degrees, or as unit vectors X, Y and Z, which are read again with the same "
    "bits; then WEIGHT, G1 and G2, PATCH, and additional columns with their names, if the "
    "catalogue has them. read-catalogue recognises RA and DEC and the like; for CSV, .txt and "
    ".dat set longitude-unit and latitude-unit, because they contain no units. A name that ends "
    "in .fits selects a FITS binary table with checksums and HISTORY, .ecsv text with units and "
    "HISTORY, .csv plain text, .txt and .dat columns separated by blanks with their names in a "
    "comment. The file is renamed to its final name when it is complete.";
  stage->ports = ports;
  stage->prepare = write_catalogue_prepare;
  stage->build = write_catalogue_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteCatalogue, output, armilla_stage_output_free);
}
