/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzing of the reader of traces.
 *
 * As it is built by make check it mutates a small trace, the same way for the same seed:
 *   tests/fuzz/fuzz-trace [RUNS [SEED]]
 * With clang -fsanitize=fuzzer,address,undefined -DARMILLA_LIBFUZZER it is a libFuzzer target.
 * Beyond not crashing, of a trace that is accepted the table must be there, and no worker may be
 * busy for longer than the run. */
#include <string.h>

#include "tests/fuzz/text-mutate.h"
#include "workflows/trace/trace-reader.h"

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
      double sum = uses[w].busy + uses[w].data + uses[w].scheduling + uses[w].unworthy
                   + uses[w].behind + uses[w].nothing;

      REQUIRE (uses[w].busy >= 0 && uses[w].data >= 0 && uses[w].behind >= 0);
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

static const char *const seeds[] = {
  "{\"metadata\":{\"format\":\"armilla-trace\",\"version\":1,\"program\":\"p\","
    "\"workflow\":\"w\",\"failure\":\"f\",\"seconds\":0.0001,\"tasks\":3,"
    "\"machine\":{\"core_flops\":1e9},\"ranks\":["
    "{\"host\":\"h\",\"workers\":[{\"name\":\"c\",\"kind\":\"CPU\"}]},{\"host\":\"i\",\"workers\":"
    "[{\"name\":\"c\",\"kind\":\"CUDA\"}]}]},\n\"traceEvents\":[\n" TASK (0, 0, "task", 3) ",\n"
      TASK (1, 0, "task", 20) "," TASK (0, 10001, "host", 3)
      ",{\"ph\":\"b\",\"name\":\"x\",\"pid\":1,\"tid\":0,\"cat\":\"message\",\"id\":0,\"ts\":4,"
      "\"args\":{\"from\":\"rank 0\",\"to\":\"rank 1\",\"bytes\":8,\"dur\":2}},{\"ph\":\"C\"}]}",
  NULL
};
static const char *const tokens[] = {
  "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null", "true", "-1", "1e999",
  "1e-999", "0", "99999999999999999999", "NaN", "\"ts\":", "\"dur\":0", "\"pid\":1", "\n", "\xff",
  "\xed\xa0\x80", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "\"kind\":\"host\"", "/*", "\"args\":{}",
  NULL
};

int
main (int argc, char *argv[])
{
  /* Texts that are not damaged are a fourth. */
  const TextFuzz fuzz = { "traces", 30000, seeds, tokens, 4, 5, try_input };

  return text_fuzz (&fuzz, argc, argv);
}
#endif
