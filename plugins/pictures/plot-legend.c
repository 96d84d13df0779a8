/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places a legend where it covers no data. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/plot-private.h"

/* Lengths in units of the letter height. */
#define ROW 1.4
#define SAMPLE 1.8
#define PADDING 0.4
#define APART 1.6 /* gap between rows that are side by side */

/* Maximum size of a legend as a fraction of the frame. */
#define MAX_WIDTH 0.7
#define MAX_HEIGHT 0.9

/* Points along the longer side of the mask that marks drawn pixels of a frame, and number of
 * candidate positions of a legend along each side. */
#define INK 500
#define PLACES 24

typedef struct {
  ArmillaMark mark;
  gboolean hollow;
  double colour[3];
  char *text;
  double left, y, size; /* position and letter height */
} Row;

typedef struct {
  double left, top, width, height, size;
} Box;

static void
clear_row (gpointer data)
{
  g_free (((Row *) data)->text);
}

/* Returns an empty legend, to be freed by g_array_unref (). */
GArray *
armilla_legend_new (void)
{
  GArray *legend = g_array_new (FALSE, FALSE, sizeof (Row));

  g_array_set_clear_func (legend, clear_row);
  return legend;
}

static gboolean
has_row (const GArray *legend, const Row *wanted)
{
  for (guint i = 0; i < legend->len; i++)
    {
      const Row *row = &g_array_index (legend, Row, i);

      if (row->mark == wanted->mark && row->hollow == wanted->hollow
          && memcmp (row->colour, wanted->colour, sizeof row->colour) == 0
          && strcmp (row->text, wanted->text) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Adds a row unless the legend has it. @text: formula; if it is NULL or "", nothing is added. */
void
armilla_legend_add (GArray *legend, ArmillaMark mark, gboolean hollow, const double *colour,
                    const char *text)
{
  Row row = { .mark = mark, .hollow = hollow };

  if (text == NULL || *text == '\0')
    return;
  memcpy (row.colour, colour, sizeof row.colour);
  row.text = g_utf8_make_valid (text, -1);
  if (has_row (legend, &row))
    clear_row (&row);
  else
    g_array_append_val (legend, row);
}

/* Returns whether legend has all rows of rows. */
gboolean
armilla_legend_has (const GArray *legend, const GArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    if (!has_row (legend, &g_array_index (rows, Row, i)))
      return FALSE;
  return TRUE;
}

/* Adds all rows of @rows to @legend that it does not have. */
void
armilla_legend_append (GArray *legend, const GArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);

      armilla_legend_add (legend, row->mark, row->hollow, row->colour, row->text);
    }
}

static double
row_width (const Row *row, cairo_t *cr, double size)
{
  return armilla_formula_width (cr, row->text, size) + (SAMPLE + 0.4) * size;
}

static double
widest (const GArray *legend, cairo_t *cr, double size)
{
  double width = 0;

  for (guint i = 0; i < legend->len; i++)
    width = MAX (width, row_width (&g_array_index (legend, Row, i), cr, size));
  return width;
}

/* Returns the size of the rows when one is below the other. */
static Box
measure (const GArray *legend, cairo_t *cr, double size)
{
  return (Box) { .width = widest (legend, cr, size) + 2 * PADDING * size,
                 .height = (legend->len * ROW + 2 * PADDING) * size, .size = size };
}

static void
put (GArray *legend, const Box *box)
{
  for (guint i = 0; i < legend->len; i++)
    {
      Row *row = &g_array_index (legend, Row, i);

      row->left = box->left + PADDING * box->size;
      row->y = box->top + (PADDING + ROW * (i + 0.5)) * box->size;
      row->size = box->size;
    }
}

/* Returns the number of drawn pixels above and to the left of each position in a frame (a
 * summed-area table). */
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

/* Returns whether a box in the frame has no drawn pixels. */
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

/* Moves a box to the free position that is closest to a corner, the upper right corner first; FALSE
 * if there is none. */
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

/* Finds a free position in a frame, with slightly smaller letters if necessary. @ink: draws the
 * data. Returns FALSE if there is none. */
gboolean
armilla_legend_place (GArray *legend, const ArmillaFrame *frame, cairo_t *cr, double size,
                      ArmillaInk ink, gconstpointer user)
{
  static const double sizes[] = { 1, 0.85 };
  const int height = MAX ((int) (INK * frame->height / frame->width), 1);
  g_autofree guint64 *sums = sum_ink (frame, ink, user, height);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Box box = measure (legend, cr, sizes[i] * size);

      if (box.width <= MAX_WIDTH * frame->width && box.height <= MAX_HEIGHT * frame->height
          && find_place (&box, sums, height, frame))
        {
          put (legend, &box);
          return TRUE;
        }
    }
  return FALSE;
}

/* Places the rows one below the other, with their right ends at @right. Returns their width. */
double
armilla_legend_place_beside (GArray *legend, cairo_t *cr, double size, double right, double top)
{
  Box box = measure (legend, cr, size);

  box.left = right - box.width;
  box.top = top;
  put (legend, &box);
  return box.width;
}

/* Places rows side by side from row @first on. Returns the first one that does not fit. */
static guint
put_line (GArray *legend, cairo_t *cr, guint first, double middle, double y, double width,
          double size)
{
  double used = 0;
  guint end = first;

  for (; end < legend->len; end++)
    {
      const double more = row_width (&g_array_index (legend, Row, end), cr, size)
                          + (end > first ? APART * size : 0);

      if (end > first && used + more > width)
        break;
      used += more;
    }
  for (double left = middle - used / 2; first < end; first++)
    {
      Row *row = &g_array_index (legend, Row, first);

      row->left = left;
      row->y = y;
      row->size = size;
      left += row_width (row, cr, size) + APART * size;
    }
  return end;
}

/* Places the rows side by side, centred, on as many lines as necessary, with smaller letters if a
 * row is too wide. Returns the height. */
double
armilla_legend_place_above (GArray *legend, cairo_t *cr, double size, double middle, double top,
                            double width)
{
  double y = top;

  size *= MIN (1, width / widest (legend, cr, size));
  for (guint i = 0; i < legend->len; y += ROW * size)
    i = put_line (legend, cr, i, middle, y + ROW * size / 2, width, size);
  return y - top;
}

static void
draw_sample (const Row *row, cairo_t *cr)
{
  const double left = row->left, y = row->y, size = row->size, right = left + SAMPLE * size;

  cairo_set_source_rgb (cr, row->colour[0], row->colour[1], row->colour[2]);
  cairo_set_line_width (cr, size / 10);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  if (armilla_mark_is_line (row->mark))
    {
      armilla_mark_dash (cr, row->mark, size);
      cairo_move_to (cr, left, y);
      cairo_line_to (cr, right, y);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
    }
  else
    armilla_mark_draw (cr, row->mark, row->hollow, 0.5 * (left + right), y, 0.25 * size);
}

void
armilla_legend_draw (const GArray *legend, cairo_t *cr)
{
  for (guint i = 0; i < legend->len; i++)
    {
      const Row *row = &g_array_index (legend, Row, i);

      draw_sample (row, cr);
      cairo_set_source_rgb (cr, 0, 0, 0);
      armilla_formula (cr, row->text, row->left + (SAMPLE + 0.5) * row->size, row->y, row->size, 0,
                       0.5);
    }
}
