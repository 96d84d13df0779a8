/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plugins/base/registry.h"
#include "workflows/file/workflow.h"

/* A workflow of the file "f" with something wrong, and what is said of it: all of it, or its
 * beginning where it ends in ... */
typedef struct {
  const char *name;
  const char *text;
  const char *message;
} SampleCase;

ArmillaRegistry *sample_registry_new (void);

/* Parses and validates; @messages: all that is wrong, or "". */
ArmillaWorkflow *sample_validate (const char *path, const char *text,
                                  const ArmillaOverrides *overrides, char **messages);
void sample_assert_message (const char *messages, const char *expected);
void sample_add_cases (const char *folder, const SampleCase *cases, gsize n);
