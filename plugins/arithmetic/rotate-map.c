/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/grids/grid.h"
#include "plugins/harmonic/rotation.h"
#include "tasks/pixels/pixels.h"

struct _ArmillaRotateMap {
  ArmillaStage parent_instance;
  ArmillaRotation rotation;
  double angles[3];
  gboolean spills; /* whether memory is limited, so that StarPU moves tiles to the disk */
};

ARMILLA_DEFINE_STAGE (ArmillaRotateMap, armilla_rotate_map, ARMILLA, ROTATE_MAP)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map, F fields of any spins" },
  { "like", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a map whose grid and rings are used; its pixels are ignored. Without it, the grid of map "
    "with all rings" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "the rotated map, F fields" },
  { NULL, NULL, 0, NULL },
};

static gboolean
rotate_map_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRotateMap *self = ARMILLA_ROTATE_MAP (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[0]), *out;
  ArmillaMapHeader *header = armilla_map_header (map);
  char to[2];

  self->spills = context->spills;
  if (!armilla_rotation_find (self, &self->rotation, header->fields.coordsys, self->angles, to,
                              error))
    return FALSE;
  out = armilla_map_new (inputs[1] != NULL ? armilla_map_grid (ARMILLA_MAP (inputs[1]))
                                           : armilla_grid_whole (armilla_map_grid (map)),
                         armilla_map_n_fields (map));
  armilla_stage_copy_header (out, map);
  /* takes the ordering of the other map: the grid may have no NESTED order */
  if (inputs[1] != NULL)
    armilla_map_header (out)->order = armilla_map_header (ARMILLA_MAP (inputs[1]))->order;
  g_free (armilla_map_header (out)->fields.coordsys);
  armilla_map_header (out)->fields.coordsys = to[0] != '\0' ? g_strdup (to) : NULL;
  armilla_stage_inherit (ARMILLA_DATA (out), inputs[0]);
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

/* Returns the memory of the whole map, since any input pixel may be needed. */
static double
rotate_map_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  (void) outputs;
  return ARMILLA_ROTATE_MAP (stage)->spills ? 0 : armilla_data_bytes (inputs[0]);
}

static gboolean
rotate_map_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  ArmillaRotateMap *self = ARMILLA_ROTATE_MAP (stage);
  g_autoptr (ArmillaMap) map = armilla_stage_uncropped (ARMILLA_MAP (outputs[0]));

  return armilla_graph_rotate_map (graph, ARMILLA_MAP (inputs[0]), self->angles[0],
                                   self->angles[1], self->angles[2], map, error)
         && armilla_stage_crop (graph, map, ARMILLA_MAP (outputs[0]), error);
}

static void
armilla_rotate_map_class_init (ArmillaRotateMapClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "rotate-map";
  armilla_stage_set_example (stage, "psi = 10 deg; theta = 20 deg");
  stage->summary = "Rotate a map by interpolating pixels, or convert it to other coordinates";
  stage->description =
    "The field is rotated by psi about z, then by theta about y, then by phi about z, about fixed "
    "axes; or from one system of coordinates to another. A pixel is interpolated at its origin: "
    "linearly in theta between the rings above and below, and linearly in phi on each. Q and U are "
    "rotated to the new direction of the pole. Like healpy's rotate_map_pixel; small scales lose "
    "power. UNSEEN source pixels are ignored; if they have more than half of the weight, the pixel "
    "is UNSEEN. For band-limited maps without gaps, map2alm, rotate and alm2map are more accurate.";
  stage->ports = ports;
  stage->prepare = rotate_map_prepare;
  stage->build = rotate_map_build;
  stage->memory = rotate_map_memory;
  armilla_rotation_install (stage, G_STRUCT_OFFSET (ArmillaRotateMap, rotation));
}
