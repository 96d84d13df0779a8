/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages that give an array of the caller's, as read-map and its like give what is in a file. A
 * stage says in its class what it gives, so there is one for each kind. */
#include "config.h"

#include "workflows/arrays/given.h"

#include <armilla/correlation.h>
#include <armilla/stage.h>

#include "workflows/arrays/columns.h"

#define TYPE_GIVEN (armilla_given_get_type ())
G_DECLARE_DERIVABLE_TYPE (ArmillaGiven, armilla_given, ARMILLA, GIVEN, ArmillaStage)

struct _ArmillaGivenClass {
  ArmillaStageClass parent_class;
};

typedef struct {
  ArmillaInput *input; /* the flow's, which outlives the run */
} ArmillaGivenPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (ArmillaGiven, armilla_given, ARMILLA_TYPE_STAGE)

static void
armilla_given_init (ArmillaGiven *self)
{
  (void) self;
}

static ArmillaInput *
input_of (ArmillaStage *stage)
{
  ArmillaGivenPrivate *own = armilla_given_get_instance_private (ARMILLA_GIVEN (stage));

  return own->input;
}

static ArmillaData *
describe_map (const ArmillaInput *input)
{
  ArmillaMap *map = armilla_map_new (input->grid, input->n_fields);
  ArmillaMapHeader *header = armilla_map_header (map);

  armilla_stage_set_names (header, (const char *const *) input->names);
  if (input->unit)
    armilla_stage_set_unit (header, input->unit);
  armilla_map_set_spins (map, input->spins);
  header->coordsys = g_strdup (input->coordinates);
  if (armilla_fields_polarised (input->spins, input->n_fields))
    header->polcconv = g_strdup ("COSMO");
  return ARMILLA_DATA (map);
}

static ArmillaData *
describe_alm (const ArmillaInput *input)
{
  ArmillaAlm *alm = armilla_alm_new (input->layout, input->n_fields);

  armilla_alm_set_spins (alm, input->spins);
  armilla_alm_set_unit (alm, input->unit ? input->unit : "");
  armilla_alm_set_coordsys (alm, input->coordinates);
  armilla_stage_carry_names (ARMILLA_DATA (alm), (const char *const *) input->names);
  return ARMILLA_DATA (alm);
}

static ArmillaData *
describe_cl (const ArmillaInput *input)
{
  ArmillaCl *cl = armilla_cl_new (input->n - 1,
                                  (const char *const *) input->names, input->n_fields);

  armilla_cl_set_unit (cl, input->unit ? input->unit : "");
  armilla_cl_set_coordsys (cl, input->coordinates);
  return ARMILLA_DATA (cl);
}

static ArmillaData *
describe_objects (const ArmillaInput *input, GError **error)
{
  g_autoptr (ArmillaCatalogue) like = armilla_catalogue_select (input->catalogue, NULL, 0, error);
  ArmillaObjects *objects;

  if (!like)
    return NULL;
  objects = armilla_objects_new_like (like);
  armilla_objects_expect (objects, input->catalogue->n);
  return ARMILLA_DATA (objects);
}

static gboolean
given_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
               ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  const ArmillaInput *input = input_of (stage);

  (void) context;
  (void) inputs;
  if (!input)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "this stage is for arrays that a program gives; a file cannot name it");
  if (input->kind == ARMILLA_FLOW_MAP)
    outputs[0] = describe_map (input);
  else if (input->kind == ARMILLA_FLOW_ALM)
    outputs[0] = describe_alm (input);
  else if (input->kind == ARMILLA_FLOW_CL)
    outputs[0] = describe_cl (input);
  else if (input->kind == ARMILLA_FLOW_TABLE)
    outputs[0] = ARMILLA_DATA (armilla_table_data_new ());
  else
    outputs[0] = describe_objects (input, error);
  return outputs[0] != NULL;
}

static ArmillaTable *
give_table (gpointer user, const gint64 *const *words, GError **error)
{
  const ArmillaInput *input = user;

  (void) words;
  (void) error;
  return armilla_columns_copy (input->table);
}

