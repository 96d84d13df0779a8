/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions for g_ptr_array_sort (), g_array_sort () and qsort (). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Compares two pointers to texts. */
int armilla_compare_texts (gconstpointer a, gconstpointer b);

/* Compares two numbers, none of them NaN. */
int armilla_compare_doubles (gconstpointer a, gconstpointer b);

G_END_DECLS
