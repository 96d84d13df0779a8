/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted sums of maps, of a_lm, or of spectra. */
#include <math.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/data.h"
#include "tasks/harmonic/harmonic.h"

#define MAX_INPUTS 8

struct _ArmillaCombine {
  ArmillaStage parent_instance;
  char *text, *unit;
  double weights[MAX_INPUTS]; /* weight of each connected input */
  int n;
};

ARMILLA_DEFINE_STAGE (ArmillaCombine, armilla_combine, ARMILLA, COMBINE)

#define MORE(name) \
  { name, armilla_data_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL, "another input" }

static const ArmillaPort ports[] = {
  { "input", armilla_data_get_type, ARMILLA_PORT_IN, "a map, a_lm or spectra, F fields" },
  MORE ("input2"),
  MORE ("input3"),
  MORE ("input4"),
  MORE ("input5"),
  MORE ("input6"),
  MORE ("input7"),
  MORE ("input8"),
  { "out", armilla_data_get_type, ARMILLA_PORT_OUT | ARMILLA_PORT_AS_INPUT,
    "the sum; UNSEEN where any map is UNSEEN" },
  { NULL, NULL, 0, NULL },
};

/* Parses one weight per connected input; all are 1 by default. */
static gboolean
parse_weights (ArmillaCombine *self, GError **error)
{
  g_auto (GStrv) words = armilla_stage_words (self->text);

  for (int i = 0; i < self->n; i++)
    self->weights[i] = 1;
  if (self->text[0] == '\0')
    return TRUE;
  if ((int) g_strv_length (words) != self->n)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "weights lists %u, but %d inputs are connected", g_strv_length (words),
                         self->n);
  for (int i = 0; i < self->n; i++)
    {
      char *end = NULL;

      self->weights[i] = g_ascii_strtod (words[i], &end);
      if (words[i][0] == '\0' || *end != '\0' || !isfinite (self->weights[i]))
        return armilla_fail (error, ARMILLA_ERROR_PARSE, "weights = %s: \"%s\" is not a number",
                             self->text, words[i]);
    }
  return TRUE;
}

static gboolean
combine_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                 ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaCombine *self = ARMILLA_COMBINE (stage);
  /* Inputs may have different units if the user sets the unit of the output: the weights convert
   * them. */
  const ArmillaStageAgree demands
    = ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_FIELDS | ARMILLA_AGREE_COORDINATES
      | (self->unit[0] == '\0' ? ARMILLA_AGREE_UNITS : 0);
  ArmillaData *found[MAX_INPUTS];
  g_autoptr (ArmillaData) out = NULL;

  (void) context;
  self->n = armilla_stage_connected (inputs, MAX_INPUTS, found);
  if (!armilla_stage_need_fields (ports, inputs, error) || !parse_weights (self, error)
      || !armilla_stage_agree (ports, inputs, demands, error))
    return FALSE;
  out = armilla_stage_copy (inputs[0]);
  if (self->unit[0] != '\0')
    armilla_fields_set_unit (armilla_data_fields (out), self->unit);
  armilla_stage_carry (out, ports, inputs, demands);
  outputs[0] = g_steal_pointer (&out);
  return TRUE;
}

static gboolean
combine_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  const ArmillaCombine *self = ARMILLA_COMBINE (stage);
  ArmillaData *found[MAX_INPUTS];

  armilla_stage_connected (inputs, MAX_INPUTS, found);
  return armilla_graph_combine (graph, found, self->weights, self->n, outputs[0], error);
}

static const ArmillaProperty properties[] = {
  { "weights", ARMILLA_TEXT (ArmillaCombine, text, ""),
    "one factor per connected input, separated by commas (1, -1 subtracts the second from the "
    "first); empty: all factors are 1" },
  { "unit", ARMILLA_TEXT (ArmillaCombine, unit, ""),
    "unit of the sum; empty: that of the first input that has one; units of other inputs must "
    "agree" },
};

static void
armilla_combine_class_init (ArmillaCombineClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "combine";
  stage->summary = "Add, subtract or weight maps, a_lm or spectra";
  stage->description =
    "The sum of factor times input, in the order of the inputs, for up to eight maps of the same "
    "pixels, a_lm of one lmax and mmax, or spectra of one lmax. Pixels that are UNSEEN in one of "
    "the maps are UNSEEN in the sum.";
  stage->ports = ports;
  stage->prepare = combine_prepare;
  stage->build = combine_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
