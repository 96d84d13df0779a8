/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of matrices: a panel for each of several of one shape. */
#pragma once

#include "plugins/pictures/plot-private.h"

G_BEGIN_DECLS

#define ARMILLA_MAX_MATRICES 16

/* Where panels are, in points. */
typedef struct {
  int n, columns;
  int width, height;             /* of a panel's elements */
  double letter, title, cell, row; /* cell, row: from one panel to the next */
  double bar;                    /* top of the bar of colours */
  int total;                     /* height of the picture */
} ArmillaMatrixLayout;

ArmillaMatrixLayout armilla_matrix_layout (const ArmillaMatrixHeader *header, int n, int width,
                                           int columns, gboolean titled);
ArmillaFrame armilla_matrix_frame (const ArmillaMatrixLayout *layout, int panel);

/* What a picture of matrices says beside their elements. */
typedef struct {
  const char *title, *unit;      /* may be empty */
  const char *x_label, *y_label; /* (nullable): NULL: what the axes say */
  int width;
  double table[ARMILLA_PALETTE_SIZE][3];
  ArmillaAxis colours;
} ArmillaMatrixStyle;

/* Elements of some fields while they come in any order: as many as there are points. */
typedef struct {
  const ArmillaMatrixHeader *header;
  ArmillaMatrixLayout layout;
  int fields[ARMILLA_MAX_MATRICES]; /* by panel */
  int n_down, n_across;              /* elements that a panel shows */
  double *values;                    /* [panel][down][across]; NaN: not there */
  double **diagonals;                /* (nullable): by field, those to divide by */
  int variances[ARMILLA_MAX_MATRICES][2]; /* by panel: fields of which to take the diagonals */
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
