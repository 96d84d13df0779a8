/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/catalogues/catalogue.h"
#include "core/catalogues/random-catalogue.h"
#include "plugins/catalogues/catalogue-private.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"

struct _ArmillaReadCatalogue {
  ArmillaStage parent_instance;
  char *file;
  int hdu;
  char *column[ARMILLA_N_ROLES];
  char *unit[2];
  char *values;
  Coordinates coordinates;
  gboolean flip_g2;
  ArmillaCosmology cosmology;
  int patches;
  double sample;
  guint64 seed;
  ArmillaFootprint *footprint;
  ArmillaCatalogueReader *reader;
};

ARMILLA_DEFINE_STAGE (ArmillaReadCatalogue, armilla_read_catalogue, ARMILLA, READ_CATALOGUE)

static const ArmillaPort ports[] = {
  { "mask", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "HEALPix map: objects are kept where its first field is positive" },
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_OUT,
    "the objects, with weights, shears, patches and values if their columns are given" },
  { NULL, NULL, 0, NULL },
};

/* Arguments of the I/O thread that reads a catalogue; @footprint may be NULL. */
typedef struct {
  ArmillaReadCatalogue *stage;
  ArmillaFootprint *footprint;
} Fill;

static gboolean
read_catalogue_fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  const Fill *fill = user;
  const ArmillaReadCatalogue *self = fill->stage;
  g_autoptr (ArmillaCatalogue) all = armilla_catalogue_reader_read (self->reader, error);

  if (all != NULL)
    piece->catalogue = armilla_catalogue_cut (all, fill->footprint, self->sample, self->seed,
                                              error);
  return piece->catalogue != NULL;
}

static void
fill_free (gpointer user)
{
  Fill *fill = user;

  g_clear_pointer (&fill->footprint, armilla_footprint_unref);
  g_object_unref (fill->stage);
  g_free (fill);
}

/* Rejects a cosmology that no redshift needs. */
static gboolean
check_cosmology (ArmillaReadCatalogue *self, GError **error)
{
  static const char *const names[] = { "omega-m", "w0", "wa" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (armilla_stage_given (self, names[i]) && *self->column[ARMILLA_ROLE_REDSHIFT] == 0)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "%s converts redshifts to distances; set redshift to the name of their "
                           "column, or leave out %s", names[i], names[i]);
  return TRUE;
}

static gboolean
open_catalogue (ArmillaReadCatalogue *self, GError **error)
{
  const gboolean is_box = self->coordinates == COORDINATES_BOX;
  g_auto (GStrv) values = armilla_stage_words (self->values);
  ArmillaCatalogueColumns how = {
    .unit = { self->unit[0], self->unit[1] }, .flip_g2 = self->flip_g2, .n_patches = self->patches,
    .coordsys = armilla_stage_given (self, "coordinates") && !is_box
                  ? armilla_catalogue_coordinates_letter (self->coordinates) : 0,
    .is_box = is_box, .cosmology = self->cosmology,
    .values = (const char *const *) values,
  };

  for (int role = 0; role < ARMILLA_N_ROLES; role++)
    how.column[role] = self->column[role];
  if (!check_cosmology (self, error) || !armilla_stage_need_file (self->file, error))
    return FALSE;
  self->reader = armilla_catalogue_reader_open (self->file, self->hdu, &how, error);
  return self->reader != NULL;
}

