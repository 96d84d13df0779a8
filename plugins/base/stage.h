/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private interface of stages for the registry, workflow files and Python. */
#pragma once

#include <armilla/data.h>
#include <armilla/quantity.h>
#include <armilla/stage.h>

G_BEGIN_DECLS

/* Returns the text set by armilla_stage_set_example (); NULL if there is none. */
const char *armilla_stage_example (ArmillaStageClass *klass);

GParamSpec *armilla_property_spec (const char *owner, const ArmillaProperty *property);
void armilla_property_store (gpointer to, const GValue *value, GParamSpec *pspec);
ArmillaDimension armilla_param_spec_dimension (GParamSpec *pspec);
GParamSpec *armilla_param_spec_set_flags (GParamSpec *pspec, ArmillaPropertyFlags flags);
gboolean armilla_param_spec_is_required (GParamSpec *pspec);
gboolean armilla_param_spec_is_input_file (GParamSpec *pspec);
gboolean armilla_param_spec_names_input (GParamSpec *pspec, const char *text);

G_END_DECLS
