/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear systems whose matrix is symmetric, positive semidefinite and perhaps singular, such as
 * those of templates that may depend on each other linearly. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Solves @matrix x = @right by the pseudo-inverse: eigenvalues below @tolerance times the largest
 * one count as 0. @matrix: (array length=n*n): symmetric; overwritten. @solution: (array length=n)
 * (out): x, 0 if the matrix is 0. Returns the number of eigenvalues that were used. */
int armilla_pseudo_solve (double *matrix, int n, double tolerance, const double *right,
                          double *solution);

G_END_DECLS
