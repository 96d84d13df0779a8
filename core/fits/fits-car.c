/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keywords of images in the projection CAR, as pixell writes and reads them. */
#include "core/fits/fits-map.h"
#include "core/fits/fits-output.h"

#include <math.h>
#include <string.h>

/* Coordinates of the axes of longitude and latitude. */
static const struct {
  const char *axes[2];
  char letter;
} systems[] = {
  { { "RA---CAR", "DEC--CAR" }, 'C' },
  { { "GLON-CAR", "GLAT-CAR" }, 'G' },
  { { "ELON-CAR", "ELAT-CAR" }, 'E' },
};

/* Fields of a Stokes axis, from number 1 on. */
static const char *const stokes_names[] = { "TEMPERATURE", "Q_POLARISATION", "U_POLARISATION",
                                            "V_POLARISATION" };

G_GNUC_PRINTF (3, 4)
static gboolean
car_error (ArmillaFitsInput *input, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return armilla_fits_input_error (input, error, ARMILLA_ERROR_VALUE, "HDU %d: %s",
                                   input->selected, what);
}

/* Returns whether the axes of the selected header have celestial coordinates of any projection. */
gboolean
armilla_fits_has_sky_axes (ArmillaFitsInput *input)
{
  g_autofree char *type = armilla_fits_input_string (input, "CTYPE1");

  return type != NULL && strlen (type) >= 8 && type[4] == '-'
         && armilla_fits_input_has (input, "CTYPE2");
}

static gboolean
read_axes (ArmillaFitsInput *input, char *letter, GError **error)
{
  g_autofree char *x = armilla_fits_input_string (input, "CTYPE1");
  g_autofree char *y = armilla_fits_input_string (input, "CTYPE2");

  if (x == NULL || y == NULL)
    return car_error (input, error, "CTYPE1 or CTYPE2 is missing");
  for (gsize i = 0; i < G_N_ELEMENTS (systems); i++)
    {
      if (strcmp (x, systems[i].axes[1]) == 0 && g_strcmp0 (y, systems[i].axes[0]) == 0)
        return car_error (input, error,
                          "the first axis is the latitude (CTYPE1 = %s); must be the longitude: "
                          "transpose the image", x);
      *letter = systems[i].letter;
      if (strcmp (x, systems[i].axes[0]) == 0 && g_strcmp0 (y, systems[i].axes[1]) == 0)
        return TRUE;
    }
  return car_error (input, error,
                    "CTYPE1 = '%s' and CTYPE2 = '%s': the only projection of images that can be "
                    "read is CAR (RA---CAR and DEC--CAR, GLON-CAR and GLAT-CAR, ELON-CAR and "
                    "ELAT-CAR); reproject the map", x, y);
}

/* Fails unless a keyword has one of two values or is absent. */
static gboolean
need_value (ArmillaFitsInput *input, const char *keyword, double wanted, double or,
            const char *why, GError **error)
{
  double value;

  if (!armilla_fits_input_double (input, keyword, wanted, &value, error))
    return FALSE;
  return value == wanted || value == or
         || car_error (input, error, "%s = %.15g: %s", keyword, value, why);
}

