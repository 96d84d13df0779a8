/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include <armilla/armilla.h>

#include "codelets/fields/noise.h"
#include "core/expressions/expression.h"
#include "plugins/base/stage-util.h"

/* Floating-point operations per random number: Philox, a logarithm, a cosine and a sine. */
#define FLOPS 100

typedef enum { HOLDS_HITS, HOLDS_SIGMA, HOLDS_VARIANCE } Holds;

struct _ArmillaNoiseMap {
  ArmillaStage parent_instance;
  Holds holds;
  double sigma, sigma_polarised;
  gboolean polarised;
  gint64 nside, realisation;
  guint64 seed;
  char *unit;
  guint64 used_realisation;
  double sigmas[3]; /* standard deviation of the noise of each field */
};

ARMILLA_DEFINE_STAGE (ArmillaNoiseMap, armilla_noise_map, ARMILLA, NOISE_MAP)

enum { MAP, LIKE };

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "hits, sigma or variance of the pixels (see holds), one field for all, or three for I, Q and "
    "U; without it, all pixels have the same noise" },
  { "like", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a map that defines the pixels, and I, Q and U if it has three fields; its values are "
    "ignored" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT,
    "noise: one field, or I, Q and U; UNSEEN where map is UNSEEN or the number of hits is 0" },
  { NULL, NULL, 0, NULL },
};

static const char *const kinds[] = {
  [HOLDS_HITS] = "hits", [HOLDS_SIGMA] = "sigma", [HOLDS_VARIANCE] = "variance", NULL,
};

/* Returns the number of output fields: 3 if an input has 3 or `polarised` is set, otherwise 1. */
static int
count_fields (const ArmillaNoiseMap *self, ArmillaData *const *inputs, GError **error)
{
  int max_fields = self->polarised ? 3 : 1;

  for (int i = MAP; i <= LIKE; i++)
    {
      const int n = inputs[i] != NULL ? armilla_map_n_fields (ARMILLA_MAP (inputs[i])) : 1;

      if (n != 1 && n != 3)
        return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                             "%s has %d fields; must have one, or three for I, Q and U: select "
                             "them with fields of the stage that reads it", ports[i].name, n);
      max_fields = MAX (max_fields, n);
    }
  return max_fields;
}

static gboolean
check_properties (ArmillaNoiseMap *self, ArmillaData *const *inputs, int n_fields, GError **error)
{
  const ArmillaData *input = inputs[MAP], *grid = input != NULL ? input : inputs[LIKE];
  const char *wrong = NULL;
  const gboolean by_hits = input == NULL || self->holds == HOLDS_HITS;

  if (grid == NULL && self->nside == 0)
    wrong = "nside is not set; set it, or connect map or like";
  else if (grid != NULL && self->nside > 0)
    wrong = input != NULL ? "nside and map are both given; leave out nside, or disconnect map"
                          : "nside and like are both given; leave out nside, or disconnect like";
  else if (input == NULL && armilla_stage_given (self, "holds"))
    wrong = "holds describes the values of map, which is not connected";
  else if (by_hits && !armilla_stage_given (self, "sigma"))
    wrong = input == NULL ? "sigma is not set; set the noise of a pixel"
                          : "sigma is not set; set the noise of one hit";
  else if (!by_hits && armilla_stage_given (self, "sigma"))
    wrong = "sigma requires holds = hits; otherwise map determines the noise";
  else if (armilla_stage_given (self, "sigma-polarised") && (!by_hits || n_fields == 1))
    wrong = "sigma-polarised requires sigma, and I, Q and U (polarised = true)";
  return wrong == NULL || armilla_fail (error, ARMILLA_ERROR_VALUE, "%s", wrong);
}

static char *
find_unit (const ArmillaNoiseMap *self, ArmillaData *input, int field)
{
  const ArmillaExpressionName name = { (char *) "x", 0 };
  g_autoptr (ArmillaExpression) root = NULL;
  const char *unit;

  if (self->unit[0] != '\0' || input == NULL || self->holds == HOLDS_HITS)
    return g_strdup (self->unit);
  field = MIN (field, armilla_map_n_fields (ARMILLA_MAP (input)) - 1);
  unit = armilla_map_header (ARMILLA_MAP (input))->fields.units[field];
  if (self->holds == HOLDS_SIGMA)
    return g_strdup (unit);
  root = armilla_expression_new ("sqrt(x)", &name, 1, &unit, 1, NULL);
  return g_strdup (root != NULL ? armilla_expression_unit (root) : "");
}

