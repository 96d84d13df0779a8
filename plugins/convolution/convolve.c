/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "plugins/convolution/convolve-kernel.h"
#include "tasks/convolution/convolve.h"

struct _ArmillaConvolve {
  ArmillaStage parent_instance;
  ArmillaKernelProperties kernel_properties;
  int method;
  double accuracy, cut_off;
  char *spectrum;
  gint64 lmax, polar_rings;
  gboolean anti_ringing, kernel_shift;
  ArmillaKernel *kernel;
  ArmillaConvolution plan;
};

ARMILLA_DEFINE_STAGE (ArmillaConvolve, armilla_convolve, ARMILLA, CONVOLVE)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN,
    "a map, F fields of spin 0; UNSEEN counts as 0 and stays UNSEEN" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "the convolved map, F fields" },
  { NULL, NULL, 0, NULL },
};

static const char *const methods[] = {
  [ARMILLA_CONVOLVE_AUTO] = "auto", [ARMILLA_CONVOLVE_HARMONIC] = "harmonic",
  [ARMILLA_CONVOLVE_RING] = "ring", NULL,
};

static gboolean
check_given (ArmillaConvolve *self, GError **error)
{
  static const char *const of_rings[]
    = { "cut-off", "polar-rings", "anti-ringing", "kernel-shift", "spectrum", NULL };
  gboolean ok = TRUE;

  for (int i = 0; ok && self->method == ARMILLA_CONVOLVE_HARMONIC && of_rings[i] != NULL; i++)
    if (armilla_stage_given (self, of_rings[i]))
      {
        g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                     "%s applies to method = ring only; leave it out with method = harmonic",
                     of_rings[i]);
        ok = FALSE;
      }
  if (ok && self->method == ARMILLA_CONVOLVE_RING && armilla_stage_given (self, "lmax"))
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                           "lmax applies to method = harmonic only; method = ring uses no a_lm");
      ok = FALSE;
    }
  return ok;
}

/* Chooses the options that are not set. Uses the map's spectrum if it is an input. */
static gboolean
settle (ArmillaConvolve *self, const ArmillaStageContext *context, const ArmillaGrid *grid,
        GError **error)
{
  const ArmillaClTable *table = NULL;

  if (self->spectrum[0] != '\0')
    {
      table = armilla_stage_table (context, self->spectrum, ARMILLA_CL_COMPLETE, error);
      if (table == NULL)
        return FALSE;
      if (table->lmax < 2)
        return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                             "spectrum: %s has %" G_GINT64_FORMAT " multipoles; at least 3 are "
                             "needed",
                             self->spectrum, table->lmax + 1);
      if (!armilla_cl_table_check (table, 0, table->lmax, ARMILLA_CL_COMPLETE, self->spectrum,
                                   error))
        {
          g_prefix_error_literal (error, "spectrum: ");
          return FALSE;
        }
    }
  armilla_convolution_settle (&self->plan, grid, self->kernel, table ? table->values : NULL,
                              table ? table->lmax : 0);
  return TRUE;
}

static gboolean
convolve_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaConvolve *self = ARMILLA_CONVOLVE (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[0]);
  ArmillaGrid *grid = armilla_map_grid (map);

  if (!check_given (self, error)
      || !armilla_convolve_check_spins (armilla_map_spins (map), armilla_map_n_fields (map), error))
    return FALSE;
  self->kernel = armilla_kernel_properties_make (self, &self->kernel_properties, context, error);
  if (self->kernel == NULL || !armilla_convolve_check_width (self->kernel, grid, error))
    return FALSE;
  if (armilla_stage_given (self, "cut-off") && self->cut_off <= 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "cut-off must be above 0; if it is not set, it is chosen automatically");
  self->plan = (ArmillaConvolution) {
    .method = (ArmillaConvolveMethod) self->method,
    .lmax = self->lmax,
    .ring = { .accuracy = self->accuracy,
              .cut = self->cut_off,
              .anti_ringing = self->anti_ringing,
              .kernel_shift = self->kernel_shift,
              .polar_rings = self->polar_rings },
  };
  if (!settle (self, context, grid, error))
    return FALSE;
  if (self->method == ARMILLA_CONVOLVE_HARMONIC && !context->spills
      && !armilla_stage_holds (context, 16.0 * pow ((double) self->plan.lmax + 1, 2)
                                          * armilla_map_n_fields (map),
                               "the a_lm of the map, twice,", "lower lmax", error))
    return FALSE;
  outputs[0] = armilla_stage_copy (inputs[0]);
  armilla_stage_note (outputs[0], "convolved with: %s", armilla_kernel_describe (self->kernel));
  return TRUE;
}

