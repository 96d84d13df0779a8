/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>
#include <math.h>

/* An object of the stage: the properties, and what prepare finds out. */
struct _LowPassStage {
  ArmillaStage parent_instance;
  gint64 keep, stop;
  gint64 lmax;
};

ARMILLA_DEFINE_STAGE (LowPassStage, low_pass_stage, LOW_PASS, STAGE)

/* Names of ports are keys of the workflow file: no property may be called alm. */
static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields" },
  { "out", armilla_alm_get_type, ARMILLA_PORT_OUT, "w_l a_lm, F fields, in the unit of alm" },
  { NULL, NULL, 0, NULL },
};

/* Looks at properties and inputs, and makes the outputs: their shapes, not yet their values. */
static gboolean
low_pass_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  LowPassStage *self = LOW_PASS_STAGE (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  ArmillaAlm *out;

  (void) context;
  if (self->keep >= self->stop)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                   "stop = %" G_GINT64_FORMAT " must be greater than keep = %" G_GINT64_FORMAT,
                   self->stop, self->keep);
      return FALSE;
    }
  self->lmax = armilla_alm_layout (alm).lmax;
  out = armilla_alm_new (armilla_alm_layout (alm), armilla_alm_n_fields (alm));
  armilla_alm_set_unit (out, armilla_alm_unit (alm));
  armilla_alm_set_coordsys (out, armilla_alm_coordsys (alm));
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

/* Runs in an I/O thread while the graph is at work. */
static gboolean
fill_window (gpointer user, ArmillaPiece *piece, GError **error)
{
  const LowPassStage *self = user;

  (void) error; /* nothing can go wrong here */
  for (gint64 l = 0; l <= self->lmax; l++)
    {
      double x = (double) (l - self->keep) / (double) (self->stop - self->keep);

      piece->values[l] = x <= 0 ? 1 : x >= 1 ? 0 : 0.5 + 0.5 * cos (G_PI * x);
    }
  return TRUE;
}

/* Submits tasks and returns at once; the graph keeps the stage alive as long as it needs it. */
static gboolean
low_pass_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  LowPassStage *self = LOW_PASS_STAGE (stage);
  const char *name = "WINDOW";
  g_autoptr (ArmillaCl) window = armilla_cl_new (self->lmax, &name, 1);

  return armilla_graph_fill (graph, ARMILLA_DATA (window), fill_window, g_object_ref (self),
                             g_object_unref, error)
         && armilla_graph_scale_alm (graph, ARMILLA_ALM (inputs[0]), window,
                                     ARMILLA_ALM (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "keep", ARMILLA_INT64 (LowPassStage, keep, 0, 1 << 24, 0), "highest degree that is kept whole",
    ARMILLA_PROPERTY_REQUIRED },
  { "stop", ARMILLA_INT64 (LowPassStage, stop, 1, 1 << 24, 1), "lowest degree that is taken out",
    ARMILLA_PROPERTY_REQUIRED },
};

/* All that a user may ask about the stage stands in its class. */
static void
low_pass_stage_class_init (LowPassStageClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "low-pass";
  stage->summary = "Take small scales out of a_lm";
  stage->description = "w_l is 1 up to keep, 0 from stop on, and half a cosine between them.";
  stage->ports = ports;
  stage->prepare = low_pass_prepare;
  stage->build = low_pass_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}

/* What the module exports. */
ARMILLA_DEFINE_PLUGIN ("low-pass", "1.0", "GPL-3.0-or-later", low_pass_stage_get_type)
