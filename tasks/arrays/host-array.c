/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "tasks/arrays/host-array.h"

static gint64
bytes_of_real (const ArmillaArray *array)
{
  return array->type == ARMILLA_FLOAT64 ? 8 : 4;
}

static gboolean
check_axis (const char *name, const char *what, gint64 has, gint64 wanted, GError **error)
{
  if (has == wanted)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "%s: it has %" G_GINT64_FORMAT " %s; it must have %" G_GINT64_FORMAT, name,
                       has, what, wanted);
}

/**
 * armilla_host_array_check:
 * @name: what the caller calls it
 * @array: (nullable): an array
 * @complex: whether its numbers are complex
 * @copies: how many it must have
 * @components: how many each must have
 * @numbers: how many each must have
 * @error: return location
 *
 * Returns: whether it is an array of that shape; %ARMILLA_ERROR_SHAPE or %ARMILLA_ERROR_VALUE
 */
gboolean
armilla_host_array_check (const char *name, const ArmillaArray *array, gboolean complex,
                          gint64 copies, gint64 components, gint64 numbers, GError **error)
{
  if (!array || !array->data)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: there is no array", name);
  if (array->type != ARMILLA_FLOAT64 && array->type != ARMILLA_FLOAT32)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: its type is %d; it must be ARMILLA_FLOAT64 or ARMILLA_FLOAT32", name,
                         (int) array->type);
  for (int i = 0; i < 3; i++)
    if (array->strides[i] % bytes_of_real (array) != 0)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "%s: a stride of %" G_GINT64_FORMAT " bytes is no multiple of a "
                           "number's size", name, array->strides[i]);
  return check_axis (name, "copies", array->shape[0], copies, error)
         && check_axis (name, "components", array->shape[1], components, error)
         && check_axis (name, complex ? "coefficients" : "numbers", array->shape[2], numbers,
                        error);
}

/* The bytes that an array reaches. */
static void
reach (const ArmillaArray *array, gboolean complex, gintptr *begin, gintptr *end)
{
  *begin = (gintptr) array->data;
  *end = *begin + (complex ? 2 : 1) * bytes_of_real (array);
  for (int i = 0; i < 3; i++)
    {
      gint64 most = (array->shape[i] - 1) * array->strides[i];

      *begin += MIN (most, 0);
      *end += MAX (most, 0);
    }
}

/**
 * armilla_host_arrays_apart:
 * @name_in: what the caller calls the input
 * @in: an array that is read
 * @in_complex: whether its numbers are complex
 * @name_out: what the caller calls the output
 * @out: an array that is written
 * @out_complex: whether its numbers are complex
 * @error: return location
 *
 * Returns: whether they share no memory; %ARMILLA_ERROR_VALUE otherwise
 */
gboolean
armilla_host_arrays_apart (const char *name_in, const ArmillaArray *in, gboolean in_complex,
                           const char *name_out, const ArmillaArray *out, gboolean out_complex,
                           GError **error)
{
  gintptr in_begin, in_end, out_begin, out_end;

  reach (in, in_complex, &in_begin, &in_end);
  reach (out, out_complex, &out_begin, &out_end);
  if (in_end <= out_begin || out_end <= in_begin)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s: it overlaps %s in memory; give it memory of its own", name_out,
                       name_in);
}

/* A row: numbers of one component, each of @n_reals. */
typedef struct {
  char *data;
  gint64 stride;
  ArmillaArrayType type;
  int n_reals;
} Row;

static gboolean
is_whole (const Row *row)
{
  return row->type == ARMILLA_FLOAT64 && row->stride == 8 * row->n_reals;
}

static void
read_row (const Row *row, double *to, gint64 n)
{
  if (is_whole (row))
    memcpy (to, row->data, sizeof (double) * (gsize) (n * row->n_reals));
  else if (row->type == ARMILLA_FLOAT64)
    for (gint64 i = 0; i < n; i++)
      memcpy (to + i * row->n_reals, row->data + i * row->stride,
              sizeof (double) * (gsize) row->n_reals);
  else
    for (gint64 i = 0; i < n; i++)
      for (int part = 0; part < row->n_reals; part++)
        to[i * row->n_reals + part] = ((const float *) (row->data + i * row->stride))[part];
}

