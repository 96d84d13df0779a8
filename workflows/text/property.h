/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/stage.h>

G_BEGIN_DECLS

gboolean armilla_property_parse (GParamSpec *pspec, const char *text, const char *expression,
                                 GValue *value, GError **error);
gboolean armilla_property_is_number (GParamSpec *pspec);
char *armilla_property_type (GParamSpec *pspec);
char *armilla_property_range (GParamSpec *pspec);
char *armilla_property_default (GParamSpec *pspec);

G_END_DECLS
