/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages that output an array of the caller, as read-map and similar stages output the contents of
 * a file. There is one for each kind of data, since the class of a stage determines its output. */
#include "config.h"

#include "workflows/arrays/given.h"

#include <armilla/stage.h>
#include <string.h>

#include "workflows/arrays/kinds.h"

typedef struct {
  ArmillaStage parent_instance;
  ArmillaInput *input; /* array to output; owned by the flow, which outlives the run */
  gint64 number;
} ArmillaGiven;
typedef struct {
  ArmillaStageClass parent_class;
} ArmillaGivenClass;

#define TYPE_GIVEN (armilla_given_get_type ())
G_DEFINE_ABSTRACT_TYPE (ArmillaGiven, armilla_given, ARMILLA_TYPE_STAGE)

static const ArmillaProperty properties[] = {
  { ARMILLA_GIVEN_NUMBER, ARMILLA_INT64 (ArmillaGiven, number, 0, G_MAXINT32, 0),
    "number of the array to output, if there are several" },
};

static void
armilla_given_init (ArmillaGiven *self)
{
  (void) self;
}

/* Returns the array of this realisation; NULL with an error if there is none. */
static ArmillaInput *
input_of (ArmillaStage *stage, GError **error)
{
  const ArmillaGiven *self = (ArmillaGiven *) stage;

  if (!self->input)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "this stage is reserved for arrays "
                                                          "passed by a program; it cannot be used "
                                                          "in a workflow file");
  if (self->number == 0)
    return self->input;
  if (self->number <= self->input->others->len)
    return g_ptr_array_index (self->input->others, self->number - 1);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "there are %u arrays, and realisation %" G_GINT64_FORMAT " requires "
                            "another one; repeat must be %u or less", self->input->others->len + 1,
                            self->number, self->input->others->len + 1);
}

static gboolean
given_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
               ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  const ArmillaInput *input = input_of (stage, error);

  (void) context;
  (void) inputs;
  if (!input)
    return FALSE;
  outputs[0] = armilla_array_kinds[input->kind].make (input, error);
  return outputs[0] != NULL;
}

/* Returns whether stages may read the caller's a_lm without a copy. Not if they change from one
 * realisation to the next, or if the imaginary part of an a_l0 is not 0, since copies set it to
 * 0. */
static gboolean
is_plain (const ArmillaInput *input)
{
  double *const *fields = input->rows->fields;

  for (int f = 0; fields && f < input->n_fields; f++)
    for (gint64 l = 0; l <= input->layout.lmax; l++)
      if (fields[f][2 * l + 1] != 0)
        return FALSE;
  return fields && input->others->len == 0;
}

static gboolean
given_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaInput *input = input_of (stage, error);

  (void) inputs;
  if (!input)
    return FALSE;
  if (armilla_array_kinds[input->kind].give)
    return armilla_graph_fill (graph, outputs[0], armilla_array_kinds[input->kind].give, input,
                               NULL, error);
  if (input->kind == ARMILLA_FLOW_ALM && is_plain (input))
    armilla_array_alm_in_place (graph, ARMILLA_ALM (outputs[0]), input->rows);
  return armilla_array_fill (graph, outputs[0], input->rows, error);
}

static void
armilla_given_class_init (ArmillaGivenClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  stage->prepare = given_prepare;
  stage->build = given_build;
}

/* Sets what differs between the kinds: name and output of the stage. */
static void
given_kind_init (gpointer klass, gpointer data)
{
  const ArmillaArrayKind *kind = data;
  ArmillaPort *ports = g_new0 (ArmillaPort, 2);

  ports[0] = (ArmillaPort) { strchr (kind->stage, '-') + 1, kind->type, ARMILLA_PORT_OUT,
                             "the array" };
  ARMILLA_STAGE_CLASS (klass)->nick = kind->stage;
  ARMILLA_STAGE_CLASS (klass)->summary = "Outputs an array of the calling program.";
  ARMILLA_STAGE_CLASS (klass)->ports = ports;
}

static const GType *
given_types (void)
{
  static GType types[ARMILLA_ARRAY_KINDS];
  static gsize registered;

  if (g_once_init_enter (&registered))
    {
      for (int i = 0; i < ARMILLA_ARRAY_KINDS; i++)
        {
          const GTypeInfo info = { .class_size = sizeof (ArmillaGivenClass),
                                   .class_init = given_kind_init,
                                   .class_data = &armilla_array_kinds[i],
                                   .instance_size = sizeof (ArmillaGiven) };
          g_autofree char *name = g_strconcat ("Armilla-", armilla_array_kinds[i].stage, NULL);

          types[i] = g_type_register_static (TYPE_GIVEN, name, &info, 0);
        }
      g_once_init_leave (&registered, 1);
    }
  return types;
}

/* Registers the stages that output arrays. */
gboolean
armilla_given_register (ArmillaRegistry *registry, GError **error)
{
  gboolean good = TRUE;

  for (int i = 0; i < ARMILLA_ARRAY_KINDS && good; i++)
    good = armilla_registry_add (registry, given_types ()[i], "arrays", error);
  return good;
}

/* Sets the array to output; it must outlive the run. Returns FALSE if the stage is not one that
 * outputs an array. */
gboolean
armilla_given_set (ArmillaStage *stage, ArmillaInput *input)
{
  if (!G_TYPE_CHECK_INSTANCE_TYPE (stage, TYPE_GIVEN))
    return FALSE;
  ((ArmillaGiven *) stage)->input = input;
  return TRUE;
}
