/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large allocations. Any thread may call these functions. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * armilla_memory_new:
 * @n: number of elements
 * @size: bytes of an element
 * @what: what the memory is for, for the message: "the column \"RA\""
 * @error: return location
 *
 * Allocates an array whose size depends on the input; for sizes that may exceed 1 MiB use this
 * instead of g_new(), which aborts if the allocation fails.
 *
 * Returns: (transfer full) (nullable): zeros, to be freed by g_free(), and never %NULL if @n is 0;
 *   %NULL with %ARMILLA_ERROR_MEMORY ("out of memory") otherwise
 */
gpointer armilla_memory_new (gint64 n, gsize size, const char *what, GError **error);

/**
 * armilla_try_new:
 * @type: type of an element
 * @n: number of elements
 * @what: as for armilla_memory_new()
 * @error: return location
 *
 * Like armilla_memory_new(), with the size and type of the elements.
 *
 * Returns: (transfer full) (nullable): zeros; %NULL on failure
 */
#define armilla_try_new(type, n, what, error)                                                      \
  ((type *) armilla_memory_new ((gint64) (n), sizeof (type), what, error))

G_END_DECLS
