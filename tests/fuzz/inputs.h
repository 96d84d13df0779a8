/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>

#include "plugins/base/registry.h"
#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/* Small files of every kind that stages read, in FUZZ_IN: map-0.fits ... */
void fuzz_make_inputs (void);

/* Names of those of a kind (map, alm, cl, objects, beam, profile) and what their names end in. */
char *fuzz_input (const char *kind, GRand *random);

/* For arrays of names. */
int fuzz_compare_names (gconstpointer a, gconstpointer b);

/* Text of the file of a catalogue, a spectrum, and of a kernel's profile. */
extern const char fuzz_objects_text[], fuzz_cl_text[], fuzz_profile_text[];

/* A FITS table of 20 objects with weights, shears and patches; written in the folder at hand. */
GByteArray *fuzz_objects_table (void);

/* The stages of this build, whatever is installed. */
ArmillaRegistry *fuzz_registry (void);

/* Parses and validates a workflow; tells what is wrong. */
ArmillaWorkflow *fuzz_load (const char *path);

/* Tells what `armilla run --dry-run` does, of a text that is written to @path first. Returns the
 * exit status. */
int fuzz_plan_text (const char *path, const char *text);
int fuzz_plan_file (const char *path);

/* For FuzzCases: a runtime of little memory, which fuzz_run_file() uses. */
void fuzz_begin (void);
void fuzz_end (void);

/* Runs a workflow. Returns the exit status of `armilla run`. */
int fuzz_run_file (const char *path);

G_END_DECLS