static gboolean
read_catalogue_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                        ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaReadCatalogue *self = ARMILLA_READ_CATALOGUE (stage);
  g_autoptr (ArmillaCatalogue) like = NULL;

  (void) context;
  if (!armilla_catalogue_mask_prepare (inputs[0], &self->footprint, error)
      || (self->reader == NULL && !open_catalogue (self, error)))
    return FALSE;
  like = armilla_catalogue_reader_describe (self->reader, error);
  if (like == NULL)
    return FALSE;
  outputs[0] = ARMILLA_DATA (armilla_objects_new_like (like));
  if (inputs[0] == NULL) /* the number of objects in the footprint is unknown before reading */
    armilla_objects_expect (ARMILLA_OBJECTS (outputs[0]),
                            (gint64) (self->sample
                                      * (double) armilla_catalogue_reader_count (self->reader)));
  armilla_stage_inherit (outputs[0], inputs[0]);
  armilla_stage_note (outputs[0], "read-catalogue: %s", self->file);
  if (*self->column[ARMILLA_ROLE_REDSHIFT] != 0)
    armilla_stage_note (outputs[0], "read-catalogue: comoving distances in Mpc/h, flat, omega-m "
                        "%.10g, w0 %.10g, wa %.10g", self->cosmology.omega_m, self->cosmology.w0,
                        self->cosmology.wa);
  if (self->sample < 1)
    armilla_stage_note (outputs[0], "read-catalogue: sample %g, seed %" G_GUINT64_FORMAT,
                        self->sample, self->seed);
  return TRUE;
}

static double
read_catalogue_memory (ArmillaStage *stage, ArmillaData *const *inputs,
                       ArmillaData *const *outputs)
{
  ArmillaCatalogueParts parts = armilla_objects_parts (ARMILLA_OBJECTS (outputs[0]));
  const int n_values = armilla_objects_like (ARMILLA_OBJECTS (outputs[0]))->n_values;
  double n = (double) armilla_catalogue_reader_count (ARMILLA_READ_CATALOGUE (stage)->reader);

  (void) inputs;
  return n * (3 * sizeof (double) + (parts & ARMILLA_CATALOGUE_WEIGHT ? sizeof (double) : 0)
              + (parts & ARMILLA_CATALOGUE_SHEAR ? 2 * sizeof (double) : 0)
              + (parts & ARMILLA_CATALOGUE_PATCH ? sizeof (gint32) : 0)
              + sizeof (double) * (gsize) n_values);
}

