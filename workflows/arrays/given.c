/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages that output an array of the caller's, as read-map and similar stages output the contents
 * of a file. The class determines the kind of output, so there is one for each kind. */
#include "config.h"

#include "workflows/arrays/given.h"

#include <armilla/correlation.h>
#include <armilla/stage.h>
#include <string.h>

#include "core/catalogues/catalogue.h"
#include "core/fits/fields.h"
#include "tasks/data/histogram.h"
#include "tasks/data/objects.h"
#include "workflows/arrays/columns.h"

typedef struct {
  ArmillaStage parent_instance;
  ArmillaInput *input; /* owned by the flow, which outlives the run */
  gint64 number;
} ArmillaGiven;
typedef struct {
  ArmillaStageClass parent_class;
} ArmillaGivenClass;

#define TYPE_GIVEN (armilla_given_get_type ())
G_DEFINE_ABSTRACT_TYPE (ArmillaGiven, armilla_given, ARMILLA_TYPE_STAGE)

static const ArmillaProperty properties[] = {
  { ARMILLA_GIVEN_NUMBER, ARMILLA_INT64 (ArmillaGiven, number, 0, G_MAXINT32, 0),
    "number of the array to give, if there are several" },
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
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "this stage is for arrays that a program "
                              "gives; a file cannot name it");
  if (self->number == 0)
    return self->input;
  if (self->number <= self->input->others->len)
    return g_ptr_array_index (self->input->others, self->number - 1);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "there are %u arrays, and realisation %" G_GINT64_FORMAT " needs "
                            "another one; repeat must be %u or less", self->input->others->len + 1,
                            self->number, self->input->others->len + 1);
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
  header->fields.coordsys = g_strdup (input->coordinates);
  if (armilla_fields_polarised (input->spins, input->n_fields))
    header->fields.polcconv = g_strdup ("COSMO");
  return ARMILLA_DATA (map);
}

static ArmillaData *
describe_alm (const ArmillaInput *input)
{
  ArmillaAlm *alm = armilla_alm_new (input->layout, input->n_fields);

  armilla_alm_set_spins (alm, input->spins);
  armilla_alm_set_unit (alm, input->unit ? input->unit : "");
  armilla_alm_set_coordsys (alm, input->coordinates);
  armilla_fields_set_names (armilla_data_fields (ARMILLA_DATA (alm)),
                            (const char *const *) input->names);
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

static ArmillaData *
describe_matrix (const ArmillaInput *input)
{
  ArmillaMatrixHeader *header
    = armilla_matrix_header_new (&input->matrix->rows, &input->matrix->columns,
                                 (const char *const *) input->names, input->n_fields);

  g_free (header->unit);
  header->unit = g_strdup (input->matrix->unit);
  return ARMILLA_DATA (armilla_matrix_new (header));
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
  if (input->kind == ARMILLA_FLOW_MAP)
    outputs[0] = describe_map (input);
  else if (input->kind == ARMILLA_FLOW_ALM)
    outputs[0] = describe_alm (input);
  else if (input->kind == ARMILLA_FLOW_CL)
    outputs[0] = describe_cl (input);
  else if (input->kind == ARMILLA_FLOW_TABLE)
    outputs[0] = ARMILLA_DATA (armilla_table_data_new ());
  else if (input->kind == ARMILLA_FLOW_CATALOGUE)
    outputs[0] = describe_objects (input, error);
  else
    outputs[0] = describe_matrix (input);
  return outputs[0] != NULL;
}

static gboolean
give_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaInput *input = user;

  (void) error;
  piece->table = armilla_columns_copy (input->table);
  return TRUE;
}

static gboolean
give_objects (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaInput *input = user;

  (void) error;
  piece->catalogue = armilla_catalogue_ref (input->catalogue);
  return TRUE;
}

static gboolean
give_elements (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaInput *input = user;
  const gint64 width = input->matrix->columns.n;

  (void) error;
  for (gint64 i = 0; i < piece->n; i++)
    memcpy (piece->values + i * piece->n_columns,
            input->elements + piece->field * input->n + (piece->first + i) * width
                + piece->first_column,
            (gsize) piece->n_columns * sizeof *piece->values);
  return TRUE;
}

static gboolean
given_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaInput *input = input_of (stage, error);

  (void) inputs;
  if (!input)
    return FALSE;
  if (input->kind == ARMILLA_FLOW_TABLE)
    return armilla_graph_fill (graph, outputs[0], give_table, input, NULL, error);
  if (input->kind == ARMILLA_FLOW_CATALOGUE)
    return armilla_graph_fill (graph, outputs[0], give_objects, input, NULL, error);
  if (input->kind == ARMILLA_FLOW_MATRIX)
    return armilla_graph_fill (graph, outputs[0], give_elements, input, NULL, error);
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

/* The types differ only in their outputs. */
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
DEFINE_GIVEN (ArmillaGivenMatrix, armilla_given_matrix, armilla_matrix_get_type, "matrix",
              "the matrices")

/* Registers the stages that output arrays. */
gboolean
armilla_given_register (ArmillaRegistry *registry, GError **error)
{
  const GType types[] = { armilla_given_map_get_type (), armilla_given_alm_get_type (),
                          armilla_given_cl_get_type (), armilla_given_table_get_type (),
                          armilla_given_objects_get_type (),
                          armilla_given_matrix_get_type () };
  gboolean good = TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (types) && good; i++)
    good = armilla_registry_add (registry, types[i], "arrays", error);
  return good;
}

/* Returns the name of the stage for this kind. */
const char *
armilla_given_stage (ArmillaFlowKind kind)
{
  static const char *const nicks[] = { "array-map", "array-alm", "array-cl", "array-table",
                                       "array-catalogue", "array-matrix" };

  return nicks[kind];
}

/* Sets the output; input must outlive the run. Returns FALSE unless stage outputs an array. */
gboolean
armilla_given_set (ArmillaStage *stage, ArmillaInput *input)
{
  if (!G_TYPE_CHECK_INSTANCE_TYPE (stage, TYPE_GIVEN))
    return FALSE;
  ((ArmillaGiven *) stage)->input = input;
  return TRUE;
}
