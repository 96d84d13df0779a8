/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/text/scanner.h"

G_BEGIN_DECLS

char *armilla_workflow_read (const char *path, gsize *length, GError **error);
ArmillaDocument *armilla_include_parse (const char *path, const char *text, gsize length,
                                        GString *whole, ArmillaProblems *problems);

/* What messages call a workflow that - names. */
#define ARMILLA_STANDARD_INPUT "(standard input)"

G_END_DECLS
