/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A legend that covers no data. */
#include <math.h>

#include "plugins/pictures/render-private.h"

/* In heights of letters. */
#define ROW 1.4
#define SAMPLE 1.8
#define PADDING 0.4

/* Of a frame, what a legend may take at most: longer ones have smaller letters. */
#define MOST_WIDTH 0.4
#define MOST_HEIGHT 0.9

/* Points of the picture of the ink in a frame, and places for a legend along each side. */
#define INK 500
#define PLACES 24

typedef struct {
  ArmillaMark mark;
  const double *colour;
  char *text;
} Row;

static void
clear_row (gpointer data)
{
  g_free (((Row *) data)->text);
}

/**
 * armilla_legend_new:
 *
 * Returns: (transfer full): a legend without rows; free it with g_array_unref()
 */
GArray *
armilla_legend_new (void)
{
  GArray *legend = g_array_new (FALSE, FALSE, sizeof (Row));

  g_array_set_clear_func (legend, clear_row);
  return legend;
}

/**
 * armilla_legend_add:
 * @legend: a legend
 * @mark: what the data are drawn as
 * @colour: (array fixed-size=3): its red, green and blue; not copied
 * @text: what the data are; "" adds nothing
 */
void
armilla_legend_add (GArray *legend, ArmillaMark mark, const double *colour, const char *text)
{
  const Row row = { mark, colour, g_utf8_make_valid (text, -1) };

  if (*text != '\0')
    g_array_append_val (legend, row);
  else
    g_free (row.text);
}

/**
 * armilla_mark:
 * @cr: where to draw, in its colour and with its line width
 * @mark: a point, full or hollow
 * @x: its middle
 * @y: its middle
 * @radius: its radius
 */
void
armilla_mark (cairo_t *cr, ArmillaMark mark, double x, double y, double radius)
{
  cairo_new_path (cr);
  cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
  if (mark == ARMILLA_MARK_HOLLOW)
    {
      cairo_save (cr);
      cairo_set_source_rgb (cr, 1, 1, 1);
      cairo_fill_preserve (cr);
      cairo_restore (cr);
      cairo_stroke (cr);
    }
  else
    cairo_fill (cr);
}

/* A legend's box, and the letters in it. */
typedef struct {
  double left, top, width, height, size;
} Box;

static Box
measure (const GArray *legend, const ArmillaFrame *frame, cairo_t *cr, double size)
{
  Box box = { .width = 0, .height = (legend->len * ROW + 2 * PADDING) * size };
  double shrink;

  cairo_set_font_size (cr, size);
  for (guint i = 0; i < legend->len; i++)
    {
      cairo_text_extents_t extents;

      cairo_text_extents (cr, g_array_index (legend, Row, i).text, &extents);
      box.width = MAX (box.width, extents.x_advance);
    }
  box.width += (SAMPLE + 0.4 + 2 * PADDING) * size;
  shrink = MIN (1, MIN (MOST_WIDTH * frame->width / box.width,
                        MOST_HEIGHT * frame->height / box.height));
  box.width *= shrink;
  box.height *= shrink;
  box.size = shrink * size;
  return box;
}

