/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/quantity.h"

#include <armilla/quantity.h>

#include <math.h>
#include <string.h>

/* value = number / divisor * factor, so that 180 deg is exactly pi and 60 arcmin is exactly 1
 * deg */
typedef struct {
  const char *name;
  ArmillaDimension dimension;
  double divisor, factor;
  const char *also; /* other common spellings, space-separated, for suggestions in error messages */
} Unit;

static const Unit units[] = {
  { "rad", ARMILLA_DIMENSION_ANGLE, 1, 1, "radian radians" },
  { "deg", ARMILLA_DIMENSION_ANGLE, 180, G_PI, "degree degrees \xc2\xb0 d" },
  { "arcmin", ARMILLA_DIMENSION_ANGLE, 180 * 60, G_PI, "amin ' arcm \xe2\x80\xb2" },
  { "arcsec", ARMILLA_DIMENSION_ANGLE, 180 * 3600, G_PI, "asec \" arcs \xe2\x80\xb3" },
  { "B", ARMILLA_DIMENSION_BYTES, 1, 1, "byte bytes" },
  { "kB", ARMILLA_DIMENSION_BYTES, 1, 1e3, "k" },
  { "MB", ARMILLA_DIMENSION_BYTES, 1, 1e6, "m" },
  { "GB", ARMILLA_DIMENSION_BYTES, 1, 1e9, "g" },
  { "TB", ARMILLA_DIMENSION_BYTES, 1, 1e12, "t" },
  { "KiB", ARMILLA_DIMENSION_BYTES, 1, 0x1p10, "Ki" },
  { "MiB", ARMILLA_DIMENSION_BYTES, 1, 0x1p20, "Mi" },
  { "GiB", ARMILLA_DIMENSION_BYTES, 1, 0x1p30, "Gi" },
  { "TiB", ARMILLA_DIMENSION_BYTES, 1, 0x1p40, "Ti" },
  { "ms", ARMILLA_DIMENSION_TIME, 1e3, 1, "msec millisecond milliseconds" },
  { "s", ARMILLA_DIMENSION_TIME, 1, 1, "sec second seconds" },
  { "min", ARMILLA_DIMENSION_TIME, 1, 60, "m minute minutes" },
  { "h", ARMILLA_DIMENSION_TIME, 1, 3600, "hr hrs hour hours" },
};

static const struct {
  const char *article, *noun, *example, *units;
} dimensions[] = {
  [ARMILLA_DIMENSION_NONE] = { "a", "number", "4.7", "" },
  [ARMILLA_DIMENSION_ANGLE] = { "an", "angle", "4.7 arcmin", "rad, deg, arcmin, arcsec" },
  [ARMILLA_DIMENSION_BYTES]
  = { "a", "memory size", "64 MiB", "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB" },
  [ARMILLA_DIMENSION_TIME] = { "a", "time", "30 s", "ms, s, min, h" },
};

/* Returns the names of the dimension's units, separated by ", "; "" for ARMILLA_DIMENSION_NONE. */
const char *
armilla_dimension_units (ArmillaDimension dimension)
{
  g_return_val_if_fail ((gsize) dimension < G_N_ELEMENTS (dimensions), "");
  return dimensions[dimension].units;
}

static const Unit *
find_unit (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (units[i].name, name) == 0)
      return &units[i];
  return NULL;
}

/* Converts a number with a unit to radian, bytes or seconds. @unit: one of
 * armilla_dimension_units(). */
double
armilla_quantity_in_unit (double number, const char *unit)
{
  const Unit *known = find_unit (unit);

  g_return_val_if_fail (known != NULL, number);
  return number / known->divisor * known->factor;
}

static gsize
common_prefix (const char *a, const char *b)
{
  gsize n = 0;

  while (a[n] != '\0' && g_ascii_tolower (a[n]) == g_ascii_tolower (b[n]))
    n++;
  return n;
}

/* Returns the unit of @dimension that was probably meant: the same name in other case, a unit with
 * this alternative spelling, or the one with the longest common prefix. */
