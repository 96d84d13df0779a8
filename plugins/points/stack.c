/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include <armilla/armilla.h>
#include <armilla/matrix.h>

#include "core/catalogues/catalogue.h"
#include "core/fits/fields.h"
#include "plugins/base/stage-util.h"
#include "plugins/points/points-private.h"
#include "tasks/points/stack.h"

/* Maximum number of pixels along a side of a patch. */
#define MAX_SIDE 4096
#define MAX_GROUPS 4096

/* Side (radian) from which axes are in degrees; smaller ones are in minutes of arc. */
#define IN_DEGREES (2 * G_PI / 180)

struct _ArmillaStackStage {
  ArmillaStage parent_instance;
  double size;
  ArmillaStackOptions options;
  ArmillaStack *stack;
};

ARMILLA_DEFINE_STAGE (ArmillaStackStage, armilla_stack_stage, ARMILLA, STACK_STAGE)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map of any fields, on any grid" },
  { "points", armilla_objects_get_type, ARMILLA_PORT_IN,
    "the objects; weights and patches are used if it has them" },
  { "mean", armilla_matrix_get_type, ARMILLA_PORT_OUT,
    "mean patch of each field, in its unit; rows from north to south, columns from east to west" },
  { "error", armilla_matrix_get_type, ARMILLA_PORT_OUT, "its standard errors" },
  { NULL, NULL, 0, NULL },
};

static const char *const frames[]
  = { [ARMILLA_STACK_RADIAL] = "radial", [ARMILLA_STACK_NORTH] = "north", NULL };
static const char *const estimators[]
  = { [ARMILLA_STACK_JACKKNIFE] = "jackknife", [ARMILLA_STACK_BOOTSTRAP] = "bootstrap", NULL };

/* Finds the number of pixels along a side. */
static gboolean
find_side (ArmillaStackStage *self, GError **error)
{
  const double n = self->size / self->options.resolution;

  self->options.n_side = n <= MAX_SIDE ? (gint64) rint (n) : 0;
  if (self->options.n_side >= 1 && fabs (n - rint (n)) <= 1e-6 * n)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "size must be a multiple of resolution, from 1 to %d times; it is %g times",
                       MAX_SIDE, n);
}

static ArmillaMatrixAxis
axis_of (const ArmillaStackStage *self, const char *label, double *values)
{
  const gboolean degrees = self->size >= IN_DEGREES;
  const double step = self->options.resolution * (degrees ? 180 : 10800) / G_PI;
  const gint64 n = self->options.n_side;

  for (gint64 i = 0; i < n; i++)
    values[i] = ((double) i - (double) (n - 1) / 2) * step;
  return (ArmillaMatrixAxis) { (char *) label, (char *) (degrees ? "deg" : "arcmin"), n, values };
}

/* Returns the names of the fields: those of the map, with _r for radial components. */
static char **
field_names (const ArmillaStackStage *self, const ArmillaFields *fields)
{
  g_auto (GStrv) names = armilla_points_names ("", fields, NULL);

  for (int f = 0; f < fields->n; f++)
    if (armilla_fields_part (fields->spins, f) > 0 && self->options.frame == ARMILLA_STACK_RADIAL)
      {
        char *radial = g_strconcat (names[f], "_r", NULL);

        g_free (names[f]);
        names[f] = radial;
      }
  return g_steal_pointer (&names);
}

static ArmillaMatrix *
describe (const ArmillaStackStage *self, const ArmillaFields *fields)
{
  g_autofree double *south = g_new (double, self->options.n_side);
  g_autofree double *west = g_new (double, self->options.n_side);
  const ArmillaMatrixAxis rows = axis_of (self, "south", south);
  const ArmillaMatrixAxis columns = axis_of (self, "west", west);
  g_auto (GStrv) names = field_names (self, fields);
  ArmillaMatrixHeader *header
    = armilla_matrix_header_new (&rows, &columns, (const char *const *) names, fields->n);
  gboolean one = TRUE;

  for (int f = 1; f < fields->n; f++)
    one = one && strcmp (fields->units[f], fields->units[0]) == 0;
  g_free (header->unit);
  header->unit = g_strdup (one ? fields->units[0] : "");
  return armilla_matrix_new (header);
}

static gboolean
stack_prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
               ArmillaData **outputs, GError **error)
{
  static const char *const of_bootstrap[] = { "resamples", "seed" };
  ArmillaStackStage *self = ARMILLA_STACK_STAGE (stage);
  const ArmillaFields *fields = armilla_data_fields (inputs[0]);

  (void) context;
  for (int i = 0; i < 2; i++)
    if (armilla_stage_given (stage, of_bootstrap[i])
        && self->options.errors != ARMILLA_STACK_BOOTSTRAP)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "%s requires errors = bootstrap; leave it out, or set errors",
                           of_bootstrap[i]);
  if (armilla_stage_given (stage, "groups")
      && armilla_objects_like (ARMILLA_OBJECTS (inputs[1]))->patch != NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "groups applies to catalogues without patches, but points has some; leave "
                         "out groups");
  if (!find_side (self, error))
    return FALSE;
  for (int i = 0; i < 2; i++)
    {
      outputs[i] = ARMILLA_DATA (describe (self, fields));
      armilla_stage_inherit (outputs[i], inputs[0]);
      armilla_stage_inherit (outputs[i], inputs[1]);
      armilla_stage_note (outputs[i], "stack: %" G_GINT64_FORMAT " pixels of %g arcmin a side, %s",
                          self->options.n_side, self->options.resolution * 10800 / G_PI,
                          estimators[self->options.errors]);
    }
  return TRUE;
}

