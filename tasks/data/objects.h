/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalogues as data passed between nodes. */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/correlation.h>

G_BEGIN_DECLS

ArmillaObjects *armilla_objects_new_like (ArmillaCatalogue *like);
const ArmillaCatalogue *armilla_objects_like (ArmillaObjects *self);
ArmillaCatalogueParts armilla_objects_parts (ArmillaObjects *self);
void armilla_objects_expect (ArmillaObjects *self, gint64 n);
gint64 armilla_objects_expected (ArmillaObjects *self);
ArmillaCatalogue *armilla_objects_catalogue (ArmillaObjects *self, GError **error);
ArmillaCatalogue *armilla_objects_with_columns (ArmillaObjects *self, ArmillaCatalogue *points,
                                                int n, double **columns, GError **error);

G_END_DECLS
