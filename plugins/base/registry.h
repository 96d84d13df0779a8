/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loaded modules and their stages. Not thread-safe. */
#pragma once

#include <armilla/stage.h>

G_BEGIN_DECLS

/* The available stages by name, and the modules that define them. */
typedef struct _ArmillaRegistry ArmillaRegistry;

/* A renamed stage or input, accepted in workflow files for one release. */
typedef struct {
  /* former name of a stage; or its current name, if only inputs were renamed */
  const char *old;
  const char *nick;  /* current name of the stage */
  /* former name of its first input; a number follows in the names of further inputs */
  const char *key;
  /* current name of that input; a number follows in the names of further inputs */
  const char *input;
} ArmillaAlias;

ArmillaRegistry *armilla_registry_new (void);
void armilla_registry_free (ArmillaRegistry *self);

gboolean armilla_registry_set_base (ArmillaRegistry *self, const ArmillaRegistry *base,
                                    GError **error);
gboolean armilla_registry_add (ArmillaRegistry *self, GType type, const char *origin,
                               GError **error);
gboolean armilla_registry_load_module (ArmillaRegistry *self, const char *path, GError **error);
gboolean armilla_registry_load_folder (ArmillaRegistry *self, const char *folder, GError **error);
const char *armilla_registry_warnings (const ArmillaRegistry *self);

ArmillaStageClass *armilla_registry_lookup (ArmillaRegistry *self, const char *nick);
void armilla_registry_add_aliases (ArmillaRegistry *self, const ArmillaAlias *aliases, gsize n);
const ArmillaAlias *armilla_registry_alias (const ArmillaRegistry *self, const char *name);
const ArmillaAlias *armilla_registry_old_name (const ArmillaRegistry *self, guint number);
void armilla_registry_note_alias (ArmillaRegistry *self, const ArmillaAlias *alias);
char *armilla_alias_input (const ArmillaAlias *alias, const char *name);
const char *armilla_registry_origin (ArmillaRegistry *self, const char *nick);
char **armilla_registry_nicks (ArmillaRegistry *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaRegistry, armilla_registry_free)

G_END_DECLS
