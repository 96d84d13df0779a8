/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws matrices: panels with axes, and a colour bar below all panels. Rows run downwards. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/matrix-private.h"

/* Lengths in units of the letter height. */
#define LEFT 5.6
#define RIGHT 1.2
#define TOP 1.2
#define NAME 1.4 /* name of a panel */
#define BOTTOM 3.9
#define TITLE 2.6
#define BAR_GAP 0.9
#define BAR 5.2
#define TICK 0.35

/* Lengths in units of the picture's width. */
#define BAR_LENGTH 0.5

/* Minimum ratio of a panel's height to its width. */
#define FLATTEST 0.5

/* Approximate number of labels of an axis whose values are neither evenly spaced nor
 * logarithmic. */
#define NUMBERS 8

static int
n_columns (int n)
{
  const int root = (int) lrint (sqrt (n));

  if (root * root == n)
    return root; /* The number of panels is a square: fields are blocks of one large matrix. */
  return n <= 4 ? 2 : 3;
}

/* Arranges @n panels in a picture of @width points. @columns: number of such pictures in a row. */
ArmillaMatrixLayout
armilla_matrix_layout (const ArmillaMatrixHeader *header, int n, int width, int columns,
                       gboolean titled)
{
  ArmillaMatrixLayout layout = { .n = n, .columns = n_columns (n),
                                 .cell = (double) width / n_columns (n) };
  const double letter = layout.letter = armilla_letter (layout.cell, columns * layout.columns);
  const int rows = (n + layout.columns - 1) / layout.columns;
  const double shape = (double) header->rows.n / (double) header->columns.n;

  layout.title = titled ? TITLE * letter : 0;
  layout.width = (int) (layout.cell - (LEFT + RIGHT) * letter);
  layout.height = (int) (layout.width * CLAMP (shape, FLATTEST, 1));
  layout.row = layout.height + (TOP + (n > 1 ? NAME : 0) + BOTTOM) * letter;
  layout.bar = layout.title + rows * layout.row + BAR_GAP * letter;
  layout.total = (int) ceil (layout.bar + BAR * letter);
  return layout;
}

static double
scaled (double value, gboolean logarithmic)
{
  return logarithmic ? log (value) : value;
}

/* Finds the scale on which elements have equal widths: linear, or logarithmic. FALSE if there is
 * none. */
static gboolean
find_scale (const ArmillaMatrixAxis *axis, gboolean logarithmic, ArmillaAxis *scale)
{
  const double first = scaled (axis->values[0], logarithmic);
  const double last = scaled (axis->values[axis->n - 1], logarithmic);
  const double step = (last - first) / (double) (axis->n - 1);

  if (axis->n < 3 || !(step > 0))
    return FALSE;
  for (gint64 i = 0; i < axis->n; i++)
    if (!(fabs (scaled (axis->values[i], logarithmic) - first - (double) i * step) <= 1e-6 * step))
      return FALSE;
  *scale = (ArmillaAxis) { ARMILLA_SCALE_LINEAR, first - step / 2, last + step / 2, 1 };
  if (logarithmic)
    *scale = (ArmillaAxis) { ARMILLA_SCALE_LOG, exp (scale->low), exp (scale->high), 1 };
  return TRUE;
}

/* Returns ticks at positions from 0 to 1: round numbers on a linear or logarithmic axis, otherwise
 * the values of some elements. */
static GArray *
find_ticks (const ArmillaMatrixAxis *axis, int about)
{
  const gint64 every = (axis->n + about - 1) / about;
  ArmillaAxis scale;
  GArray *ticks;
  int exponent;

  if (find_scale (axis, FALSE, &scale) || find_scale (axis, TRUE, &scale))
    {
      ticks = armilla_axis_ticks (&scale, about, &exponent);
      for (guint i = 0; exponent == 0 && i < ticks->len; i++)
        {
          ArmillaTick *tick = &g_array_index (ticks, ArmillaTick, i);

          tick->value = armilla_axis_place (&scale, tick->value);
        }
      if (exponent == 0)
        return ticks;
      g_array_set_size (ticks, 0);
    }
  else
    ticks = armilla_ticks_new ();
  for (gint64 i = 0; i < axis->n; i += every)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];
      const ArmillaTick tick = {
        ((double) i + 0.5) / (double) axis->n,
        g_strdup (g_ascii_formatd (text, sizeof text, "%.4g", axis->values[i])),
      };

      g_array_append_val (ticks, tick);
    }
  return ticks;
}

static char *
label_of (const ArmillaMatrixAxis *axis)
{
  const char *name = strcmp (axis->label, "l") == 0 ? "multipole \342\204\223" : axis->label;
  g_autofree char *unit = armilla_unit_formula (axis->unit);

  return *unit != '\0' ? g_strdup_printf ("%s  [%s]", name, unit) : g_strdup (name);
}

