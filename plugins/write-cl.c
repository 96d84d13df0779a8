/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "plugins/stage-util.h"
#include "plugins/stages.h"

struct _ArmillaWriteCl {
  ArmillaStage parent_instance;
  char *file;
  ArmillaOutput *output;
  char **history;
};

G_DECLARE_FINAL_TYPE (ArmillaWriteCl, armilla_write_cl, ARMILLA, WRITE_CL, ArmillaStage)
G_DEFINE_FINAL_TYPE (ArmillaWriteCl, armilla_write_cl, ARMILLA_TYPE_STAGE)

enum { PROP_FILE = 1, N_PROPS };
static GParamSpec *props[N_PROPS];

static const ArmillaPort ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN, "the spectra to write" },
  { NULL, NULL, 0, NULL },
};

/* What the I/O thread holds while it writes. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaOutput *output;
  ArmillaClTable *table;
  char **history;
} ClSink;

static void
cl_sink_free (gpointer data)
{
  ClSink *sink = data;

  g_clear_pointer (&sink->output, armilla_output_free);
  armilla_cl_table_free (sink->table);
  g_strfreev (sink->history);
  g_free (sink);
}

static gboolean
write_cl_take (gpointer user, double *values, GError **error)
{
  ClSink *sink = user;
  gsize n = (gsize) sink->table->n_fields * (gsize) (sink->table->lmax + 1);

  memcpy (sink->table->values, values, n * sizeof (double));
  return armilla_cl_write (sink->output, sink->table, sink->history, error);
}

static gboolean
write_cl_done (gpointer user, GError **error)
{
  ClSink *sink = user;

  return armilla_output_finish (sink->output, error)
    && armilla_graph_commit (sink->graph, g_steal_pointer (&sink->output), error);
}

static gboolean
write_cl_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteCl *self = ARMILLA_WRITE_CL (stage);

  (void) outputs;
  if (!armilla_stage_need_file (self->file, error))
    return FALSE;
  g_clear_pointer (&self->output, armilla_output_free);
  g_strfreev (self->history);
  self->history = armilla_stage_history (context, inputs[0]);
  if (context->rank == 0)
    self->output = armilla_output_new (self->file, context->overwrite, error);
  return context->rank != 0 || self->output != NULL;
}

static gboolean
write_cl_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteCl *self = ARMILLA_WRITE_CL (stage);
  ArmillaCl *cl = ARMILLA_CL (inputs[0]);
  ClSink *sink = g_new0 (ClSink, 1);

  (void) outputs;
  sink->graph = graph;
  sink->output = g_steal_pointer (&self->output);
  sink->history = g_steal_pointer (&self->history);
  sink->table = armilla_cl_table_new (armilla_cl_lmax (cl), armilla_cl_n_fields (cl));
  for (int i = 0; i < sink->table->n_fields; i++)
    {
      g_free (sink->table->names[i]);
      sink->table->names[i] = g_strdup (armilla_cl_names (cl)[i]);
    }
  return armilla_graph_drain_cl (graph, cl, write_cl_take, write_cl_done, sink, cl_sink_free,
                                 error);
}

static void
write_cl_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_FILE)
    g_value_set_string (value, ARMILLA_WRITE_CL (object)->file);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
write_cl_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ArmillaWriteCl *self = ARMILLA_WRITE_CL (object);

  if (id == PROP_FILE)
    {
      g_free (self->file);
      self->file = g_value_dup_string (value);
    }
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
write_cl_finalize (GObject *object)
{
  ArmillaWriteCl *self = ARMILLA_WRITE_CL (object);

  g_free (self->file);
  g_strfreev (self->history);
  g_clear_pointer (&self->output, armilla_output_free);
  G_OBJECT_CLASS (armilla_write_cl_parent_class)->finalize (object);
}

static void
armilla_write_cl_class_init (ArmillaWriteClClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  object->get_property = write_cl_get_property;
  object->set_property = write_cl_set_property;
  object->finalize = write_cl_finalize;
  stage->nick = "write-cl";
  stage->summary = "Write angular power spectra to a FITS file";
  stage->description =
    "Writes one row a multipole and one column a spectrum, as healpy.write_cl does. The file "
    "appears under its name when it is whole. HISTORY holds the program's version, the seeds and "
    "the workflow.";
  stage->ports = ports;
  stage->prepare = write_cl_prepare;
  stage->build = write_cl_build;
  props[PROP_FILE] = armilla_param_spec_required (
    g_param_spec_string ("file", NULL, "name of the file; a name that ends in .gz is compressed",
                         NULL, ARMILLA_PARAM_RW));
  g_object_class_install_properties (object, N_PROPS, props);
}

static void
armilla_write_cl_init (ArmillaWriteCl *self)
{
  (void) self;
}
