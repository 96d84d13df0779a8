/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/registry.h>

#include "workflows/file/definition.h"

G_BEGIN_DECLS

/**
 * ArmillaSlotUse:
 * @klass: a stage
 * @port: (nullable): its input or output
 * @pspec: (nullable): or its property
 *
 * What a definition's input, output or parameter is in the end.
 */
typedef struct {
  ArmillaStageClass *klass;
  const ArmillaPort *port;
  GParamSpec *pspec;
} ArmillaSlotUse;

gboolean armilla_slot_use (GHashTable *definitions, ArmillaRegistry *registry,
                           const ArmillaDefinition *definition, const ArmillaSlot *slot,
                           ArmillaSlotUse *use);

G_END_DECLS
