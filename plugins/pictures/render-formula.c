/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text with subscripts and superscripts. */
#include <string.h>

#include "plugins/pictures/render-private.h"

/* Lengths in units of the height of adjacent letters. */
#define SCRIPT_SIZE 0.7
#define SCRIPT_UP 0.36
#define SCRIPT_DOWN 0.2
/* additional shift of a superscript and a subscript that are above each other */
#define STACKED 0.1

#define MINUS "\342\210\222"
#define MICRO "\302\265"

/* Returns whether _{}, ^{} or *{} (subscript, superscript, slanted letters) begins at @at. */
static gboolean
is_script (const char *at)
{
  return (at[0] == '_' || at[0] == '^' || at[0] == '*') && at[1] == '{'
    && strchr (at, '}') != NULL;
}

static void
slant (cairo_t *cr, cairo_font_slant_t how)
{
  cairo_font_face_t *face = cairo_get_font_face (cr);
  g_autofree char *family = NULL;

  if (cairo_font_face_get_type (face) != CAIRO_FONT_TYPE_TOY)
    return;
  family = g_strdup (cairo_toy_font_face_get_family (face));
  cairo_select_font_face (cr, family, how, CAIRO_FONT_WEIGHT_NORMAL);
}

/* Draws letters, or only measures them; returns their width. */
static double
show_run (cairo_t *cr, const char *run, char kind, gboolean stacked, double x, double y,
          double size, gboolean show)
{
  const gboolean script = kind == '_' || kind == '^';
  const double more = stacked ? STACKED : 0;
  const double shift = kind == '_' ? SCRIPT_DOWN + more : kind == '^' ? -SCRIPT_UP - more : 0;
  cairo_text_extents_t extents;

  if (kind == '*')
    slant (cr, CAIRO_FONT_SLANT_ITALIC);
  cairo_set_font_size (cr, script ? SCRIPT_SIZE * size : size);
  cairo_text_extents (cr, run, &extents);
  if (show)
    {
      cairo_move_to (cr, x, y + shift * size);
      cairo_show_text (cr, run);
    }
  if (kind == '*')
    slant (cr, CAIRO_FONT_SLANT_NORMAL);
  return extents.x_advance;
}

/* Draws a formula at @x, or only measures it; returns the position of its end. A superscript that
 * follows a subscript is drawn above it. */
static double
walk (cairo_t *cr, const char *formula, double x, double y, double size, gboolean show)
{
  const double from = x;
  double below = 0;

  while (*formula != '\0')
    {
      const gboolean script = is_script (formula);
      const char kind = script ? *formula : '\0';
      const char *start = script ? formula + 2 : formula, *end = start;
      g_autofree char *run = NULL;
      gboolean stacked;
      double width;

      while (script ? *end != '}' : *end != '\0' && !is_script (end))
        end++;
      run = g_strndup (start, (gsize) (end - start));
      if (kind != '^')
        below = 0;
      stacked = below > 0 || (kind == '_' && end[1] == '^' && is_script (end + 1));
      width = show_run (cr, run, kind, stacked, x - below, y, size, show);
      x += MAX (width - below, 0);
      below = kind == '_' ? width : 0;
      formula = script ? end + 1 : end;
    }
  return x - from;
}

double
armilla_formula_width (cairo_t *cr, const char *formula, double size)
{
  g_autofree char *valid = g_utf8_make_valid (formula, -1);

  return walk (cr, valid, 0, 0, size, FALSE);
}

/* As armilla_text (), with _{} for subscripts, ^{} for superscripts and *{} for slanted text. */
void
armilla_formula (cairo_t *cr, const char *formula, double x, double y, double size,
                 double align_x, double align_y)
{
  g_autofree char *valid = g_utf8_make_valid (formula, -1);

  x -= align_x * walk (cr, valid, 0, 0, size, FALSE);
  walk (cr, valid, x, y + align_y * 0.72 * size, size, TRUE);
}

/* Returns the number of bytes of a power at the beginning of @at, which may be in parentheses; 0 if
 * there is none. */
static gsize
power_length (const char *at, const char **number, gsize *length)
{
  const char close = *at == '(' ? ')' : *at == '{' ? '}' : '\0';
  const char *from = at + (close != '\0'), *digits, *end;

  digits = from + (*from == '-' || *from == '+');
  for (end = digits; g_ascii_isdigit (*end) || (end > digits && (*end == '.' || *end == '/')
                                                && g_ascii_isdigit (end[1])); end++)
    ;
  if (end == digits || (close != '\0' && *end != close))
    return 0;
  *number = from;
  *length = (gsize) (end - from);
  return (gsize) (end - at) + (close != '\0');
}

/* Reads a power: after ^ or **, or a number after a letter, as in K2 and s-1. */
static gsize
read_power (const char *unit, const char *at, GString *formula)
{
  const gsize sign = *at == '^' ? 1 : at[0] == '*' && at[1] == '*' ? 2 : 0;
  const char *number;
  gsize length, taken;

  if (sign == 0 && (at == unit || !g_ascii_isalpha (at[-1]) || *at == '(' || *at == '{'))
    return 0;
  taken = power_length (at + sign, &number, &length);
  if (taken == 0 || (sign == 0 && g_ascii_isalnum (at[taken])))
    return 0;
  g_string_append (formula, "^{");
  if (*number == '-')
    g_string_append (formula, MINUS);
  if (*number == '-' || *number == '+')
    {
      number++;
      length--;
    }
  g_string_append_len (formula, number, (gssize) length);
  g_string_append_c (formula, '}');
  return sign + taken;
}

/* Reads a subscript after _, as in K_CMB. */
static gsize
read_subscript (const char *at, GString *formula)
{
  gsize length = 0;

  while (*at == '_' && g_ascii_isalnum (at[1 + length]))
    length++;
  if (length == 0)
    return 0;
  g_string_append (formula, "_{");
  g_string_append_len (formula, at + 1, (gssize) length);
  g_string_append_c (formula, '}');
  return length + 1;
}

/* Returns the formula of a unit as files write it (uK^2, uK**2, K_CMB, MJy sr-1, 10^(-6) K): powers
 * as superscripts, text after _ as subscripts, and u before a capital letter as the micro sign. */
char *
armilla_unit_formula (const char *unit)
{
  GString *formula = g_string_new (NULL);
  const char *at = unit;

  while (*at != '\0')
    {
      gsize taken = read_power (unit, at, formula);

      if (taken == 0)
        taken = read_subscript (at, formula);
      if (taken == 0 && *at == 'u' && g_ascii_isupper (at[1])
          && (at == unit || !g_ascii_isalnum (at[-1])))
        g_string_append (formula, MICRO);
      else if (taken == 0)
        g_string_append_c (formula, *at);
      at += MAX (taken, 1);
    }
  return g_string_free (formula, FALSE);
}
