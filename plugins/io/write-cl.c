/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"

struct _ArmillaWriteCl {
  ArmillaStage parent_instance;
  char *file;
  ArmillaStageOutput *output;
  ArmillaClTable *table;
};

ARMILLA_DEFINE_STAGE (ArmillaWriteCl, armilla_write_cl, ARMILLA, WRITE_CL)

static const ArmillaPort ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN, "the spectra to write" },
  { NULL, NULL, 0, NULL },
};

static gboolean
write_cl_take (gpointer user, double *values, GError **error)
{
  ArmillaWriteCl *self = user;
  gsize n = (gsize) self->table->n_fields * (gsize) (self->table->lmax + 1);

  memcpy (self->table->values, values, n * sizeof (double));
  return armilla_cl_write (self->output->output, self->table, self->output->history, error);
}

static gboolean
write_cl_done (gpointer user, GError **error)
{
  return armilla_stage_output_commit (((ArmillaWriteCl *) user)->output, error);
}

static gboolean
write_cl_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteCl *self = ARMILLA_WRITE_CL (stage);

  (void) outputs;
  self->output = armilla_stage_output_new (self->file, context, inputs[0], error);
  return self->output != NULL;
}

static gboolean
write_cl_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteCl *self = ARMILLA_WRITE_CL (stage);
  ArmillaCl *cl = ARMILLA_CL (inputs[0]);

  (void) outputs;
  armilla_stage_output_begin (self->output, graph);
  self->table = armilla_cl_table_new (armilla_cl_lmax (cl), armilla_cl_n_fields (cl));
  self->table->coordsys = g_strdup (armilla_cl_coordsys (cl));
  for (int i = 0; i < self->table->n_fields; i++)
    {
      g_free (self->table->names[i]);
      self->table->names[i] = g_strdup (armilla_cl_names (cl)[i]);
      g_free (self->table->units[i]);
      self->table->units[i] = g_strdup (armilla_cl_unit (cl));
    }
  return armilla_graph_drain_cl (graph, cl, write_cl_take, write_cl_done, g_object_ref (self),
                                 g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteCl, file, NULL),
    "name of the file; a name that ends in .gz is compressed", ARMILLA_PROPERTY_REQUIRED },
};

static void
armilla_write_cl_class_init (ArmillaWriteClClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "write-cl";
  stage->summary = "Write angular power spectra to a FITS file";
  stage->description =
    "Writes one row per multipole and one column per spectrum, as healpy.write_cl does; unit "
    "and coordinates where they are known. The file appears under its name when it is whole. "
    "HISTORY holds the program's version, the seeds and the workflow.";
  stage->ports = ports;
  stage->prepare = write_cl_prepare;
  stage->build = write_cl_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteCl, output, armilla_stage_output_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteCl, table, armilla_cl_table_free);
}
