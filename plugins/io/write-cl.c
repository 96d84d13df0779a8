/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"

struct _ArmillaWriteCl {
  ArmillaStage parent_instance;
  char *file;
  ArmillaStageOutput output;
};

ARMILLA_DEFINE_STAGE (ArmillaWriteCl, armilla_write_cl, ARMILLA, WRITE_CL)

static const ArmillaPort ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN, "the spectra to write" },
  { NULL, NULL, 0, NULL },
};

/* What the I/O thread holds while it writes. */
typedef struct {
  ArmillaStageOutput output;
  ArmillaClTable *table;
} ClSink;

static void
cl_sink_free (gpointer data)
{
  ClSink *sink = data;

  armilla_stage_output_clear (&sink->output);
  armilla_cl_table_free (sink->table);
  g_free (sink);
}

static gboolean
write_cl_take (gpointer user, double *values, GError **error)
{
  ClSink *sink = user;
  gsize n = (gsize) sink->table->n_fields * (gsize) (sink->table->lmax + 1);

  memcpy (sink->table->values, values, n * sizeof (double));
  return armilla_cl_write (sink->output.output, sink->table, sink->output.history, error);
}

static gboolean
write_cl_done (gpointer user, GError **error)
{
  ClSink *sink = user;

  return armilla_stage_output_commit (&sink->output, error);
}

static gboolean
write_cl_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteCl *self = ARMILLA_WRITE_CL (stage);

  (void) outputs;
  return armilla_stage_output_open (&self->output, self->file, context, inputs[0], error);
}

static gboolean
write_cl_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteCl *self = ARMILLA_WRITE_CL (stage);
  ArmillaCl *cl = ARMILLA_CL (inputs[0]);
  ClSink *sink = g_new0 (ClSink, 1);

  (void) outputs;
  armilla_stage_output_take (&sink->output, &self->output, graph);
  sink->table = armilla_cl_table_new (armilla_cl_lmax (cl), armilla_cl_n_fields (cl));
  sink->table->coordsys = g_strdup (armilla_cl_coordsys (cl));
  for (int i = 0; i < sink->table->n_fields; i++)
    {
      g_free (sink->table->names[i]);
      sink->table->names[i] = g_strdup (armilla_cl_names (cl)[i]);
      g_free (sink->table->units[i]);
      sink->table->units[i] = g_strdup (armilla_cl_unit (cl));
    }
  return armilla_graph_drain_cl (graph, cl, write_cl_take, write_cl_done, sink, cl_sink_free,
                                 error);
}

static void
write_cl_finalize (GObject *object)
{
  armilla_stage_output_clear (&ARMILLA_WRITE_CL (object)->output);
  G_OBJECT_CLASS (armilla_write_cl_parent_class)->finalize (object);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteCl, file, NULL),
    "name of the file; a name that ends in .gz is compressed", ARMILLA_PROPERTY_REQUIRED },
};

static void
armilla_write_cl_class_init (ArmillaWriteClClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = write_cl_finalize;
  stage->nick = "write-cl";
  stage->summary = "Write angular power spectra to a FITS file";
  stage->description =
    "Writes one row a multipole and one column a spectrum, as healpy.write_cl does; unit and "
    "coordinates where they are known. The file appears under its name when it is whole. HISTORY "
    "holds the program's version, the seeds and the workflow.";
  stage->ports = ports;
  stage->prepare = write_cl_prepare;
  stage->build = write_cl_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
