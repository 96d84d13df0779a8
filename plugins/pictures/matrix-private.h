/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of matrices: a panel for each of several matrices of one shape. */
#pragma once

#include "plugins/pictures/plot-private.h"

G_BEGIN_DECLS

#define ARMILLA_MAX_MATRICES 16

/* The layout of panels, in points. */
typedef struct {
  int n, columns;
  int width, height;             /* size of a panel's elements */
  /* sizes of letters and title; distances of adjacent panels, horizontally and vertically */
  double letter, title, cell, row;
  double bar;                    /* top of the colour bar */
  int total;                     /* height of the picture */
} ArmillaMatrixLayout;

ArmillaMatrixLayout armilla_matrix_layout (const ArmillaMatrixHeader *header, int n, int width,
                                           int columns, gboolean titled);
ArmillaFrame armilla_matrix_frame (const ArmillaMatrixLayout *layout, int panel);

/* Labels and axes of a matrix plot. */
typedef struct {
  const char *title, *unit;      /* may be empty */
  const char *x_label, *y_label; /* NULL: labels of the axes of the matrix */
  int width;
  double table[ARMILLA_PALETTE_SIZE][3];
  ArmillaAxis colours;
} ArmillaMatrixStyle;

/* Sampled elements of the panels, which may be stored in any order. */
typedef struct {
  const ArmillaMatrixHeader *header;
  ArmillaMatrixLayout layout;
  int fields[ARMILLA_MAX_MATRICES]; /* [panel]: field */
  int n_down, n_across;              /* number of sampled elements of a panel */
  double *values;                    /* [panel][down][across]; NaN: not set */
  /* [field]: its diagonal, for correlations; NULL unless correlations are shown */
  double **diagonals;
  /* [panel]: fields with the variances of rows and columns */
  int variances[ARMILLA_MAX_MATRICES][2];
} ArmillaMatrixPicture;

ArmillaMatrixPicture *armilla_matrix_picture_new (const ArmillaMatrixHeader *header,
                                                  const int *fields,
                                                  const ArmillaMatrixLayout *layout);
gboolean armilla_matrix_picture_correlate (ArmillaMatrixPicture *self, GError **error);
void armilla_matrix_picture_put (ArmillaMatrixPicture *self, int field, gint64 row, gint64 n_rows,
                                 gint64 column, gint64 n_columns, const double *values);
void armilla_matrix_picture_colours (ArmillaMatrixPicture *self, double percentile,
                                     ArmillaAxis *colours);
void armilla_matrix_picture_draw (ArmillaMatrixPicture *self, const ArmillaMatrixStyle *style,
                                  cairo_t *cr);
void armilla_matrix_picture_free (ArmillaMatrixPicture *self);

G_END_DECLS
