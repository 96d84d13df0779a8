/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thousands of cases that are tried one after another in a process of their own, so that one that
 * crashes or hangs is named and kept, and the others follow.
 *
 * FUZZ_FIRST and FUZZ_INPUTS choose which: case n is always the same. FUZZ_SAVE=folder keeps the
 * files of those that fail. FUZZ_TELL=1 shows what all of them print. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The folder "in" in the folder that cases are tried in: made by set_up(), and only read later. */
#define FUZZ_IN "in"

/**
 * FuzzCases:
 * @name: what is tried, for messages
 * @n: how many cases, where FUZZ_INPUTS does not say
 * @batch: how many a process tries before another takes its place
 * @seconds: a case that takes longer hangs
 * @set_up: (nullable): called once in the folder of the cases
 * @begin: (nullable): called in each process
 * @try_case: tries case @number in an empty folder (except for "in"); returns what is wrong,
 * (transfer
 *   full), or %NULL. What it writes to standard output and error is looked at afterwards
 * @keeps: (nullable): whether a file of this name may be there afterwards; %NULL: none may
 * @end: (nullable): called in each process that has tried its cases
 *
 * What is tried. Afterwards no unexpected file may be there, and what was printed must be UTF-8
 * without control characters, and no report of a sanitizer.
 */
typedef struct {
  const char *name;
  guint64 n, batch;
  int seconds;
  void (*set_up) (void);
  void (*begin) (void);
  char *(*try_case) (guint64 number, GRand *random);
  gboolean (*keeps) (const char *name);
  void (*end) (void);
} FuzzCases;

int fuzz_run (const FuzzCases *cases);
guint64 fuzz_count (int what);
void fuzz_add (int what);
guint32 fuzz_below (GRand *random, guint32 n);

#define FUZZ_COUNTS 8

G_END_DECLS