static gboolean
convolve_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  ArmillaConvolve *self = ARMILLA_CONVOLVE (stage);

  return armilla_graph_convolve (graph, ARMILLA_MAP (inputs[0]), self->kernel, &self->plan,
                                 ARMILLA_MAP (outputs[0]), error);
}

static ArmillaTransforms
convolve_transforms (ArmillaStage *stage)
{
  const ArmillaConvolve *self = ARMILLA_CONVOLVE (stage);

  return (ArmillaConvolveMethod) self->method == ARMILLA_CONVOLVE_RING ? ARMILLA_TRANSFORMS_NONE
                                                                      : ARMILLA_TRANSFORMS_BOTH;
}

static const ArmillaProperty properties[] = {
  { "method", ARMILLA_ENUM (ArmillaConvolve, method, methods, ARMILLA_CONVOLVE_AUTO),
    "ring: ring by ring, fast for compact kernels; harmonic: multiplication of a_lm; auto: the "
    "method with the lower predicted time among those that reach the accuracy, named in "
    "the report" },
  { "accuracy", ARMILLA_DOUBLE (ArmillaConvolve, accuracy, 1e-12, 0.1, 1e-4),
    "accepted RMS error relative to the RMS of the result, even if the map's mean is up to 1e5 "
    "times the fluctuations; the report states the actual error" },
  { "cut-off", ARMILLA_QUANTITY (ArmillaConvolve, cut_off, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "method = ring: angle beyond which the kernel is truncated; default: the smallest that the "
    "accuracy allows" },
  { "spectrum", ARMILLA_TEXT (ArmillaConvolve, spectrum, ""),
    "method = ring: file with C_l of the map, first column, for the error of the cut-off; empty: "
    "l (l + 1) C_l or C_l constant, whichever is worse",
    ARMILLA_PROPERTY_INPUT_FILE },
  { "lmax", ARMILLA_INT64 (ArmillaConvolve, lmax, -1, 1 << 24, -1),
    "method = harmonic: highest multipole; -1: the first beyond which b_l is negligible, or, for "
    "discontinuous kernels, the highest that the grid resolves (HEALPix: 4 nside)" },
  { "polar-rings", ARMILLA_INT64 (ArmillaConvolve, polar_rings, 0, 1 << 24, 0),
    "method = ring: number of rings next to each pole that are summed pixel by pixel" },
  { "anti-ringing", ARMILLA_BOOLEAN (ArmillaConvolve, anti_ringing, TRUE),
    "method = ring: keep orders above the Nyquist order of a ring" },
  { "kernel-shift", ARMILLA_BOOLEAN (ArmillaConvolve, kernel_shift, TRUE),
    "method = ring: for rings whose pixels differ by half a pixel in azimuth, sample the kernel at "
    "the shifted pixels instead of shifting the map" },
};

static void
armilla_convolve_class_init (ArmillaConvolveClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "convolve";
  armilla_stage_set_example (stage, "fwhm = 10 deg");
  stage->summary = "Convolve a map with a radial kernel";
  stage->description =
    "The sum over pixels q of w_q K(p, q) f(q), with the quadrature weights w of the grid and a "
    "kernel K = sum of (2 l + 1) / (4 pi) b_l P_l, given by fwhm, beam, profile, radius or "
    "needlet. Both methods compute this sum, without iterations, within the accuracy. UNSEEN "
    "pixels count as 0 and stay UNSEEN, as in healpy's smoothing. A kernel may be negative and "
    "need not be normalised; a kernel narrower than a pixel is rejected.";
  stage->reference = "Elsner and Wandelt (2011), ARKCoS, A&A 532, A35";
  stage->ports = ports;
  stage->prepare = convolve_prepare;
  stage->build = convolve_build;
  stage->transforms = convolve_transforms;
  armilla_kernel_properties_install (stage, G_STRUCT_OFFSET (ArmillaConvolve, kernel_properties));
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaConvolve, kernel, armilla_kernel_unref);
}
