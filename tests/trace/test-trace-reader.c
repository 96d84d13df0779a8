/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces made by hand: what is read, what is idle, what is refused. */
#include <stdio.h>
#include <string.h>

#include "workflows/trace/json-pieces.h"
#include "workflows/trace/trace-reader.h"

#define METADATA                                                                                   \
  "\"metadata\":{\"format\":\"armilla-trace\",\"version\":1,\"program\":\"p\",\"command\":null,"   \
  "\"workflow\":\"w\",\"failure\":null,\"seconds\":0.0001,\"tasks\":%d,"                           \
  "\"machine\":{\"core_flops\":1e9,\"core_bytes\":1e8},"                                           \
  "\"ranks\":[{\"host\":\"h\",\"workers\":[{\"name\":\"CPU 0\",\"kind\":\"CPU\"},"                 \
  "{\"name\":\"CPU 1\",\"kind\":\"CPU\"}]}]}"
#define TASK(worker, name, taken, ready, start, length)                                            \
  "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":0,\"tid\":" #worker ",\"cat\":\"task\",\"ts\":"     \
  #start ",\"dur\":" #length ",\"args\":{\"node\":\"sky\",\"stage\":\"alm2map\",\"kind\":\"CPU\"," \
  "\"flops\":1000,\"bytes\":500,\"ready\":" #ready ",\"taken\":" #taken "}}"

/* A trace of @n tasks. */
static char *
document (int n, const char *events)
{
  g_autofree char *metadata = g_strdup_printf (METADATA, n);

  return g_strdup_printf ("{\"displayTimeUnit\":\"ms\",%s,\"traceEvents\":[%s]}\n", metadata,
                          events);
}

static ArmillaTraceFile *
parse (const char *text, GError **error)
{
  return armilla_trace_file_parse (text, strlen (text), error);
}

/* Worker 0: idle to 10 with nothing ready, data to 20, a task to 50, idle to 60 while a task is
 * ready from 55 on, a task to 80, and nothing to 100. Worker 1 does nothing. */
static void
test_idle (void)
{
  g_autofree char *text = document (2, TASK (0, "a", 10, 10, 20, 30) ",\n  "
                                       TASK (0, "b", 60, 55, 60, 20));
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaTraceFile) file = parse (text, &error);
  g_autofree ArmillaTraceUse *uses = NULL;

  g_assert_no_error (error);
  uses = armilla_trace_uses (file);
  g_assert_cmpint (uses[0].n_tasks, ==, 2);
  /* sums of a few numbers of microseconds, in seconds */
  g_assert_cmpfloat_with_epsilon (uses[0].busy, 50e-6, 1e-15);
  g_assert_cmpfloat_with_epsilon (uses[0].data, 10e-6, 1e-15);
  g_assert_cmpfloat_with_epsilon (uses[0].scheduling, 5e-6, 1e-15);
  g_assert_cmpfloat_with_epsilon (uses[0].nothing, 35e-6, 1e-15);
  g_assert_cmpint (uses[1].n_tasks, ==, 0);
  g_assert_cmpfloat_with_epsilon (uses[1].scheduling, 5e-6, 1e-15);
  g_assert_cmpfloat_with_epsilon (uses[1].nothing, 95e-6, 1e-15);
}

/* As TASK, with when it was submitted and the kind of the worker. */
#define SUBMITTED(worker, kind, submit, ready, start, length)                                      \
  "{\"ph\":\"X\",\"name\":\"t\",\"pid\":0,\"tid\":" #worker ",\"cat\":\"task\","                   \
  "\"ts\":" #start ",\"dur\":" #length ",\"args\":{\"node\":\"sky\",\"stage\":\"alm2map\","        \
  "\"kind\":\"" kind "\",\"flops\":1,\"bytes\":1,\"submitted\":" #submit ","                       \
  "\"ready\":" #ready ",\"taken\":" #start "}}"

static ArmillaTraceUse *
uses_of (const char *events, int n, double seconds, const char *second_kind)
{
  g_autofree char *text = document (n, events);
  g_autofree char *length = g_strdup_printf ("\"seconds\":%g,", seconds);
  g_autofree char *kind = g_strdup_printf ("{\"name\":\"CPU 1\",\"kind\":\"%s\"}", second_kind);
  g_autoptr (GString) all = g_string_new (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaTraceFile) file = NULL;

  g_string_replace (all, "\"seconds\":0.0001,", length, 1);
  g_string_replace (all, "{\"name\":\"CPU 1\",\"kind\":\"CPU\"}", kind, 1);
  file = parse (all->str, &error);
  g_assert_no_error (error);
  return armilla_trace_uses (file);
}

