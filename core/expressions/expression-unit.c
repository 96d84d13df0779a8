/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Represents units as products of powers of symbols, which are not interpreted: K and mK are
 * different symbols. */
#include "core/expressions/expression-unit.h"

#include <math.h>
#include <string.h>

static const ArmillaUnit number = { .kind = ARMILLA_UNIT_NUMBER };
static const ArmillaUnit unknown = { .kind = ARMILLA_UNIT_UNKNOWN };

/* Multiplies by a power of a symbol; symbols with power 0 are removed. */
static gboolean
multiply (ArmillaUnit *unit, const char *symbol, double power)
{
  for (int i = 0; i < unit->n; i++)
    if (strcmp (unit->factor[i].symbol, symbol) == 0)
      {
        unit->factor[i].power += power;
        if (unit->factor[i].power == 0)
          {
            memmove (&unit->factor[i], &unit->factor[i + 1],
                     (gsize) (unit->n - i - 1) * sizeof unit->factor[0]);
            unit->n--;
          }
        return TRUE;
      }
  if (unit->n == ARMILLA_UNIT_FACTORS || strlen (symbol) >= ARMILLA_UNIT_LETTERS)
    return FALSE;
  g_strlcpy (unit->factor[unit->n].symbol, symbol, ARMILLA_UNIT_LETTERS);
  unit->factor[unit->n++].power = power;
  return TRUE;
}

/* Reads the power after a symbol: ^2, **2, ^(2), or digits; 1 if absent. */
static gboolean
read_power (const char **text, double *power)
{
  const char *p = *text;
  gboolean sign = *p == '^' || strncmp (p, "**", 2) == 0, inside;
  char *end;

  *power = 1;
  p += *p == '^' ? 1 : sign ? 2 : 0;
  inside = sign && *p == '(';
  p += inside;
  if (!sign && !g_ascii_isdigit (*p) && !(*p == '-' && g_ascii_isdigit (p[1])))
    return TRUE;
  *power = g_ascii_strtod (p, &end);
  if (end == p || !isfinite (*power) || (inside && *end != ')'))
    return FALSE;
  *text = end + inside;
  return TRUE;
}

/* Parses a unit as files contain it: K, uK^2, MJy/sr, W m-2. Unknown if NULL, empty, "unknown"
 * or not understood. */
ArmillaUnit
armilla_unit_parse (const char *text)
{
  ArmillaUnit unit = { .kind = ARMILLA_UNIT_KNOWN };
  const char *p = text != NULL ? text : "";
  gboolean below = FALSE;

  if (*p == 0 || g_ascii_strcasecmp (p, "unknown") == 0)
    return unknown;
  while (*p != 0)
    {
      char symbol[ARMILLA_UNIT_LETTERS] = "";
      gsize n = 0;
      double power;

      if (*p == '1' && p[1] == '/')
        p++;
      for (; *p == ' ' || *p == '.' || *p == '*' || *p == '/'; p++)
        below = below || *p == '/';
      if (*p == 0)
        break;
      for (; g_ascii_isalpha (*p) || *p == '_' || *p == '%'; p++)
        if (n + 1 < sizeof symbol)
          symbol[n++] = *p;
        else
          return unknown;
      if (n == 0 || !read_power (&p, &power) || !multiply (&unit, symbol, below ? -power : power))
        return unknown;
      below = FALSE;
    }
  return unit.n > 0 ? unit : number;
}

/* Returns a new string; "" for pure numbers and unknown units. */
char *
armilla_unit_format (const ArmillaUnit *unit)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < unit->n; i++)
    {
      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", unit->factor[i].symbol);
      if (unit->factor[i].power != 1)
        {
          char power[G_ASCII_DTOSTR_BUF_SIZE];

          g_ascii_formatd (power, sizeof power, "%.10g", unit->factor[i].power);
          g_string_append_printf (text, "^%s", power);
        }
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
armilla_unit_equal (const ArmillaUnit *a, const ArmillaUnit *b)
{
  ArmillaUnit ratio;

  if (a->kind != ARMILLA_UNIT_KNOWN || b->kind != ARMILLA_UNIT_KNOWN)
    return a->kind == b->kind;
  ratio = armilla_unit_product (a, b, -1);
  return ratio.kind == ARMILLA_UNIT_NUMBER;
}

/* Returns the unit of a b^power, power being 1 or -1. */
ArmillaUnit
armilla_unit_product (const ArmillaUnit *a, const ArmillaUnit *b, double power)
{
  ArmillaUnit product = *a;

  if (a->kind == ARMILLA_UNIT_UNKNOWN || b->kind == ARMILLA_UNIT_UNKNOWN)
    return unknown;
  for (int i = 0; i < b->n; i++)
    if (!multiply (&product, b->factor[i].symbol, power * b->factor[i].power))
      return unknown;
  product.kind = product.n > 0 ? ARMILLA_UNIT_KNOWN : ARMILLA_UNIT_NUMBER;
  return product;
}

ArmillaUnit
armilla_unit_power (const ArmillaUnit *a, double power)
{
  ArmillaUnit result = *a;

  if (a->kind != ARMILLA_UNIT_KNOWN)
    return *a;
  if (power == 0)
    return number;
  for (int i = 0; i < a->n; i++)
    result.factor[i].power *= power;
  return result;
}
