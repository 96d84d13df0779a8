/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/fits/fits.h"
#include "plugins/base/stage-util.h"
#include "plugins/io/polarisation.h"

#define SCAN_PIXELS 65536

typedef enum { RINGS_ALL, RINGS_SEEN } Rings;

struct _ArmillaReadMap {
  ArmillaStage parent_instance;
  char *file;
  char *fields;
  char *spin;
  int hdu;
  Rings rings;
  ArmillaStageTheta theta;
  ArmillaMapReader *reader;
  ArmillaGrid *grid; /* grid of the rings to read */
  GArray *chosen;
  /* [selected field]: whether its sign changes, from IAU to COSMO; NULL: no field's does */
  gboolean *flip;
};

ARMILLA_DEFINE_STAGE (ArmillaReadMap, armilla_read_map, ARMILLA, READ_MAP)

static const char *const rings[] = { [RINGS_ALL] = "all", [RINGS_SEEN] = "seen", NULL };

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_OUT,
    "the selected fields, in RING order, double precision" },
  { NULL, NULL, 0, NULL },
};

static gboolean
scan_field (ArmillaReadMap *self, int field, gint64 *n_bad, gint64 *first, GError **error)
{
  g_autofree double *pixels = g_new (double, SCAN_PIXELS);
  gint64 n_pixels = armilla_map_reader_header (self->reader)->grid->n_pixels;

  *n_bad = 0;
  for (gint64 at = 0; at < n_pixels; at += SCAN_PIXELS)
    {
      gint64 n = MIN (SCAN_PIXELS, n_pixels - at);

      if (!armilla_map_reader_read (self->reader, field, at, n, pixels, error))
        return FALSE;
      armilla_pixels_check_finite (pixels, n, at, n_bad, first);
    }
  return TRUE;
}

/* Reports bad pixels after the whole map was read, so that the message does not depend on the order
 * of reading. */
static gboolean
report_bad_pixels (ArmillaReadMap *self, GError **error)
{
  const ArmillaMapHeader *header = armilla_map_reader_header (self->reader);

  for (guint i = 0; i < self->chosen->len; i++)
    {
      int field = g_array_index (self->chosen, int, i);
      gint64 n_bad, first = 0;

      if (!scan_field (self, field, &n_bad, &first, error))
        return FALSE;
      if (n_bad > 0)
        return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                             "%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                             " pixels of field %d (%s) are NaN or infinite, the first is pixel %"
                             G_GINT64_FORMAT " (RING order); mark pixels without data with "
                             "-1.6375e30", self->file, n_bad, header->grid->n_pixels, field,
                             header->fields.names[field], first);
    }
  return armilla_fail (error, ARMILLA_ERROR_IO, "%s changed while it was read", self->file);
}

static gboolean
read_map_fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaReadMap *self = user;
  gint64 n_bad = 0, where = 0;

  if (!armilla_map_reader_read (self->reader, g_array_index (self->chosen, int, piece->field),
                                piece->first, piece->n, piece->values, error))
    return FALSE;
  if (!armilla_pixels_check_finite (piece->values, piece->n, piece->first, &n_bad, &where))
    return report_bad_pixels (self, error);
  for (gint64 i = 0; self->flip != NULL && self->flip[piece->field] && i < piece->n; i++)
    if (!armilla_is_unseen (piece->values[i]))
      piece->values[i] = -piece->values[i];
  return TRUE;
}

/* Finds the fields that change sign between the IAU and the COSMO convention: U, and its
 * covariances with Q and I. With spin = 0 the fields are not polarised and none changes. */
