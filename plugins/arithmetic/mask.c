/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/grids/car.h"
#include "core/grids/grid.h"
#include "plugins/base/stage-util.h"
#include "tasks/pixels/pixels.h"

typedef enum { WEIGHTS_VALUE, WEIGHTS_SEEN } Weights;
typedef enum { OUTSIDE_ZERO, OUTSIDE_UNSEEN } Outside;

struct _ArmillaMask {
  ArmillaStage parent_instance;
  Weights weights;
  Outside outside;
  double apodise;
  ArmillaMaskTaper taper;
};

ARMILLA_DEFINE_STAGE (ArmillaMask, armilla_mask, ARMILLA, MASK)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a map, F fields; without it, out is the weights of the mask" },
  { "mask", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a map of the same pixels, one field for all or F; without it, the UNSEEN pixels of map are "
    "masked" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "the map times the weights, F fields" },
  { NULL, NULL, 0, NULL },
};

static const char *const weights[] = {
  [WEIGHTS_VALUE] = "value", [WEIGHTS_SEEN] = "seen", NULL,
};

static const char *const outsides[] = {
  [OUTSIDE_ZERO] = "zero", [OUTSIDE_UNSEEN] = "unseen", NULL,
};

static const char *const tapers[] = {
  [ARMILLA_MASK_TAPER_C1] = "c1", [ARMILLA_MASK_TAPER_C2] = "c2", NULL,
};

static gboolean
check_properties (ArmillaMask *self, ArmillaData *const *inputs, GError **error)
{
  const char *wrong = NULL;

  if (inputs[0] == NULL && inputs[1] == NULL)
    wrong = "neither map nor mask is connected; connect map, or mask, or both";
  else if (inputs[1] == NULL && armilla_stage_given (self, "weights")
           && self->weights == WEIGHTS_VALUE)
    wrong = "weights = value needs a mask; without one, the mask consists of the pixels of map "
            "that are not UNSEEN";
  else if (self->apodise == 0 && armilla_stage_given (self, "taper"))
    wrong = "taper requires apodise, which is not set";
  if (wrong == NULL)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s", wrong);
}

/* Rejects apodisation of a map that lacks rings: the nearest pixel of weight 0 may be on one of
 * them. Images are allowed, since all pixels outside of an image have weight 0. */
static gboolean
check_apodise (ArmillaMask *self, ArmillaGrid *grid, GError **error)
{
  g_autofree char *what = NULL;
  gint64 first, n;

  if (self->apodise == 0 || armilla_grid_whole (grid) == grid
      || armilla_grid_array_pixels (grid, &first, &n))
    return TRUE;
  what = armilla_grid_describe (grid);
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "apodise needs all rings of a map, but the map is %s", what);
}

static gboolean
mask_prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
              ArmillaData **outputs, GError **error)
{
  ArmillaMask *self = ARMILLA_MASK (stage);
  ArmillaData *like = inputs[0] != NULL ? inputs[0] : inputs[1];

  (void) context;
  if (!check_properties (self, inputs, error)
      || !armilla_stage_agree (ports, inputs,
                               ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_ONE_OR_EACH
                                 | ARMILLA_AGREE_COORDINATES, error))
    return FALSE;
  if (!check_apodise (self, armilla_map_grid (ARMILLA_MAP (like)), error))
    return FALSE;
  outputs[0] = armilla_stage_copy (like);
  if (inputs[0] == NULL)
    {
      armilla_fields_set_unit (armilla_data_fields (outputs[0]), NULL);
      armilla_fields_set_spins (armilla_data_fields (outputs[0]), NULL);
    }
  armilla_stage_carry (outputs[0], ports, inputs, ARMILLA_AGREE_COORDINATES);
  return TRUE;
}

static gboolean
mask_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
            ArmillaData *const *outputs, GError **error)
{
  ArmillaMask *self = ARMILLA_MASK (stage);
  ArmillaMap *map = inputs[0] != NULL ? ARMILLA_MAP (inputs[0]) : NULL;
  ArmillaMap *mask = inputs[1] != NULL ? ARMILLA_MAP (inputs[1]) : map;
  ArmillaMaskOptions options = {
    .from_unseen = inputs[1] == NULL || self->weights == WEIGHTS_SEEN,
    .outside_unseen = self->outside == OUTSIDE_UNSEEN,
    .apodise = self->apodise,
    .taper = self->taper,
  };

  return armilla_graph_mask (graph, map, mask, &options, ARMILLA_MAP (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "weights", ARMILLA_ENUM (ArmillaMask, weights, weights, WEIGHTS_VALUE),
    "value: the values of mask; seen: 1 in each pixel that is not UNSEEN" },
  { "outside", ARMILLA_ENUM (ArmillaMask, outside, outsides, OUTSIDE_ZERO),
    "value of pixels with weight 0" },
  { "apodise", ARMILLA_QUANTITY (ArmillaMask, apodise, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "apodisation: angle from the nearest pixel of weight 0 within which weights are reduced; 0: "
    "none" },
  { "taper", ARMILLA_ENUM (ArmillaMask, taper, tapers, ARMILLA_MASK_TAPER_C1),
    "shape of the apodisation: c1, x - sin(2 pi x) / 2 pi; c2, (1 - cos(pi x)) / 2; x^2 = (1 - cos "
    "d) / (1 - cos apodise), d the distance" },
};

static void
armilla_mask_class_init (ArmillaMaskClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "mask";
  armilla_stage_set_example (stage, "map = map; mask = mask");
  stage->summary = "Multiply a map by a mask, apodise the mask, restore UNSEEN pixels";
  stage->description =
    "out = map x weights. The weights are the values of mask, or 1 in pixels that are not UNSEEN "
    "with weights = seen, and 0 in UNSEEN pixels. With apodise they increase from 0 at the "
    "nearest pixel of weight 0, which may be outside an image of a part of the sky. Where the "
    "weight is 0, out is 0 or UNSEEN; elsewhere UNSEEN pixels of map stay UNSEEN. With mask only, "
    "out is the weights; with map only, its UNSEEN pixels are the mask. To restore UNSEEN pixels "
    "after smoothing: mask = the original map, weights = seen, outside = unseen.";
  stage->reference = "Grain, Tristram and Stompor (2009), Polarized CMB power spectrum estimation "
                     "using the pure pseudo-cross-spectrum approach, section II";
  stage->ports = ports;
  stage->prepare = mask_prepare;
  stage->build = mask_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
