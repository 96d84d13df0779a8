/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/catalogues/catalogue-read.h"
#include "core/fits/fits-input.h"

#include <armilla/map-header.h>
#include <math.h>
#include <string.h>

/* rows converted at a time */
#define BLOCK 65536

struct _ArmillaCatalogueReader {
  char *path;
  ArmillaFitsInput *input;     /* NULL for text */
  const ArmillaFitsHdu *hdu;
  ArmillaCatalogueText text;
  int chosen[CATALOGUE_ROLES]; /* column of each role, -1 for none */
  ArmillaAngleUnit units[2];
  char coordsys;
  char *note;                  /* warning about an unknown keyword value; NULL: none */
  gboolean flip_g2, is_box;
  ArmillaCosmology cosmology;
  int n_patches;
  int n_values; /* further columns of the file, before those of positions in space */
  gint64 n_rows;
};

static gboolean
check_columns (const ArmillaCatalogueReader *reader, GError **error)
{
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    {
      const ArmillaFitsColumn *column;

      if (reader->chosen[role] < 0)
        continue;
      column = &reader->hdu->columns[reader->chosen[role]];
      if (!armilla_fits_column_is_number (column) || column->type == 'L')
        return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_SHAPE,
                                         "column %d \"%s\" (%s) is not numeric",
                                         reader->chosen[role], column->name,
                                         armilla_catalogue_role_name (role));
      if (column->repeat != 1)
        return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_SHAPE,
                                         "column %d \"%s\" (%s) has %" G_GINT64_FORMAT
                                         " values per row; must be one",
                                         reader->chosen[role], column->name,
                                         armilla_catalogue_role_name (role), column->repeat);
    }
  return TRUE;
}

/* Finds the coordinates: those set by the caller, otherwise those in the file. */
static void
find_coordinates (ArmillaCatalogueReader *reader, ArmillaCatalogueColumns *columns)
{
  const gboolean given = columns->coordsys != 0;
  g_autofree char *stated = armilla_fits_input_coordsys (reader->input,
                                                         given ? NULL : &reader->note);

  if (!given)
    columns->coordsys = stated != NULL ? *stated : 'C';
  else if (stated != NULL && *stated != columns->coordsys)
    reader->note = g_strdup_printf ("%s: COORDSYS = %s is ignored, since the workflow sets "
                                    "coordinates %c", reader->path, stated,
                                    columns->coordsys);
}

static gboolean
open_fits (ArmillaCatalogueReader *reader, ArmillaFitsSource *source, int hdu,
           ArmillaCatalogueColumns *columns, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) unit_names = g_ptr_array_new ();
  int number;

  reader->input = armilla_fits_input_new (source, error);
  if (reader->input == NULL || !armilla_fits_input_find_table (reader->input, hdu, &number, error)
      || !armilla_fits_input_select (reader->input, number, error))
    return FALSE;
  reader->hdu = armilla_fits_input_hdu (reader->input, number);
  find_coordinates (reader, columns);
  for (int i = 0; i < reader->hdu->n_columns; i++)
    {
      g_ptr_array_add (names, reader->hdu->columns[i].name);
      g_ptr_array_add (unit_names, reader->hdu->columns[i].unit);
    }
  if (!armilla_catalogue_resolve (columns, (char *const *) names->pdata, (int) names->len,
                                  reader->path, reader->chosen, error)
      || !check_columns (reader, error)
      || !armilla_catalogue_units (columns, (char *const *) names->pdata,
                                   (char *const *) unit_names->pdata, reader->chosen,
                                   reader->path, reader->units, error))
    return FALSE;
  reader->n_rows = reader->hdu->rows;
  return TRUE;
}

static gboolean
open_any (ArmillaCatalogueReader *reader, int hdu, ArmillaCatalogueColumns *columns,
          GError **error)
{
  g_autoptr (ArmillaFitsSource) source = armilla_fits_source_open (reader->path, error);
  gboolean is_fits;

  if (source == NULL || !armilla_fits_source_is_fits (source, &is_fits, error))
    return FALSE;
  if (is_fits)
    return open_fits (reader, g_steal_pointer (&source), hdu, columns, error);
  columns->coordsys = columns->coordsys != 0 ? columns->coordsys : 'C';
  if (!armilla_catalogue_text_read (source, columns, reader->units, reader->chosen, &reader->text,
                                    error))
    return FALSE;
  reader->n_rows = reader->text.n_rows;
  return TRUE;
}