static ArmillaCatalogue *
give_objects (gpointer user, GError **error)
{
  const ArmillaInput *input = user;

  (void) error;
  return armilla_catalogue_ref (input->catalogue);
}

static gboolean
given_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaInput *input = input_of (stage);

  (void) inputs;
  if (input->kind == ARMILLA_FLOW_TABLE)
    return armilla_graph_make_table (graph, NULL, 0, give_table, input, NULL,
                                     ARMILLA_TABLE_DATA (outputs[0]), error);
  if (input->kind == ARMILLA_FLOW_CATALOGUE)
    return armilla_graph_fill_objects (graph, ARMILLA_OBJECTS (outputs[0]), give_objects, input,
                                       NULL, error);
  return armilla_array_fill (graph, outputs[0], input->rows, error);
}

static void
armilla_given_class_init (ArmillaGivenClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->prepare = given_prepare;
  stage->build = given_build;
}

/* The types differ in what they give. */
#define DEFINE_GIVEN(Type, type, data_type, word, text)                                            \
  typedef struct {                                                                                 \
    ArmillaGiven parent_instance;                                                                  \
  } Type;                                                                                          \
  typedef struct {                                                                                 \
    ArmillaGivenClass parent_class;                                                                \
  } Type##Class;                                                                                   \
  G_DEFINE_TYPE (Type, type, TYPE_GIVEN)                                                           \
  static void type##_init (Type *self) { (void) self; }                                            \
  static void type##_class_init (Type##Class *klass)                                               \
  {                                                                                                \
    static const ArmillaPort ports[] = { { word, data_type, ARMILLA_PORT_OUT, text },              \
                                         { NULL, NULL, 0, NULL } };                                \
    ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);                                        \
                                                                                                   \
    stage->nick = "array-" word;                                                                   \
    stage->summary = "Gives " text " of a program's.";                                             \
    stage->ports = ports;                                                                          \
  }

DEFINE_GIVEN (ArmillaGivenMap, armilla_given_map, armilla_map_get_type, "map", "the map")
DEFINE_GIVEN (ArmillaGivenAlm, armilla_given_alm, armilla_alm_get_type, "alm", "the a_lm")
DEFINE_GIVEN (ArmillaGivenCl, armilla_given_cl, armilla_cl_get_type, "cl", "the spectra")
DEFINE_GIVEN (ArmillaGivenTable, armilla_given_table, armilla_table_data_get_type, "table",
              "the table")
DEFINE_GIVEN (ArmillaGivenObjects, armilla_given_objects, armilla_objects_get_type, "catalogue",
              "the objects")

/**
 * armilla_given_register:
 * @registry: a registry
 * @error: return location
 *
 * Adds these stages, for workflows that a program runs.
 *
 * Returns: whether it worked
 */
gboolean
armilla_given_register (ArmillaRegistry *registry, GError **error)
{
  const GType types[] = { armilla_given_map_get_type (), armilla_given_alm_get_type (),
                          armilla_given_cl_get_type (), armilla_given_table_get_type (),
                          armilla_given_objects_get_type () };
  gboolean good = TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (types) && good; i++)
    good = armilla_registry_add (registry, types[i], "arrays", error);
  return good;
}

/**
 * armilla_given_stage:
 * @kind: what is given
 *
 * Returns: name of the stage that gives it
 */
const char *
armilla_given_stage (ArmillaFlowKind kind)
{
  static const char *const nicks[] = { "array-map", "array-alm", "array-cl", "array-table",
                                       "array-catalogue" };

  return nicks[kind];
}

/**
 * armilla_given_set:
 * @stage: any stage
 * @input: (nullable): what it gives; must outlive the run
 *
 * Returns: whether it is a stage that gives an array
 */
gboolean
armilla_given_set (ArmillaStage *stage, ArmillaInput *input)
{
  ArmillaGivenPrivate *own;

  if (!G_TYPE_CHECK_INSTANCE_TYPE (stage, TYPE_GIVEN))
    return FALSE;
  own = armilla_given_get_instance_private (ARMILLA_GIVEN (stage));
  own->input = input;
  return TRUE;
}
