/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/fits/fits.h"
#include "core/grids/grid.h"
#include "plugins/base/stage-util.h"
#include "plugins/io/polarisation.h"
#include "tasks/data/parts.h"

typedef enum { DTYPE_FLOAT32, DTYPE_FLOAT64 } Dtype;
typedef enum { POLCCONV_COSMO, POLCCONV_IAU } Polcconv;

struct _ArmillaWriteMap {
  ArmillaStage parent_instance;
  char *file;
  char *names;
  char *units;
  char *coordsys;
  Dtype dtype;
  gboolean partial;
  Polcconv polcconv;
  ArmillaStageOutput *output;
  ArmillaMapHeader header; /* header of the file */
  gboolean *flip; /* [field]: whether its sign changes, from COSMO to IAU; NULL: no field's does */
  gboolean polarised;      /* whether the map has a field that could change sign */
  ArmillaMapWriter *writer;
};

ARMILLA_DEFINE_STAGE (ArmillaWriteMap, armilla_write_map, ARMILLA, WRITE_MAP)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "the map to write, any number of fields" },
  { NULL, NULL, 0, NULL },
};

static const char *const dtypes[] = {
  [DTYPE_FLOAT32] = "float32", [DTYPE_FLOAT64] = "float64", NULL,
};

static const char *const polcconvs[] = {
  [POLCCONV_COSMO] = "cosmo", [POLCCONV_IAU] = "iau", NULL,
};

/* Opens the file when the first pixels arrive, to limit the number of open files in runs of many
 * realisations. */
static ArmillaMapWriter *
find_writer (ArmillaWriteMap *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->output->lock);

  if (self->writer == NULL)
    self->writer = armilla_map_writer_open (self->output->output, &self->header, error);
  return self->writer;
}

static gboolean
write_map_take (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaWriteMap *self = user;
  ArmillaMapWriter *writer = find_writer (self, error);
  g_autofree double *flipped = NULL;

  if (writer == NULL)
    return FALSE;
  if (self->flip == NULL || !self->flip[piece->field])
    return armilla_map_writer_write (writer, piece->field, piece->first, piece->n, piece->values,
                                     error);
  flipped = g_new (double, piece->n); /* a copy, since other stages read piece->values, too */
  for (gint64 i = 0; i < piece->n; i++)
    flipped[i] = armilla_is_unseen (piece->values[i]) ? piece->values[i] : -piece->values[i];
  return armilla_map_writer_write (writer, piece->field, piece->first, piece->n, flipped, error);
}

static gboolean
write_map_done (gpointer user, GError **error)
{
  ArmillaWriteMap *self = user;

  return armilla_map_writer_close (self->writer, error)
    && armilla_stage_output_commit (self->output, error);
}

static gboolean
write_map_end (gpointer user, GByteArray *summary, GError **error)
{
  ArmillaMapWriter *writer = find_writer (user, error);

  return writer != NULL && armilla_map_writer_end_part (writer, summary, error);
}

static gboolean
write_map_merge (gpointer user, const guint8 *summary, gsize size, GError **error)
{
  return armilla_map_writer_merge (((ArmillaWriteMap *) user)->writer, summary, size, error);
}

static const ArmillaHostParts map_parts = { write_map_end, write_map_merge, write_map_done };

/* Overrides metadata by one value for every field, or one value per field. */
static gboolean
override (const char *property, const char *text, int n_fields, char **target, GError **error)
{
  g_auto (GStrv) words = armilla_stage_words (text);
  int n_words = (int) g_strv_length (words);

  if (text == NULL || text[0] == '\0')
    return TRUE;
  if (n_words != n_fields && (n_words != 1 || strcmp (property, "units") != 0))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE, "%s lists %d, but the map has %d field%s",
                         property, n_words, n_fields, n_fields == 1 ? "" : "s");
  for (int i = 0; i < n_fields && target != NULL; i++)
    {
      g_free (target[i]);
      target[i] = g_strdup (words[n_words == 1 ? 0 : i]);
    }
  return TRUE;
}

