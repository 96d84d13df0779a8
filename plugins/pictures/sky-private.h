/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of maps: projections, overlays, and parallel loops. */
#pragma once

#include "plugins/pictures/plot-private.h"

G_BEGIN_DECLS

typedef enum {
  ARMILLA_PROJECTION_MOLLWEIDE,
  ARMILLA_PROJECTION_ORTHOGRAPHIC,
  /* two orthographic pictures; the hemisphere around the centre is on the left */
  ARMILLA_PROJECTION_HEMISPHERES,
  ARMILLA_PROJECTION_GNOMONIC,
  ARMILLA_PROJECTION_CARTESIAN
} ArmillaProjectionKind;

/* The view of the sky: longitude increases to the left, north is up at the centre. */
typedef struct {
  ArmillaProjectionKind kind;
  double longitude, latitude; /* direction of the centre, radian */
  double size;                /* side of a gnomonic or cartesian picture, radian; 0: whole sky */
  double width, height;       /* extent of a cartesian picture of a part of the sky, radian; or 0 */
  double middle;              /* latitude at half of that height, radian; then latitude is 0 */
} ArmillaProjection;

void armilla_mollweide (double longitude, double latitude, double *x, double *y);
void armilla_projection_extent (const ArmillaProjection *self, double *u, double *v);
gboolean armilla_projection_is_square (const ArmillaProjection *self);
void armilla_projection_frame (const ArmillaProjection *self, double frame[3][3]);
gboolean armilla_projection_vector (const ArmillaProjection *self, const double frame[3][3],
                                    double u, double v, double vector[3]);
gboolean armilla_projection_point (const ArmillaProjection *self, const double frame[3][3],
                                   const double vector[3], double *u, double *v);
int armilla_projection_height (const ArmillaProjection *self, int width);

/* A pixel of a map, and the index of a sample that shows it. */
typedef struct {
  gint64 pixel;
  guint32 at;
} ArmillaSkySample;

/* Samples of a map. They are sorted into buckets by pixel number, so that arriving pixels find
 * their samples. */
typedef struct {
  gsize n;
  ArmillaSkySample *samples;
  double *values;    /* value of each sample */
  gint64 per_bucket; /* number of pixels per bucket */
  gsize n_buckets;
  gsize *starts;     /* [n_buckets + 1]: first sample of each bucket */
} ArmillaSkySamples;

ArmillaSkySamples *armilla_sky_samples_new (const gint64 *pixels, gsize n_places, gint64 n_pixels,
                                            GError **error);
void armilla_sky_samples_put (ArmillaSkySamples *self, gint64 first, gint64 n,
                              const double *pixels);
void armilla_sky_samples_free (ArmillaSkySamples *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaSkySamples, armilla_sky_samples_free)

ArmillaSky *armilla_sky_new_projection (ArmillaGrid *part, const ArmillaProjection *projection,
                                        int width, GError **error);

/* The objects of a catalogue on a map. */
typedef struct _ArmillaSkyMarks ArmillaSkyMarks;

#define ARMILLA_SKY_CATALOGUES 3

/* Contour lines of a map. */
typedef struct _ArmillaContours ArmillaContours;

#define ARMILLA_MAX_LEVELS 32

/* A point of a contour line. Its coordinates are in distances of mesh nodes from the upper left
 * corner. */
typedef struct {
  gboolean begins; /* whether a line begins here */
  double x, y;
} ArmillaContourPoint;

/* Annotations and style of a picture of a map. Strings may be empty. */
typedef struct {
  const char *title;
  const char *unit;
  int width;
  double larger; /* fraction by which letters and margins are larger than in a single picture */
  ArmillaProjection projection;
  double table[ARMILLA_PALETTE_SIZE][3]; /* colours */
  ArmillaAxis colours;
  gboolean graticule;
  ArmillaSkyMarks *marks[ARMILLA_SKY_CATALOGUES]; /* (nullable) */
  ArmillaContours *contours;                      /* (nullable) */
  GArray *legend;                                 /* (nullable): legend of catalogues or contours */
} ArmillaSkyStyle;


/* The rectangle of the sky in a picture, in points. */
typedef struct {
  double left, top;
  int width, height;
} ArmillaSkyBox;

ArmillaContours *armilla_contours_new (ArmillaGrid *part, const ArmillaProjection *projection,
                                       int width, GError **error);
double armilla_contours_bytes (double n_points);
void armilla_contours_put (ArmillaContours *self, gint64 first, gint64 n, const double *pixels);
void armilla_contours_end (ArmillaContours *self, const double *levels, int n);
const double *armilla_contours_levels (const ArmillaContours *self, int *n);
const GArray *armilla_contours_lines (const ArmillaContours *self);
void armilla_contours_draw (const ArmillaContours *self, const ArmillaSkyBox *box, double width,
                            cairo_t *cr);
void armilla_contours_free (ArmillaContours *self);

double armilla_sky_letter (const ArmillaSkyStyle *style);
double armilla_sky_title (const ArmillaSkyStyle *style, double *legend);
gboolean armilla_sky_has_legend (const ArmillaSkyStyle *style);
double armilla_sky_bar_top (const ArmillaSkyStyle *style);
ArmillaSkyBox armilla_sky_box (const ArmillaSkyStyle *style);
int armilla_sky_height (const ArmillaSkyStyle *style);
void armilla_sky_draw (ArmillaSky *self, const ArmillaSkyStyle *style, cairo_t *cr);

ArmillaSkyMarks *armilla_sky_marks_new (const ArmillaProjection *projection,
                                        const ArmillaSkyBox *box, ArmillaMark mark,
                                        const double colour[3]);
double armilla_sky_marks_bytes (double n_points);
void armilla_sky_marks_put (ArmillaSkyMarks *self, gint64 n, const double *x, const double *y,
                            const double *z);
gint64 armilla_sky_marks_count (const ArmillaSkyMarks *self);
void armilla_sky_marks_draw (const ArmillaSkyMarks *self, const ArmillaSkyBox *box, double width,
                             cairo_t *cr);
void armilla_sky_marks_free (ArmillaSkyMarks *self);

void armilla_sky_outline (const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr);
void armilla_sky_graticule (const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr);
void armilla_sky_axes (const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr);
void armilla_sky_scale_bar (const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr);

/* Processes a part of the items of armilla_in_threads (). */
typedef void (*ArmillaRange) (gpointer user, gint64 first, gint64 n);
void armilla_in_threads (gint64 n, gint64 min_piece, ArmillaRange work, gpointer user);

G_END_DECLS
