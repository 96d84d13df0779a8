/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/compare.h"

#include <string.h>

int
armilla_compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

int
armilla_compare_doubles (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}
