/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/fits/fits.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/parts.h"

typedef enum { DTYPE_FLOAT32, DTYPE_FLOAT64 } Dtype;

struct _ArmillaWriteAlm {
  ArmillaStage parent_instance;
  char *file;
  Dtype dtype;
  ArmillaStageOutput *output;
  ArmillaAlm *alm;
  ArmillaAlmWriter *writer;
};

ARMILLA_DEFINE_STAGE (ArmillaWriteAlm, armilla_write_alm, ARMILLA, WRITE_ALM)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "the a_lm to write, any number of fields" },
  { NULL, NULL, 0, NULL },
};

static const char *const dtypes[] = {
  [DTYPE_FLOAT32] = "float32", [DTYPE_FLOAT64] = "float64", NULL,
};

static ArmillaAlmWriter *
find_writer (ArmillaWriteAlm *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->output->lock);

  if (self->writer == NULL)
    self->writer = armilla_alm_writer_open (
      self->output->output, armilla_alm_layout (self->alm), armilla_alm_n_fields (self->alm),
      armilla_alm_spins (self->alm), armilla_alm_unit (self->alm), armilla_alm_coordsys (self->alm),
      self->dtype == DTYPE_FLOAT32, self->output->history, error);
  return self->writer;
}

static gboolean
write_alm_take (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaWriteAlm *self = user;
  ArmillaAlmWriter *writer = find_writer (self, error);
  gint64 lmax = armilla_alm_layout (self->alm).lmax;
  gint64 first = armilla_alm_index (lmax, piece->first, piece->first);

  return writer != NULL
         && armilla_alm_writer_write (writer, piece->field, first,
                                      armilla_alm_index (lmax, lmax, piece->last) - first + 1,
                                      piece->values, error);
}

static gboolean
write_alm_done (gpointer user, GError **error)
{
  ArmillaWriteAlm *self = user;

  return armilla_alm_writer_close (self->writer, error)
    && armilla_stage_output_commit (self->output, error);
}

static gboolean
write_alm_end (gpointer user, GByteArray *summary, GError **error)
{
  ArmillaAlmWriter *writer = find_writer (user, error);

  return writer != NULL && armilla_alm_writer_end_part (writer, summary, error);
}

static gboolean
write_alm_merge (gpointer user, const guint8 *summary, gsize size, GError **error)
{
  return armilla_alm_writer_merge (((ArmillaWriteAlm *) user)->writer, summary, size, error);
}

static const ArmillaHostParts alm_parts = { write_alm_end, write_alm_merge, write_alm_done };

static gboolean
write_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                   ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteAlm *self = ARMILLA_WRITE_ALM (stage);

  (void) outputs;
  if (!armilla_stage_need_fits (self->file, "a_lm are", error))
    return FALSE;
  self->output = armilla_stage_output_new (self->file, context, inputs[0], error);
  return self->output != NULL;
}

static gboolean
write_alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                 ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteAlm *self = ARMILLA_WRITE_ALM (stage);
  gboolean shared;

  (void) outputs;
  self->alm = g_object_ref (ARMILLA_ALM (inputs[0]));
  armilla_stage_output_begin (self->output, graph);
  if (!armilla_stage_output_share (self->output, self->file, TRUE, &shared, error))
    return FALSE;
  if (shared)
    return armilla_graph_drain_in_parts (graph, ARMILLA_DATA (self->alm), write_alm_take,
                                         &alm_parts, g_object_ref (self), g_object_unref, error);
  return armilla_graph_drain (graph, ARMILLA_DATA (self->alm), write_alm_take, write_alm_done,
                              g_object_ref (self), g_object_unref, error);
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

  stage->nick = "write-alm";
  armilla_stage_set_example (stage, "file = alm.fits");
  stage->summary = "Write a_lm to a FITS file";
  stage->description =
    "Writes one extension per field: index = l l + l + m + 1, real and imaginary part, as "
    "healpy.write_alm does. The keyword SPIN distinguishes T, E and B; TUNIT and COORDSYS are the "
    "unit and the coordinates, if known. The file is renamed to its final name when it is "
    "complete. HISTORY contains the program's version, the seeds and the workflow.";
  stage->ports = ports;
  stage->prepare = write_alm_prepare;
  stage->build = write_alm_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteAlm, writer, armilla_alm_writer_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteAlm, output, armilla_stage_output_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteAlm, alm, g_object_unref);
}
