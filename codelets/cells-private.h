/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that build cells share. */
#pragma once

#include "codelets/cells.h"

/* An object on its way into order. */
typedef struct {
  uint64_t key;
  int64_t object;
} ArmillaKeyed;

/* Runs body (user, i) for i = 0..n-1 on @n_threads threads. */
typedef void (*ArmillaCellsBody) (void *user, int64_t i);
void armilla_cells_parallel (int n_threads, int64_t n, ArmillaCellsBody body, void *user);

/* The place of a point along a curve that fills the sphere: neighbours on it are near. */
uint64_t armilla_cells_key (double x, double y, double z);
/* Objects in the order of (patch, key); first: [n_patches + 1], the first object of each patch.
 * NULL: no memory. */
ArmillaKeyed *armilla_cells_sort (const ArmillaCellsInput *input, int n_threads, int64_t *first);
