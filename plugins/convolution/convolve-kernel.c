/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates a radial kernel from the properties of a stage. */
#include "plugins/convolution/convolve-kernel.h"

#include "plugins/base/stage-util.h"

typedef enum { UNIT_DEG, UNIT_ARCMIN, UNIT_ARCSEC, UNIT_RAD } Unit;

static const char *const units[] = {
  [UNIT_DEG] = "deg", [UNIT_ARCMIN] = "arcmin", [UNIT_ARCSEC] = "arcsec", [UNIT_RAD] = "rad",
  NULL,
};

static gpointer
wrong (GError **error, const char *what)
{
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "%s", what);
}

/* Prefixes the error message with the property's name. Returns NULL. */
static gpointer
prefix (const char *property, GError **error)
{
  g_prefix_error (error, "%s: ", property);
  return NULL;
}

/* Prefixes the error message with the names of the property and of the file. Returns @kernel. */
static ArmillaKernel *
blame (const char *property, const char *path, ArmillaKernel *kernel, GError **error)
{
  if (kernel == NULL)
    g_prefix_error (error, "%s: %s: ", property, path);
  return kernel;
}

static ArmillaKernel *
read_window (const ArmillaKernelProperties *p, const ArmillaStageContext *context, GError **error)
{
  const ArmillaClTable *table
    = armilla_stage_table (context, p->beam, ARMILLA_CL_COMPLETE, error);
  g_autoptr (GArray) chosen = NULL;
  int column;

  if (table == NULL)
    return NULL;
  chosen = armilla_stage_columns (p->beam_column[0] != '\0' ? p->beam_column : "0",
                                  (const char *const *) table->names, table->n_fields,
                                  "beam-column", p->beam, error);
  if (chosen == NULL)
    return NULL;
  if (chosen->len != 1)
    return wrong (error, "beam-column must name one column: all fields have the same kernel");
  column = g_array_index (chosen, int, 0);
  if (!armilla_cl_table_check (table, column, table->lmax, ARMILLA_CL_COMPLETE, p->beam, error))
    return prefix ("beam", error);
  return blame ("beam", p->beam,
                armilla_kernel_new_window (table->values + column * (table->lmax + 1), table->lmax,
                                           error),
                error);
}

static ArmillaKernel *
read_profile (const ArmillaKernelProperties *p, const ArmillaStageContext *context, GError **error)
{
  static const double radian[] = { G_PI / 180, G_PI / 10800, G_PI / 648000, 1 };
  const ArmillaClTable *table
    = armilla_stage_table (context, p->profile, ARMILLA_CL_AS_ROWS, error);
  g_autofree double *theta = NULL;
  gint64 n;

  if (table == NULL)
    return NULL;
  n = table->lmax + 1;
  if (table->n_fields != 2)
    return wrong (error, "profile: the file must have two columns, angles from 0 on and values");
  for (int i = 0; i < 2; i++)
    if (!armilla_cl_table_check (table, i, table->lmax, ARMILLA_CL_AS_ROWS, p->profile, error))
      return prefix ("profile", error);
  theta = g_new (double, n);
  for (gint64 i = 0; i < n; i++)
    theta[i] = table->values[i] * radian[p->profile_unit];
  return blame ("profile", p->profile,
                armilla_kernel_new_profile (theta, table->values + n, n, error), error);
}

/* Returns the kernel that the properties describe; fails unless exactly one property does. */
ArmillaKernel *
armilla_kernel_properties_make (gpointer stage, const ArmillaKernelProperties *p,
                                const ArmillaStageContext *context, GError **error)
{
  static const char *const names[] = { "fwhm", "beam", "profile", "radius", "needlet", NULL };
  g_autoptr (ArmillaKernel) kernel = NULL;
  int which = -1, n = 0;

  for (int i = 0; names[i] != NULL; i++)
    if (armilla_stage_given (stage, names[i]))
      {
        which = i;
        n++;
      }
  if (n != 1)
    return wrong (error, n == 0
                           ? "no kernel; set one of fwhm, beam, profile, radius and needlet"
                           : "more than one kernel; set one of fwhm, beam, profile, radius and "
                             "needlet");
  if (armilla_stage_given (stage, "beam-column") && which != 1)
    return wrong (error, "beam-column belongs to beam, which is not given");
  if (armilla_stage_given (stage, "profile-unit") && which != 2)
    return wrong (error, "profile-unit belongs to profile, which is not given");
  if (armilla_stage_given (stage, "needlet-order") && which != 4)
    return wrong (error, "needlet-order belongs to needlet, which is not given");
  kernel = which == 0   ? armilla_kernel_new_gaussian (p->fwhm, error)
           : which == 1 ? read_window (p, context, error)
           : which == 2 ? read_profile (p, context, error)
           : which == 3 ? armilla_kernel_new_top_hat (p->radius, error)
                        : armilla_kernel_new_needlet (p->needlet, p->needlet_order, error);
  if (kernel == NULL || !p->normalise)
    return g_steal_pointer (&kernel);
  return armilla_kernel_normalised (kernel, error);
}

static const ArmillaProperty properties[] = {
  { "fwhm", ARMILLA_QUANTITY (ArmillaKernelProperties, fwhm, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "kernel: a Gaussian by its full width at half maximum, b_l = exp(-l (l + 1) sigma^2 / 2)" },
  { "beam", ARMILLA_TEXT (ArmillaKernelProperties, beam, ""),
    "kernel: file with a table of b_l, FITS or text; b_l is 0 beyond its end",
    ARMILLA_PROPERTY_INPUT_FILE },
  { "beam-column", ARMILLA_TEXT (ArmillaKernelProperties, beam_column, ""),
    "column of the beam file, by name or number from 0; empty: the first" },
  { "profile", ARMILLA_TEXT (ArmillaKernelProperties, profile, ""),
    "kernel: file with two columns, FITS or text: angles from 0 on, and K at these angles in 1 / "
    "steradian; interpolated by a cubic spline, 0 beyond the "
    "last angle", ARMILLA_PROPERTY_INPUT_FILE },
  { "profile-unit", ARMILLA_ENUM (ArmillaKernelProperties, profile_unit, units, UNIT_ARCMIN),
    "unit of the angles in the profile" },
  { "radius", ARMILLA_QUANTITY (ArmillaKernelProperties, radius, ARMILLA_DIMENSION_ANGLE, 0, G_PI,
                                0),
    "kernel: a top hat of this radius, 1 over its solid angle" },
  { "needlet", ARMILLA_QUANTITY (ArmillaKernelProperties, needlet, ARMILLA_DIMENSION_ANGLE, 0,
                                 G_PI, 0),
    "kernel: a Mexican needlet of this scale s, b_l = (x / p)^p exp(p - x), x = l (l + 1) s^2: a "
    "wavelet, largest at l = sqrt(p) / s" },
  { "needlet-order", ARMILLA_INT (ArmillaKernelProperties, needlet_order, 1, 16, 1),
    "p of the needlet" },
  { "normalise", ARMILLA_BOOLEAN (ArmillaKernelProperties, normalise, FALSE),
    "divide the kernel by its integral b_0; otherwise it is used unchanged" },
};

/* Installs the properties. @part: offset of the ArmillaKernelProperties in the object. */
void
armilla_kernel_properties_install (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, properties, G_N_ELEMENTS (properties));
}