static int
groups_of (const ArmillaStackStage *self, ArmillaObjects *objects)
{
  const ArmillaCatalogue *like = armilla_objects_like (objects);

  return like->patch != NULL ? like->n_patches : self->options.n_groups;
}

static double
stack_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  const ArmillaStackStage *self = ARMILLA_STACK_STAGE (stage);
  ArmillaObjects *objects = ARMILLA_OBJECTS (inputs[1]);

  (void) outputs;
  return armilla_stack_bytes (&self->options, armilla_map_n_fields (ARMILLA_MAP (inputs[0])),
                              groups_of (self, objects), armilla_objects_expected (objects));
}

/* Fills a piece of a matrix; all rows of an array have the width of the patch. */
static void
fill (const ArmillaStack *stack, const double *values, ArmillaPiece *piece)
{
  const gint64 width = (gint64) rint (sqrt ((double) stack->n_pixels));

  for (gint64 r = 0; r < piece->n; r++)
    memcpy (piece->values + r * piece->n_columns,
            values + piece->field * stack->n_pixels + (piece->first + r) * width
              + piece->first_column,
            sizeof *values * (gsize) piece->n_columns);
}

static gboolean
fill_mean (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaStack *stack = user;

  (void) error;
  fill (stack, stack->mean, piece);
  return TRUE;
}

static gboolean
fill_error (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaStack *stack = user;

  (void) error;
  fill (stack, stack->error, piece);
  return TRUE;
}

static gboolean
stack_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaStackStage *self = ARMILLA_STACK_STAGE (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[0]);

  self->stack = armilla_stack_new (armilla_map_n_fields (map),
                                   self->options.n_side * self->options.n_side, error);
  return self->stack != NULL
         && armilla_graph_stack (graph, map, ARMILLA_OBJECTS (inputs[1]), &self->options,
                                 self->stack, error)
         && armilla_graph_fill (graph, outputs[0], fill_mean, armilla_stack_ref (self->stack),
                                armilla_stack_unref, error)
         && armilla_graph_fill (graph, outputs[1], fill_error, armilla_stack_ref (self->stack),
                                armilla_stack_unref, error);
}

static const ArmillaProperty properties[] = {
  { "size", ARMILLA_QUANTITY (ArmillaStackStage, size, ARMILLA_DIMENSION_ANGLE, G_PI / 648000,
                              2 * G_PI / 3, G_PI / 180),
    "side of a patch, a multiple of resolution", ARMILLA_PROPERTY_REQUIRED },
  { "resolution", ARMILLA_QUANTITY (ArmillaStackStage, options.resolution, ARMILLA_DIMENSION_ANGLE,
                                    G_PI / 648000, 2 * G_PI / 3, G_PI / 10800),
    "side of a pixel of a patch", ARMILLA_PROPERTY_REQUIRED },
  { "method", ARMILLA_ENUM (ArmillaStackStage, options.sampling, armilla_points_methods,
                            ARMILLA_SAMPLING_BILINEAR),
    "value of the map at a pixel of a patch, as in sample-map" },
  { "frame", ARMILLA_ENUM (ArmillaStackStage, options.frame, frames, ARMILLA_STACK_RADIAL),
    "directions to which fields with a spin refer: radial, Q_r and U_r; north, the axes of the "
    "patch" },
  { "errors", ARMILLA_ENUM (ArmillaStackStage, options.errors, estimators,
                            ARMILLA_STACK_JACKKNIFE),
    "jackknife or bootstrap, over the patches of the catalogue or over groups of objects" },
  { "groups", ARMILLA_INT (ArmillaStackStage, options.n_groups, 2, MAX_GROUPS, 50),
    "number of groups if the catalogue has no patches; object i, from 0, is in group i modulo this "
    "number" },
  { "resamples", ARMILLA_INT (ArmillaStackStage, options.n_resamples, 2, 65535, 200),
    "number of resamples of the bootstrap" },
  { "seed", ARMILLA_UINT64 (ArmillaStackStage, options.seed, 0, G_MAXUINT64, 0),
    "seed of the bootstrap" },
};

static void
armilla_stack_stage_class_init (ArmillaStackStageClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "stack";
  armilla_stage_set_example (stage, "size = 40 deg; resolution = 4 deg");
  stage->summary = "Compute the mean of the patches of a map around the objects of a catalogue";
  stage->description =
    "A patch is a square in the azimuthal equidistant projection, centred at the object, north up "
    "and east to the left: distances and directions from the centre are true; at a pole "
    "directions are those of longitude 0. Each pixel is the mean over the objects, with their "
    "weights, of the map at that place; UNSEEN values are left out, and a pixel without any is "
    "NaN. Fields with a spin are turned: Q_r and U_r of spin 2 are Q_r + i U_r = -exp (-2 i phi) "
    "(Q + i U), phi being the angle at the centre from east to north for small patches, in the "
    "sign convention COSMO of the map, as in stacks of WMAP and Planck. Q_r is positive for "
    "polarisation along the radius and negative across it; at the centre itself Q_r = Q. frame = "
    "north refers Q and U to the meridian of the object everywhere. Errors are those of the "
    "jackknife (leaving out one group at a time) or the standard deviation of means of groups "
    "drawn with replacement. Groups should be independent: use patches of the catalogue larger "
    "than the size where objects share noise; with as many groups as objects the jackknife is the "
    "one over objects. Memory is proportional to the number of groups. Objects are converted to "
    "the coordinates of the map. Runs on cores only. The result has the same bits for any number "
    "of ranks and workers.";
  stage->reference = "Komatsu et al. (2011), Seven-year WMAP observations: cosmological "
                     "interpretation, section 2";
  stage->ports = ports;
  stage->prepare = stack_prepare;
  stage->build = stack_build;
  stage->memory = stack_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaStackStage, stack, armilla_stack_unref);
}
