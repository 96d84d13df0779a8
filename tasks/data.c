/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/data.h>

G_DEFINE_ABSTRACT_TYPE (ArmillaData, armilla_data, G_TYPE_OBJECT)

static void
armilla_data_class_init (ArmillaDataClass *klass)
{
  (void) klass;
}

static void
armilla_data_init (ArmillaData *self)
{
  (void) self;
}

/* documented in armilla/data.h */
void
armilla_data_release (ArmillaData *self)
{
  ARMILLA_DATA_GET_CLASS (self)->release (self);
}
