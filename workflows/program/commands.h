/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>
#include <stdio.h>
#include <armilla/error.h>

#include "plugins/base/registry.h"
#include "workflows/file/workflow.h"

G_BEGIN_DECLS

typedef enum {
  ARMILLA_EXIT_DONE,   /* success */
  ARMILLA_EXIT_FAILED, /* the run failed */
  ARMILLA_EXIT_USAGE   /* the command line, the workflow file or a plugin is invalid */
} ArmillaExit;

/* A valid workflow file. */
typedef struct {
  ArmillaRegistry *registry; /* (owned) */
  ArmillaWorkflow *workflow; /* (owned): workflow without problems */
} ArmillaLoaded;

/* The commands. @words: command line from the name of the command on. */
ArmillaExit armilla_command_bench (char **words);
ArmillaExit armilla_command_check (char **words);
ArmillaExit armilla_command_graph (char **words);
ArmillaExit armilla_command_inspect (char **words);
ArmillaExit armilla_command_machine (char **words);
ArmillaExit armilla_command_plan (char **words);
ArmillaExit armilla_command_precompute (char **words);
ArmillaExit armilla_command_run (char **words);
ArmillaExit armilla_command_trace (char **words);
ArmillaExit armilla_command_tune (char **words);

/* Options of commands that load a workflow. @overrides: an ArmillaOverrides */
#define ARMILLA_OVERRIDE_OPTIONS(overrides) \
  { "set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(overrides).set, \
    "set a key of a node to another value", "NODE.KEY=VALUE" }, \
  { "define", 'D', 0, G_OPTION_ARG_FILENAME_ARRAY, &(overrides).define, \
    "set a variable to another value", "VARIABLE=VALUE" }

gboolean armilla_parse_words (char **words, const char *arguments, const char *summary,
                              const GOptionEntry *entries, int minimum, int maximum,
                              char ***rest);
gboolean armilla_load (const char *path, const ArmillaOverrides *overrides, ArmillaLoaded *loaded,
                       GError **error);
void armilla_loaded_clear (ArmillaLoaded *loaded);
void armilla_say (const GError *error);
gboolean armilla_refuse (const char *format, ...) G_GNUC_PRINTF (1, 2);
ArmillaRuntime *armilla_start (const ArmillaRuntimeOptions *options, GError *local,
                               ArmillaExit *status);
void armilla_print_indented (FILE *file, const char *text);
void armilla_set_workers (int threads, int gpus);
gboolean armilla_use_tuning (ArmillaRuntime *runtime, gboolean silent, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaLoaded, armilla_loaded_clear)

/* In node-files.c: */
char *armilla_find_node_file (const char *name, GError **error);

G_END_DECLS
