/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdio.h>

#include <cairo.h>

#include <armilla/armilla.h>

G_BEGIN_DECLS

typedef enum {
  ARMILLA_PALETTE_SKY,
  ARMILLA_PALETTE_THERMAL,
  ARMILLA_PALETTE_GREY,
  ARMILLA_PALETTE_LEAF,
  ARMILLA_PALETTE_OCEAN,
  ARMILLA_PALETTE_BALANCE,
  ARMILLA_PALETTE_HEATHER,
  ARMILLA_PALETTE_PHASE,
  ARMILLA_PALETTES
} ArmillaPalette;

/* Names of the palettes, for properties. */
extern const char *const armilla_palette_names[];

typedef enum {
  ARMILLA_SCALE_LINEAR,
  ARMILLA_SCALE_LOG,
  ARMILLA_SCALE_SYMLOG,    /* linear about 0, logarithmic farther out */
  ARMILLA_SCALE_LOG_LINEAR /* logarithmic below a value, linear above */
} ArmillaScale;

#define ARMILLA_PALETTE_SIZE 256
/* Grey level of pixels without data; no palette except grey contains it. */
#define ARMILLA_UNSEEN_LEVEL 0.65

/* Fills 256 colours: red, green, blue from 0 to 1. */
void armilla_palette_fill (ArmillaPalette palette, double table[ARMILLA_PALETTE_SIZE][3]);
gboolean armilla_palette_is_diverging (ArmillaPalette palette);
gboolean armilla_palette_read (const char *path, double table[ARMILLA_PALETTE_SIZE][3],
                               GError **error);

/* An axis from @low to @high. @at is the value where the scale changes: a symmetric axis is linear
 * between -@at and @at and logarithmic beyond; a log-linear axis is logarithmic below @at and
 * linear above. */
typedef struct {
  ArmillaScale scale;
  double low, high, at;
} ArmillaAxis;

double armilla_axis_place (const ArmillaAxis *axis, double value);
gboolean armilla_axis_check (const ArmillaAxis *axis, const char *name, GError **error);

typedef struct {
  double value;
  char *label; /* formula; NULL: a minor tick */
} ArmillaTick;

GArray *armilla_ticks_new (void);
GArray *armilla_axis_ticks (const ArmillaAxis *axis, int about, int *exponent);

/* Functions of colour axes and colour bars. */
void armilla_colours_range (ArmillaAxis *colours, double *values, gsize n, double percentile);
void armilla_colours_centre (ArmillaAxis *colours);
int armilla_colours_find (const ArmillaAxis *colours, double value);
void armilla_colours_pack (const double table[ARMILLA_PALETTE_SIZE][3],
                           guint32 packed[ARMILLA_PALETTE_SIZE + 1]);
void armilla_colours_bar (const double table[ARMILLA_PALETTE_SIZE][3], const ArmillaAxis *colours,
                          const char *unit, double left, double top, double length, double size,
                          cairo_t *cr);

/* A picture of one field of a map. Each point shows the nearest pixel; pixels may be stored in any
 * order. The memory is proportional to the number of points, not of pixels. */
typedef struct _ArmillaSky ArmillaSky;

void armilla_sky_to_decades (ArmillaSky *self, double unit, double decades);
void armilla_sky_put (ArmillaSky *self, gint64 first, gint64 n, const double *pixels);
void armilla_sky_range (ArmillaSky *self, double percentile, double *low, double *high);
void armilla_sky_colours (ArmillaSky *self, double percentile, ArmillaAxis *colours);
cairo_surface_t *armilla_sky_paint (ArmillaSky *self, ArmillaPalette palette, double low,
                                    double high);
cairo_surface_t *armilla_sky_paint_table (ArmillaSky *self,
                                          const double table[ARMILLA_PALETTE_SIZE][3],
                                          const ArmillaAxis *colours);
double armilla_sky_bytes (double n_points);
void armilla_sky_free (ArmillaSky *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaSky, armilla_sky_free)

/* Return ticks at 1, 2 or 5 times a power of ten, and their labels. */
GArray *armilla_ticks (double low, double high, int about);
char *armilla_tick_label (double value);
int armilla_bar_exponent (double low, double high);
char *armilla_bar_unit (int exponent, const char *unit);
double armilla_letter (double width, int columns);
int armilla_panel_columns (int n);
void armilla_text (cairo_t *cr, const char *text, double x, double y, double size, double align_x,
                   double align_y);

/* Draw text with subscripts, _{}, superscripts, ^{}, and slanted letters, *{}. */
double armilla_formula_width (cairo_t *cr, const char *formula, double size);
void armilla_formula (cairo_t *cr, const char *formula, double x, double y, double size,
                      double align_x, double align_y);
char *armilla_unit_formula (const char *unit);

typedef enum { ARMILLA_PICTURE_PNG, ARMILLA_PICTURE_SVG, ARMILLA_PICTURE_PDF } ArmillaPictureKind;

/* Draws a picture on a surface, whose contents the caller then writes to a file. */
typedef gboolean (*ArmillaDraw) (gpointer user, cairo_t *cr, GError **error);

gboolean armilla_png_write (cairo_surface_t *surface, FILE *file);
gboolean armilla_picture_kind (const char *path, ArmillaPictureKind *kind, GError **error);
gboolean armilla_picture_write (ArmillaOutput *output, ArmillaPictureKind kind, int width,
                                int height, ArmillaDraw draw, gpointer user, GError **error);

G_END_DECLS