static const Unit *
guess_unit (const char *name, ArmillaDimension dimension)
{
  const Unit *best = NULL;
  gsize longest = 1;

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_auto (GStrv) also = g_strsplit (units[i].also, " ", -1);
      gsize n = common_prefix (units[i].name, name);

      if (units[i].dimension != dimension)
        continue;
      if (g_ascii_strcasecmp (units[i].name, name) == 0)
        return &units[i];
      for (char **p = also; *p != NULL; p++)
        if (g_ascii_strcasecmp (*p, name) == 0)
          return &units[i];
      if (n > longest)
        {
          longest = n;
          best = &units[i];
        }
    }
  return best;
}

/* Parses the number at the beginning of @text. g_ascii_strtod () also accepts hexadecimal numbers,
 * "inf" and "nan", which are rejected here. */
static gboolean
parse_number (const char *text, double *number, const char **end, GError **error)
{
  const char *digits = text + (*text == '+' || *text == '-');
  char *stop;

  if (!(g_ascii_isdigit (*digits) || (*digits == '.' && g_ascii_isdigit (digits[1])))
      || digits[1] == 'x' || digits[1] == 'X')
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "\"%s\" does not begin with a decimal number",
                         text);
  *number = g_ascii_strtod (text, &stop);
  *end = stop;
  return TRUE;
}

static gboolean
set_unit_error (const char *text, const char *unit, ArmillaDimension dimension, GError **error)
{
  const Unit *known = find_unit (unit);
  const Unit *meant = guess_unit (unit, dimension);
  const char *article = dimensions[dimension].article, *noun = dimensions[dimension].noun;
  const char *allowed = dimensions[dimension].units;

  if (dimension == ARMILLA_DIMENSION_NONE)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE,
                 "\"%s\": unexpected \"%s\" after the number; must be a number without a "
                 "unit", text,
                 unit);
  else if (*unit == '\0')
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE,
                 "\"%s\" has no unit; %s %s takes one of: %s (for example: %s)", text, article,
                 noun, allowed, dimensions[dimension].example);
  else if (known != NULL)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_UNKNOWN,
                 "\"%s\": \"%s\" is the unit of %s %s; %s %s takes one of: %s", text, unit,
                 dimensions[known->dimension].article, dimensions[known->dimension].noun, article,
                 noun, allowed);
  else if (meant != NULL)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_UNKNOWN,
                 "\"%s\": unknown unit \"%s\"; did you mean \"%s\"? (%s %s takes one of: %s)", text,
                 unit, meant->name, article, noun, allowed);
  else
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_UNKNOWN,
                 "\"%s\": unknown unit \"%s\"; %s %s takes one of: %s", text, unit, article, noun,
                 allowed);
  return FALSE;
}

/* Reads "4.7 arcmin", "1deg", "64 MiB" or "1e3 s", with a decimal point in any locale. A missing
 * unit is an error, even for 0, and so is a unit after a pure number. Returns whether @text is a
 * valid, finite quantity; ARMILLA_ERROR_PARSE, ARMILLA_ERROR_UNKNOWN (unit) or ARMILLA_ERROR_VALUE
 * (beyond a double's range) otherwise. */
gboolean
armilla_quantity_parse (const char *text, ArmillaDimension dimension, double *value, GError **error)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  const char *unit_name;
  double number, result;

  g_return_val_if_fail ((gsize) dimension < G_N_ELEMENTS (dimensions), FALSE);
  if (!parse_number (trimmed, &number, &unit_name, error))
    return FALSE;
  while (g_ascii_isspace (*unit_name))
    unit_name++;
  result = number;
  if (dimension != ARMILLA_DIMENSION_NONE || *unit_name != '\0')
    {
      const Unit *unit = find_unit (unit_name);

      if (unit == NULL || unit->dimension != dimension)
        return set_unit_error (trimmed, unit_name, dimension, error);
      result = armilla_quantity_in_unit (number, unit->name);
    }
  if (!isfinite (result))
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "\"%s\" is too large", trimmed);
  *value = result;
  return TRUE;
}
