/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The errors of all functions: what is wrong, where, and what to do about it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ARMILLA_ERROR:
 *
 * The error domain of all of Armilla's functions. A message contains what is wrong, where, and what
 * the user can do.
 */
#define ARMILLA_ERROR (armilla_error_quark ())

/**
 * ArmillaError:
 * @ARMILLA_ERROR_PARSE: a text (workflow, number, unit, header) does not follow its grammar
 * @ARMILLA_ERROR_UNKNOWN: a name (stage, property, node, port, unit, column) is unknown
 * @ARMILLA_ERROR_VALUE: a value is out of its range or does not fit another
 * @ARMILLA_ERROR_SHAPE: data have the wrong shape (grid, lmax, number of fields)
 * @ARMILLA_ERROR_IO: a file is unreadable, unwritable or damaged
 * @ARMILLA_ERROR_MEMORY: out of memory
 * @ARMILLA_ERROR_NO_WORKER: no worker can run a task
 * @ARMILLA_ERROR_CUDA: a CUDA call failed
 * @ARMILLA_ERROR_MPI: an MPI call failed, or ranks disagree
 * @ARMILLA_ERROR_NUMERIC: NaN or infinity in a value, or values from which nothing can be computed
 * @ARMILLA_ERROR_CANCELLED: the user stopped the run
 * @ARMILLA_ERROR_CONVERGENCE: an iteration does not converge
 *
 * Error codes, distinguished by what the user can do about the error.
 */
typedef enum {
  ARMILLA_ERROR_PARSE,
  ARMILLA_ERROR_UNKNOWN,
  ARMILLA_ERROR_VALUE,
  ARMILLA_ERROR_SHAPE,
  ARMILLA_ERROR_IO,
  ARMILLA_ERROR_MEMORY,
  ARMILLA_ERROR_NO_WORKER,
  ARMILLA_ERROR_CUDA,
  ARMILLA_ERROR_MPI,
  ARMILLA_ERROR_NUMERIC,
  ARMILLA_ERROR_CANCELLED,
  ARMILLA_ERROR_CONVERGENCE
} ArmillaError;

/**
 * armilla_error_quark:
 *
 * Returns: the quark of the error domain %ARMILLA_ERROR
 */
GQuark armilla_error_quark (void);

/**
 * armilla_fail:
 * @error: (out) (optional): return location
 * @code: an #ArmillaError
 * @...: a printf() format and its arguments
 *
 * Sets an error of the domain %ARMILLA_ERROR.
 *
 * Returns: %FALSE, so that a failing function can return the value of this macro
 */
#define armilla_fail(error, code, ...) \
  (g_set_error ((error), ARMILLA_ERROR, (gint) (code), __VA_ARGS__), FALSE)

/**
 * armilla_fail_null:
 * @error: (out) (optional): return location
 * @code: an #ArmillaError
 * @...: a printf() format and its arguments
 *
 * Like armilla_fail(), for functions that return a pointer.
 *
 * Returns: %NULL
 */
#define armilla_fail_null(error, code, ...) \
  (g_set_error ((error), ARMILLA_ERROR, (gint) (code), __VA_ARGS__), NULL)

G_END_DECLS
