/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/stage.h>
#include <armilla/quantity.h>

G_BEGIN_DECLS

gboolean armilla_property_parse (GParamSpec *pspec, const char *text, const char *expression,
                                 GValue *value, GError **error);
gboolean armilla_property_is_number (GParamSpec *pspec);
char *armilla_property_type (GParamSpec *pspec);
char *armilla_property_range (GParamSpec *pspec);
char *armilla_property_default (GParamSpec *pspec);

/* Numbers that are given as expressions; in arithmetic.c. */
gboolean armilla_arithmetic_meant (const char *text);
gboolean armilla_arithmetic_compute (const char *text, ArmillaDimension dimension, double *value,
                                     GError **error);

G_END_DECLS
