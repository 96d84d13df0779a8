/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assigns roles (position, weight, shear, patch) to the columns of a file. */
#include "core/catalogues/catalogue-read.h"

/* Names of position columns in published catalogues, by their kind. */
static const struct {
  char coordsys;
  const char *names[2];
} usual[] = {
  { 'C', { "RA RAJ2000 RA_ICRS RAdeg ra_deg _RAJ2000 ALPHA_J2000 ALPHAWIN_J2000 RIGHT_ASCENSION",
           "DEC DEJ2000 DECJ2000 DE_ICRS DEdeg dec_deg _DEJ2000 DELTA_J2000 DELTAWIN_J2000 "
           "DECLINATION" } },
  { 'G', { "GLON l LON LONGITUDE", "GLAT b LAT LATITUDE" } },
  { 'E', { "ELON LAMBDA LON LONGITUDE", "ELAT BETA LAT LATITUDE" } },
};

const char *
armilla_catalogue_role_name (int role)
{
  static const char *const names[ARMILLA_N_ROLES] = { "longitude", "latitude", "x", "y", "z",
                                                      "weight", "g1", "g2", "patch", "distance",
                                                      "redshift" };

  return role < ARMILLA_N_ROLES ? names[role] : "values";
}

static int
find_name (const char *word, char *const *names, int n_names)
{
  for (int i = 0; i < n_names; i++)
    if (g_ascii_strcasecmp (word, names[i]) == 0)
      return i;
  return -1;
}

static gboolean
no_column (const char *path, char *const *names, int n_names, GError **error, const char *what)
{
  g_autoptr (GString) known = g_string_new (NULL);

  /* a table may have hundreds of columns */
  for (int i = 0; i < n_names && i < 40; i++)
    g_string_append_printf (known, "%s%d%s%.68s", i > 0 ? ", " : "", i, *names[i] != 0 ? " " : "",
                            names[i]);
  return armilla_fail (error, ARMILLA_ERROR_UNKNOWN, "%s: %s; it has %s%s", path, what, known->str,
                       n_names > 40 ? ", and more" : "");
}

static gboolean
resolve_one (const char *text, int role, char *const *names, int n_names, const char *path,
             int *chosen, GError **error)
{
  g_autofree char *what = NULL;
  gint64 number;

  *chosen = -1;
  if (text == NULL || *text == 0)
    return TRUE;
  *chosen = find_name (text, names, n_names);
  if (*chosen >= 0)
    return TRUE;
  if (n_names > 0 && g_ascii_string_to_signed (text, 10, 0, n_names - 1, &number, NULL))
    {
      *chosen = (int) number;
      return TRUE;
    }
  what = g_strdup_printf ("no column \"%s\" (%s)", text,
                          armilla_catalogue_role_name (role));
  return no_column (path, names, n_names, error, what);
}

static gboolean
guess_positions (char coordsys, char *const *names, int n_names, const char *path, int chosen[2],
                 GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (usual); i++)
    for (int k = 0; k < 2 && usual[i].coordsys == coordsys; k++)
      {
        g_auto (GStrv) words = g_strsplit (usual[i].names[k], " ", -1);

        for (char **word = words; *word != NULL && chosen[k] < 0; word++)
          chosen[k] = find_name (*word, names, n_names);
      }
  if (chosen[0] >= 0 && chosen[1] >= 0)
    return TRUE;
  return no_column (path, names, n_names, error,
                    coordsys == 'C'
                      ? "no columns look like right ascension and declination; set longitude and "
                        "latitude to the names of columns, or x, y and z to those of unit vectors"
                      : "no columns look like longitude and latitude; set longitude and latitude "
                        "to the names of columns, or x, y and z to those of unit vectors");
}

static gboolean
guess_box (char *const *names, int n_names, const char *path, int *chosen, GError **error)
{
  gboolean found = TRUE;

  for (int role = ARMILLA_ROLE_X; role <= ARMILLA_ROLE_Z; role++)
    {
      chosen[role] = find_name (armilla_catalogue_role_name (role), names, n_names);
      found = found && chosen[role] >= 0;
    }
  return found
         || no_column (path, names, n_names, error,
                       "no columns x, y and z; set x, y and z to the names of columns");
}

/* Finds the further columns, each once. */
static gboolean
resolve_values (const char *const *values, char *const *names, int n_names, const char *path,
                int chosen[CATALOGUE_ROLES], GError **error)
{
  for (int role = ARMILLA_N_ROLES; role < CATALOGUE_ROLES; role++)
    chosen[role] = -1;
  for (int i = 0; values != NULL && values[i] != NULL; i++)
    {
      const int role = ARMILLA_N_ROLES + i;

      if (i == CATALOGUE_VALUES_MAX)
        return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: values names more than %d columns",
                             path, CATALOGUE_VALUES_MAX);
      if (!resolve_one (values[i], role, names, n_names, path, &chosen[role], error))
        return FALSE;
      for (int other = ARMILLA_N_ROLES; other < role; other++)
        if (chosen[other] == chosen[role])
          return armilla_fail (error, ARMILLA_ERROR_VALUE,
                               "%s: values names column %d \"%.68s\" twice", path, chosen[role],
                               names[chosen[role]]);
    }
  return TRUE;
}