/* Two tasks that need nothing are submitted 3 ms after one another, and take 1 ms. Before each, and
 * not after the last, the worker waits for the submission. Times in us. */
static void
test_behind (void)
{
  g_autofree ArmillaTraceUse *uses
    = uses_of (SUBMITTED (0, "CPU", 2000, 2010, 2020, 1000) ","
               SUBMITTED (0, "CPU", 5000, 5010, 5020, 1000), 2, 0.01, "CPU");

  g_assert_cmpfloat_with_epsilon (uses[0].behind, 2010e-6 + (5010 - 3020) * 1e-6, 1e-12);
  g_assert_cmpfloat_with_epsilon (uses[0].scheduling, 20e-6, 1e-12);
  g_assert_cmpfloat_with_epsilon (uses[0].nothing, (10000 - 6020) * 1e-6, 1e-12);
  g_assert_cmpfloat (uses[0].unworthy, ==, 0);
  /* the other one waits for it all the time from the first task to the second */
  g_assert_cmpfloat_with_epsilon (uses[1].behind, 2010e-6 + (5010 - 2020) * 1e-6, 1e-12);
}

/* A chain of three, which is submitted at once: the second worker has nothing, since tasks wait for
 * others. */
static void
test_chain (void)
{
  g_autofree ArmillaTraceUse *uses
    = uses_of (SUBMITTED (0, "CPU", 0, 0, 10, 2990) "," SUBMITTED (0, "CPU", 20, 3000, 3010, 2990)
               "," SUBMITTED (0, "CPU", 30, 6000, 6010, 3990), 3, 0.01, "CPU");

  g_assert_cmpfloat_with_epsilon (uses[0].busy, 9970e-6, 1e-12);
  g_assert_cmpfloat_with_epsilon (uses[1].scheduling, 30e-6, 1e-12);
  g_assert_cmpfloat_with_epsilon (uses[1].nothing, 9970e-6, 1e-12);
  g_assert_cmpfloat (uses[1].behind, ==, 0);
  g_assert_cmpfloat (uses[1].unworthy, ==, 0);
}

/* Three tasks are ready from the beginning, and the GPU does all of them: the core is not worth it
 * until the last one has begun. */
static void
test_unworthy (void)
{
  g_autofree ArmillaTraceUse *uses
    = uses_of (SUBMITTED (1, "CUDA", 0, 0, 10, 2990) "," SUBMITTED (1, "CUDA", 0, 0, 3000, 3000)
               "," SUBMITTED (1, "CUDA", 0, 0, 6000, 4000), 3, 0.01, "CUDA");

  g_assert_cmpfloat_with_epsilon (uses[0].unworthy, 6000e-6, 1e-12);
  g_assert_cmpfloat_with_epsilon (uses[0].nothing, 4000e-6, 1e-12);
  g_assert_cmpfloat (uses[0].scheduling + uses[0].behind, ==, 0);
  g_assert_cmpfloat_with_epsilon (uses[1].scheduling, 10e-6, 1e-12);
  g_assert_cmpfloat (uses[1].unworthy, ==, 0);
}

/* A GPU has two tasks at a time: time does not count twice. */
static void
test_overlap (void)
{
  g_autofree char *text = document (2, TASK (0, "a", 0, 0, 0, 60) "," TASK (0, "b", 5, 5, 40, 50));
  g_autoptr (ArmillaTraceFile) file = parse (text, NULL);
  g_autofree ArmillaTraceUse *uses = armilla_trace_uses (file);

  g_assert_cmpfloat_with_epsilon (uses[0].busy, 90e-6, 1e-15);
  g_assert_cmpfloat_with_epsilon (uses[0].busy + uses[0].data + uses[0].scheduling
                                    + uses[0].unworthy + uses[0].behind + uses[0].nothing,
                                  100e-6, 1e-15);
}

#define MESSAGE(start, length)                                                                     \
  "{\"ph\":\"b\",\"name\":\"m\",\"pid\":0,\"tid\":0,\"id\":1,\"cat\":\"message\","                 \
  "\"ts\":" #start ",\"args\":{\"from\":\"rank 1\",\"to\":\"rank 0\",\"bytes\":8,"                 \
  "\"dur\":" #length "}}"

/* Two tiles are on their way from 10 to 40 and from 30 to 50, a third from 90 to 95; workers
 * compute from 20 to 35 and from 60 to 80. */
