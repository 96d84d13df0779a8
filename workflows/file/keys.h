/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/* Checksums of everything that determines the outputs of nodes. */
typedef struct _ArmillaKeys ArmillaKeys;

ArmillaKeys *armilla_keys_new (const ArmillaWorkflow *workflow, const char *machine);
gboolean armilla_keys_set (ArmillaKeys *self, gint64 pass, GError **error);
void armilla_keys_set_collected (ArmillaKeys *self, int node, gint64 point, const char *key);
char *armilla_keys_get_taken (const ArmillaKeys *self, int node);
const char *armilla_keys_get (const ArmillaKeys *self, int node);
void armilla_keys_save (const ArmillaKeys *self, GByteArray *bytes);
void armilla_keys_load (ArmillaKeys *self, const GByteArray *bytes);
char *armilla_keys_sum_file (const char *path, GError **error);
void armilla_keys_free (ArmillaKeys *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaKeys, armilla_keys_free)

G_END_DECLS
