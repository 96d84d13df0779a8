/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolative decomposition on the CPU, by LAPACK. */
#pragma once

#include <stdint.h>

int64_t armilla_interpolative_work (int64_t max_rows, int64_t max_columns);
const char *armilla_interpolative (double *a, int64_t ld, int64_t n_rows, int64_t n, double limit,
                                   int32_t *pivots, int64_t *rank, double *work, int64_t n_work);
