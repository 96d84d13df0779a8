/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

G_BEGIN_DECLS

#define REQUIRE(condition)                                                                         \
  do                                                                                               \
    if (!(condition))                                                                              \
      {                                                                                            \
        fprintf (stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);             \
        abort ();                                                                                  \
      }                                                                                            \
  while (0)

/* Damages a text in one way: a byte, a piece, a line, a number, or a word of @tokens (NULL ends
 * them) or of those that tend to be read wrongly anywhere. */
void text_mutate (GByteArray *bytes, GRand *random, const char *const *tokens);

/* Tables as text; %NULL ends them. */
extern const char *const fuzz_text_seeds[];
/* A right trace, and a right description of a node. */
extern const char fuzz_trace_text[];
extern const char fuzz_node_text[];

/**
 * TextFuzz:
 * @what: what is read, for messages
 * @runs: how many texts, where the command line does not say
 * @seeds: right texts; %NULL ends them
 * @tokens: words of the language; %NULL ends them
 * @changes: a text is damaged less often than that
 * @share: fewer than one in @share accepted would mean that nothing gets past the reader
 * @try_input: returns whether a text was accepted
 */
typedef struct {
  const char *what;
  guint64 runs;
  const char *const *seeds, *const *tokens;
  guint changes, share;
  gboolean (*try_input) (const guint8 *data, size_t size);
} TextFuzz;

/* A main program: NAME [RUNS [SEED]] tries the same texts for the same seed. TAP. */
int text_fuzz (const TextFuzz *fuzz, int argc, char *argv[]);

G_END_DECLS
