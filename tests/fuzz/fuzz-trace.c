/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzing of the reader of traces.
 *
 * As it is built by make check it mutates a small trace, the same way for the same seed:
 *   tests/fuzz/fuzz-trace [RUNS [SEED]]
 * With clang -fsanitize=fuzzer,address,undefined -DARMILLA_LIBFUZZER it is a libFuzzer target.
 * Beyond not crashing, of a trace that is accepted the table must be there, and no worker may be
 * busy for longer than the run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workflows/trace/trace-idle.h"
#include "workflows/trace/trace-table.h"

#define REQUIRE(condition)                                                                         \
  do                                                                                               \
    if (!(condition))                                                                              \
      {                                                                                            \
        fprintf (stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);             \
        abort ();                                                                                  \
      }                                                                                            \
  while (0)

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* Returns whether the trace was accepted. */
static gboolean
try_input (const guint8 *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaTraceFile) file
    = armilla_trace_file_parse ((const char *) data, size, &error);
  g_autofree ArmillaTraceUse *uses = NULL;
  g_autofree char *table = NULL;

  REQUIRE ((file == NULL) == (error != NULL));
  if (!file)
    return FALSE;
  uses = armilla_trace_uses (file);
  for (guint w = 0; w < file->workers->len; w++)
    {
      double sum = uses[w].busy + uses[w].data + uses[w].scheduling + uses[w].nothing;

      REQUIRE (uses[w].busy >= 0 && uses[w].data >= 0);
      REQUIRE (sum >= 0.999 * file->seconds && sum <= 1.001 * file->seconds);
    }
  table = armilla_trace_table (file);
  REQUIRE (strlen (table) > 0);
  return TRUE;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  try_input (data, size);
  return 0;
}

#ifndef ARMILLA_LIBFUZZER
#define TASK(rank, tid, category, start)                                                           \
  "{\"ph\":\"X\",\"name\":\"dot\",\"pid\":" #rank ",\"tid\":" #tid ",\"cat\":\"" category          \
  "\",\"ts\":" #start ",\"dur\":5,\"args\":{\"node\":\"n\",\"stage\":\"s\",\"kind\":\"CPU\","      \
  "\"flops\":8,\"bytes\":9,\"ready\":1,\"taken\":2.5}}"

static const char seed_text[]
  = "{\"metadata\":{\"format\":\"armilla-trace\",\"version\":1,\"program\":\"p\","
    "\"workflow\":\"w\",\"failure\":\"f\",\"seconds\":0.0001,\"tasks\":3,"
    "\"machine\":{\"core_flops\":1e9},\"ranks\":["
    "{\"host\":\"h\",\"workers\":[{\"name\":\"c\",\"kind\":\"CPU\"}]},{\"host\":\"i\",\"workers\":"
    "[{\"name\":\"c\",\"kind\":\"CUDA\"}]}]},\n\"traceEvents\":[\n" TASK (0, 0, "task", 3) ",\n"
      TASK (1, 0, "task", 20) "," TASK (0, 10001, "host", 3)
      ",{\"ph\":\"b\",\"name\":\"x\",\"pid\":1,\"tid\":0,\"cat\":\"message\",\"id\":0,\"ts\":4,"
      "\"args\":{\"from\":\"rank 0\",\"to\":\"rank 1\",\"bytes\":8,\"dur\":2}},{\"ph\":\"C\"}]}";
static const char *const tokens[] = {
  "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null", "true", "-1", "1e999",
  "1e-999", "0", "99999999999999999999", "NaN", "\"ts\":", "\"dur\":0", "\"pid\":1", "\n", "\xff",
  "\xed\xa0\x80", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "\"kind\":\"host\"", "/*", "\"args\":{}",
};

static guint64 state;

static guint64
draw (guint64 below)
{
  state ^= state << 13; /* xorshift64 */
  state ^= state >> 7;
  state ^= state << 17;
  return state % below;
}

static void
mutate (GString *input)
{
  const gsize at = draw (input->len + 1), n = draw (12);
  const char *token = tokens[draw (G_N_ELEMENTS (tokens))];

  switch (draw (5))
    {
    case 0: /* one byte */
      if (at < input->len)
        input->str[at] = (char) draw (256);
      break;
    case 1: /* a piece goes */
      if (at < input->len)
        g_string_erase (input, (gssize) at, (gssize) MIN (n, input->len - at));
      break;
    case 2: /* a digit becomes another */
      if (at < input->len && g_ascii_isdigit (input->str[at]))
        input->str[at] = (char) ('0' + draw (10));
      break;
    default: /* a word of the language */
      g_string_insert (input, (gssize) at, token);
    }
}

int
main (int argc, char *argv[])
{
  guint64 runs = argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : 30000;
  guint64 accepted = 0;

  state = argc > 2 ? g_ascii_strtoull (argv[2], NULL, 10) : 20260101;
  REQUIRE (state != 0);
  puts ("1..1");
  for (guint64 i = 0; i < runs; i++)
    {
      g_autoptr (GString) input = g_string_new_len (seed_text, sizeof seed_text - 1);

      for (guint64 n = draw (4); n > 0; n--)
        mutate (input);
      accepted += try_input ((const guint8 *) input->str, input->len);
    }
  printf ("# %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " inputs were accepted\n", accepted,
          runs);
  /* Unmutated seeds alone are a fourth: fewer would mean that nothing gets past the reader. */
  printf ("%s 1 - mutated traces\n", accepted * 5 > runs ? "ok" : "not ok");
  return accepted * 5 > runs ? 0 : 1;
}
#endif
