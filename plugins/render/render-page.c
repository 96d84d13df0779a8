/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page: one picture, or several in a grid. I/O threads store the data of all pictures as they
 * arrive; the thread that stores the last of them draws the page. */
#include <math.h>

#include "plugins/render/render-stage.h"

/* Height of a title above several pictures, as a share of the page's width. */
#define HEAD 0.045

struct _ArmillaPage {
  gint references;
  ArmillaStage *writer;
  ArmillaStageOutput *output; /* output file of the stage that writes the page */
  ArmillaPictureKind kind;
  const char *title;
  ArmillaCell cell;
  /* number of parts of all pictures (data that arrive separately), and of those that are
   * complete */
  int n_parts, n_done;
  GArray *legend;      /* rows of the legends of pictures drawn so far */
  int n;
  ArmillaDrawing *drawings[ARMILLA_PAGE_MAX];
  const char *names[ARMILLA_PAGE_MAX]; /* (nullable): prefixes of error messages */
};

/* Returns a page without pictures. @writer: stage that writes the page; @title: "" for none; must
 * live as long as @writer. */
ArmillaPage *
armilla_page_new (ArmillaStage *writer, ArmillaStageOutput *output, ArmillaPictureKind kind,
                  ArmillaCell cell, const char *title)
{
  ArmillaPage *self = g_new0 (ArmillaPage, 1);

  *self = (ArmillaPage) { .references = 1, .writer = g_object_ref (writer), .output = output,
                          .kind = kind, .title = title, .cell = cell,
                          .legend = armilla_legend_new () };
  return self;
}

/* Adds @drawing as the next picture. @name: prefix of its error messages (may be NULL); must live
 * as long as the stage that writes the page. */
void
armilla_page_add (ArmillaPage *self, ArmillaDrawing *drawing, ArmillaRender *stage,
                  const char *name)
{
  drawing->page = self;
  drawing->stage = g_object_ref (stage);
  drawing->cell = self->cell;
  self->names[self->n] = name;
  self->drawings[self->n++] = drawing;
}

/* Drops a reference; the last one frees the page with its pictures. Thread-safe. */
void
armilla_page_unref (ArmillaPage *self)
{
  if (!g_atomic_int_dec_and_test (&self->references))
    return;
  for (int i = 0; i < self->n; i++)
    {
      g_object_unref (self->drawings[i]->stage);
      self->drawings[i]->free (self->drawings[i]);
    }
  g_array_unref (self->legend);
  g_object_unref (self->writer);
  g_free (self);
}

/* Makes the page wait for one more part. It holds a reference until armilla_drawing_unref (). */
void
armilla_drawing_expect (ArmillaDrawing *self)
{
  self->page->n_parts++;
  g_atomic_int_inc (&self->page->references);
}

/* Drops the reference of a part; used as the GDestroyNotify of its requests. */
void
armilla_drawing_unref (gpointer drawing)
{
  armilla_page_unref (((ArmillaDrawing *) drawing)->page);
}

/* Returns the rows of the legends of earlier pictures of the page. */
GArray *
armilla_drawing_legend (ArmillaDrawing *self)
{
  return self->page->legend;
}

/* Returns the lock with which I/O threads create a picture's points when the first values
 * arrive. */
GMutex *
armilla_drawing_lock (ArmillaDrawing *self)
{
  return &self->page->output->lock;
}

/* Returns whether this rank draws the page. */
gboolean
armilla_drawing_is_own (ArmillaDrawing *self)
{
  return self->page->output->output != NULL;
}

static int
head_of (const ArmillaPage *self)
{
  return *self->title != '\0' ? (int) ceil (HEAD * self->cell.width * self->cell.columns) : 0;
}

static int
row_height (const ArmillaPage *self, int row)
{
  int height = 0;

  for (int i = row * self->cell.columns; i < MIN ((row + 1) * self->cell.columns, self->n); i++)
    height = MAX (height, self->drawings[i]->height (self->drawings[i], 0));
  return height;
}

static int
n_rows (const ArmillaPage *self)
{
  return (self->n + self->cell.columns - 1) / self->cell.columns;
}

static gboolean
fail (const ArmillaPage *self, int number, GError **error)
{
  if (self->names[number] != NULL)
    g_prefix_error (error, "%s: ", self->names[number]);
  return FALSE;
}

/* Draws a row of pictures; the last row is centred if it is not full. */
static gboolean
draw_row (ArmillaPage *self, int row, int top, cairo_t *cr, GError **error)
{
  const int first = row * self->cell.columns, end = MIN (first + self->cell.columns, self->n);
  const int left = (self->cell.columns - (end - first)) * self->cell.width / 2;
  const int room = row_height (self, row);
  gboolean ok = TRUE;

  for (int i = first; i < end && ok; i++)
    {
      ArmillaDrawing *drawing = self->drawings[i];
      const int height = drawing->height (drawing, room);

      cairo_save (cr);
      cairo_translate (cr, left + (i - first) * self->cell.width, top + (room - height) / 2);
      ok = drawing->draw (drawing, cr, error) || fail (self, i, error);
      cairo_restore (cr);
    }
  return ok;
}

static gboolean
draw_page (gpointer user, cairo_t *cr, GError **error)
{
  ArmillaPage *self = user;
  const int head = head_of (self);
  int top = head;

  cairo_set_source_rgb (cr, 0, 0, 0);
  if (head > 0)
    armilla_formula (cr, self->title, self->cell.columns * self->cell.width / 2.0, 0.6 * head,
                     0.55 * head, 0.5, 0.5);
  for (int row = 0; row < n_rows (self); row++)
    {
      if (!draw_row (self, row, top, cr, error))
        return FALSE;
      top += row_height (self, row);
    }
  return TRUE;
}

/* Counts a part as complete. After the last one the calling thread draws and writes the page.
 * Thread-safe. */
gboolean
armilla_drawing_part_done (ArmillaDrawing *self, GError **error)
{
  ArmillaPage *page = self->page;
  int height = head_of (page);
  gboolean last;

  g_mutex_lock (&page->output->lock);
  last = ++page->n_done == page->n_parts;
  g_mutex_unlock (&page->output->lock);
  if (!last)
    return TRUE;
  for (int i = 0; i < page->n; i++)
    if (!page->drawings[i]->finish (page->drawings[i], error))
      return fail (page, i, error);
  for (int row = 0; row < n_rows (page); row++)
    height += row_height (page, row);
  return armilla_render_write (page->output, page->kind, page->cell.columns * page->cell.width,
                               height, draw_page, page, error);
}