static void
test_hidden (void)
{
  g_autofree char *text
    = document (2, MESSAGE (10, 30) "," MESSAGE (30, 20) "," MESSAGE (90, 5) "," TASK (
                     0, "a", 20, 20, 20, 15) "," TASK (1, "b", 60, 60, 60, 20));
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaTraceFile) file = parse (text, &error);
  g_autofree char *table = NULL;
  ArmillaTraceOverlap overlap;

  g_assert_no_error (error);
  overlap = armilla_trace_overlap (file, ARMILLA_TRACE_MESSAGES);
  g_assert_cmpfloat_with_epsilon (overlap.under_way, 45e-6, 1e-15);
  g_assert_cmpfloat_with_epsilon (overlap.exposed, 30e-6, 1e-15);
  table = armilla_trace_table (file);
  g_assert_nonnull (strstr (table, "66.7 %, the receiving rank computed nothing"));
}

static void
test_table (void)
{
  g_autofree char *text = document (3, TASK (0, "a", 0, 0, 0, 60) "," TASK (1, "b", 5, 5, 40, 10)
                                       "," TASK (1, "a", 50, 5, 50, 40));
  g_autoptr (ArmillaTraceFile) file = parse (text, NULL);
  g_autofree char *table = armilla_trace_table (file);
  g_auto (GStrv) lines = g_strsplit (table, "\n", -1);
  int found = 0;

  for (char **line = lines; *line; line++)
    {
      char name[64], kind[16];
      double n, total, mean;

      if (sscanf (*line, " %63s %15s %lf %lf %lf", name, kind, &n, &total, &mean) != 5
          || strcmp (name, "a") != 0)
        continue;
      found++;
      g_assert_cmpfloat (n, ==, 2);
      g_assert_cmpfloat (total, ==, 0.0001);
      g_assert_cmpfloat (mean, ==, 0.05);
      /* 2000 operations in 100 us are 0.02 Gflop/s, 2 % of 1; 1000 bytes are 0.01 GB/s, 10 %; and
       * 100 us of the 200 that two workers had */
      g_assert_nonnull (strstr (*line, " 0.02   2.0 %     0.01  10.0 %  50.00 %"));
    }
  g_assert_cmpint (found, ==, 1);
  g_assert_nonnull (strstr (table, "[sky] alm2map"));
}

/* Written anew by another program: other blanks and another order. */
static void
test_other_order (void)
{
  g_autofree char *metadata = g_strdup_printf (METADATA, 1);
  g_autofree char *text
    = g_strdup_printf (" {\n \"traceEvents\" :\n [ %s , {\"ph\":\"M\",\"x\":[{\"y\":\"]}\\\"\"}]} ]"
                       ",\r\n %s }  ",
                       TASK (1, "a", 0, 0, 0, 60), metadata);
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaTraceFile) file = parse (text, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (file->events->len, ==, 1);
}

static void
expect (const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaTraceFile) file = parse (text, &error);

  g_assert_null (file);
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE);
  if (!strstr (error->message, message))
    g_error ("\"%s\" is not in \"%s\"", message, error->message);
}

static void
test_refused (void)
{
  static const char *const strangers[]
    = { "", " ", "x", "[]", "{}", "{\"traceEvents\":[]}", "\xff\xfe", "12", "\"text\"",
        "{\"metadata\":{},\"traceEvents\":[]}",
        "{\"metadata\":{\"format\":1},\"traceEvents\":[]}" };
  static const struct {
    const char *from, *to, *message;
  } changes[] = {
    { "\"version\":1", "\"version\":2", "of version 2; this program reads version 1" },
    { "\"version\":1", "\"version\":1.5", "not a trace of armilla run --trace" },
    { "\"tasks\":1", "\"tasks\":7", "damaged: it has 1 of 7 tasks" },
    { "\"tasks\":1", "\"tasks\":-1", "tasks = -1; must be a whole number from 0" },
    { "\"seconds\":0.0001", "\"seconds\":0", "the duration of the run is 0" },
    { "\"seconds\":0.0001", "\"seconds\":1e999", "seconds is not a number" },
    { "\"ranks\":[{", "\"ranks\":[1,{", "a rank is not an object" },
    { "\"pid\":0", "\"pid\":1", "line 1: pid = 1; must be a whole number from 0 to 0" },
    { "\"tid\":0", "\"tid\":2", "a task of a worker that the metadata do not contain" },
    { "\"tid\":0", "\"tid\":-1", "tid = -1; must be a whole number from 0" },
    { "\"dur\":60", "\"dur\":-60", "negative" },
    { "\"dur\":60", "\"dur\":\"60\"", "dur is not a number" },
    { "\"name\":\"a\"", "\"name\":null", "name is not a text" },
    { "\"args\":{", "\"arks\":{", "a task has no args" },
    { "\"args\":{", "\"args\":{1 ", "no valid JSON" },
    { "}}]}", "}}]", "the file ends too early" },
    { "}}]}", "}]}", "a bracket is closed by another kind" },
    { "\"dur\":60,", "\"dur\":60 ", "no valid JSON" },
    { "\"displayTimeUnit\":", "\"displayTimeUnit\"", "a colon is missing" },
    { ",\"traceEvents\"", "\"traceEvents\"", "no valid JSON" },
    { "}}]}", "}}]]", "a comma or a bracket is missing" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (strangers); i++)
    expect (strangers[i], "not a trace of armilla run --trace");
  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *text = document (1, TASK (0, "a", 0, 0, 0, 60));
      const char *at = strstr (text, changes[i].from);
      g_autofree char *changed = NULL;

      g_assert_nonnull (at);
      changed = g_strdup_printf ("%.*s%s%s", (int) (at - text), text, changes[i].to,
                                 at + strlen (changes[i].from));
      expect (changed, changes[i].message);
    }
}

