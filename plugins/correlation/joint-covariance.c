/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One data vector and one covariance of any number of correlation functions. */
#include <armilla/armilla.h>

#include "core/catalogues/joint.h"
#include "core/tables/table.h"
#include "plugins/base/stage-util.h"

struct _ArmillaJointCovariance {
  ArmillaStage parent_instance;
  char *labels, *functions;
  char **names; /* (array length=N_INPUTS): name of each statistic; "" if it is not connected */
};

ARMILLA_DEFINE_STAGE (ArmillaJointCovariance, armilla_joint_covariance_stage, ARMILLA,
                      JOINT_COVARIANCE)

#define SAMPLES(number)                                                                            \
  { "samples" #number, armilla_table_data_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,       \
    "others" }
#define TEN(tens)                                                                                  \
  SAMPLES (tens##0), SAMPLES (tens##1), SAMPLES (tens##2), SAMPLES (tens##3), SAMPLES (tens##4),   \
    SAMPLES (tens##5), SAMPLES (tens##6), SAMPLES (tens##7), SAMPLES (tens##8), SAMPLES (tens##9)

static const ArmillaPort ports[] = {
  { "samples", armilla_table_data_get_type, ARMILLA_PORT_IN,
    "the output samples of a correlation, or a list of them; * in a name stands for any text: "
    "xi-*.samples" },
  SAMPLES (2), SAMPLES (3), SAMPLES (4), SAMPLES (5), SAMPLES (6), SAMPLES (7), SAMPLES (8),
  SAMPLES (9), TEN (1), TEN (2), TEN (3), TEN (4), TEN (5), SAMPLES (60), SAMPLES (61),
  SAMPLES (62), SAMPLES (63), SAMPLES (64),
  { "vector", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "the data vector, one row for each bin of each function: statistic, function, bin, theta_min, "
    "theta_max, theta, value, error" },
  { "covariance", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one row for each pair of rows of the vector: bin1, bin2, the rows from 0, and covariance" },
  { NULL, NULL, 0, NULL },
};

#define N_INPUTS (G_N_ELEMENTS (ports) - 3)

static gboolean
joint_prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
               ArmillaData **outputs, GError **error)
{
  ArmillaJointCovariance *self = ARMILLA_JOINT_COVARIANCE (stage);
  g_auto (GStrv) labels = armilla_stage_words (self->labels);
  guint n = 0;

  g_clear_pointer (&self->names, g_strfreev);
  self->names = g_new0 (char *, N_INPUTS + 1);
  for (guint i = 0; i < N_INPUTS; i++)
    if (inputs[i] != NULL)
      {
        const char *source = context->sources != NULL ? context->sources[i] : NULL;

        self->names[i] = g_strdup (n < g_strv_length (labels) ? labels[n]
                                   : source != NULL           ? source
                                                              : ports[i].name);
        n++;
      }
    else
      self->names[i] = g_strdup ("");
  if (*labels != NULL && g_strv_length (labels) != n)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "labels: %u names for %u statistics; must be one for each",
                         g_strv_length (labels), n);
  armilla_stage_new_tables (outputs, 2, inputs, (int) N_INPUTS);
  return TRUE;
}

/* Arguments of a step that adds a statistic to the joint table. */
typedef struct {
  char *label;
  char **functions;
} Adder;

static void
adder_free (gpointer data)
{
  Adder *adder = data;

  g_free (adder->label);
  g_strfreev (adder->functions);
  g_free (adder);
}

static gboolean
add (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const Adder *adder = user;

  out->table
    = armilla_joint_add (in[0].table, in[1].table, adder->label, adder->functions, error);
  return out->table != NULL;
}

static gboolean
make_vector (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  (void) user;
  out->table = armilla_joint_vector (in[0].table, error);
  return out->table != NULL;
}

static gboolean
make_covariance (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  (void) user;
  out->table = armilla_joint_covariance (in[0].table, error);
  return out->table != NULL;
}

static gboolean
joint_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  const ArmillaJointCovariance *self = ARMILLA_JOINT_COVARIANCE (stage);
  g_autoptr (ArmillaData) joint = NULL;

  for (guint i = 0; i < N_INPUTS; i++)
    {
      g_autoptr (ArmillaData) next = ARMILLA_DATA (armilla_table_data_new ());
      ArmillaData *const in[] = { joint, inputs[i] };
      Adder *adder;

      if (inputs[i] == NULL)
        continue;
      adder = g_new0 (Adder, 1);
      adder->label = g_strdup (self->names[i]);
      adder->functions = armilla_stage_words (self->functions);
      if (!armilla_graph_make (graph, in, 2, next, add, adder, adder_free, error))
        return FALSE;
      g_set_object (&joint, next);
    }
  return armilla_graph_make (graph, &joint, 1, outputs[0], make_vector, NULL, NULL, error)
         && armilla_graph_make (graph, &joint, 1, outputs[1], make_covariance, NULL, NULL, error);
}

static const ArmillaProperty properties[] = {
  { "labels", ARMILLA_TEXT (ArmillaJointCovariance, labels, ""),
    "names of the statistics, separated by commas; not given: the names of their nodes" },
  { "functions", ARMILLA_TEXT (ArmillaJointCovariance, functions, ""),
    "functions in the data vector, such as w, xi_plus, xi_minus, gamma_t; not given: all but the "
    "cross shears gamma_x and xi_x" },
};

static void
armilla_joint_covariance_stage_class_init (ArmillaJointCovarianceClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "joint-covariance";
  armilla_stage_set_example (stage, "samples = shear_samples, lens_samples");
  stage->summary = "Join correlation functions to one data vector with one covariance";
  stage->description =
    "Any number of statistics that were counted with the same patches of the sky, such as all "
    "pairs of tomographic bins of positions and shears (3x2pt), become one data vector. Its "
    "covariance is that of the jackknife: each sample leaves out one patch of all catalogues. So "
    "that patches are the same everywhere, assign them once with assign-patches, or read them from "
    "a column. A statistic without objects in a patch has the same value without it.";
  stage->reference = "Norberg et al. (2009), Statistical analysis of galaxy surveys - I. Robust "
                     "error estimation for two-point clustering statistics";
  stage->ports = ports;
  stage->prepare = joint_prepare;
  stage->build = joint_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaJointCovariance, names, g_strfreev);
}