/* Rejects equal column names, among them PIXEL, the column of pixel numbers of partial maps:
 * astropy and healpy could not open the file. */
static gboolean
check_names (const ArmillaWriteMap *self, const ArmillaMapHeader *header, GError **error)
{
  g_auto (GStrv) given = armilla_stage_words (self->names);
  char *const *names = self->names[0] != '\0' ? given : header->fields.names;

  for (int i = 0; i < header->fields.n && names[0][0] != '\0'; i++)
    {
      int k = 0;

      while (k < i && strcmp (names[k], names[i]) != 0)
        k++;
      if (k < i)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "names: fields %d and %d are both called \"%s\", and other programs "
                             "could not open the file; choose a different name for each of the %d "
                             "fields",
                             k, i, names[i], header->fields.n);
      if (self->partial && strcmp (names[i], "PIXEL") == 0)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "names: field %d is called PIXEL, as is the column of pixel numbers; "
                             "choose another name", i);
    }
  return TRUE;
}

/* Finds the fields that change sign: U, and its covariances with Q and I; none if the map stays in
 * the IAU convention. */
static void
find_flips (ArmillaWriteMap *self, const ArmillaMapHeader *header)
{
  const gboolean as_it_is = g_strcmp0 (header->fields.polcconv, "IAU") == 0;
  g_autofree gboolean *flip = g_new0 (gboolean, header->fields.n);

  self->polarised = armilla_fields_polarised (header->fields.spins, header->fields.n);
  for (int i = 0; i < header->fields.n; i++)
    {
      const int spin = header->fields.spins != NULL ? header->fields.spins[i] : 0;

      flip[i] = (armilla_fields_part (header->fields.spins, i) == 2 && spin % 2 == 0)
                || (!as_it_is && spin == 0 && armilla_polarisation_flips (header->fields.names[i]));
      self->polarised = self->polarised || flip[i];
    }
  g_clear_pointer (&self->flip, g_free);
  if (self->polcconv == POLCCONV_IAU)
    self->flip = g_steal_pointer (&flip);
}

static gboolean
write_map_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                   ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteMap *self = ARMILLA_WRITE_MAP (stage);
  ArmillaMapHeader *header = armilla_map_header (ARMILLA_MAP (inputs[0]));
  ArmillaGrid *grid = armilla_map_grid (ARMILLA_MAP (inputs[0]));

  (void) outputs;
  if (!armilla_stage_need_fits (self->file, "a map is", error)
      || !override ("names", self->names, header->fields.n, NULL, error)
      || !override ("units", self->units, header->fields.n, NULL, error))
    return FALSE;
  if (self->coordsys[0] != '\0' && armilla_coordinates_letter (self->coordsys) == 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "coordsys is \"%s\"; must be G (galactic), E (ecliptic) or C (celestial, "
                         "equatorial)", self->coordsys);
  if (!armilla_stage_given (self, "partial"))
    self->partial = grid->kind == ARMILLA_GRID_HEALPIX && armilla_grid_whole (grid) != grid;
  if (self->partial && grid->kind != ARMILLA_GRID_HEALPIX)
    {
      g_autofree char *what = armilla_grid_describe (grid);

      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "partial = true needs a HEALPix map, but the map is %s", what);
    }
  find_flips (self, header);
  if (self->polcconv == POLCCONV_IAU && !self->polarised)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "polcconv = iau requires a polarised map, but all fields are scalars");
  if (!check_names (self, header, error))
    return FALSE;
  self->output = armilla_stage_output_new (self->file, context, inputs[0], error);
  return self->output != NULL;
}