/* json-glib calls itself for every bracket: a million of them would end the program. */
static void
test_deep (void)
{
  const gsize n = 1000000;
  g_autofree char *brackets = g_malloc (n + 1);
  g_autofree char *text = NULL;

  memset (brackets, '[', n);
  brackets[n] = '\0';
  text = document (1, brackets);
  expect (text, "brackets are nested too deeply");
  expect (brackets, "not a JSON object");
}

/* Cut anywhere, a trace is refused. */
static void
test_truncated (void)
{
  g_autofree char *text = document (1, TASK (0, "a", 0, 0, 0, 60));

  for (gsize n = strlen (text) - 2; n > 0; n--)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (armilla_trace_file_parse (text, n, &error));
      g_assert_nonnull (error);
    }
}

#define STEP(name, start, length)                                                                  \
  "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":0,\"tid\":10001,\"cat\":\"host\",\"ts\":"           \
  #start ",\"dur\":" #length ",\"args\":{\"node\":\"sky\",\"stage\":\"alm2map\","                  \
  "\"kind\":\"host\",\"flops\":0,\"bytes\":500,\"ready\":" #start ",\"taken\":" #start "}}"

/* A table is read from 5 to 30 and from 70 to 90, something else from 40 to 50; tasks run from 20
 * to 60 and from 80 to 85. */
static void
test_tables (void)
{
  g_autofree char *text
    = document (5, STEP ("table", 5, 25) "," TASK (0, "a", 20, 20, 20, 40) ","
                     STEP ("alm2map", 40, 10) "," STEP ("table", 70, 20) ","
                     TASK (1, "b", 80, 80, 80, 5));
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaTraceFile) file = parse (text, &error);
  g_autofree char *table = NULL;
  ArmillaTraceOverlap overlap;

  g_assert_no_error (error);
  overlap = armilla_trace_overlap (file, ARMILLA_TRACE_TABLES);
  g_assert_cmpfloat_with_epsilon (overlap.under_way, 45e-6, 1e-15);
  g_assert_cmpfloat_with_epsilon (overlap.exposed, 30e-6, 1e-15);
  table = armilla_trace_table (file);
  g_assert_nonnull (strstr (table, "tables were read and verified for"));
  g_assert_nonnull (strstr (table, "66.7 %, the receiving rank computed nothing"));
  g_assert_null (strstr (table, "tiles were on their way"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-reader/hidden", test_hidden);
  g_test_add_func ("/trace-reader/idle", test_idle);
  g_test_add_func ("/trace-reader/behind", test_behind);
  g_test_add_func ("/trace-reader/chain", test_chain);
  g_test_add_func ("/trace-reader/unworthy", test_unworthy);
  g_test_add_func ("/trace-reader/overlap", test_overlap);
  g_test_add_func ("/trace-reader/table", test_table);
  g_test_add_func ("/trace-reader/tables", test_tables);
  g_test_add_func ("/trace-reader/other-order", test_other_order);
  g_test_add_func ("/trace-reader/refused", test_refused);
  g_test_add_func ("/trace-reader/deep", test_deep);
  g_test_add_func ("/trace-reader/truncated", test_truncated);
  return g_test_run ();
}
