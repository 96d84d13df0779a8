/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <armilla/workflow-arrays.h>

G_BEGIN_DECLS

ArmillaStages *armilla_stage_infos_new (GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaStages, armilla_stages_free)

G_END_DECLS