static gboolean
read_catalogue_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                      ArmillaData *const *outputs, GError **error)
{
  ArmillaReadCatalogue *self = ARMILLA_READ_CATALOGUE (stage);
  const char *note = armilla_catalogue_reader_note (self->reader);
  Fill *fill;

  if (note != NULL)
    armilla_graph_note (graph, NULL, "%s", note);
  if (inputs[0] != NULL
      && !armilla_graph_fetch_footprint (graph, ARMILLA_MAP (inputs[0]), self->footprint, error))
    return FALSE;
  fill = g_new (Fill, 1);
  *fill = (Fill) { g_object_ref (self), g_steal_pointer (&self->footprint) };
  return armilla_graph_fill (graph, outputs[0], read_catalogue_fill, fill, fill_free, error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaReadCatalogue, file, NULL),
    "name of the file, opened literally; .gz is decompressed",
    ARMILLA_PROPERTY_REQUIRED | ARMILLA_PROPERTY_INPUT_FILE },
  { "hdu", ARMILLA_INT (ArmillaReadCatalogue, hdu, -1, G_MAXINT, -1),
    "number of the HDU; -1: the first binary table" },
  { "longitude", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_LONGITUDE], ""),
    "column of right ascension (longitude), by name or number from 0; not given: RA, RAJ2000, GLON "
    "and the like" },
  { "latitude", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_LATITUDE], ""),
    "column of declination (latitude); not given: DEC, DEJ2000, GLAT and the like" },
  { "x", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_X], ""),
    "column of the first component of a unit vector, or of a position in a box, instead of "
    "longitude and latitude" },
  { "y", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_Y], ""),
    "column of its second component" },
  { "z", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_Z], ""),
    "column of its third component, towards the north pole" },
  { "weight", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_WEIGHT], ""),
    "column of weights, finite and not negative; not given: all weights are 1" },
  { "g1", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_G1], ""),
    "column of g1; g1 + i g2 = |g| exp(2 i psi), psi from north to east, or from west to north" },
  { "g2", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_G2], ""), "column of g2" },
  { "patch", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_PATCH], ""),
    "column of the number of the patch, from 0, for jackknife errors" },
  { "distance", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_DISTANCE], ""),
    "column of comoving distances from the observer, in any unit, for distance-correlation" },
  { "redshift", ARMILLA_TEXT (ArmillaReadCatalogue, column[ARMILLA_ROLE_REDSHIFT], ""),
    "column of redshifts, from which comoving distances in Mpc/h are computed in a flat universe "
    "of matter and dark energy" },
  { "omega-m", ARMILLA_DOUBLE (ArmillaReadCatalogue, cosmology.omega_m, 0, 1, 0.315),
    "redshift: density of matter today, relative to the critical one" },
  { "w0", ARMILLA_DOUBLE (ArmillaReadCatalogue, cosmology.w0, -3, 0, -1),
    "redshift: equation of state of dark energy today, w = w0 + wa z / (1 + z)" },
  { "wa", ARMILLA_DOUBLE (ArmillaReadCatalogue, cosmology.wa, -3, 3, 0),
    "redshift: its change with redshift" },
  { "longitude-unit", ARMILLA_TEXT (ArmillaReadCatalogue, unit[0], ""),
    "unit of the longitudes: deg, rad, arcmin, arcsec, or h; not given: TUNIT of the column, or "
    "its unit in ECSV; required for other text" },
  { "latitude-unit", ARMILLA_TEXT (ArmillaReadCatalogue, unit[1], ""),
    "unit of the latitudes, as for longitudes" },
  { "coordinates", ARMILLA_ENUM (ArmillaReadCatalogue, coordinates,
                                 armilla_catalogue_coordinates_or_box, COORDINATES_EQUATORIAL),
    "coordinates of longitude and latitude; not given: COORDSYS of a FITS file, otherwise "
    "equatorial. box: x, y and z are positions in space, in any unit" },
  { "flip-g2", ARMILLA_BOOLEAN (ArmillaReadCatalogue, flip_g2, FALSE),
    "change the sign of g2, for catalogues that count psi from east to north or from south to "
    "east" },
  { "patches", ARMILLA_INT (ArmillaReadCatalogue, patches, 0, 4096, 0),
    "number of patches, if patch is given" },
  { "sample", ARMILLA_DOUBLE (ArmillaReadCatalogue, sample, 1e-12, 1, 1),
    "fraction of the objects to keep, selected at random" },
  { "seed", ARMILLA_UINT64 (ArmillaReadCatalogue, seed, 0, G_MAXUINT64, 0), "seed of that "
    "selection" },
  { "values", ARMILLA_TEXT (ArmillaReadCatalogue, values, ""),
    "additional columns, by name or number, separated by commas, for bin-catalogue, select-rows "
    "and write-catalogue" },
};

static void
armilla_read_catalogue_class_init (ArmillaReadCatalogueClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "read-catalogue";
  armilla_stage_set_example (stage,
                             "[write-catalogue]; file = objects.fits; "
                             "[read-catalogue]; file = objects.fits");
  stage->summary = "Read objects on the sphere from a FITS binary table or from text";
  stage->description =
    "The file is any binary table whose columns contain one number per row, including scaled "
    "integers, or text: CSV, ECSV, or columns separated by blanks, tabs or semicolons, with names "
    "in the first line or in a comment before it, or without names. A missing position, weight or "
    "patch, a declination beyond a pole or a negative weight is an error that names the row and "
    "the number of missing values. Missing shears and values are NaN: select-rows excludes such "
    "objects if a condition uses the value. The mean of such values is an error, and so are pairs "
    "of such shears, unless the weight is 0. A mask keeps the objects in its positive pixels; "
    "sample keeps a random fraction, which is the same on any machine.";
  stage->ports = ports;
  stage->prepare = read_catalogue_prepare;
  stage->build = read_catalogue_build;
  stage->reusable = TRUE;
  stage->memory = read_catalogue_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaReadCatalogue, reader, armilla_catalogue_reader_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaReadCatalogue, footprint, armilla_footprint_unref);
}