/* Opens a FITS binary table, whose structure and checksums are checked first, or text in columns,
 * and finds the columns and the units of angles: TUNIT, unless @columns says otherwise. Returns the
 * reader; ARMILLA_ERROR_UNKNOWN (no such column or unit), ARMILLA_ERROR_VALUE (inconsistent
 * columns, no unit, no rows), ARMILLA_ERROR_SHAPE, ARMILLA_ERROR_PARSE, ARMILLA_ERROR_IO; NULL on
 * error. */
ArmillaCatalogueReader *
armilla_catalogue_reader_open (const char *path, int hdu, const ArmillaCatalogueColumns *columns,
                               GError **error)
{
  g_autoptr (ArmillaCatalogueReader) reader = g_new0 (ArmillaCatalogueReader, 1);
  ArmillaCatalogueColumns how = *columns;

  reader->path = g_strdup (path);
  reader->flip_g2 = columns->flip_g2;
  reader->n_patches = columns->n_patches;
  reader->is_box = columns->is_box;
  reader->cosmology = columns->cosmology;
  if (!open_any (reader, hdu, &how, error))
    return NULL;
  reader->coordsys = how.is_box ? 0 : how.coordsys;
  while (reader->n_values < CATALOGUE_VALUES_MAX
         && reader->chosen[ARMILLA_N_ROLES + reader->n_values] >= 0)
    reader->n_values++;
  if (reader->n_rows > 0)
    return g_steal_pointer (&reader);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "%s: the catalogue has no rows", path);
}

/* Returns the number of objects in the file, at least 1. */
gint64
armilla_catalogue_reader_count (ArmillaCatalogueReader *reader)
{
  return reader->n_rows;
}

/* Returns a warning for the user about keywords that are not understood or not used, and how they
 * are treated; NULL if there are none. */
const char *
armilla_catalogue_reader_note (ArmillaCatalogueReader *reader)
{
  return reader->note;
}

/* Reads a column; values that the file declares undefined become NaN. */
static gboolean
load (const ArmillaCatalogueReader *reader, int role, gint64 first, gint64 n, double *values,
      GError **error)
{
  const ArmillaFitsColumn *column;

  if (reader->input == NULL)
    {
      memcpy (values, reader->text.values[role] + first, (gsize) n * sizeof (double));
      return TRUE;
    }
  column = &reader->hdu->columns[reader->chosen[role]];
  if (!armilla_fits_column_read (reader->input, reader->hdu, column, first, n, values, error))
    return FALSE;
  for (gint64 i = 0; column->has_null && i < n; i++)
    if (armilla_is_unseen (values[i]))
      values[i] = NAN;
  return TRUE;
}

static gboolean
read_patches (const ArmillaCatalogueReader *reader, ArmillaCatalogue *out, gint64 first, gint64 n,
              double *values, GError **error)
{
  if (out->patch == NULL)
    return TRUE;
  if (!load (reader, ARMILLA_ROLE_PATCH, first, n, values, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      if (!(values[i] >= 0 && values[i] < out->n_patches && values[i] == floor (values[i])))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "%s: object %" G_GINT64_FORMAT ": patch = %.12g: must be an integer "
                             "from 0 to %d (patches = %d)", reader->path,
                             first + i + 1, values[i], out->n_patches - 1, out->n_patches);
      out->patch[first + i] = (gint32) values[i];
    }
  return TRUE;
}

