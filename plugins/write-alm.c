/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/stage-util.h"
#include "plugins/stages.h"

typedef enum { DTYPE_FLOAT32, DTYPE_FLOAT64 } Dtype;

struct _ArmillaWriteAlm {
  ArmillaStage parent_instance;
  char *file;
  Dtype dtype;
  ArmillaOutput *output;
  char **history;
};

G_DECLARE_FINAL_TYPE (ArmillaWriteAlm, armilla_write_alm, ARMILLA, WRITE_ALM, ArmillaStage)
G_DEFINE_FINAL_TYPE (ArmillaWriteAlm, armilla_write_alm, ARMILLA_TYPE_STAGE)

enum { PROP_FILE = 1, PROP_DTYPE, N_PROPS };
static GParamSpec *props[N_PROPS];

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "the a_lm to write, any number of fields" },
  { NULL, NULL, 0, NULL },
};

static const GEnumValue dtypes[] = {
  { DTYPE_FLOAT32, "ARMILLA_WRITE_ALM_FLOAT32", "float32" },
  { DTYPE_FLOAT64, "ARMILLA_WRITE_ALM_FLOAT64", "float64" },
  { 0, NULL, NULL },
};

/* What the I/O threads hold while they write. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaOutput *output;
  ArmillaAlmLayout layout;
  int n_fields;
  gboolean single;
  char **history;
  ArmillaAlmWriter *writer;
  GMutex lock; /* of the beginning of the writer, which then looks after itself */
} AlmSink;

static void
alm_sink_free (gpointer data)
{
  AlmSink *sink = data;

  g_clear_pointer (&sink->writer, armilla_alm_writer_free);
  g_clear_pointer (&sink->output, armilla_output_free);
  g_strfreev (sink->history);
  g_mutex_clear (&sink->lock);
  g_free (sink);
}

static ArmillaAlmWriter *
alm_sink_writer (AlmSink *sink, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&sink->lock);

  if (sink->writer == NULL)
    sink->writer = armilla_alm_writer_open (sink->output, sink->layout, sink->n_fields,
                                            sink->single, sink->history, error);
  return sink->writer;
}

static gboolean
write_alm_take (gpointer user, int field, gint64 m_first, gint64 m_last, double *values,
                GError **error)
{
  AlmSink *sink = user;
  ArmillaAlmWriter *writer = alm_sink_writer (sink, error);
  gint64 lmax = sink->layout.lmax;
  gint64 first = armilla_alm_index (lmax, m_first, m_first);

  return writer != NULL
    && armilla_alm_writer_write (writer, field, first,
                                 armilla_alm_index (lmax, lmax, m_last) - first + 1, values,
                                 error);
}

static gboolean
write_alm_done (gpointer user, GError **error)
{
  AlmSink *sink = user;

  return armilla_alm_writer_close (sink->writer, error)
    && armilla_output_finish (sink->output, error)
    && armilla_graph_commit (sink->graph, g_steal_pointer (&sink->output), error);
}

static gboolean
write_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                   ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteAlm *self = ARMILLA_WRITE_ALM (stage);

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
write_alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                 ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteAlm *self = ARMILLA_WRITE_ALM (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  AlmSink *sink = g_new0 (AlmSink, 1);

  (void) outputs;
  sink->graph = graph;
  sink->output = g_steal_pointer (&self->output);
  sink->layout = armilla_alm_layout (alm);
  sink->n_fields = armilla_alm_n_fields (alm);
  sink->single = self->dtype == DTYPE_FLOAT32;
  sink->history = g_steal_pointer (&self->history);
  g_mutex_init (&sink->lock);
  return armilla_graph_drain_alm (graph, alm, write_alm_take, write_alm_done, sink, alm_sink_free,
                                  error);
}

static void
write_alm_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ArmillaWriteAlm *self = ARMILLA_WRITE_ALM (object);

  switch (id)
    {
    case PROP_FILE:
      g_value_set_string (value, self->file);
      break;
    case PROP_DTYPE:
      g_value_set_enum (value, self->dtype);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
write_alm_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ArmillaWriteAlm *self = ARMILLA_WRITE_ALM (object);

  switch (id)
    {
    case PROP_FILE:
      g_free (self->file);
      self->file = g_value_dup_string (value);
      break;
    case PROP_DTYPE:
      self->dtype = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
write_alm_finalize (GObject *object)
{
  ArmillaWriteAlm *self = ARMILLA_WRITE_ALM (object);

  g_free (self->file);
  g_strfreev (self->history);
  g_clear_pointer (&self->output, armilla_output_free);
  G_OBJECT_CLASS (armilla_write_alm_parent_class)->finalize (object);
}

static void
armilla_write_alm_class_init (ArmillaWriteAlmClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  object->get_property = write_alm_get_property;
  object->set_property = write_alm_set_property;
  object->finalize = write_alm_finalize;
  stage->nick = "write-alm";
  stage->summary = "Write a_lm to a FITS file";
  stage->description =
    "Writes one extension a field: index = l l + l + m + 1, real and imaginary part, as "
    "healpy.write_alm does. The file appears under its name when it is whole. HISTORY holds the "
    "program's version, the seeds and the workflow.";
  stage->ports = ports;
  stage->prepare = write_alm_prepare;
  stage->build = write_alm_build;
  props[PROP_FILE] = armilla_param_spec_required (
    g_param_spec_string ("file", NULL, "name of the file; a name that ends in .gz is compressed",
                         NULL, ARMILLA_PARAM_RW));
  props[PROP_DTYPE] = g_param_spec_enum (
    "dtype", NULL, "type of the numbers in the file",
    armilla_stage_enum ("ArmillaWriteAlmDtype", dtypes), DTYPE_FLOAT64, ARMILLA_PARAM_RW);
  g_object_class_install_properties (object, N_PROPS, props);
}

static void
armilla_write_alm_init (ArmillaWriteAlm *self)
{
  self->dtype = DTYPE_FLOAT64;
}