/* How much ink there is in the frame left of and above each point of a picture of it. */
static guint64 *
sum_ink (const ArmillaFrame *frame, ArmillaInk ink, gconstpointer user, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, INK, height);
  cairo_t *cr = cairo_create (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  guint64 *sums = g_new0 (guint64, (gsize) (INK + 1) * (gsize) (height + 1));
  const guchar *points;

  cairo_scale (cr, INK / frame->width, INK / frame->width);
  cairo_translate (cr, -frame->left, -frame->top);
  ink (user, frame, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  points = cairo_image_surface_get_data (surface);
  for (int y = 0; points != NULL && y < height; y++)
    for (int x = 0; x < INK; x++)
      sums[(y + 1) * (INK + 1) + x + 1] = points[y * stride + x] + sums[y * (INK + 1) + x + 1]
        + sums[(y + 1) * (INK + 1) + x] - sums[y * (INK + 1) + x];
  cairo_surface_destroy (surface);
  return sums;
}

/* Whether no ink is in a box of a frame. */
static gboolean
is_free (const guint64 *sums, int height, const ArmillaFrame *frame, const Box *box)
{
  const double scale = INK / frame->width;
  const int left = (int) floor (scale * (box->left - frame->left));
  const int top = (int) floor (scale * (box->top - frame->top));
  const int right = MIN ((int) ceil (scale * (box->left + box->width - frame->left)), INK);
  const int bottom = MIN ((int) ceil (scale * (box->top + box->height - frame->top)), height);

  return sums[bottom * (INK + 1) + right] + sums[MAX (top, 0) * (INK + 1) + MAX (left, 0)]
    == sums[bottom * (INK + 1) + MAX (left, 0)] + sums[MAX (top, 0) * (INK + 1) + right];
}

/* Moves a box to where there is no data, as near to a corner as can be, the upper right one before
 * others; FALSE where data are everywhere. */
static gboolean
find_place (Box *box, const guint64 *sums, int height, const ArmillaFrame *frame)
{
  const double gap = 0.4 * box->size;
  Box at = *box;
  int nearest = G_MAXINT;

  for (int row = 0; row <= PLACES; row++)
    for (int column = PLACES; column >= 0; column--)
      {
        const int apart = MIN (row, PLACES - row) + MIN (column, PLACES - column);

        at.left = frame->left + gap + (frame->width - 2 * gap - box->width) * column / PLACES;
        at.top = frame->top + gap + (frame->height - 2 * gap - box->height) * row / PLACES;
        if (apart < nearest && is_free (sums, height, frame, &at))
          {
            nearest = apart;
            *box = at;
          }
      }
  return nearest < G_MAXINT;
}

/* Within the frame, with smaller letters if need be, or else beside the frame, which becomes
 * narrower. */
static Box
place (const GArray *legend, ArmillaFrame *frame, cairo_t *cr, double size, ArmillaInk ink,
       gconstpointer user)
{
  static const double sizes[] = { 1, 0.85, 0.7 };
  const int height = MAX ((int) (INK * frame->height / frame->width), 1);
  g_autofree guint64 *sums = sum_ink (frame, ink, user, height);
  Box box;

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      box = measure (legend, frame, cr, sizes[i] * size);
      if (find_place (&box, sums, height, frame))
        return box;
    }
  box = measure (legend, frame, cr, size);
  box.left = frame->left + frame->width - box.width;
  box.top = frame->top;
  frame->width -= box.width + 0.4 * size;
  return box;
}

static void
draw_legend (const GArray *legend, const Box *box, cairo_t *cr)
{
  const double size = box->size, left = box->left + PADDING * size;

  cairo_set_source_rgba (cr, 1, 1, 1, 0.8);
  cairo_rectangle (cr, box->left, box->top, box->width, box->height);
  cairo_fill (cr);
  for (guint i = 0; i < legend->len; i++)
    {
      const Row *row = &g_array_index (legend, Row, i);
      const double y = box->top + (PADDING + ROW * (i + 0.5)) * size;

      cairo_set_source_rgb (cr, row->colour[0], row->colour[1], row->colour[2]);
      cairo_set_line_width (cr, size / 10);
      if (row->mark == ARMILLA_MARK_LINE)
        {
          cairo_move_to (cr, left, y);
          cairo_line_to (cr, left + SAMPLE * size, y);
          cairo_stroke (cr);
        }
      else
        armilla_mark (cr, row->mark, left + 0.5 * SAMPLE * size, y, 0.25 * size);
      armilla_text (cr, row->text, left + (SAMPLE + 0.4) * size, y, size, 0, 0.5);
    }
}

/**
 * armilla_frame_draw:
 * @frame: (inout): a frame with its ranges; becomes narrower where the legend is beside it
 * @cr: where to draw
 * @size: height of letters
 * @legend: what the data are; where it has no rows it is left out
 * @ink: draws the data, within @frame only
 * @user: for @ink
 *
 * Draws the axes, the data and a legend that covers none of them.
 */
void
armilla_frame_draw (ArmillaFrame *frame, cairo_t *cr, double size, const GArray *legend,
                    ArmillaInk ink, gconstpointer user)
{
  Box box;

  if (legend->len > 0)
    box = place (legend, frame, cr, size, ink, user);
  armilla_frame_axes (frame, cr, size);
  cairo_save (cr);
  cairo_rectangle (cr, frame->left, frame->top, frame->width, frame->height);
  cairo_clip (cr);
  ink (user, frame, cr);
  cairo_restore (cr);
  if (legend->len > 0)
    draw_legend (legend, &box, cr);
}
