/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/scanner.h"

G_BEGIN_DECLS

/**
 * ArmillaOverrides:
 * @set: (nullable) (array zero-terminated=1): node.key=value
 * @define: (nullable) (array zero-terminated=1): variable=value
 *
 * What the command line changes in a workflow.
 */
typedef struct {
  char **set;
  char **define;
} ArmillaOverrides;

void armilla_overrides_apply (const ArmillaOverrides *self, ArmillaDocument *document,
                              GString *text, ArmillaProblems *problems);

G_END_DECLS