/* Reads distances, or computes them from redshifts. */
static gboolean
read_distances (const ArmillaCatalogueReader *reader, ArmillaCatalogue *out, gint64 first,
                gint64 n, GError **error)
{
  const gboolean is_redshift = reader->chosen[ARMILLA_ROLE_REDSHIFT] >= 0;
  const int role = is_redshift ? ARMILLA_ROLE_REDSHIFT : ARMILLA_ROLE_DISTANCE;
  double *distance;

  if (reader->chosen[role] < 0)
    return TRUE;
  distance = out->values[reader->n_values].value + first;
  if (!load (reader, role, first, n, distance, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    if (!(distance[i] >= 0 && isfinite (distance[i])))
      return armilla_fail (error,
                           isfinite (distance[i]) ? ARMILLA_ERROR_VALUE : ARMILLA_ERROR_NUMERIC,
                           "%s: object %" G_GINT64_FORMAT ": %s = %.12g: must be finite and not "
                           "negative", reader->path, first + i + 1,
                           armilla_catalogue_role_name (role), distance[i]);
  if (is_redshift)
    armilla_cosmology_distances (&reader->cosmology, distance, n, distance);
  return TRUE;
}

/* Sets the positions of a block from its angles, unit vectors or places in a box. */
static gboolean
set_positions (const ArmillaCatalogueReader *reader, ArmillaCatalogue *out, gint64 first, gint64 n,
               double *const at[3], GError **error)
{
  if (reader->is_box)
    {
      const ArmillaCatalogueValue *values = out->values + reader->n_values;
      double *const to[3] = { values[0].value, values[1].value, values[2].value };

      return armilla_catalogue_set_box (out, first, n, at[0], at[1], at[2], to, error);
    }
  if (reader->chosen[ARMILLA_ROLE_X] >= 0)
    return armilla_catalogue_set_vectors (out, first, n, at[0], at[1], at[2], error);
  return armilla_catalogue_set_angles (out, first, n, at[0], reader->units[0], at[1],
                                       reader->units[1], error);
}

/* Reads a block of rows. Weights, shears and patches are set before positions, because these rotate
 * the shears at poles. */
static gboolean
read_block (const ArmillaCatalogueReader *reader, ArmillaCatalogue *out, gint64 first, gint64 n,
            double *const scratch[3], GError **error)
{
  int p = reader->chosen[ARMILLA_ROLE_X] >= 0 ? ARMILLA_ROLE_X : ARMILLA_ROLE_LONGITUDE;

  if ((out->weight != NULL
       && !load (reader, ARMILLA_ROLE_WEIGHT, first, n, out->weight + first, error))
      || (out->g1 != NULL && (!load (reader, ARMILLA_ROLE_G1, first, n, out->g1 + first, error)
                              || !load (reader, ARMILLA_ROLE_G2, first, n, out->g2 + first, error)))
      || !read_patches (reader, out, first, n, scratch[0], error)
      || !read_distances (reader, out, first, n, error))
    return FALSE;
  for (int k = 0; k < reader->n_values; k++)
    if (!load (reader, ARMILLA_N_ROLES + k, first, n, out->values[k].value + first, error))
      return FALSE;
  for (gint64 i = first; out->g2 != NULL && reader->flip_g2 && i < first + n; i++)
    out->g2[i] = -out->g2[i];
  for (int k = 0; k < (p == ARMILLA_ROLE_X ? 3 : 2); k++)
    if (!load (reader, p + k, first, n, scratch[k], error))
      return FALSE;
  if (set_positions (reader, out, first, n, scratch, error))
    return TRUE;
  g_prefix_error (error, "%s: ", reader->path);
  return FALSE;
}

/* Returns the name of a column of the file, or "", and its unit. */
static const char *
column_name (const ArmillaCatalogueReader *reader, int at, const char **unit)
{
  *unit = reader->hdu != NULL ? reader->hdu->columns[at].unit : reader->text.units[at];
  return reader->hdu != NULL ? reader->hdu->columns[at].name : reader->text.names[at];
}

/* Adds the values of positions in space: distance, or x, y and z. */
static gboolean
add_positions (const ArmillaCatalogueReader *reader, ArmillaCatalogue *out, GError **error)
{
  const int *chosen = reader->chosen;
  const char *unit = "Mpc/h";

  if (chosen[ARMILLA_ROLE_DISTANCE] >= 0)
    (void) column_name (reader, chosen[ARMILLA_ROLE_DISTANCE], &unit);
  if ((chosen[ARMILLA_ROLE_DISTANCE] >= 0 || chosen[ARMILLA_ROLE_REDSHIFT] >= 0)
      && armilla_catalogue_add_value (out, ARMILLA_DISTANCE, unit, error) == NULL)
    return FALSE;
  for (int role = ARMILLA_ROLE_X; reader->is_box && role <= ARMILLA_ROLE_Z; role++)
    {
      (void) column_name (reader, chosen[role], &unit);
      if (armilla_catalogue_add_value (out, armilla_catalogue_role_name (role), unit, error)
          == NULL)
        return FALSE;
    }
  for (int i = reader->n_values; i < out->n_values; i++)
    for (int j = 0; j < reader->n_values; j++)
      if (g_ascii_strcasecmp (out->values[i].name, out->values[j].name) == 0)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "%s: values names the column \"%s\", which positions in space have "
                             "anyway; leave it out", reader->path, out->values[j].name);
  return TRUE;
}

/* Returns a zeroed catalogue of @n objects with the columns of the file. */
static ArmillaCatalogue *
make (const ArmillaCatalogueReader *reader, gint64 n, GError **error)
{
  const int *chosen = reader->chosen;
  ArmillaCatalogueParts parts = (chosen[ARMILLA_ROLE_WEIGHT] >= 0 ? ARMILLA_CATALOGUE_WEIGHT : 0)
                                | (chosen[ARMILLA_ROLE_G1] >= 0 ? ARMILLA_CATALOGUE_SHEAR : 0)
                                | (chosen[ARMILLA_ROLE_PATCH] >= 0 ? ARMILLA_CATALOGUE_PATCH : 0);
  g_autoptr (ArmillaCatalogue) out = armilla_catalogue_new (n, parts, error);

  if (out == NULL)
    return NULL;
  out->coordsys = reader->coordsys;
  out->n_patches = out->patch != NULL ? reader->n_patches : 0;
  for (int role = ARMILLA_N_ROLES; role < CATALOGUE_ROLES && chosen[role] >= 0; role++)
    {
      const int at = chosen[role];
      const char *unit, *name = column_name (reader, at, &unit);
      g_autofree char *number = g_strdup_printf ("COLUMN%d", at);

      if (armilla_catalogue_add_value (out, *name != 0 ? name : number, unit, error) == NULL)
        return NULL;
    }
  return add_positions (reader, out, error) ? g_steal_pointer (&out) : NULL;
}

/* Returns an empty catalogue with the parts, coordinates, number of patches and further columns
 * that will be read; NULL with ARMILLA_ERROR_MEMORY on error. */
ArmillaCatalogue *
armilla_catalogue_reader_describe (ArmillaCatalogueReader *reader, GError **error)
{
  return make (reader, 0, error);
}

static gboolean
read_blocks (const ArmillaCatalogueReader *reader, ArmillaCatalogue *out, double *const scratch[3],
             GError **error)
{
  for (gint64 first = 0; first < out->n; first += BLOCK)
    if (!read_block (reader, out, first, MIN (BLOCK, out->n - first), scratch, error))
      return FALSE;
  if (armilla_catalogue_check (out, error))
    return TRUE;
  g_prefix_error (error, "%s: ", reader->path);
  return FALSE;
}

/* Appends to an error the number of objects that lack the value. */
static void
count_missing (const ArmillaCatalogueReader *reader, double *values, GError **error)
{
  g_autoptr (GString) message = NULL;

  if (error == NULL || *error == NULL || (*error)->code == ARMILLA_ERROR_IO)
    return;
  message = g_string_new ((*error)->message);
  for (int role = 0; role < ARMILLA_N_ROLES; role++)
    {
      gint64 n_missing = 0;

      for (gint64 first = 0; reader->chosen[role] >= 0 && first < reader->n_rows; first += BLOCK)
        {
          const gint64 n = MIN (BLOCK, reader->n_rows - first);

          if (!load (reader, role, first, n, values, NULL))
            return;
          for (gint64 i = 0; i < n; i++)
            n_missing += isnan (values[i]);
        }
      if (n_missing > 0)
        g_string_append_printf (message, "; %s is missing (NaN) in %" G_GINT64_FORMAT " of the %"
                                G_GINT64_FORMAT " rows", armilla_catalogue_role_name (role),
                                n_missing, reader->n_rows);
    }
  g_free ((*error)->message);
  (*error)->message = g_string_free (g_steal_pointer (&message), FALSE);
}

/* Reads all objects. A position, weight, shear or patch that is undefined, NaN, infinite or out of
 * its range is an error with the row, counted from 1, and the number of such rows. Missing values
 * of further columns become NaN. Returns the objects, in the order of the file;
 * ARMILLA_ERROR_VALUE, ARMILLA_ERROR_NUMERIC, ARMILLA_ERROR_IO, ARMILLA_ERROR_MEMORY; NULL on
 * error. */
ArmillaCatalogue *
armilla_catalogue_reader_read (ArmillaCatalogueReader *reader, GError **error)
{
  g_autoptr (ArmillaCatalogue) out = make (reader, reader->n_rows, error);
  g_autofree double *scratch = g_new (double, 3 * BLOCK);
  double *const rows[3] = { scratch, scratch + BLOCK, scratch + 2 * BLOCK };

  if (out == NULL)
    return NULL;
  if (read_blocks (reader, out, rows, error))
    return g_steal_pointer (&out);
  count_missing (reader, rows[0], error);
  return NULL;
}

void
armilla_catalogue_reader_free (ArmillaCatalogueReader *reader)
{
  if (reader == NULL)
    return;
  g_clear_pointer (&reader->input, armilla_fits_input_free);
  armilla_catalogue_text_clear (&reader->text);
  g_free (reader->path);
  g_free (reader->note);
  g_free (reader);
}
