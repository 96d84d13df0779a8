/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "plugins/base/stages.h"

typedef enum { POSITIONS_ANGLES, POSITIONS_VECTORS } Positions;

struct _ArmillaWriteCatalogue {
  ArmillaStage parent_instance;
  char *file;
  Positions positions;
  ArmillaTableFormat format;
  ArmillaStageOutput output;
};

ARMILLA_DEFINE_STAGE (ArmillaWriteCatalogue, armilla_write_catalogue, ARMILLA, WRITE_CATALOGUE)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects to write" },
  { NULL, NULL, 0, NULL },
};

static const GEnumValue positions[] = {
  { POSITIONS_ANGLES, "ARMILLA_WRITE_CATALOGUE_ANGLES", "angles" },
  { POSITIONS_VECTORS, "ARMILLA_WRITE_CATALOGUE_VECTORS", "vectors" },
  { 0, NULL, NULL },
};

/* What is held while the file is written. */
typedef struct {
  gint refs; /* of the visit, the source of the table, and its sink */
  ArmillaStageOutput output;
  ArmillaTableFormat format;
  Positions positions;
  gboolean here; /* on rank 0 */
  ArmillaCatalogue *catalogue;
} CatalogueSink;

static void
catalogue_sink_unref (gpointer data)
{
  CatalogueSink *sink = data;

  if (!g_atomic_int_dec_and_test (&sink->refs))
    return;
  armilla_stage_output_clear (&sink->output);
  g_clear_pointer (&sink->catalogue, armilla_catalogue_unref);
  g_free (sink);
}

static gboolean
write_catalogue_visit (gpointer user, ArmillaCatalogue *const *catalogues, GError **error)
{
  CatalogueSink *sink = user;

  (void) error;
  if (sink->here)
    sink->catalogue = armilla_catalogue_ref (catalogues[0]);
  return TRUE;
}

static ArmillaTable *
write_catalogue_make (gpointer user, const gint64 *const *words, GError **error)
{
  CatalogueSink *sink = user;
  ArmillaTable *table
    = armilla_catalogue_table (sink->catalogue, sink->positions == POSITIONS_VECTORS, error);

  (void) words;
  g_clear_pointer (&sink->catalogue, armilla_catalogue_unref);
  return table;
}

static gboolean
write_catalogue_take (gpointer user, const ArmillaTable *table, GError **error)
{
  CatalogueSink *sink = user;

  return armilla_table_write (sink->output.output, table, sink->format, sink->output.history, error)
         && armilla_stage_output_commit (&sink->output, error);
}

/* What tables are written to, and plain text. */
static gboolean
find_format (const char *path, ArmillaTableFormat *format, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  *format = ARMILLA_TABLE_CSV;
  if (g_str_has_suffix (lower, ".csv") || g_str_has_suffix (lower, ".csv.gz")
      || armilla_table_format (path, format, NULL))
    return TRUE;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
               "file = %s: a catalogue is written to a file that ends in .fits, .ecsv or .csv, or "
               "in these and .gz", path);
  return FALSE;
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
      || !find_format (self->file, &self->format, error))
    return FALSE;
  /* names of columns that clash are told before anything is computed */
  empty = armilla_catalogue_table (like, self->positions == POSITIONS_VECTORS, error);
  return empty != NULL
         && armilla_stage_output_open (&self->output, self->file, context, inputs[0], error);
}

static gboolean
write_catalogue_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                       ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteCatalogue *self = ARMILLA_WRITE_CATALOGUE (stage);
  ArmillaObjects *objects = ARMILLA_OBJECTS (inputs[0]);
  g_autoptr (ArmillaTableData) table = armilla_table_data_new ();
  CatalogueSink *sink = g_new0 (CatalogueSink, 1);

  (void) outputs;
  sink->refs = 3;
  armilla_stage_output_take (&sink->output, &self->output, graph);
  sink->format = self->format;
  sink->positions = self->positions;
  sink->here = sink->output.output != NULL;
  return armilla_graph_visit_objects (graph, &objects, 1, write_catalogue_visit, sink,
                                      catalogue_sink_unref, error)
         && armilla_graph_make_table (graph, NULL, 0, write_catalogue_make, sink,
                                      catalogue_sink_unref, table, error)
         && armilla_graph_drain_table (graph, table, write_catalogue_take, sink,
                                       catalogue_sink_unref, error);
}

static void
write_catalogue_finalize (GObject *object)
{
  armilla_stage_output_clear (&ARMILLA_WRITE_CATALOGUE (object)->output);
  G_OBJECT_CLASS (armilla_write_catalogue_parent_class)->finalize (object);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteCatalogue, file, NULL),
    "name of the file: ends in .fits, .ecsv or .csv, or in these and .gz, which is compressed",
    ARMILLA_PROPERTY_REQUIRED },
  { "positions", ARMILLA_ENUM (ArmillaWriteCatalogue, positions, positions, POSITIONS_ANGLES),
    "columns of positions: two angles, or x, y and z" },
};

static void
armilla_write_catalogue_class_init (ArmillaWriteCatalogueClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = write_catalogue_finalize;
  stage->nick = "write-catalogue";
  stage->summary = "Write a catalogue to a FITS binary table or to text";
  stage->description =
    "Writes positions as RA and DEC (GLON and GLAT of galactic, ELON and ELAT of ecliptic ones) in "
    "degrees, or as unit vectors X, Y and Z, which read back to the same bits; then WEIGHT, G1 and "
    "G2, PATCH, and further columns under their own names, where the catalogue has them. "
    "read-catalogue finds RA and DEC and their like by itself; text has no units for it: give "
    "longitude-unit and latitude-unit. A name that ends in .fits gives a FITS binary table with "
    "checksums and HISTORY, .ecsv text with units and HISTORY, .csv plain text. The file appears "
    "under its name when it is whole.";
  stage->ports = ports;
  stage->prepare = write_catalogue_prepare;
  stage->build = write_catalogue_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
