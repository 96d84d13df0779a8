/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"

struct _ArmillaChangeOrder {
  ArmillaStage parent_instance;
  ArmillaMapOrder order;
};

ARMILLA_DEFINE_STAGE (ArmillaChangeOrder, armilla_change_order, ARMILLA, CHANGE_ORDER)

static const ArmillaPort in_out[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map, F fields" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "the same pixels, to be written in that order" },
  { NULL, NULL, 0, NULL },
};

static const char *const orders[] = {
  [ARMILLA_ORDER_RING] = "ring", [ARMILLA_ORDER_NESTED] = "nested", NULL,
};

static gboolean
change_order_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                      ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaChangeOrder *self = ARMILLA_CHANGE_ORDER (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[0]);
  ArmillaGrid *grid = armilla_map_grid (map);
  ArmillaMap *view;

  (void) context;
  if (self->order == ARMILLA_ORDER_NESTED
      && (grid->kind != ARMILLA_GRID_HEALPIX || (grid->nside & (grid->nside - 1)) != 0))
    {
      g_autofree char *what = armilla_grid_describe (grid);

      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "order = nested needs a HEALPix map with nside a power of two, but the "
                           "map is %s", what);
    }
  view = armilla_map_new_view (map, NULL);
  armilla_map_header (view)->order = self->order;
  armilla_stage_inherit (ARMILLA_DATA (view), inputs[0]);
  outputs[0] = ARMILLA_DATA (view);
  return TRUE;
}

static gboolean
change_order_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                    ArmillaData *const *outputs, GError **error)
{
  /* Nothing to compute: the output shares the tiles of the input. */
  (void) stage;
  (void) graph;
  (void) inputs;
  (void) outputs;
  (void) error;
  return TRUE;
}

static const ArmillaProperty properties[] = {
  { "order", ARMILLA_ENUM (ArmillaChangeOrder, order, orders, ARMILLA_ORDER_RING),
    "order of the pixels in files", ARMILLA_PROPERTY_REQUIRED },
};

static void
armilla_change_order_class_init (ArmillaChangeOrderClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "change-order";
  armilla_stage_set_example (stage, "order = nested");
  stage->summary = "Select the pixel order in which write-map writes a HEALPix map";
  stage->description =
    "Within a workflow every map is in RING order, whatever the order of its file, and write-map "
    "writes RING order. A map that passes through this stage is written in the given order "
    "instead.";
  stage->ports = in_out;
  stage->prepare = change_order_prepare;
  stage->build = change_order_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