static gboolean
noise_map_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                   ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  static const char *const names[] = { "TEMPERATURE", "Q_POLARISATION", "U_POLARISATION" };
  static const int spins[] = { 0, 2, 2 };
  ArmillaNoiseMap *self = ARMILLA_NOISE_MAP (stage);
  const int n_fields = count_fields (self, inputs, error);
  ArmillaData *shape = inputs[MAP] != NULL ? inputs[MAP] : inputs[LIKE];
  g_autoptr (ArmillaGrid) grid = NULL;
  ArmillaMapHeader *header;
  ArmillaMap *out;

  if (n_fields == 0 || !check_properties (self, inputs, n_fields, error)
      || !armilla_stage_agree (ports, inputs, ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_COORDINATES,
                               error))
    return FALSE;
  grid = shape != NULL ? armilla_grid_ref (armilla_map_grid (ARMILLA_MAP (shape)))
                       : armilla_stage_new_healpix (context, self->nside, n_fields, error);
  if (grid == NULL)
    return FALSE;
  self->used_realisation = (guint64) (self->realisation >= 0 ? self->realisation : context->index);
  out = armilla_map_new (grid, n_fields);
  header = armilla_map_header (out);
  armilla_stage_set_names (header, names);
  for (int f = 0; f < n_fields; f++)
    {
      g_free (header->fields.units[f]);
      header->fields.units[f] = find_unit (self, inputs[MAP], f);
    }
  if (n_fields == 3)
    {
      armilla_map_set_spins (out, spins);
      header->fields.polcconv = g_strdup ("COSMO");
    }
  armilla_stage_carry (ARMILLA_DATA (out), ports, inputs, ARMILLA_AGREE_COORDINATES);
  armilla_stage_note (ARMILLA_DATA (out),
                      "noise-map: Philox4x64-10, seed %" G_GUINT64_FORMAT ", realisation %"
                      G_GUINT64_FORMAT, self->seed, self->used_realisation);
  outputs[0] = ARMILLA_DATA (out);
  return TRUE;
}

/* Computes noise whose standard deviation does not depend on an input map; called by workers. */
static gboolean
noise_fill (const ArmillaPixels *pixels, gpointer user, GError **error)
{
  const ArmillaNoiseMap *self = user;

  (void) error;
  armilla_random_noise (self->seed, self->used_realisation, pixels->n_out, pixels->first, pixels->n,
                        pixels->out);
  for (int f = 0; f < pixels->n_out; f++)
    for (gint64 i = 0; i < pixels->n; i++)
      pixels->out[f][i] *= self->sigmas[f];
  return TRUE;
}

/* Returns the standard deviation of a pixel whose input value is @x; NaN if the pixel was not
 * observed. */
static double
sigma_at (const ArmillaNoiseMap *self, int field, double x)
{
  if (armilla_is_unseen (x))
    return NAN;
  switch (self->holds)
    {
    case HOLDS_HITS: return x == 0 ? NAN : self->sigmas[field] / sqrt (x);
    case HOLDS_VARIANCE: return sqrt (x);
    default: return x;
    }
}

static gboolean
check_value (const ArmillaNoiseMap *self, gint64 pixel, double x, GError **error)
{
  if (armilla_is_unseen (x) || (isfinite (x) && x >= 0))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                       "map has the %s %g in pixel %" G_GINT64_FORMAT " (RING order); it must be "
                       "0 or more, or UNSEEN", kinds[self->holds], x, pixel);
}

/* Computes noise whose standard deviation depends on the pixels of an input map; called by
 * workers. */