/* Fails if the axes are rotated, or the poles are not those of the coordinates. */
static gboolean
check_plain (ArmillaFitsInput *input, GError **error)
{
  static const char *const rotated = "the image is rotated or skewed; must be 0: reproject the map";
  static const char *const oblique
    = "the projection has other poles than the coordinates (an oblique CAR); reproject the map";
  static const struct {
    const char *keyword;
    double wanted, or;
    const char *why;
  } plain[] = {
    { "CD1_2", 0, 0, rotated },   { "CD2_1", 0, 0, rotated },   { "PC1_2", 0, 0, rotated },
    { "PC2_1", 0, 0, rotated },   { "CROTA1", 0, 0, rotated },  { "CROTA2", 0, 0, rotated },
    { "CRVAL2", 0, 0, oblique },  { "PV1_1", 0, 0, oblique },   { "PV1_2", 0, 0, oblique },
    { "PV1_3", 0, 180, oblique }, { "LONPOLE", 0, 180, oblique },
    { "PV1_4", 90, 90, oblique }, { "LATPOLE", 90, 90, oblique },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (plain); i++)
    if (!need_value (input, plain[i].keyword, plain[i].wanted, plain[i].or, plain[i].why, error))
      return FALSE;
  for (int i = 1; i <= 2; i++)
    {
      char key[16];
      g_autofree char *unit = NULL;

      g_snprintf (key, sizeof key, "CUNIT%d", i);
      unit = armilla_fits_input_string (input, key);
      if (unit != NULL && *unit != 0 && g_ascii_strncasecmp (unit, "deg", 3) != 0)
        return car_error (input, error, "%s is '%s'; must be deg", key, unit);
    }
  return TRUE;
}

/* Reads the reference point and the sizes of pixels, and the letter of the coordinates. */
static gboolean
read_car (ArmillaFitsInput *input, ArmillaCar *car, char *letter, GError **error)
{
  static const char *const crpix[] = { "CRPIX1", "CRPIX2" }, *const pc[] = { "PC1_1", "PC2_2" };
  static const char *const cdelt[] = { "CDELT1", "CDELT2" }, *const cd[] = { "CD1_1", "CD2_2" };

  if (!read_axes (input, letter, error) || !check_plain (input, error))
    return FALSE;
  for (int i = 0; i < 2; i++)
    {
      double factor, size;

      if (!armilla_fits_input_double (input, crpix[i], 0, &car->crpix[i], error)
          || !armilla_fits_input_double (input, cdelt[i], 1, &size, error)
          || !armilla_fits_input_double (input, pc[i], 1, &factor, error)
          || !armilla_fits_input_double (input, cd[i], size * factor, &car->cdelt[i], error))
        return FALSE;
    }
  return armilla_fits_input_double (input, "CRVAL1", 0, &car->crval, error);
}

/* Reads the grid of the selected image. If the header has no COORDSYS, the axes determine it. */
gboolean
armilla_map_car_read (ArmillaFitsInput *input, ArmillaMapHeader *header, ArmillaMapLayout *layout,
                      GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, input->selected);
  g_autoptr (GError) why = NULL;
  char letter = 0;

  layout->car = (ArmillaCar) { .n_x = hdu->axes[0], .n_y = hdu->axes[1] };
  if (!read_car (input, &layout->car, &letter, error))
    return FALSE;
  header->grid = armilla_grid_new_car (&layout->car, &why);
  if (header->grid == NULL)
    return armilla_fits_input_error (input, error, why->code, "HDU %d: %s", input->selected,
                                     why->message);
  armilla_grid_car (header->grid, &layout->car, &layout->first_ring);
  if (!armilla_fits_input_has (input, "COORDSYS"))
    header->fields.coordsys = g_strndup (&letter, 1);
  return TRUE;
}

/* Reads reference point and pixel sizes of an image from the cards of its header, and the letter of
 * its coordinates. The caller has set n_x and n_y of @car. */
gboolean
armilla_car_read_cards (ArmillaCar *car, const char *cards, char *letter, GError **error)
{
  g_autoptr (ArmillaFitsInput) input = armilla_fits_input_new_header (cards);

  return read_car (input, car, letter, error);
}

/* Reads the axis of Stokes parameters, if there is one: names fields without a name, and applies
 * pixell's rule that such a file without POLCCONV has the convention IAU, with a note. */
