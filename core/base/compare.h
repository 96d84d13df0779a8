/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions for g_ptr_array_sort (), g_array_sort () and qsort (). */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* Compares two pointers to texts. */
static inline int
armilla_compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Compares two numbers, none of them NaN. */
static inline int
armilla_compare_doubles (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

G_END_DECLS
