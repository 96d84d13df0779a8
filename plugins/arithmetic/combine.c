/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted sums of maps, and of a_lm: two stages that differ in what flows. */
#include <math.h>

#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "tasks/harmonic/harmonic.h"

#define MOST 8

typedef struct {
  char *weights, *unit;
} Sum;

struct _ArmillaCombine {
  ArmillaStage parent_instance;
  Sum sum;
};

struct _ArmillaCombineAlm {
  ArmillaStage parent_instance;
  Sum sum;
};

ARMILLA_DEFINE_STAGE (ArmillaCombine, armilla_combine, ARMILLA, COMBINE)
ARMILLA_DEFINE_STAGE (ArmillaCombineAlm, armilla_combine_alm, ARMILLA, COMBINE_ALM)

#define MORE(name, type) { name, type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL, "one more like it" }

static const ArmillaPort map_ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map, F fields" },
  MORE ("map2", armilla_map_get_type),
  MORE ("map3", armilla_map_get_type),
  MORE ("map4", armilla_map_get_type),
  MORE ("map5", armilla_map_get_type),
  MORE ("map6", armilla_map_get_type),
  MORE ("map7", armilla_map_get_type),
  MORE ("map8", armilla_map_get_type),
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "the sum; UNSEEN where any map is" },
  { NULL, NULL, 0, NULL },
};

static const ArmillaPort alm_ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields" },
  MORE ("alm2", armilla_alm_get_type),
  MORE ("alm3", armilla_alm_get_type),
  MORE ("alm4", armilla_alm_get_type),
  MORE ("alm5", armilla_alm_get_type),
  MORE ("alm6", armilla_alm_get_type),
  MORE ("alm7", armilla_alm_get_type),
  MORE ("alm8", armilla_alm_get_type),
  { "out", armilla_alm_get_type, ARMILLA_PORT_OUT, "the sum" },
  { NULL, NULL, 0, NULL },
};

/* The inputs that are connected, in their order. */
static int
connected (ArmillaData *const *inputs, ArmillaData **found)
{
  int n = 0;

  for (int i = 0; i < MOST; i++)
    if (inputs[i] != NULL)
      found[n++] = inputs[i];
  return n;
}

/* One weight for each of @n inputs; all 1 when nothing is said. */
static gboolean
parse_weights (const char *text, int n, double *weights, GError **error)
{
  g_auto (GStrv) words = armilla_stage_words (text);

  for (int i = 0; i < n; i++)
    weights[i] = 1;
  if (text[0] == '\0')
    return TRUE;
  if ((int) g_strv_length (words) != n)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "weights lists %u, but %d inputs are connected", g_strv_length (words), n);
  for (int i = 0; i < n; i++)
    {
      char *end = NULL;

      weights[i] = g_ascii_strtod (words[i], &end);
      if (words[i][0] == '\0' || *end != '\0' || !isfinite (weights[i]))
        return armilla_fail (error, ARMILLA_ERROR_PARSE, "weights = %s: \"%s\" is not a number",
                             text, words[i]);
    }
  return TRUE;
}

/* Those whose unit the user says may have others: the weights convert them. */
static ArmillaStageAgree
demands (const char *unit)
{
  return ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_FIELDS | ARMILLA_AGREE_COORDINATES
    | (unit[0] == '\0' ? ARMILLA_AGREE_UNITS : 0);
}

static gboolean
combine_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                 ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaCombine *self = ARMILLA_COMBINE (stage);
  ArmillaData *found[MOST];
  int n = connected (inputs, found);
  ArmillaMap *first = ARMILLA_MAP (inputs[0]), *out;
  double weights[MOST];

  (void) context;
  if (!parse_weights (self->sum.weights, n, weights, error)
      || !armilla_stage_agree (map_ports, inputs, demands (self->sum.unit), error))
    return FALSE;
  out = armilla_map_new (armilla_map_grid (first), armilla_map_n_fields (first));
  armilla_stage_copy_header (out, first);
  if (self->sum.unit[0] != '\0')
    armilla_stage_set_unit (armilla_map_header (out), self->sum.unit);
  armilla_stage_carry (ARMILLA_DATA (out), map_ports, inputs, demands (self->sum.unit));
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

static gboolean
combine_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  ArmillaData *found[MOST];
  int n = connected (inputs, found);
  double weights[MOST];

  return parse_weights (ARMILLA_COMBINE (stage)->sum.weights, n, weights, error)
    && armilla_graph_combine_maps (graph, (ArmillaMap *const *) found, weights, n,
                                   ARMILLA_MAP (outputs[0]), error);
}

static gboolean
combine_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                     ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaCombineAlm *self = ARMILLA_COMBINE_ALM (stage);
  ArmillaData *found[MOST];
  int n = connected (inputs, found);
  ArmillaAlm *first = ARMILLA_ALM (inputs[0]), *out;
  double weights[MOST];

  (void) context;
  if (!parse_weights (self->sum.weights, n, weights, error)
      || !armilla_stage_agree (alm_ports, inputs, demands (self->sum.unit), error))
    return FALSE;
  out = armilla_stage_copy_alm (first, armilla_alm_layout (first));
  if (self->sum.unit[0] != '\0')
    armilla_alm_set_unit (out, self->sum.unit);
  armilla_stage_carry (ARMILLA_DATA (out), alm_ports, inputs, demands (self->sum.unit));
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

static gboolean
combine_alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                   ArmillaData *const *outputs, GError **error)
{
  ArmillaData *found[MOST];
  int n = connected (inputs, found);
  double weights[MOST];

  return parse_weights (ARMILLA_COMBINE_ALM (stage)->sum.weights, n, weights, error)
    && armilla_graph_combine_alm (graph, (ArmillaAlm *const *) found, weights, n,
                                  ARMILLA_ALM (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "weights", ARMILLA_TEXT (Sum, weights, ""),
    "a factor for each input that is connected, separated by commas (1, -1 subtracts the second "
    "from the first); empty adds them" },
  { "unit", ARMILLA_TEXT (Sum, unit, ""),
    "unit of the sum; empty takes that of the first input that says one, and no other may say "
    "another" },
};

static void
armilla_combine_class_init (ArmillaCombineClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "combine";
  stage->summary = "Add, subtract or weight maps";
  stage->description =
    "The sum of weight times map, for up to eight maps of the same pixels, in their order. What is "
    "UNSEEN in one of them is UNSEEN in the sum.";
  stage->ports = map_ports;
  stage->prepare = combine_prepare;
  stage->build = combine_build;
  armilla_stage_install (stage, G_STRUCT_OFFSET (ArmillaCombine, sum), properties,
                         G_N_ELEMENTS (properties));
}

static void
armilla_combine_alm_class_init (ArmillaCombineAlmClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "combine-alm";
  stage->summary = "Add, subtract or weight a_lm";
  stage->description =
    "The sum of weight times a_lm, for up to eight of one lmax and mmax, in their order.";
  stage->ports = alm_ports;
  stage->prepare = combine_alm_prepare;
  stage->build = combine_alm_build;
  armilla_stage_install (stage, G_STRUCT_OFFSET (ArmillaCombineAlm, sum), properties,
                         G_N_ELEMENTS (properties));
}