static gboolean
together (const char *path, gboolean good, const char *what, GError **error)
{
  if (!good)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE, "%s: %s", path, what);
  return good;
}

/* Sets @chosen to the column number of each role, and reports all errors in names. */
gboolean
armilla_catalogue_resolve (const ArmillaCatalogueColumns *columns, char *const *names, int n_names,
                           const char *path, int chosen[CATALOGUE_ROLES], GError **error)
{
  gboolean vectors, angles;

  for (int role = 0; role < ARMILLA_N_ROLES; role++)
    if (!resolve_one (columns->column[role], role, names, n_names, path, &chosen[role], error))
      return FALSE;
  if (!resolve_values (columns->values, names, n_names, path, chosen, error))
    return FALSE;
  vectors = chosen[ARMILLA_ROLE_X] >= 0 || chosen[ARMILLA_ROLE_Y] >= 0
            || chosen[ARMILLA_ROLE_Z] >= 0;
  angles = chosen[ARMILLA_ROLE_LONGITUDE] >= 0 || chosen[ARMILLA_ROLE_LATITUDE] >= 0;
  if (!together (path, !(vectors && angles),
                 "positions are either longitude and latitude, or x, y and z, not both", error)
      || !together (path, !vectors || (chosen[ARMILLA_ROLE_X] >= 0 && chosen[ARMILLA_ROLE_Y] >= 0
                                       && chosen[ARMILLA_ROLE_Z] >= 0),
                    "x, y and z are needed together", error)
      || !together (path, !angles || (chosen[0] >= 0 && chosen[1] >= 0),
                    "longitude and latitude are needed together", error)
      || !together (path, (chosen[ARMILLA_ROLE_G1] >= 0) == (chosen[ARMILLA_ROLE_G2] >= 0),
                    "g1 and g2 are needed together", error)
      || !together (path, (chosen[ARMILLA_ROLE_PATCH] >= 0) == (columns->n_patches > 0),
                    "patch and patches are needed together", error))
    return FALSE;
  if (!together (path, chosen[ARMILLA_ROLE_DISTANCE] < 0 || chosen[ARMILLA_ROLE_REDSHIFT] < 0,
                 "distance and redshift exclude each other", error)
      || !together (path, !columns->is_box
                            || (!angles && chosen[ARMILLA_ROLE_DISTANCE] < 0
                                && chosen[ARMILLA_ROLE_REDSHIFT] < 0),
                    "coordinates = box: positions are x, y and z, without angles and distances",
                    error))
    return FALSE;
  if (columns->is_box && !vectors)
    return guess_box (names, n_names, path, chosen, error);
  return vectors || angles
         || guess_positions (columns->coordsys, names, n_names, path, chosen, error);
}

/* Finds the units of longitude and latitude: those set by the user, otherwise those in the file. */
gboolean
armilla_catalogue_units (const ArmillaCatalogueColumns *columns, char *const *names,
                         char *const *units, const int chosen[CATALOGUE_ROLES], const char *path,
                         ArmillaAngleUnit out[2], GError **error)
{
  out[0] = out[1] = ARMILLA_ANGLE_DEG;
  for (int k = 0; k < 2 && chosen[ARMILLA_ROLE_LONGITUDE] >= 0; k++)
    {
      const char *property = k == 0 ? "longitude-unit" : "latitude-unit";
      const char *name = names[chosen[k]], *unit = units != NULL ? units[chosen[k]] : "";

      if (columns->unit[k] != NULL && *columns->unit[k] != 0)
        {
          if (armilla_angle_unit_parse (columns->unit[k], &out[k], error))
            continue;
          g_prefix_error (error, "%s: ", property);
          return FALSE;
        }
      if (*unit == 0)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "%s: column %d \"%.68s\" has no unit; set %s (deg, rad, arcmin, "
                             "arcsec or h)", path, chosen[k], name, property);
      if (!armilla_angle_unit_parse (unit, &out[k], NULL))
        return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                             "%s: column %d \"%.68s\" is in \"%.68s\", which is not a unit of "
                             "angle; choose another column with %s, or set the unit with %s (deg, "
                             "rad, arcmin, arcsec or h)", path, chosen[k], name, unit,
                             armilla_catalogue_role_name (k), property);
    }
  return TRUE;
}
