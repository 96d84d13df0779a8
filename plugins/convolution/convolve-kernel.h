/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/armilla.h>

#include "core/kernels/kernel.h"

G_BEGIN_DECLS

/* Properties that describe the kernel, a member of the object of a stage. */
typedef struct {
  double fwhm, radius, needlet;
  int needlet_order;
  char *beam, *beam_column, *profile;
  int profile_unit;
  gboolean normalise;
} ArmillaKernelProperties;

void armilla_kernel_properties_install (ArmillaStageClass *klass, gsize part);
ArmillaKernel *armilla_kernel_properties_make (gpointer stage,
                                               const ArmillaKernelProperties *properties,
                                               const ArmillaStageContext *context,
                                               GError **error);

G_END_DECLS
