/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage that keeps the output of another one, as write-map and similar stages write it. */
#include "config.h"

#include "workflows/arrays/taken.h"

#include <armilla/armilla.h>
#include <string.h>

#include "core/catalogues/catalogue.h"
#include "workflows/arrays/columns.h"

struct _ArmillaTaken {
  ArmillaStage parent_instance;
  char *name;
  gint64 index;
  char **swept_keys, **swept_values; /* (nullable): the point of the sweep */
  GPtrArray *results; /* (element-type ArmillaResult): owned by the flow, which outlives the run */
};

ARMILLA_DEFINE_STAGE (ArmillaTaken, armilla_taken, ARMILLA, TAKEN)

static const ArmillaPort ports[] = {
  { ARMILLA_TAKEN_INPUT, armilla_data_get_type, ARMILLA_PORT_IN,
    "a map, a_lm, spectra, a table, a catalogue or matrices" },
  { NULL, NULL, 0, NULL },
};

static gboolean
take_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  armilla_result_take_table (user, armilla_columns_copy (piece->table));
  return TRUE;
}

static gboolean
take_objects (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaTable *table = armilla_catalogue_columns_table (piece->catalogue, TRUE, error);
  ArmillaResult *result = user;

  if (table == NULL)
    return FALSE;
  armilla_result_take_table (result, table);
  result->n_places = table->n_columns - piece->catalogue->n_values;
  return TRUE;
}

static gboolean
take_elements (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaResult *result = user;
  const gint64 height = result->axes[0].n, width = result->axes[1].n;
  double *to = (double *) result->array.data + (piece->field * height + piece->first) * width
               + piece->first_column;

  (void) error;
  for (gint64 i = 0; i < piece->n; i++)
    memcpy (to + i * width, piece->values + i * piece->n_columns,
            (gsize) piece->n_columns * sizeof *to);
  return TRUE;
}

static gboolean
taken_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
               ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  (void) context;
  (void) outputs;
  if (!ARMILLA_TAKEN (stage)->results)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "this stage is for programs that want arrays; a file cannot name it");
  if (armilla_result_can_hold (inputs[0]))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "it is of the type %s; maps, a_lm, spectra, tables, catalogues and "
                       "matrices come back",
                       G_OBJECT_TYPE_NAME (inputs[0]));
}

static double
taken_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  (void) stage;
  (void) outputs;
  return armilla_result_bytes (inputs[0]);
}

static gboolean
taken_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaTaken *self = ARMILLA_TAKEN (stage);
  ArmillaResult *result = armilla_result_new (self->name, self->index, inputs[0], error);

  (void) outputs;
  if (!result)
    return FALSE;
  if (self->swept_keys)
    {
      result->n_swept = (int) g_strv_length (self->swept_keys);
      result->swept_keys = (const char *const *) g_strdupv (self->swept_keys);
      result->swept_values = (const char *const *) g_strdupv (self->swept_values);
    }
  g_ptr_array_add (self->results, result);
  if (ARMILLA_IS_TABLE_DATA (inputs[0]))
    return armilla_graph_drain (graph, inputs[0], take_table, NULL, result, NULL, error);
  if (ARMILLA_IS_OBJECTS (inputs[0]))
    return armilla_graph_drain (graph, inputs[0], take_objects, NULL, result, NULL, error);
  if (ARMILLA_IS_MATRIX (inputs[0]))
    return armilla_graph_drain (graph, inputs[0], take_elements, NULL, result, NULL, error);
  return armilla_array_drain (graph, inputs[0], armilla_result_rows (result), error);
}

static void
armilla_taken_class_init (ArmillaTakenClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = ARMILLA_TAKEN_STAGE;
  stage->summary = "Keeps what another stage makes, for a program.";
  stage->ports = ports;
  stage->prepare = taken_prepare;
  stage->build = taken_build;
  stage->memory = taken_memory;
  ARMILLA_STAGE_OWNS (stage, ArmillaTaken, name, g_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaTaken, swept_keys, g_strfreev);
  ARMILLA_STAGE_OWNS (stage, ArmillaTaken, swept_values, g_strfreev);
}

/* Adds the stage that keeps results. */
gboolean
armilla_taken_register (ArmillaRegistry *registry, GError **error)
{
  return armilla_registry_add (registry, armilla_taken_get_type (), "arrays", error);
}

/* Makes stage append its result to results (ArmillaResult), which must outlive the run. Returns
 * FALSE unless it is the stage that keeps results. */
gboolean
armilla_taken_set (ArmillaStage *stage, const char *name, gint64 index, GPtrArray *results)
{
  ArmillaTaken *self;

  if (!G_TYPE_CHECK_INSTANCE_TYPE (stage, armilla_taken_get_type ()))
    return FALSE;
  self = ARMILLA_TAKEN (stage);
  g_free (self->name);
  self->name = g_strdup (name);
  self->index = index;
  self->results = results;
  return TRUE;
}

/* Makes the results contain the swept values of a point. */
void
armilla_taken_set_point (ArmillaStage *stage, const ArmillaSweepPoints *points, gint64 point)
{
  ArmillaTaken *self = ARMILLA_TAKEN (stage);
  const int n = armilla_sweep_points_n_keys (points);

  g_clear_pointer (&self->swept_keys, g_strfreev);
  g_clear_pointer (&self->swept_values, g_strfreev);
  if (n == 0)
    return;
  self->swept_keys = g_new0 (char *, n + 1);
  self->swept_values = g_new0 (char *, n + 1);
  for (int k = 0; k < n; k++)
    {
      self->swept_keys[k] = g_strdup (armilla_sweep_points_key (points, k));
      self->swept_values[k] = g_strdup (armilla_sweep_points_text (points, k, point));
    }
}