static gboolean
change_convention (ArmillaReadMap *self, ArmillaMap *map, const int *spins, const char *polcconv,
                   GError **error)
{
  ArmillaMapHeader *header = armilla_map_header (map);
  const gboolean automatic = g_ascii_strcasecmp (self->spin, "auto") == 0;
  const gboolean polarised = armilla_fields_polarised (spins, header->fields.n);
  g_autofree gboolean *flip = g_new0 (gboolean, header->fields.n);
  gboolean some = polarised;

  for (int i = 0; i < header->fields.n; i++)
    {
      flip[i] = (armilla_fields_part (spins, i) == 2 && spins[i] % 2 == 0)
                || ((polarised || automatic) && spins[i] == 0
                    && armilla_polarisation_flips (header->fields.names[i]));
      some = some || flip[i];
    }
  if (!some)
    {
      if (g_strcmp0 (polcconv, "COSMO") == 0 || g_strcmp0 (polcconv, "IAU") == 0)
        header->fields.polcconv = g_strdup (polcconv);
      return TRUE;
    }
  if (polcconv != NULL && strcmp (polcconv, "COSMO") != 0 && strcmp (polcconv, "IAU") != 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: POLCCONV is \"%s\"; must be COSMO or IAU, which determines the sign "
                         "of U",
                         self->file, polcconv);
  header->fields.polcconv = g_strdup ("COSMO");
  if (g_strcmp0 (polcconv, "IAU") != 0)
    return TRUE;
  if (self->flip == NULL)
    self->flip = g_steal_pointer (&flip);
  armilla_stage_note (ARMILLA_DATA (map), "read-map: %s is in the convention IAU; the sign of U, "
                      "and of covariances with U, was changed to COSMO", self->file);
  return TRUE;
}

/* Finds the spins of the fields of @map, and whether U changes sign. */
static gboolean
find_spins (ArmillaReadMap *self, ArmillaMap *map, const char *polcconv, GError **error)
{
  ArmillaMapHeader *header = armilla_map_header (map);
  const char *const *names = (const char *const *) header->fields.names;
  g_autofree int *spins = g_new0 (int, header->fields.n);

  if (g_ascii_strcasecmp (self->spin, "auto") != 0)
    {
      if (!armilla_fields_parse (self->spin, header->fields.n, spins, error))
        {
          g_prefix_error (error, "spin = %s: ", self->spin);
          return FALSE;
        }
    }
  else if (!armilla_fields_from_names (names, header->fields.n, spins, error)
           || !armilla_fields_check_units (spins, names, (const char *const *) header->fields.units,
                                           header->fields.n, error))
    {
      g_prefix_error (error, "fields = %s: %s: ", self->fields, self->file);
      return FALSE;
    }
  armilla_map_set_spins (map, spins);
  return change_convention (self, map, spins, polcconv, error);
}

/* Finds the rings with a pixel that is not UNSEEN in some field. */
static gboolean
find_seen (ArmillaReadMap *self, const ArmillaGrid *grid, gboolean *seen, GError **error)
{
  g_autofree double *pixels = NULL;
  gint64 longest = 0;

  for (gint64 r = 0; r < grid->n_rings; r++)
    longest = MAX (longest, grid->rings[r].n_phi);
  pixels = g_new (double, longest);
  for (guint f = 0; f < self->chosen->len; f++)
    for (gint64 r = 0; r < grid->n_rings; r++)
      {
        const ArmillaRing *ring = &grid->rings[r];

        if (!armilla_map_reader_read (self->reader, g_array_index (self->chosen, int, f),
                                      ring->offset, ring->n_phi, pixels, error))
          return FALSE;
        for (gint64 i = 0; i < ring->n_phi && !seen[r]; i++)
          seen[r] = !armilla_is_unseen (pixels[i]);
      }
  return TRUE;
}

static ArmillaGrid *
choose_rings (ArmillaReadMap *self, ArmillaGrid *whole, GError **error)
{
  g_autoptr (ArmillaGrid) grid
    = armilla_stage_select_theta (self, whole, &self->theta, error);
  g_autofree gboolean *seen = NULL;
  ArmillaGrid *part;

  if (grid == NULL || self->rings == RINGS_ALL)
    return g_steal_pointer (&grid);
  seen = g_new0 (gboolean, grid->n_rings);
  if (!find_seen (self, grid, seen, error))
    return NULL;
  part = armilla_grid_select_rings (grid, seen, error);
  if (part == NULL)
    g_prefix_error (error, "rings = seen: every pixel of %s is UNSEEN: ", self->file);
  return part;
}

static gboolean
open_map (ArmillaReadMap *self, GError **error)
{
  const ArmillaMapHeader *header;

  if (!armilla_stage_need_file (self->file, error))
    return FALSE;
  self->reader = armilla_map_reader_open (self->file, self->hdu, error);
  if (self->reader == NULL)
    return FALSE;
  header = armilla_map_reader_header (self->reader);
  self->chosen = armilla_stage_columns (self->fields, (const char *const *) header->fields.names,
                                        header->fields.n, "fields", self->file, error);
  self->grid = self->chosen != NULL ? choose_rings (self, header->grid, error) : NULL;
  return self->grid != NULL;
}