gboolean
armilla_map_stokes_read (ArmillaFitsInput *input, ArmillaFields *fields, char **note,
                         GError **error)
{
  g_autofree char *type = armilla_fits_input_string (input, "CTYPE3");
  double crval, crpix, cdelt;

  if (type == NULL || strcmp (type, "STOKES") != 0)
    return TRUE;
  if (!armilla_fits_input_double (input, "CRVAL3", 1, &crval, error)
      || !armilla_fits_input_double (input, "CRPIX3", 1, &crpix, error)
      || !armilla_fits_input_double (input, "CDELT3", 1, &cdelt, error))
    return FALSE;
  for (int i = 0; i < fields->n; i++)
    {
      const double number = crval + (i + 1 - crpix) * cdelt;

      for (int k = 0; k < (int) G_N_ELEMENTS (stokes_names) && fields->names[i] == NULL; k++)
        if (fabs (number - (k + 1)) < 0.5)
          fields->names[i] = g_strdup (stokes_names[k]);
    }
  if (fields->polcconv == NULL)
    fields->polcconv = armilla_fits_input_string (input, "POLCONV");
  if (fields->polcconv == NULL)
    {
      fields->polcconv = g_strdup ("IAU");
      if (fields->n > 1 && *note == NULL)
        *note = g_strdup_printf ("%s: has Stokes parameters and no POLCCONV: Q and U are read in "
                                 "the convention IAU, as by pixell",
                                 armilla_fits_source_path (input->source));
    }
  return TRUE;
}

/* Returns the number of the first Stokes parameter if the fields are consecutive ones; 0 if not. */
static int
first_stokes (const ArmillaFields *fields)
{
  for (int first = 0; first < (int) G_N_ELEMENTS (stokes_names); first++)
    {
      int i = 0;

      while (i < fields->n && first + i < (int) G_N_ELEMENTS (stokes_names)
             && strcmp (fields->names[i], stokes_names[first + i]) == 0)
        i++;
      if (i == fields->n)
        return first + 1;
    }
  return 0;
}

/* Adds the cards of the axes. They are in the first 36 cards of the header, because pixell reads
 * only these for the geometry of a map. */
void
armilla_map_car_put (GString *cards, const ArmillaCar *car, const ArmillaFields *fields)
{
  const char letter = fields->coordsys != NULL ? fields->coordsys[0] : 'C';
  const int stokes = fields->n > 1 ? first_stokes (fields) : 0;
  gsize system = 0;

  while (systems[system].letter != letter && system + 1 < G_N_ELEMENTS (systems))
    system++;
  armilla_fits_put_string (cards, "CTYPE1", systems[system].axes[0], "plate carree projection");
  armilla_fits_put_double (cards, "CRVAL1", car->crval, "[deg] longitude at the reference point");
  armilla_fits_put_double (cards, "CRPIX1", car->crpix[0], "pixel of the reference point");
  armilla_fits_put_double (cards, "CDELT1", car->cdelt[0], "[deg] size of a pixel");
  armilla_fits_put_string (cards, "CUNIT1", "deg", NULL);
  armilla_fits_put_string (cards, "CTYPE2", systems[system].axes[1], "plate carree projection");
  armilla_fits_put_double (cards, "CRVAL2", 0, "[deg] latitude at the reference point");
  armilla_fits_put_double (cards, "CRPIX2", car->crpix[1], "pixel of the reference point");
  armilla_fits_put_double (cards, "CDELT2", car->cdelt[1], "[deg] size of a pixel");
  armilla_fits_put_string (cards, "CUNIT2", "deg", NULL);
  armilla_fits_put_double (cards, "LONPOLE", 0, NULL);
  armilla_fits_put_double (cards, "LATPOLE", 90, NULL);
  if (stokes > 0)
    {
      armilla_fits_put_string (cards, "CTYPE3", "STOKES", NULL);
      armilla_fits_put_double (cards, "CRVAL3", stokes, "1 I, 2 Q, 3 U, 4 V");
      armilla_fits_put_double (cards, "CRPIX3", 1, NULL);
      armilla_fits_put_double (cards, "CDELT3", 1, NULL);
    }
  if (fields->coordsys == NULL)
    armilla_fits_put_string (cards, "COORDSYS", "unknown", NULL);
}
