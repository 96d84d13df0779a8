/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two stages: stretch, and its inverse. */
#include <armilla/armilla.h>
#include <armilla/task.h>

#include "scale.h"
#include "stretch-codelets.h"

struct _StretchStage {
  ArmillaStage parent_instance;
  double softness;
};

struct _StretchBackStage {
  ArmillaStage parent_instance;
};

ARMILLA_DEFINE_STAGE (StretchStage, stretch_stage, STRETCH, STAGE)
ARMILLA_DEFINE_STAGE (StretchBackStage, stretch_back_stage, STRETCH, BACK)

static const ArmillaPort there_ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "F fields, all of spin 0" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "F fields, from 0 to 1" },
  { "scale", stretch_scale_get_type, ARMILLA_PORT_OUT, "what the stage unstretch needs" },
  { NULL, NULL, 0, NULL },
};

static const ArmillaPort back_ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "F fields, from 0 to 1" },
  { "scale", stretch_scale_get_type, ARMILLA_PORT_IN, "by what they were stretched" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "F fields, without a unit" },
  { NULL, NULL, 0, NULL },
};

/* Returns a map like @map, dimensionless, with its HISTORY. */
static ArmillaData *
map_like (ArmillaMap *map)
{
  ArmillaMap *out = armilla_map_new (armilla_map_grid (map), armilla_map_n_fields (map));

  armilla_stage_copy_header (out, map);
  armilla_stage_set_unit (armilla_map_header (out), NULL);
  armilla_stage_inherit (ARMILLA_DATA (out), ARMILLA_DATA (map));
  return ARMILLA_DATA (out);
}

static gboolean
prepare_there (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
               ArmillaData **outputs, GError **error)
{
  double softness = ((StretchStage *) stage)->softness;
  ArmillaMap *map = ARMILLA_MAP (inputs[0]);
  int n = armilla_map_n_fields (map);

  (void) context;
  for (int f = 0; f < n; f++)
    if (armilla_map_spins (map)[f] != 0)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "map: field %d has spin %d; only fields of spin 0 can be stretched", f,
                           armilla_map_spins (map)[f]);
  outputs[0] = map_like (map);
  outputs[1] = ARMILLA_DATA (stretch_scale_new (n, softness));
  armilla_stage_note (outputs[0], "stretched with softness %g", softness);
  return TRUE;
}

static gboolean
prepare_back (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
              ArmillaData **outputs, GError **error)
{
  int n = armilla_map_n_fields (ARMILLA_MAP (inputs[0]));
  int n_scales = stretch_scale_n_fields (STRETCH_SCALE (inputs[1]));

  (void) stage;
  (void) context;
  if (n != n_scales)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "scale: it is of %d field(s), and the map has %d", n_scales, n);
  outputs[0] = map_like (ARMILLA_MAP (inputs[0]));
  return TRUE;
}

/* Data shared by the tasks of one call. Holds a reference to the scale, because the scale is an
 * input of the inverse only. */
typedef struct {
  StretchScale *scale;
  gint64 n_fields;
  gboolean back;
} Call;

static Call *
call_new (ArmillaData *scale, gboolean back)
{
  Call *call = g_new (Call, 1);

  call->scale = STRETCH_SCALE (g_object_ref (scale));
  call->n_fields = stretch_scale_n_fields (call->scale);
  call->back = back;
  return call;
}

static void
call_free (gpointer user)
{
  Call *call = user;

  g_object_unref (call->scale);
  g_free (call);
}

/* Computes the extremes of a tile on its owner, then of the map on the rank of the scale. */
static gboolean
find_extremes (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  const Call *call = user;
  const ArmillaTile *all = stretch_scale_tile (call->scale, graph, error);
  StretchArgs args = { .fault = armilla_graph_fault (graph), .n_fields = call->n_fields,
                       .n_pixels = tiles->n, .first = TRUE };
  StretchArgs merge = { .fault = args.fault, .n_fields = call->n_fields, .n_pixels = 2,
                        .first = tiles->number == 0 };
  ArmillaTile part;
  gboolean ok;

  if (!all || !armilla_tile_new (graph, tiles->rank, all->n, &part, error))
    return FALSE;
  ArmillaUse find[] = { { tiles->in[0]->handle, STARPU_R }, { part.handle, STARPU_W } };
  ArmillaUse add[] = { { part.handle, STARPU_R },
                       { all->handle, merge.first ? STARPU_W : STARPU_RW } };
  ok = armilla_submit (graph, &stretch_extremes_cl, tiles->rank, &args, sizeof args, find, 2, 0,
                       error)
       && armilla_submit (graph, &stretch_extremes_cl, all->owner, &merge, sizeof merge, add, 2, 0,
                          error);
  armilla_tile_drop (&part);
  return ok;
}

static gboolean
stretch (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  const Call *call = user;
  const ArmillaTile *extremes = stretch_scale_tile (call->scale, graph, error);
  StretchArgs args = { .fault = armilla_graph_fault (graph), .n_fields = call->n_fields,
                       .n_pixels = tiles->n, .back = call->back,
                       .softness = stretch_scale_softness (call->scale) };

  if (!extremes)
    return FALSE;
  ArmillaUse uses[] = { { tiles->in[0]->handle, STARPU_R },
                        { extremes->handle, STARPU_R },
                        { tiles->out->handle, STARPU_W } };
  return armilla_submit (graph, &stretch_pixels_cl, tiles->rank, &args, sizeof args, uses, 3, 0,
                         error);
}

static gboolean
build_there (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaData *scale = outputs[1];

  (void) stage;
  return armilla_graph_each_tile (graph, inputs, 1, NULL, find_extremes, call_new (scale, FALSE),
                                  call_free, error)
         && armilla_graph_each_tile (graph, inputs, 1, outputs[0], stretch,
                                     call_new (scale, FALSE), call_free, error);
}

static gboolean
build_back (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
            ArmillaData *const *outputs, GError **error)
{
  (void) stage;
  return armilla_graph_each_tile (graph, inputs, 2, outputs[0], stretch,
                                  call_new (inputs[1], TRUE), call_free, error);
}

static const ArmillaProperty properties[] = {
  { "softness", ARMILLA_DOUBLE (StretchStage, softness, 1e-6, 1e6, 0.1),
    "share of the range in which it is linear" },
};

static void
stretch_stage_class_init (StretchStageClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "stretch";
  stage->summary = "Show faint and bright at once";
  stage->description = "asinh (t / softness) / asinh (1 / softness), t going from 0 at the lowest "
                       "value of a field to 1 at its highest. UNSEEN stays.";
  stage->ports = there_ports;
  stage->prepare = prepare_there;
  stage->build = build_there;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}

static void
stretch_back_stage_class_init (StretchBackStageClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "unstretch";
  stage->summary = "Undo what stretch did";
  stage->ports = back_ports;
  stage->prepare = prepare_back;
  stage->build = build_back;
}

ARMILLA_DEFINE_PLUGIN ("stretch", "1.0", "GPL-3.0-or-later",
                       stretch_stage_get_type, stretch_back_stage_get_type)
