/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/catalogues/two-point-file.h"
#include "plugins/base/stage-util.h"

enum { VECTOR, COVARIANCE, NZ, N_INPUTS = NZ + ARMILLA_N_NZ };

struct _ArmillaWriteTwoPoint {
  ArmillaStage parent_instance;
  char *file;
  ArmillaStageOutput *output;
};

ARMILLA_DEFINE_STAGE (ArmillaWriteTwoPoint, armilla_write_two_point, ARMILLA, WRITE_TWO_POINT)

#define OPTIONAL (ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL)

static const ArmillaPort ports[] = {
  { "vector", armilla_table_data_get_type, ARMILLA_PORT_IN,
    "the data vector, output vector of joint-covariance" },
  { "covariance", armilla_table_data_get_type, ARMILLA_PORT_IN,
    "its covariance, output covariance of the same node" },
  { "nz-lens", armilla_table_data_get_type, OPTIONAL,
    "numbers of lenses by redshift: columns Z_LOW, Z_MID, Z_HIGH, BIN1, BIN2 and so on" },
  { "nz-source", armilla_table_data_get_type, OPTIONAL,
    "numbers of sources by redshift, in the same columns" },
  { NULL, NULL, 0, NULL },
};

static gboolean
write_take (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  ArmillaWriteTwoPoint *self = user;
  const ArmillaTable *nz[ARMILLA_N_NZ];

  (void) out;
  for (int kind = 0; kind < ARMILLA_N_NZ; kind++)
    nz[kind] = in[NZ + kind].table;
  return armilla_two_point_write (self->output->output, in[VECTOR].table, in[COVARIANCE].table, nz,
                                  self->output->history, error)
         && armilla_stage_output_commit (self->output, error);
}

static gboolean
write_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
               ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteTwoPoint *self = ARMILLA_WRITE_TWO_POINT (stage);

  (void) outputs;
  if (!armilla_stage_need_fits (self->file, "two-point functions are", error))
    return FALSE;
  self->output = armilla_stage_output_new (self->file, context, inputs[VECTOR], error);
  return self->output != NULL;
}

static gboolean
write_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteTwoPoint *self = ARMILLA_WRITE_TWO_POINT (stage);

  (void) outputs;
  armilla_stage_output_begin (self->output, graph);
  return armilla_graph_make (graph, inputs, N_INPUTS, NULL, write_take, g_object_ref (self),
                             g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteTwoPoint, file, NULL), "name of the FITS file",
    ARMILLA_PROPERTY_REQUIRED },
};

static void
armilla_write_two_point_class_init (ArmillaWriteTwoPointClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "write-two-point";
  armilla_stage_set_example (stage, "vector = joint_vector; covariance = joint_covariance; "
                                    "file = two-point.fits");
  stage->summary = "Write a data vector and its covariance for programs that fit them";
  stage->description =
    "The file has the layout that CosmoSIS and the Python package twopoint read: the image COVMAT, "
    "and a table for each function, xip, xim, gammat and wtheta, with the numbers of the bins of "
    "redshift in BIN1 and BIN2, and angles in arcmin. These numbers are those at the end of the "
    "names of statistics: 1 and 2 of gt-1-2, 3 and 3 of w-3; 1 without a number. Rows of the "
    "covariance are in the order of these tables. Tables of n(z) are named nz_lens and nz_source.";
  stage->ports = ports;
  stage->prepare = write_prepare;
  stage->build = write_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteTwoPoint, output, armilla_stage_output_free);
}