/* Draws an axis; ticks point outwards, since elements would hide them. */
static void
draw_axis (const ArmillaFrame *frame, const ArmillaMatrixAxis *axis, gboolean horizontal,
           double size, cairo_t *cr)
{
  const double length = horizontal ? frame->width : frame->height;
  const int about = (int) CLAMP (length / (horizontal ? 5 * size : 2.6 * size), 2, NUMBERS);
  g_autoptr (GArray) ticks = find_ticks (axis, about);

  for (guint i = 0; i < ticks->len; i++)
    {
      const ArmillaTick *tick = &g_array_index (ticks, ArmillaTick, i);
      const double out = (tick->label != NULL ? TICK : 0.5 * TICK) * size;

      if (horizontal)
        cairo_move_to (cr, armilla_frame_x (frame, tick->value), frame->top + frame->height);
      else
        cairo_move_to (cr, frame->left, armilla_frame_y (frame, tick->value));
      cairo_rel_line_to (cr, horizontal ? 0 : -out, horizontal ? out : 0);
      cairo_stroke (cr);
    }
  armilla_frame_numbers (frame, cr, size, ticks, horizontal);
}

static void
draw_labels (const ArmillaMatrixPicture *self, const ArmillaMatrixStyle *style,
             const ArmillaFrame *frame, double size, cairo_t *cr)
{
  g_autofree char *across = style->x_label != NULL ? g_strdup (style->x_label)
                                                   : label_of (&self->header->columns);
  g_autofree char *down = style->y_label != NULL ? g_strdup (style->y_label)
                                                 : label_of (&self->header->rows);

  armilla_formula (cr, across, frame->left + frame->width / 2,
                   frame->top + frame->height + 2 * size, size, 0.5, 1);
  cairo_save (cr);
  cairo_translate (cr, frame->left - (LEFT - 1) * size, frame->top + frame->height / 2);
  cairo_rotate (cr, -G_PI / 2);
  armilla_formula (cr, down, 0, 0, size, 0.5, 0.5);
  cairo_restore (cr);
}

/* Paints one point of the picture for each sampled element. */
static cairo_surface_t *
paint (const ArmillaMatrixPicture *self, int panel, const ArmillaMatrixStyle *style)
{
  const gsize across = (gsize) self->n_across, down = (gsize) self->n_down;
  const double *values = self->values + (gsize) panel * down * across;
  cairo_surface_t *surface
    = cairo_image_surface_create (CAIRO_FORMAT_RGB24, self->n_across, self->n_down);
  guchar *data = cairo_image_surface_get_data (surface);
  guint32 packed[ARMILLA_PALETTE_SIZE + 1];

  armilla_colours_pack ((const double (*)[3]) style->table, packed);
  for (gsize y = 0; data != NULL && y < down; y++)
    for (gsize x = 0; x < across; x++)
      memcpy (data + y * (gsize) cairo_image_surface_get_stride (surface) + 4 * x,
              &packed[armilla_colours_find (&style->colours, values[y * across + x])], 4);
  cairo_surface_mark_dirty (surface);
  return surface;
}

static void
draw_elements (const ArmillaMatrixPicture *self, int panel, const ArmillaMatrixStyle *style,
               const ArmillaFrame *frame, cairo_t *cr)
{
  cairo_surface_t *surface = paint (self, panel, style);

  cairo_save (cr);
  cairo_translate (cr, frame->left, frame->top);
  cairo_scale (cr, frame->width / self->n_across, frame->height / self->n_down);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, 0, 0, self->n_across, self->n_down);
  cairo_fill (cr);
  cairo_restore (cr);
  cairo_surface_destroy (surface);
}

/* Returns the frame of a panel's elements; both axes run from 0 to 1, the vertical one
 * downwards. */
ArmillaFrame
armilla_matrix_frame (const ArmillaMatrixLayout *layout, int panel)
{
  const double name = layout->n > 1 ? NAME : 0;

  return (ArmillaFrame) {
    .left = rint (panel % layout->columns * layout->cell + LEFT * layout->letter),
    .top = rint (layout->title + panel / layout->columns * layout->row
                 + (TOP + name) * layout->letter),
    .width = layout->width, .height = layout->height,
    .x = { ARMILLA_SCALE_LINEAR, 0, 1, 1 }, .y = { ARMILLA_SCALE_LINEAR, 1, 0, 1 },
  };
}

/* Draws on a white surface that is style->width points wide and as high as the layout. */
void
armilla_matrix_picture_draw (ArmillaMatrixPicture *self, const ArmillaMatrixStyle *style,
                             cairo_t *cr)
{
  const ArmillaMatrixLayout *layout = &self->layout;
  const double size = layout->letter, width = style->width;

  for (int panel = 0; panel < layout->n; panel++)
    {
      const ArmillaFrame frame = armilla_matrix_frame (layout, panel);

      draw_elements (self, panel, style, &frame, cr);
      cairo_set_source_rgb (cr, 0, 0, 0);
      cairo_set_line_width (cr, size / 16);
      cairo_rectangle (cr, frame.left, frame.top, frame.width, frame.height);
      cairo_stroke (cr);
      draw_axis (&frame, &self->header->columns, TRUE, size, cr);
      draw_axis (&frame, &self->header->rows, FALSE, size, cr);
      draw_labels (self, style, &frame, size, cr);
      if (layout->n > 1)
        armilla_formula (cr, self->header->names[self->fields[panel]],
                         frame.left + frame.width / 2, frame.top - 0.5 * size, 1.1 * size, 0.5, 0);
    }
  if (*style->title != '\0')
    armilla_formula (cr, style->title, width / 2, 0.55 * layout->title, 1.25 * size, 0.5, 0.5);
  armilla_colours_bar ((const double (*)[3]) style->table, &style->colours, style->unit,
                       width * (1 - BAR_LENGTH) / 2, layout->bar, width * BAR_LENGTH, size, cr);
}