static gboolean
read_map_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaReadMap *self = ARMILLA_READ_MAP (stage);
  const ArmillaMapHeader *header;
  g_autoptr (ArmillaMap) map = NULL;
  ArmillaMapHeader *made;

  (void) context;
  (void) inputs;
  if (self->reader == NULL && !open_map (self, error))
    return FALSE;
  header = armilla_map_reader_header (self->reader);
  map = armilla_map_new (self->grid, (int) self->chosen->len);
  made = armilla_map_header (map);
  armilla_fields_choose (&made->fields, &header->fields,
                         (const int *) (gconstpointer) self->chosen->data);
  made->fields.coordsys = g_strdup (header->fields.coordsys);
  if (!find_spins (self, map, header->fields.polcconv, error))
    return FALSE;
  outputs[0] = ARMILLA_DATA (g_steal_pointer (&map));
  return TRUE;
}

static gboolean
read_map_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  const char *note = armilla_map_reader_note (ARMILLA_READ_MAP (stage)->reader);

  (void) inputs;
  if (note != NULL)
    armilla_graph_note (graph, NULL, "%s", note);
  return armilla_graph_fill (graph, outputs[0], read_map_fill, g_object_ref (stage), g_object_unref,
                             error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaReadMap, file, NULL),
    "name of the file, opened literally; .gz is decompressed",
    ARMILLA_PROPERTY_REQUIRED | ARMILLA_PROPERTY_INPUT_FILE },
  { "fields", ARMILLA_TEXT (ArmillaReadMap, fields, "0"),
    "columns to read: names or numbers from 0, separated by commas, or all" },
  { "hdu", ARMILLA_INT (ArmillaReadMap, hdu, 0, 9999, 0),
    "extension that contains the map, from 1; 0: the first suitable one, or the image of the sky "
    "before them" },
  { "spin", ARMILLA_TEXT (ArmillaReadMap, spin, "auto"),
    "spin of the fields, separated by commas, or one for all; fields of a spin above 0 come in "
    "pairs; auto: Q and U by name have spin 2, all others spin 0" },
  { "rings", ARMILLA_ENUM (ArmillaReadMap, rings, rings, RINGS_ALL),
    "all: every ring of the grid; seen: rings with a pixel that is not UNSEEN" },
};

static void
armilla_read_map_class_init (ArmillaReadMapClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "read-map";
  armilla_stage_set_example (stage, "[write-map]; file = map.fits; [read-map]; file = map.fits");
  stage->summary = "Read a map from a FITS file";
  stage->description =
    "Reads HEALPix maps (RING or NESTED, full or partial sky), maps on Gauss-Legendre and "
    "equiangular grids, and images of the whole sky or a part of it in the projection CAR, as "
    "pixell writes them (ACT, Simons Observatory). Whatever the order in the file, the map in "
    "memory is in RING order. Pixels that are not in a partial map, or on the rings of an image "
    "but outside it, are UNSEEN (-1.6375e30). NaN and infinity are errors. Columns named as Q and "
    "U (Q_POLARISATION, Q_STOKES ..) are a pair of spin 2, in the convention COSMO: the sign of "
    "U, and of covariances such as QU_COV, is changed if POLCCONV of the file is IAU, or if an "
    "image has a Stokes axis and no POLCCONV. With rings = seen, or theta-min and theta-max, the "
    "map has only some rings: its analysis is faster, and, unless it is an image, its iterations "
    "fit the a_lm to these rings only. With iterations = 0 the a_lm are the same as with all "
    "rings.";
  stage->ports = ports;
  stage->prepare = read_map_prepare;
  stage->build = read_map_build;
  stage->reusable = TRUE;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  armilla_stage_install_theta (stage, G_STRUCT_OFFSET (ArmillaReadMap, theta));
  ARMILLA_STAGE_OWNS (stage, ArmillaReadMap, reader, armilla_map_reader_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaReadMap, grid, armilla_grid_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaReadMap, chosen, g_array_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaReadMap, flip, g_free);
}
