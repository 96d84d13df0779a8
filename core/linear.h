/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

/* Largest system; remove-monopole with the dipole needs 4. */
#define ARMILLA_SPD_MAX 8

gboolean armilla_solve_spd (int n, const double *a, const double *b, double *x, GError **error);
