/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plugins/base/registry.h"
#include "workflows/file/definition.h"

G_BEGIN_DECLS

/* The port or property of a stage that a slot of a definition stands for. */
typedef struct {
  ArmillaStageClass *klass; /* the stage */
  const ArmillaPort *port;  /* input or output; may be NULL */
  GParamSpec *pspec;        /* property; may be NULL */
} ArmillaSlotUse;

gboolean armilla_slot_use (GHashTable *definitions, ArmillaRegistry *registry,
                           const ArmillaDefinition *definition, const ArmillaSlot *slot,
                           ArmillaSlotUse *use);

G_END_DECLS