static gboolean
write_map_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                 ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteMap *self = ARMILLA_WRITE_MAP (stage);
  const ArmillaMapHeader *from = armilla_map_header (ARMILLA_MAP (inputs[0]));
  ArmillaMapHeader *to = &self->header;
  const char letter = armilla_coordinates_letter (self->coordsys);
  gboolean shared;

  (void) outputs;
  to->grid = armilla_grid_ref (armilla_map_grid (ARMILLA_MAP (inputs[0])));
  to->order = from->order;
  to->partial = self->partial;
  to->single = self->dtype == DTYPE_FLOAT32;
  armilla_fields_copy (&to->fields, &from->fields);
  override ("names", self->names, to->fields.n, to->fields.names, NULL);
  if (to->fields.names[0][0] == '\0')
    g_clear_pointer (&to->fields.names, g_strfreev); /* the writer uses healpy's names */
  override ("units", self->units, to->fields.n, to->fields.units, NULL);
  if (letter != 0)
    armilla_fields_set_coordsys (&to->fields, (const char[]) { letter, '\0' });
  if (self->polarised)
    armilla_fields_set_polcconv (&to->fields, self->polcconv == POLCCONV_IAU ? "IAU" : "COSMO");
  g_strfreev (to->fields.history);
  to->fields.history = g_steal_pointer (&self->output->history);
  armilla_stage_output_begin (self->output, graph);
  if (!armilla_stage_output_share (self->output, self->file, armilla_map_header_can_share (to),
                                   &shared, error))
    return FALSE;
  if (shared)
    return armilla_graph_drain_in_parts (graph, inputs[0], write_map_take, &map_parts,
                                         g_object_ref (self), g_object_unref, error);
  return armilla_graph_drain (graph, inputs[0], write_map_take, write_map_done, g_object_ref (self),
                              g_object_unref, error);
}

static void
write_map_finalize (GObject *object)
{
  armilla_map_header_clear (&ARMILLA_WRITE_MAP (object)->header);
  G_OBJECT_CLASS (armilla_write_map_parent_class)->finalize (object);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteMap, file, NULL),
    "name of the file; a name that ends in .gz is compressed", ARMILLA_PROPERTY_REQUIRED },
  { "names", ARMILLA_TEXT (ArmillaWriteMap, names, ""),
    "names of the columns, separated by commas; empty: those of the map" },
  { "units", ARMILLA_TEXT (ArmillaWriteMap, units, ""),
    "units of the columns, separated by commas, or one for all; empty: those of the map" },
  { "coordsys", ARMILLA_TEXT (ArmillaWriteMap, coordsys, ""),
    "coordinates: G, E or C, or their names; empty: those of the map" },
  { "dtype", ARMILLA_ENUM (ArmillaWriteMap, dtype, dtypes, DTYPE_FLOAT64),
    "type of the pixels in the file" },
  { "partial", ARMILLA_BOOLEAN (ArmillaWriteMap, partial, FALSE),
    "omit the pixels that are UNSEEN in every field (HEALPix only); not given: if the map has "
    "only some rings" },
  { "polcconv", ARMILLA_ENUM (ArmillaWriteMap, polcconv, polcconvs, POLCCONV_COSMO),
    "convention of polarisation in the file; iau changes the sign of U and of its covariances, "
    "such as QU_COV" },
};

static void
armilla_write_map_class_init (ArmillaWriteMapClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = write_map_finalize;
  stage->nick = "write-map";
  armilla_stage_set_example (stage, "file = map.fits");
  stage->summary = "Write a map to a FITS file";
  stage->description =
    "Writes HEALPix maps as healpy does, maps on equiangular grids as an image in the projection "
    "CAR, as pixell does, and maps on other grids as an image extension whose keywords describe "
    "the grid. A map that was read from an image, or is like it, gets the same header and part of "
    "the sky. The file is renamed to its final name when it is complete. HISTORY contains the "
    "program's version, the seeds and the workflow. Pixels are in RING order unless the map "
    "passed through change-order. Polarised maps have the keyword POLCCONV. Pixels outside the "
    "rings of the map are UNSEEN; an image extends from its first to its last ring.";
  stage->ports = ports;
  stage->prepare = write_map_prepare;
  stage->build = write_map_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteMap, writer, armilla_map_writer_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteMap, flip, g_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteMap, output, armilla_stage_output_free);
}
