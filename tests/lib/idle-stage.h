/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A class of stages that do nothing, whose properties have no values. */
#pragma once

#include <armilla/stage.h>

static inline gboolean
idle_prepare (ArmillaStage *self, const ArmillaStageContext *context, ArmillaData *const *inputs,
              ArmillaData **outputs, GError **error)
{
  (void) self, (void) context, (void) inputs, (void) outputs, (void) error;
  return TRUE;
}

static inline gboolean
idle_build (ArmillaStage *self, ArmillaGraph *graph, ArmillaData *const *inputs,
            ArmillaData *const *outputs, GError **error)
{
  (void) self, (void) graph, (void) inputs, (void) outputs, (void) error;
  return TRUE;
}

static inline void
idle_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  (void) object, (void) id, (void) value, (void) pspec;
}

static inline void
idle_class (ArmillaStageClass *klass, const char *nick, const ArmillaPort *ports)
{
  klass->nick = nick;
  klass->summary = "Do nothing";
  klass->ports = ports;
  klass->prepare = idle_prepare;
  klass->build = idle_build;
  G_OBJECT_CLASS (klass)->set_property = (GObjectSetPropertyFunc) idle_property;
  G_OBJECT_CLASS (klass)->get_property = idle_property;
}