static gboolean
noise_apply (const ArmillaPixels *pixels, gpointer user, GError **error)
{
  const ArmillaNoiseMap *self = user;

  armilla_random_noise (self->seed, self->used_realisation, pixels->n_out, pixels->first, pixels->n,
                        pixels->out);
  for (int f = 0; f < pixels->n_out; f++)
    {
      const double *in = pixels->in[pixels->n_in == 1 ? 0 : f];
      double *out = pixels->out[f];

      for (gint64 i = 0; i < pixels->n; i++)
        {
          const double sigma = sigma_at (self, f, in[i]);

          if (!check_value (self, pixels->first + i, in[i], error))
            return FALSE;
          out[i] = isnan (sigma) ? ARMILLA_UNSEEN : sigma * out[i];
        }
    }
  return TRUE;
}

static gboolean
noise_map_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                 ArmillaData *const *outputs, GError **error)
{
  ArmillaNoiseMap *self = ARMILLA_NOISE_MAP (stage);
  ArmillaMap *out = ARMILLA_MAP (outputs[0]);
  ArmillaMap *map = inputs[MAP] != NULL ? ARMILLA_MAP (inputs[MAP]) : NULL;
  g_autoptr (ArmillaMap) noise = armilla_stage_uncropped (out);

  self->sigmas[0] = self->sigma;
  self->sigmas[1] = self->sigmas[2] = armilla_stage_given (self, "sigma-polarised")
                                        ? self->sigma_polarised : G_SQRT2 * self->sigma;
  return armilla_graph_apply_pixels (graph, &map, map != NULL,
                                     map != NULL ? noise_apply : noise_fill,
                                     FLOPS * armilla_map_n_fields (out), g_object_ref (self),
                                     g_object_unref, noise, error)
         && armilla_stage_crop (graph, noise, out, error);
}

static const ArmillaProperty properties[] = {
  { "holds", ARMILLA_ENUM (ArmillaNoiseMap, holds, kinds, HOLDS_HITS),
    "contents of map: hits, for a noise of sigma / sqrt(hits); sigma, the noise itself; or "
    "variance, its square" },
  { "sigma", ARMILLA_DOUBLE (ArmillaNoiseMap, sigma, 0, G_MAXDOUBLE, 0),
    "standard deviation of the noise of one hit, or, without map, of a pixel" },
  { "sigma-polarised", ARMILLA_DOUBLE (ArmillaNoiseMap, sigma_polarised, 0, G_MAXDOUBLE, 0),
    "standard deviation for Q and U; default: sqrt(2) sigma" },
  { "polarised", ARMILLA_BOOLEAN (ArmillaNoiseMap, polarised, FALSE),
    "draw I, Q and U; always on if map or like has three fields" },
  { "nside", ARMILLA_INT64 (ArmillaNoiseMap, nside, 0, G_GINT64_CONSTANT (1) << 24, 0),
    "resolution of a HEALPix map, if neither map nor like is connected" },
  { "seed", ARMILLA_UINT64 (ArmillaNoiseMap, seed, 0, G_MAXUINT64, 0),
    "seed; different seeds give independent noise" },
  { "realisation", ARMILLA_INT64 (ArmillaNoiseMap, realisation, -1, G_MAXINT64, -1),
    "number of the map; -1: the number of the realisation" },
  { "unit", ARMILLA_TEXT (ArmillaNoiseMap, unit, ""),
    "unit of the noise; empty: derived from a map of sigma or variance" },
};

static void
armilla_noise_map_class_init (ArmillaNoiseMapClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "noise-map";
  armilla_stage_set_example (stage, "nside = 16; sigma = 0.1");
  stage->summary = "Draw white noise from hits, or from sigma or variance in each pixel";
  stage->description =
    "Each pixel is sigma g, where g is a standard normal number that depends only on seed, "
    "realisation, pixel (its number in RING order) and field: the noise does not depend on tiles, "
    "the number of ranks and the machine, and I is the same with and without Q and U. Pixels "
    "without hits are UNSEEN; where sigma or the variance is 0, the noise is 0. The noise of "
    "different pixels, and of I, Q and U, is independent.";
  stage->reference = "Salmon et al. (2011), Parallel random numbers: as easy as 1, 2, 3";
  stage->ports = ports;
  stage->prepare = noise_map_prepare;
  stage->build = noise_map_build;
  stage->draws = TRUE;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
