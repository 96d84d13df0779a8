/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/arrays/caller-array.h"

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

static gboolean
check_device (const char *name, const ArmillaArray *array, GError **error)
{
  if (array->device < 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: device = %d; must be ARMILLA_HOST or ARMILLA_GPU (n)", name,
                         array->device);
#ifndef HAVE_CUDA
  if (array->device > 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: is in the memory of a GPU, but this Armilla was built without CUDA; "
                         "copy it to the host", name);
#endif
  return TRUE;
}

/* Checks the shape and dtype of an array (NULL is an error); name: name of the argument in the
 * caller's interface. */
gboolean
armilla_array_check (const char *name, const ArmillaArray *array, gboolean complex, gint64 copies,
                     gint64 components, gint64 numbers, GError **error)
{
  if (!array || !array->data)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: array is NULL", name);
  if (!check_device (name, array, error))
    return FALSE;
  if (array->type != ARMILLA_FLOAT64 && array->type != ARMILLA_FLOAT32)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: type = %d; must be ARMILLA_FLOAT64 or ARMILLA_FLOAT32", name,
                         (int) array->type);
  if ((guintptr) array->data % (gsize) bytes_of_real (array) != 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: its numbers are not aligned in memory; copy it", name);
  for (int i = 0; i < 3; i++)
    if (array->strides[i] % bytes_of_real (array) != 0)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "%s: a stride of %" G_GINT64_FORMAT " bytes is not a multiple of a "
                           "number's size", name, array->strides[i]);
  return check_axis (name, "copies", array->shape[0], copies, error)
         && check_axis (name, "components", array->shape[1], components, error)
         && check_axis (name, complex ? "coefficients" : "numbers", array->shape[2], numbers,
                        error);
}

/* Returns the range of bytes that an array occupies. */
static void
reach (const ArmillaArray *array, gboolean complex, gintptr *begin, gintptr *end)
{
  *begin = (gintptr) array->data;
  *end = *begin + (complex ? 2 : 1) * bytes_of_real (array);
  for (int i = 0; i < 3; i++)
    {
      gint64 extent = (array->shape[i] - 1) * array->strides[i];

      *begin += MIN (extent, 0);
      *end += MAX (extent, 0);
    }
}

static const char *
place (const ArmillaArray *array)
{
  return array->device == ARMILLA_HOST ? "the host" : "a GPU";
}

/* Fails unless both arrays are in host memory or both on GPUs (armilla_array_begin () finds which
 * GPU), and they do not overlap. */
gboolean
armilla_arrays_fit (const char *name_in, const ArmillaArray *in, gboolean in_complex,
                    const char *name_out, const ArmillaArray *out, gboolean out_complex,
                    GError **error)
{
  gintptr in_begin, in_end, out_begin, out_end;

  if ((in->device == ARMILLA_HOST) != (out->device == ARMILLA_HOST))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: is in the memory of %s, but %s in that of %s; all arrays of a call "
                         "must be in one memory", name_out, place (out), name_in,
                         place (in));
  reach (in, in_complex, &in_begin, &in_end);
  reach (out, out_complex, &out_begin, &out_end);
  if (in_end <= out_begin || out_end <= in_begin)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s: overlaps %s in memory; must be in separate memory", name_out,
                       name_in);
}
