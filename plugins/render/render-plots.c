/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage render for spectra and tables: collects the curves of several inputs in one plot. */
#include <math.h>

#include "plugins/render/render-stage.h"

#define MAX_INPUTS (2 * ARMILLA_RENDER_INPUTS)
#define MAX_HEIGHT 1.25

/* A plot that waits for its data, shared with the I/O threads. */
typedef struct {
  ArmillaDrawing drawing;
  ArmillaFigure figure;
  GArray *curves[MAX_INPUTS]; /* [input]: its curves */
} Plot;

typedef struct {
  Plot *plot;
  int number;
  ArmillaCl *cl; /* (nullable) */
} Input;

static void
input_free (gpointer data)
{
  Input *input = data;

  g_clear_object (&input->cl);
  armilla_drawing_unref (input->plot);
  g_free (input);
}

static void
plot_free (ArmillaDrawing *drawing)
{
  Plot *plot = (Plot *) drawing;

  for (int i = 0; i < MAX_INPUTS; i++)
    g_clear_pointer (&plot->curves[i], g_array_unref);
  armilla_figure_clear (&plot->figure);
  g_free (plot);
}

/* Returns the height of a plot. In a row with taller pictures it is their height, @room, but at
 * most MAX_HEIGHT times its width. */
static int
height_of (ArmillaDrawing *drawing, int room)
{
  ArmillaFigure *figure = &((Plot *) drawing)->figure;

  figure->height = 0;
  figure->height = MAX (armilla_figure_height (figure),
                        (int) MIN (room, MAX_HEIGHT * figure->width));
  return (int) figure->height;
}

static gboolean
draw_plot (ArmillaDrawing *drawing, cairo_t *cr, GError **error)
{
  ArmillaFigure *figure = &((Plot *) drawing)->figure;

  figure->shown = armilla_drawing_legend (drawing);
  return armilla_figure_draw (figure, cr, error);
}

/* Appends the curves of all inputs in the order of the inputs, not of their arrival. */
static void
gather (Plot *plot)
{
  plot->figure.curves = armilla_curves_new ();
  for (int i = 0; i < MAX_INPUTS; i++)
    {
      g_array_append_vals (plot->figure.curves, plot->curves[i]->data, plot->curves[i]->len);
      g_array_set_clear_func (plot->curves[i], NULL); /* the curves were moved */
    }
}

/* Returns the properties that concern the curves. */
static ArmillaPlotStyle
style_of (ArmillaRender *self)
{
  return (ArmillaPlotStyle) {
    .spectra = armilla_render_given (self, "spectra", self->spectra),
    .labels = armilla_render_given (self, "labels", self->labels),
    .colours = armilla_render_given (self, "colours", self->colours),
    .inputs = (const char *const *) self->sources + ARMILLA_RENDER_CL, .panels = self->panels,
  };
}

static gboolean
finish (ArmillaDrawing *drawing, GError **error)
{
  Plot *plot = (Plot *) drawing;
  const ArmillaPlotStyle style = style_of (drawing->stage);

  gather (plot);
  return armilla_figure_arrange (&plot->figure, &style, error);
}

static gboolean
take_cl (gpointer user, ArmillaPiece *piece, GError **error)
{
  Input *input = user;
  const gint64 lmax = armilla_cl_lmax (input->cl);

  (void) error;
  for (int f = 0; f < armilla_cl_n_fields (input->cl); f++)
    armilla_curves_add_spectrum (input->plot->curves[input->number], input->number,
                                 armilla_cl_names (input->cl)[f], armilla_cl_unit (input->cl),
                                 piece->values + f * (lmax + 1), lmax,
                                 input->plot->figure.quantity);
  return TRUE;
}

static gboolean
cl_done (gpointer user, GError **error)
{
  return armilla_drawing_part_done (&((Input *) user)->plot->drawing, error);
}

static gboolean
take_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  Input *input = user;

  return armilla_curves_add_table (input->plot->curves[input->number], input->number, piece->table,
                                   input->plot->figure.quantity, error)
         && armilla_drawing_part_done (&input->plot->drawing, error);
}

static double
given_end (ArmillaRender *self, const char *property, double value)
{
  return armilla_stage_given (self, property) ? value : NAN;
}

