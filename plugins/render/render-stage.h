/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage render: declarations shared by its files. */
#pragma once

#include "plugins/base/stage-util.h"
#include "plugins/pictures/plot-private.h"
#include "plugins/pictures/sky-private.h"

G_BEGIN_DECLS

/* Maximum inputs of one kind. */
#define ARMILLA_RENDER_INPUTS 4

/* Indices of the ports. */
enum {
  ARMILLA_RENDER_MAP = 0,
  ARMILLA_RENDER_CONTOURS,
  ARMILLA_RENDER_CATALOGUE,
  ARMILLA_RENDER_MATRIX = ARMILLA_RENDER_CATALOGUE + ARMILLA_SKY_CATALOGUES,
  ARMILLA_RENDER_COVARIANCE,
  ARMILLA_RENDER_CL,
  ARMILLA_RENDER_TABLE = ARMILLA_RENDER_CL + ARMILLA_RENDER_INPUTS,
  ARMILLA_RENDER_PORTS = ARMILLA_RENDER_TABLE + ARMILLA_RENDER_INPUTS
};

/* The properties of a picture. */
struct _ArmillaRender {
  ArmillaStage parent_instance;
  char *file, *field, *title, *unit, *spectra, *labels, *colours, *x_label, *y_label;
  char *palette_file, *levels;
  char **sources; /* [input]: name of its node, or of the port */
  double min, max, percentile, centre, latitude, size;
  double x_min, x_max, x_threshold, y_threshold, colour_threshold;
  ArmillaPalette palette;
  ArmillaProjectionKind projection;
  gboolean graticule, panels, correlation;
  int width;
  ArmillaScale x_scale, y_scale, colour_scale;
  ArmillaSpectrumQuantity quantity;
  ArmillaResiduals residuals;
  ArmillaPictureKind kind;
  GArray *chosen; /* (nullable): fields of the map */
  ArmillaStageOutput *output;
};

typedef struct _ArmillaRender ArmillaRender;

#define ARMILLA_PAGE_MAX 24

/* Size of a picture on a page: width in points, and number of pictures of this width side by
 * side. */
typedef struct {
  int width, columns;
} ArmillaCell;

typedef struct _ArmillaPage ArmillaPage;

/* A picture that is drawn once all of its data have arrived. */
typedef struct _ArmillaDrawing ArmillaDrawing;
struct _ArmillaDrawing {
  ArmillaPage *page;    /* page that it belongs to */
  ArmillaRender *stage; /* properties of the picture */
  ArmillaCell cell;
  gboolean (*finish) (ArmillaDrawing *self, GError **error); /* called when all data have arrived,
                                                              * before drawing */
  /* returns the height in points; @room: height of the row; 0: returns the default */
  int (*height) (ArmillaDrawing *self, int room);
  gboolean (*draw) (ArmillaDrawing *self, cairo_t *cr, GError **error); /* draws at that height */
  void (*free) (ArmillaDrawing *self);
};

ArmillaPage *armilla_page_new (ArmillaStage *writer, ArmillaStageOutput *output,
                               ArmillaPictureKind kind, ArmillaCell cell, const char *title);
void armilla_page_add (ArmillaPage *self, ArmillaDrawing *drawing, ArmillaRender *stage,
                       const char *name);
void armilla_page_unref (ArmillaPage *self);
void armilla_drawing_expect (ArmillaDrawing *self);
void armilla_drawing_unref (gpointer drawing);
GArray *armilla_drawing_legend (ArmillaDrawing *self);
GMutex *armilla_drawing_lock (ArmillaDrawing *self);
gboolean armilla_drawing_is_own (ArmillaDrawing *self);
gboolean armilla_drawing_part_done (ArmillaDrawing *self, GError **error);

/* Functions for a picture of any kind on a page. */
gboolean armilla_render_prepare (ArmillaRender *self, const ArmillaStageContext *context,
                                 ArmillaData *const *inputs, GError **error);
double armilla_render_bytes (ArmillaRender *self, ArmillaData *const *inputs, ArmillaCell cell);
gboolean armilla_render_build (ArmillaRender *self, ArmillaGraph *graph,
                               ArmillaData *const *inputs, ArmillaPage *page, const char *name,
                               GError **error);

/* Port type "picture": a described picture, output of panel, input of render-panels. */
G_DECLARE_FINAL_TYPE (ArmillaPicture, armilla_picture, ARMILLA, PICTURE, ArmillaData)

struct _ArmillaPicture {
  ArmillaData parent_instance;
  ArmillaRender *stage;
  const char *kind;
  ArmillaData *inputs[ARMILLA_RENDER_PORTS];
  gboolean holds; /* these */
};

ArmillaData *armilla_picture_new (ArmillaRender *stage, ArmillaData *const *inputs,
                                  const char *kind);

const char *armilla_render_given (ArmillaRender *self, const char *property, const char *value);
ArmillaAxis armilla_render_colours (ArmillaRender *self);
gboolean armilla_render_is_centred (ArmillaRender *self);
gboolean armilla_render_palette (ArmillaRender *self, double table[ARMILLA_PALETTE_SIZE][3],
                                 GError **error);

gboolean armilla_render_plot_check (ArmillaRender *self, ArmillaData *const *inputs,
                                    GError **error);
double armilla_render_plot_bytes (ArmillaRender *self, ArmillaData *const *inputs,
                                  ArmillaCell cell);
ArmillaDrawing *armilla_render_plot_new (void);
gboolean armilla_render_plot_build (ArmillaDrawing *drawing, ArmillaGraph *graph,
                                    ArmillaData *const *inputs, GError **error);
gboolean armilla_render_map_check (ArmillaRender *self, ArmillaData *const *inputs,
                                   GError **error);
double armilla_render_map_bytes (ArmillaRender *self, ArmillaData *const *inputs,
                                 ArmillaCell cell);
ArmillaDrawing *armilla_render_map_new (void);
gboolean armilla_render_map_build (ArmillaDrawing *drawing, ArmillaGraph *graph,
                                   ArmillaData *const *inputs, GError **error);
gboolean armilla_render_marks_check (ArmillaRender *self, ArmillaData *const *inputs,
                                     GError **error);
GArray *armilla_render_levels (ArmillaRender *self, GError **error);
char *armilla_render_levels_name (const ArmillaContours *contours, const char *name,
                                  const char *unit);
void armilla_render_marks_new (ArmillaRender *self, ArmillaData *const *inputs,
                               ArmillaSkyStyle *style);
gboolean armilla_render_marks_put (ArmillaSkyStyle *style, const char *coordsys,
                                   ArmillaCatalogue *const *catalogues, GError **error);
gboolean armilla_render_matrix_check (ArmillaRender *self, ArmillaData *const *inputs,
                                      GError **error);
double armilla_render_matrix_bytes (ArmillaRender *self, ArmillaData *const *inputs,
                                    ArmillaCell cell);
ArmillaDrawing *armilla_render_matrix_new (void);
gboolean armilla_render_matrix_build (ArmillaDrawing *drawing, ArmillaGraph *graph,
                                      ArmillaData *const *inputs, GError **error);
/* Draws and writes a complete picture, for all stages that draw. */
gboolean armilla_render_write (ArmillaStageOutput *output, ArmillaPictureKind kind, int width,
                               int height, ArmillaDraw draw, gpointer user, GError **error);

G_END_DECLS
