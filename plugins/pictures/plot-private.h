/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots: curves in frames with axes. */
#pragma once

#include "plugins/pictures/render-private.h"

G_BEGIN_DECLS

/* A frame in points, and its axes. */
typedef struct {
  double left, top, width, height;
  ArmillaAxis x, y;
} ArmillaFrame;

double armilla_frame_x (const ArmillaFrame *frame, double value);
double armilla_frame_y (const ArmillaFrame *frame, double value);
void armilla_frame_numbers (const ArmillaFrame *frame, cairo_t *cr, double size,
                            const GArray *ticks, gboolean horizontal);
void armilla_frame_axes (const ArmillaFrame *frame, cairo_t *cr, double size, gboolean numbers,
                         int *exponent);

/* Markers and line styles; lines first. */
typedef enum {
  ARMILLA_MARK_LINE,
  ARMILLA_MARK_DASHED,
  ARMILLA_MARK_DOTTED,
  ARMILLA_MARK_DASH_DOTTED,
  ARMILLA_MARK_STEPS,
  ARMILLA_MARK_CIRCLE,
  ARMILLA_MARK_SQUARE,
  ARMILLA_MARK_TRIANGLE,
  ARMILLA_MARK_DIAMOND
} ArmillaMark;

gboolean armilla_mark_is_line (ArmillaMark mark);
void armilla_mark_dash (cairo_t *cr, ArmillaMark mark, double size);
void armilla_mark_path (cairo_t *cr, ArmillaMark mark, double x, double y, double radius);
void armilla_mark_draw (cairo_t *cr, ArmillaMark mark, gboolean hollow, double x, double y,
                        double radius);

/* Quantity on the horizontal axis of a curve. */
typedef enum {
  ARMILLA_CURVE_MULTIPOLES,
  ARMILLA_CURVE_ANGLES,
  ARMILLA_CURVE_HISTOGRAM,
  ARMILLA_CURVE_OTHER
} ArmillaCurveKind;

/* A curve, or points with errors. The members up to error are its data, the others its style. */
typedef struct {
  ArmillaCurveKind kind;
  int input;            /* index of its input, from 0 */
  char *name;           /* name in its table or spectra, such as xi_plus */
  char *group; /* its quantity, such as TT or w; curves of several inputs may have the same */
  char *formula;        /* label of that quantity on an axis */
  char *unit;
  char *x_label;
  gint64 n;
  double *x, *y;        /* y may be NaN (missing) */
  double *low, *high;   /* (nullable): edges of the bins */
  double *error;        /* (nullable): one standard deviation */
  gboolean data;        /* whether it is drawn by markers instead of a line */
  gboolean bars;        /* whether it is a histogram with bars from low to high */
  double colour[3];
  ArmillaMark mark;
  int panel;
  double aside; /* distance by which points are shifted to the right, in points of the picture */
} ArmillaCurve;

GArray *armilla_curves_new (void);
ArmillaCurve *armilla_curves_add (GArray *curves, ArmillaCurveKind kind, int input,
                                  const char *group, const char *formula, gint64 n);

/* Scaling of a plotted spectrum. */
typedef enum { ARMILLA_QUANTITY_DL, ARMILLA_QUANTITY_CL } ArmillaSpectrumQuantity;

char *armilla_spectrum_formula (ArmillaSpectrumQuantity quantity, const char *name,
                                gboolean written_out);
void armilla_curves_add_spectrum (GArray *curves, int input, const char *name, const char *unit,
                                  const double *values, gint64 lmax,
                                  ArmillaSpectrumQuantity quantity);
gboolean armilla_curves_add_table (GArray *curves, int input, const ArmillaTable *table,
                                   ArmillaSpectrumQuantity quantity, GError **error);

gboolean armilla_colour_parse (const char *text, double rgb[3], GError **error);
const double *armilla_plot_colour (int number);

typedef enum {
  ARMILLA_RESIDUALS_NONE,
  ARMILLA_RESIDUALS_DIFFERENCE,
  ARMILLA_RESIDUALS_SIGMA,
  ARMILLA_RESIDUALS_RATIO
} ArmillaResiduals;

/* Selection, names and colours of curves; texts may be NULL. */
typedef struct {
  const char *spectra, *labels, *colours;
  const char *const *inputs; /* (array): default names of the inputs */
  gboolean panels;           /* a panel per spectrum */
} ArmillaPlotStyle;

#define ARMILLA_MAX_PANELS 24

/* A plot: its curves, and how they are arranged. */
typedef struct {
  const char *title;
  const char *unit; /* (nullable): unit on the axis; NULL: that of the curves */
  const char *x_label, *y_label; /* (nullable): formulas; NULL: labels of the curves */
  /* columns: number of pictures of this width side by side on the page; 0: one */
  int width, columns;
  double height;      /* height in points; 0: computed from width and panels */
  ArmillaAxis x, y; /* axes; low and high are NaN if they are chosen from the data */
  gboolean x_given; /* whether the user set the scale; otherwise it depends on the kind of curves */
  ArmillaResiduals residuals;
  ArmillaSpectrumQuantity quantity;
  GArray *curves;
  GArray *legend;
  GArray *shown; /* (nullable): legend rows already on the page */
  int n_panels;
  double beside, above; /* width of a legend on the right, and height of a legend below the title */
} ArmillaFigure;

gboolean armilla_figure_arrange (ArmillaFigure *self, const ArmillaPlotStyle *style,
                                 GError **error);
void armilla_figure_clear (ArmillaFigure *self);
int armilla_figure_height (const ArmillaFigure *self);
double armilla_figure_letter (const ArmillaFigure *self);
ArmillaFrame armilla_figure_frame (const ArmillaFigure *self, int panel, gboolean residuals);
gboolean armilla_figure_range (ArmillaFigure *self, GError **error);
gboolean armilla_figure_y_range (const ArmillaFigure *self, int panel, ArmillaAxis *y,
                                 GError **error);
gboolean armilla_figure_draw (ArmillaFigure *self, cairo_t *cr, GError **error);
void armilla_curves_spread (GArray *curves, int panel, const ArmillaFrame *frame, double size);
void armilla_curve_draw (const ArmillaCurve *curve, const ArmillaFrame *frame, cairo_t *cr,
                         double size);
gboolean armilla_curve_is_negative (const ArmillaCurve *curve, const ArmillaFrame *frame,
                                    gboolean *line);
GArray *armilla_residuals (const ArmillaFigure *self, int panel);
const char *armilla_residuals_label (ArmillaResiduals residuals);

/* Draws data within a frame. */
typedef void (*ArmillaInk) (gconstpointer user, const ArmillaFrame *frame, cairo_t *cr);

/* Labels of negative values on a logarithmic axis. */
#define ARMILLA_NEGATIVE_POINTS "hollow: negative"
#define ARMILLA_NEGATIVE_LINES "dashed: negative"

GArray *armilla_legend_new (void);
void armilla_legend_add (GArray *legend, ArmillaMark mark, gboolean hollow, const double *colour,
                         const char *text);
gboolean armilla_legend_has (const GArray *legend, const GArray *rows);
void armilla_legend_append (GArray *legend, const GArray *rows);
gboolean armilla_legend_place (GArray *legend, const ArmillaFrame *frame, cairo_t *cr, double size,
                               ArmillaInk ink, gconstpointer user);
double armilla_legend_place_beside (GArray *legend, cairo_t *cr, double size, double right,
                                    double top);
double armilla_legend_place_above (GArray *legend, cairo_t *cr, double size, double middle,
                                   double top, double width);
void armilla_legend_draw (const GArray *legend, cairo_t *cr);

G_END_DECLS