static ArmillaFigure
figure_of (ArmillaRender *self, ArmillaCell cell)
{
  return (ArmillaFigure) {
    .title = self->title, .unit = armilla_render_given (self, "unit", self->unit),
    .x_label = armilla_render_given (self, "x-label", self->x_label),
    .y_label = armilla_render_given (self, "y-label", self->y_label),
    .width = cell.width, .columns = cell.columns, .residuals = self->residuals,
    .quantity = self->quantity,
    .x = { self->x_scale, given_end (self, "x-min", self->x_min),
           given_end (self, "x-max", self->x_max), self->x_threshold },
    .y = { self->y_scale, given_end (self, "min", self->min), given_end (self, "max", self->max),
           self->y_threshold },
    .x_given = armilla_stage_given (self, "x-scale"),
  };
}

/* Checks that the properties fit the spectra; the contents of tables are not known before a run. */
gboolean
armilla_render_plot_check (ArmillaRender *self, ArmillaData *const *inputs, GError **error)
{
  const ArmillaPlotStyle style = style_of (self);
  int n_inputs = 0;
  ArmillaFigure figure = { .unit = armilla_render_given (self, "unit", self->unit),
                           .curves = armilla_curves_new () };
  gboolean ok;

  for (int i = 0; i < ARMILLA_RENDER_INPUTS; i++)
    n_inputs += inputs[ARMILLA_RENDER_CL + i] != NULL
                  /* tables of unknown contents count as one curve that may be a line */
                  ? 2 : inputs[ARMILLA_RENDER_TABLE + i] != NULL;
  if (self->residuals != ARMILLA_RESIDUALS_NONE && n_inputs < 2)
    {
      armilla_figure_clear (&figure);
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "residuals: no line to compare data with; connect a theory to cl, or "
                           "leave out residuals");
    }
  for (int i = 0; i < ARMILLA_RENDER_INPUTS; i++)
    {
      ArmillaCl *cl = (ArmillaCl *) inputs[ARMILLA_RENDER_CL + i];

      for (int f = 0; cl != NULL && f < armilla_cl_n_fields (cl); f++)
        armilla_curves_add_spectrum (figure.curves, i, armilla_cl_names (cl)[f],
                                     armilla_cl_unit (cl), (const double[]) { 0 }, 0,
                                     self->quantity);
      if (inputs[ARMILLA_RENDER_TABLE + i] != NULL)
        {
          armilla_figure_clear (&figure);
          return TRUE;
        }
    }
  ok = armilla_figure_arrange (&figure, &style, error);
  armilla_figure_clear (&figure);
  return ok;
}

/* Requests the values of each input. */
static gboolean
drain (ArmillaGraph *graph, ArmillaData *data, Input *input, GError **error)
{
  if (!ARMILLA_IS_CL (data))
    return armilla_graph_drain (graph, data, take_table, NULL, input, input_free, error);
  input->cl = g_object_ref (ARMILLA_CL (data));
  return armilla_graph_drain (graph, ARMILLA_DATA (input->cl), take_cl, cl_done, input, input_free,
                              error);
}

/* Estimates the bytes of the surface; curves are small. */
double
armilla_render_plot_bytes (ArmillaRender *self, ArmillaData *const *inputs, ArmillaCell cell)
{
  (void) self, (void) inputs;
  return 4.0 * cell.width * cell.width;
}

ArmillaDrawing *
armilla_render_plot_new (void)
{
  Plot *plot = g_new0 (Plot, 1);

  plot->drawing = (ArmillaDrawing) { .finish = finish, .height = height_of, .draw = draw_plot,
                                     .free = plot_free };
  return &plot->drawing;
}

/* Requests all spectra and tables of a plot. */
gboolean
armilla_render_plot_build (ArmillaDrawing *drawing, ArmillaGraph *graph,
                           ArmillaData *const *inputs, GError **error)
{
  Plot *plot = (Plot *) drawing;
  gboolean ok = TRUE;

  plot->figure = figure_of (drawing->stage, drawing->cell);
  for (int i = 0; i < MAX_INPUTS; i++)
    plot->curves[i] = armilla_curves_new ();
  for (int i = 0; ok && i < MAX_INPUTS; i++)
    if (inputs[ARMILLA_RENDER_CL + i] != NULL)
      {
        Input *input = g_new0 (Input, 1);

        *input = (Input) { .plot = plot, .number = i };
        armilla_drawing_expect (drawing);
        ok = drain (graph, inputs[ARMILLA_RENDER_CL + i], input, error);
      }
  return ok;
}