static void
write_row (const Row *row, const double *from, gint64 n)
{
  if (is_whole (row))
    memcpy (row->data, from, sizeof (double) * (gsize) (n * row->n_reals));
  else if (row->type == ARMILLA_FLOAT64)
    for (gint64 i = 0; i < n; i++)
      memcpy (row->data + i * row->stride, from + i * row->n_reals,
              sizeof (double) * (gsize) row->n_reals);
  else
    for (gint64 i = 0; i < n; i++)
      for (int part = 0; part < row->n_reals; part++)
        ((float *) (row->data + i * row->stride))[part] = (float) from[i * row->n_reals + part];
}

/* Where number @first of a field lies; FALSE where the array has no such component. */
static gboolean
find_row (const ArmillaHostArray *host, int field, gint64 first, int n_reals, Row *row)
{
  const ArmillaArray *array = &host->array;

  if (host->component[field] >= array->shape[1])
    return FALSE;
  *row = (Row) { .data = (char *) array->data + host->copy[field] * array->strides[0]
                         + host->component[field] * array->strides[1] + first * array->strides[2],
                 .stride = array->strides[2],
                 .type = array->type,
                 .n_reals = n_reals };
  return TRUE;
}

/* documented in armilla/graph.h */
gboolean
armilla_host_array_fill_map (gpointer host, int field, gint64 first, gint64 n, double *pixels,
                             GError **error)
{
  Row row;

  (void) error;
  if (find_row (host, field, first, 1, &row))
    read_row (&row, pixels, n);
  else
    memset (pixels, 0, sizeof (double) * (gsize) n);
  return TRUE;
}

/* documented in armilla/graph.h */
gboolean
armilla_host_array_take_map (gpointer host, int field, gint64 first, gint64 n, double *pixels,
                             GError **error)
{
  Row row;

  (void) error;
  if (find_row (host, field, first, 1, &row))
    write_row (&row, pixels, n);
  return TRUE;
}

static gint64
orders_count (const ArmillaHostArray *host, gint64 m_first, gint64 m_last, gint64 *first)
{
  *first = armilla_alm_index (host->layout.lmax, m_first, m_first);
  return armilla_alm_index (host->layout.lmax, host->layout.lmax, m_last) - *first + 1;
}

static void
multiply (const ArmillaHostArray *host, gint64 m_first, gint64 m_last, double *values)
{
  gint64 i = 0;

  if (!host->factors)
    return;
  for (gint64 m = m_first; m <= m_last; m++)
    for (gint64 l = m; l <= host->layout.lmax; l++, i++)
      {
        values[2 * i] *= host->factors[l];
        values[2 * i + 1] *= host->factors[l];
      }
}

/* documented in armilla/graph.h */
gboolean
armilla_host_array_fill_alm (gpointer host, int field, gint64 m_first, gint64 m_last,
                             double *values, GError **error)
{
  gint64 first, n = orders_count (host, m_first, m_last, &first);
  Row row;

  (void) error;
  if (find_row (host, field, first, 2, &row))
    {
      read_row (&row, values, n);
      multiply (host, m_first, m_last, values);
    }
  else
    memset (values, 0, 2 * sizeof (double) * (gsize) n);
  return TRUE;
}

/* documented in armilla/graph.h */
gboolean
armilla_host_array_take_alm (gpointer host, int field, gint64 m_first, gint64 m_last,
                             double *values, GError **error)
{
  const ArmillaHostArray *self = host;
  gint64 first, n = orders_count (self, m_first, m_last, &first);
  g_autofree double *scaled = NULL;
  Row row;

  (void) error;
  if (!find_row (self, field, first, 2, &row))
    return TRUE;
  if (self->factors)
    {
      scaled = g_memdup2 (values, 2 * sizeof (double) * (gsize) n);
      multiply (self, m_first, m_last, scaled);
    }
  write_row (&row, scaled ? scaled : values, n);
  return TRUE;
}

/* documented in armilla/graph.h */
gboolean
armilla_host_array_fill_cl (gpointer host, double *values, GError **error)
{
  const ArmillaHostArray *self = host;
  const gint64 n = self->array.shape[2];
  Row row;

  (void) error;
  for (int f = 0; f < self->array.shape[1]; f++)
    if (find_row (self, f, 0, 1, &row))
      read_row (&row, values + f * n, n);
  return TRUE;
}

/* documented in armilla/graph.h */
gboolean
armilla_host_array_take_cl (gpointer host, double *values, GError **error)
{
  const ArmillaHostArray *self = host;
  const gint64 n = self->array.shape[2];
  Row row;

  (void) error;
  for (int f = 0; f < self->array.shape[1]; f++)
    if (find_row (self, f, 0, 1, &row))
      write_row (&row, values + f * n, n);
  return TRUE;
}
