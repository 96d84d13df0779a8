/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/kernels/kernel.h"

G_BEGIN_DECLS

/* Either a window or a spline, depending on the constructor. */
struct _ArmillaKernel {
  gint references;
  char *text;
  double support; /* radian */
  double *window; /* [lmax + 1]; NULL for a spline */
  gint64 lmax;
  double *knots, *values, *bends; /* [n_knots]: chords, K, and its second derivative */
  gint64 n_knots;
};

/* Nodes of a quadrature: chords, and weights of the values there in an integral over the sphere. */
typedef struct {
  double *chord, *weight;
  gint64 n, size;
} ArmillaKernelNodes;

void armilla_kernel_nodes_clear (ArmillaKernelNodes *nodes);
void armilla_kernel_nodes_add (ArmillaKernelNodes *nodes, double from, double to, int n);
void armilla_kernel_nodes_integrate (const ArmillaKernelNodes *nodes, const double *values,
                                     gint64 lmax, double *window);
double armilla_kernel_frequency (const ArmillaKernel *kernel);
void armilla_kernel_continued (const ArmillaKernel *kernel, const double *chord, gint64 n,
                               double *value);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaKernelNodes, armilla_kernel_nodes_clear)

G_END_DECLS
