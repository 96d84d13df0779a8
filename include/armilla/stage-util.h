/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stages pass on from their inputs to their outputs while they are prepared: lines for
 * HISTORY, names of fields, headers. Called by the thread that prepares. */
#pragma once

#include <armilla/stage.h>

G_BEGIN_DECLS

void armilla_stage_inherit (ArmillaData *to, ArmillaData *from);
void armilla_stage_note (ArmillaData *data, const char *format, ...) G_GNUC_PRINTF (2, 3);
char **armilla_stage_history (const ArmillaStageContext *context, ArmillaData *data);

void armilla_stage_carry_names (ArmillaData *data, const char *const *names);
const char *const *armilla_stage_carried_names (ArmillaData *data);

void armilla_stage_copy_header (ArmillaMap *to, ArmillaMap *from);
ArmillaAlm *armilla_stage_copy_alm (ArmillaAlm *from, ArmillaAlmLayout layout);
void armilla_stage_set_names (ArmillaMapHeader *header, const char *const *names);
void armilla_stage_set_unit (ArmillaMapHeader *header, const char *unit);

G_END_DECLS
