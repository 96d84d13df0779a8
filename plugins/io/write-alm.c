/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"

typedef enum { DTYPE_FLOAT32, DTYPE_FLOAT64 } Dtype;

struct _ArmillaWriteAlm {
  ArmillaStage parent_instance;
  char *file;
  Dtype dtype;
  ArmillaStageOutput output;
};

ARMILLA_DEFINE_STAGE (ArmillaWriteAlm, armilla_write_alm, ARMILLA, WRITE_ALM)

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
  ArmillaStageOutput output;
  ArmillaAlmLayout layout;
  int n_fields;
  int *spins;
  char *unit, *coordsys;
  gboolean single;
  ArmillaAlmWriter *writer;
  GMutex lock; /* of the beginning of the writer, which then looks after itself */
} AlmSink;

static void
alm_sink_free (gpointer data)
{
  AlmSink *sink = data;

  g_clear_pointer (&sink->writer, armilla_alm_writer_free);
  g_free (sink->spins);
  g_free (sink->unit);
  g_free (sink->coordsys);
  armilla_stage_output_clear (&sink->output);
  g_mutex_clear (&sink->lock);
  g_free (sink);
}

static ArmillaAlmWriter *
alm_sink_writer (AlmSink *sink, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&sink->lock);

  if (sink->writer == NULL)
    sink->writer = armilla_alm_writer_open (sink->output.output, sink->layout, sink->n_fields,
                                            sink->spins, sink->unit, sink->coordsys, sink->single,
                                            sink->output.history, error);
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
    && armilla_stage_output_commit (&sink->output, error);
}

static gboolean
write_alm_end (gpointer user, GByteArray *summary, GError **error)
{
  ArmillaAlmWriter *writer = alm_sink_writer (user, error);

  return writer != NULL && armilla_alm_writer_end_part (writer, summary, error);
}

static gboolean
write_alm_merge (gpointer user, const guint8 *summary, gsize size, GError **error)
{
  return armilla_alm_writer_merge (((AlmSink *) user)->writer, summary, size, error);
}

static const ArmillaHostParts alm_parts = { write_alm_end, write_alm_merge, write_alm_done };

static gboolean
write_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                   ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteAlm *self = ARMILLA_WRITE_ALM (stage);

  (void) outputs;
  return armilla_stage_output_open (&self->output, self->file, context, inputs[0], error);
}

static gboolean
write_alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                 ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteAlm *self = ARMILLA_WRITE_ALM (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  AlmSink *sink = g_new0 (AlmSink, 1);
  gboolean shared;

  (void) outputs;
  armilla_stage_output_take (&sink->output, &self->output, graph);
  sink->layout = armilla_alm_layout (alm);
  sink->n_fields = armilla_alm_n_fields (alm);
  sink->spins = g_memdup2 (armilla_alm_spins (alm), (gsize) sink->n_fields * sizeof (int));
  sink->unit = g_strdup (armilla_alm_unit (alm));
  sink->coordsys = g_strdup (armilla_alm_coordsys (alm));
  sink->single = self->dtype == DTYPE_FLOAT32;
  g_mutex_init (&sink->lock);
  if (!armilla_stage_output_share (&sink->output, self->file, TRUE, &shared, error))
    {
      alm_sink_free (sink);
      return FALSE;
    }
  if (shared)
    return armilla_graph_drain_alm_in_parts (graph, alm, write_alm_take, &alm_parts, sink,
                                             alm_sink_free, error);
  return armilla_graph_drain_alm (graph, alm, write_alm_take, write_alm_done, sink, alm_sink_free,
                                  error);
}

static void
write_alm_finalize (GObject *object)
{
  armilla_stage_output_clear (&ARMILLA_WRITE_ALM (object)->output);
  G_OBJECT_CLASS (armilla_write_alm_parent_class)->finalize (object);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteAlm, file, NULL),
    "name of the file; a name that ends in .gz is compressed", ARMILLA_PROPERTY_REQUIRED },
  { "dtype", ARMILLA_ENUM (ArmillaWriteAlm, dtype, dtypes, DTYPE_FLOAT64),
    "type of the numbers in the file" },
};

static void
armilla_write_alm_class_init (ArmillaWriteAlmClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = write_alm_finalize;
  stage->nick = "write-alm";
  stage->summary = "Write a_lm to a FITS file";
  stage->description =
    "Writes one extension a field: index = l l + l + m + 1, real and imaginary part, as "
    "healpy.write_alm does; the keyword SPIN says what T, E and B are, TUNIT and COORDSYS unit and "
    "coordinates where they are known. The file appears under its name when it is whole. HISTORY "
    "holds the program's version, the seeds and the workflow.";
  stage->ports = ports;
  stage->prepare = write_alm_prepare;
  stage->build = write_alm_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
