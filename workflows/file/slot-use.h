/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plugins/base/registry.h"
#include "workflows/file/definition.h"

G_BEGIN_DECLS

/* Port or property of a stage that a definition's slot stands for. */
typedef struct {
  ArmillaStageClass *klass; /* a stage */
  const ArmillaPort *port;  /* its input or output; may be NULL */
  GParamSpec *pspec;        /* or its property; may be NULL */
} ArmillaSlotUse;

gboolean armilla_slot_use (GHashTable *definitions, ArmillaRegistry *registry,
                           const ArmillaDefinition *definition, const ArmillaSlot *slot,
                           ArmillaSlotUse *use);

G_END_DECLS
