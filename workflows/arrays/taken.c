/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stage that keeps the output of another stage as a result, as write-map and similar stages write
 * it to a file. */
#include "config.h"

#include "workflows/arrays/taken.h"

#include <armilla/armilla.h>

#include "workflows/arrays/kinds.h"

struct _ArmillaTaken {
  ArmillaStage parent_instance;
  char *name;
  gint64 index;
  /* (nullable): keys of the sweep and their values at this point */
  char **swept_keys, **swept_values;
  /* (element-type ArmillaResult): results so far; owned by the flow, which outlives the run */
  GPtrArray *results;
};

ARMILLA_DEFINE_STAGE (ArmillaTaken, armilla_taken, ARMILLA, TAKEN)

static const ArmillaPort ports[] = {
  { ARMILLA_TAKEN_INPUT, armilla_data_get_type, ARMILLA_PORT_IN,
    "a map, a_lm, spectra, a table, a catalogue or matrices" },
  { NULL, NULL, 0, NULL },
};

static gboolean
taken_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
               ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  (void) context;
  (void) outputs;
  if (!ARMILLA_TAKEN (stage)->results)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "this stage is reserved for results returned to a program; it cannot be "
                         "used in a workflow file");
  if (armilla_array_kind_find (G_OBJECT_TYPE (inputs[0])) >= 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "has the type %s; only maps, a_lm, spectra, tables, catalogues and matrices "
                       "can be returned",
                       G_OBJECT_TYPE_NAME (inputs[0]));
}

static double
taken_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  const int kind = armilla_array_kind_find (G_OBJECT_TYPE (inputs[0]));

  (void) stage;
  (void) outputs;
  return armilla_array_kinds[kind].bytes (inputs[0]);
}

static gboolean
taken_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaTaken *self = ARMILLA_TAKEN (stage);
  ArmillaResult *result = (ArmillaResult *) g_new0 (ArmillaFlowResult, 1);
  const ArmillaArrayKind *kind;
  ArmillaArrayRows *rows;

  (void) outputs;
  result->name = g_strdup (self->name);
  result->realisation = self->index;
  result->kind = (ArmillaFlowKind) armilla_array_kind_find (G_OBJECT_TYPE (inputs[0]));
  kind = &armilla_array_kinds[result->kind];
  if (kind->show && !kind->show (result, inputs[0], error))
    {
      armilla_result_free (result);
      return FALSE;
    }
  if (self->swept_keys)
    {
      result->n_swept = (int) g_strv_length (self->swept_keys);
      result->swept_keys = (const char *const *) g_strdupv (self->swept_keys);
      result->swept_values = (const char *const *) g_strdupv (self->swept_values);
    }
  g_ptr_array_add (self->results, result);
  if (kind->take)
    return armilla_graph_drain (graph, inputs[0], kind->take, NULL, result, NULL, error);
  rows = armilla_result_rows (result);
  if (result->kind == ARMILLA_FLOW_ALM)
    armilla_array_alm_in_place (graph, ARMILLA_ALM (inputs[0]), rows);
  return armilla_array_drain (graph, inputs[0], rows, error);
}

static void
armilla_taken_class_init (ArmillaTakenClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = ARMILLA_TAKEN_STAGE;
  stage->summary = "Returns the output of another stage to the calling program.";
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

/* Makes the stage append its result to @results (of ArmillaResult), which must outlive the run.
 * Returns FALSE if it is another stage. */
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

/* Adds the values of the swept keys at a point to the results. */
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
