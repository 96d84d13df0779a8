/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gstdio.h>

#include "plugins/pictures/render-private.h"

#define FONT "sans-serif"
/* cairo's own stroke font, which needs no font file and no fontconfig. */
#define FONT_WITHOUT_FILES "@cairo:"

typedef struct {
  FILE *file;
  GString *text; /* contents of an SVG file, which are written when complete */
  int error_number;
} Sink;

static cairo_status_t
write_bytes (void *user, const unsigned char *data, unsigned int length)
{
  Sink *sink = user;

  if (sink->error_number == 0 && fwrite (data, 1, length, sink->file) != length)
    sink->error_number = errno != 0 ? errno : EIO;
  return sink->error_number == 0 ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Finds the format from the ending: .png, .svg or .pdf. */
gboolean
armilla_picture_kind (const char *path, ArmillaPictureKind *kind, GError **error)
{
  static const char *const endings[] = { ".png", ".svg", ".pdf" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (path, endings[i]))
      {
        *kind = (ArmillaPictureKind) i;
        return TRUE;
      }
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "file = %s: the name must end in .png, .svg or .pdf", path);
}

static cairo_status_t
add_text (void *user, const unsigned char *data, unsigned int length)
{
  g_string_append_len (((Sink *) user)->text, (const char *) data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* Renumbers the parts of an SVG file. cairo names them by a count of all surfaces of the process,
 * so equal pictures would give different files. */
static void
number_parts (Sink *sink)
{
  static const char *const words[] = { "surface", "source-", "image" };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *from = sink->text->str, *end = from + sink->text->len;

  for (const char *at = strpbrk (from, "\"#"); at != NULL; at = strpbrk (at + 1, "\"#"))
    for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
      {
        const gsize length = strlen (words[i]);
        const gsize digits = g_str_has_prefix (at + 1, words[i])
                               ? strspn (at + 1 + length, "0123456789") : 0;
        g_autofree char *name = g_strndup (at + 1, length + digits);
        guint number;

        if (digits == 0)
          continue;
        number = GPOINTER_TO_UINT (g_hash_table_lookup (seen, name));
        if (number == 0)
          {
            number = g_hash_table_size (seen) + 1;
            g_hash_table_insert (seen, g_strdup (name), GUINT_TO_POINTER (number));
          }
        write_bytes (sink, (const unsigned char *) from, (unsigned) (at + 1 + length - from));
        from = at + 1 + length + digits;
        {
          g_autofree char *text = g_strdup_printf ("%u", number);

          write_bytes (sink, (const unsigned char *) text, (unsigned) strlen (text));
        }
        break;
      }
  write_bytes (sink, (const unsigned char *) from, (unsigned) (end - from));
}

static cairo_surface_t *
new_surface (ArmillaPictureKind kind, int width, int height, Sink *sink)
{
  cairo_surface_t *surface;

  switch (kind)
    {
    case ARMILLA_PICTURE_SVG:
      return cairo_svg_surface_create_for_stream (add_text, sink, width, height);
    case ARMILLA_PICTURE_PDF:
      surface = cairo_pdf_surface_create_for_stream (write_bytes, sink, width, height);
      /* Without the time, equal pictures give equal files. */
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
      return surface;
    default:
      return cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
    }
}

static void
choose_font (cairo_t *cr)
{
  cairo_text_extents_t extents;
  cairo_surface_t *probe = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *test = cairo_create (probe);
  gboolean works;

  /* Tests for fonts on a separate context, since a context stays invalid after a failure. Also uses
   * each kind of text once: the first surface that uses a font sets cairo's hinting for the whole
   * process, and if that were a PDF there would be none. */
  cairo_select_font_face (test, FONT, CAIRO_FONT_SLANT_ITALIC, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_text_extents (test, "0", &extents);
  cairo_select_font_face (test, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_text_extents (test, "0", &extents);
  works = cairo_status (test) == CAIRO_STATUS_SUCCESS && extents.width > 0;
  cairo_destroy (test);
  cairo_surface_destroy (probe);
  cairo_select_font_face (cr, works ? FONT : FONT_WITHOUT_FILES, CAIRO_FONT_SLANT_NORMAL,
                          CAIRO_FONT_WEIGHT_NORMAL);
}

static gboolean
draw_and_write (Sink *sink, ArmillaPictureKind kind, int width, int height, ArmillaDraw draw,
                gpointer user, const char *path, GError **error)
{
  cairo_surface_t *surface = new_surface (kind, width, height, sink);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;
  gboolean drawn;

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  choose_font (cr);
  drawn = draw (user, cr, error);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (drawn && status == CAIRO_STATUS_SUCCESS && kind == ARMILLA_PICTURE_PNG
      && !armilla_png_write (surface, sink->file))
    {
      sink->error_number = errno != 0 ? errno : EIO;
      status = CAIRO_STATUS_WRITE_ERROR;
    }
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (kind == ARMILLA_PICTURE_SVG)
    number_parts (sink);
  if (drawn && status != CAIRO_STATUS_SUCCESS && sink->error_number == 0)
    g_set_error (error, ARMILLA_ERROR,
                 status == CAIRO_STATUS_NO_MEMORY ? ARMILLA_ERROR_MEMORY : ARMILLA_ERROR_IO,
                 "cannot draw %s: %s", path, cairo_status_to_string (status));
  return drawn && status == CAIRO_STATUS_SUCCESS;
}

/* Draws on a white background and writes the temporary file of output. */
gboolean
armilla_picture_write (ArmillaOutput *output, ArmillaPictureKind kind, int width, int height,
                       ArmillaDraw draw, gpointer user, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Sink sink = { NULL, text, 0 };
  gboolean drawn;

  sink.file = g_fopen (armilla_output_temporary (output), "wb");
  if (sink.file == NULL)
    sink.error_number = errno;
  drawn = sink.file != NULL
    && draw_and_write (&sink, kind, width, height, draw, user, armilla_output_path (output),
                       error);
  if (sink.file != NULL && fclose (sink.file) != 0 && sink.error_number == 0)
    sink.error_number = errno;
  if (sink.error_number != 0)
    {
      if (error != NULL)
        g_clear_error (error);
      return armilla_fail (error, ARMILLA_ERROR_IO, "cannot write %s: %s",
                           armilla_output_path (output), g_strerror (sink.error_number));
    }
  return drawn;
}

/* Returns approximately @about ascending ticks between low and high. */
GArray *
armilla_ticks (double low, double high, int about)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (double));
  double decade, step, first, last = -INFINITY;

  decade = pow (10, floor (log10 ((high - low) / about)));
  step = (high - low) / about / decade;
  step = decade * (step < 1.5 ? 1 : step < 3.5 ? 2 : step < 7.5 ? 5 : 10);
  first = ceil (low / step - 1e-9);
  /* Stops if the axis is as narrow as rounding errors, so that all ticks would coincide. */
  for (int k = 0; k <= 2 * about && (first + k) * step <= high + 1e-9 * step; k++)
    {
      double tick = (first + k) * step;

      if (tick > last)
        g_array_append_val (ticks, tick);
      last = tick;
    }
  return ticks;
}

/* Returns the number in at most six digits. */
char *
armilla_tick_label (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  char *text = g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.6g", value == 0 ? 0 : value));

  if (text[0] == '-')
    {
      char *minus = g_strconcat ("\342\210\222", text + 1, NULL);

      g_free (text);
      return minus;
    }
  return text;
}

/* Returns an exponent: the labels of a colour bar are divided by that power of ten to be short. */
int
armilla_bar_exponent (double low, double high)
{
  const double largest = MAX (fabs (low), fabs (high));

  return largest > 0 && (largest < 1e-3 || largest >= 1e6) ? (int) floor (log10 (largest)) : 0;
}

/* Returns the formula of the unit of a colour bar's labels, with the power of ten. @unit may be
 * NULL. */
char *
armilla_bar_unit (int exponent, const char *unit)
{
  g_autofree char *formula = armilla_unit_formula (unit);

  if (exponent == 0)
    return g_steal_pointer (&formula);
  return g_strdup_printf ("10^{%s%d} %s", exponent < 0 ? "\342\210\222" : "", ABS (exponent),
                          formula);
}

/* Returns the letter height in points. Letters are larger, relative to the width, in narrow
 * panels. */
double
armilla_letter (double width, int columns)
{
  static const double shares[] = { 0.022, 0.033, 0.0375, 0.042, 0.045 };

  return width * shares[CLAMP (columns, 1, (int) G_N_ELEMENTS (shares)) - 1];
}

/* Returns the default number of panels side by side. */
int
armilla_panel_columns (int n)
{
  return n == 1 ? 1 : n == 2 || n == 4 ? 2 : n <= 9 ? 3 : 4;
}

/* Draws UTF-8, skipping invalid bytes. @align_x: 0 if the left end of the text is at @x, 1 if the
 * right end is; @align_y: 0 if the baseline is at @y, 1 if the upper edge of capital letters is. */
void
armilla_text (cairo_t *cr, const char *text, double x, double y, double size, double align_x,
              double align_y)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  cairo_text_extents_t extents;

  cairo_set_font_size (cr, size);
  cairo_text_extents (cr, valid, &extents);
  cairo_move_to (cr, x - align_x * extents.x_advance, y + align_y * 0.72 * size);
  cairo_show_text (cr, valid);
}
