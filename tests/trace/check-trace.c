/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for every trace, looked at with json-glib alone:
 *
 *   check-trace FILE RANKS             of tasks on CPU cores, GPUs or both
 *   check-trace --gpu FILE RANKS       and tasks ran on a GPU, tiles were copied to it and back
 *   check-trace --pipeline FILE RANKS  and realisations overlap: see check_pipeline()
 *   check-trace FILE RANKS NAME        only prints what the metadata have under that name
 */
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition, event)                                                                  \
  do                                                                                               \
    if (!(condition))                                                                              \
      {                                                                                            \
        g_autofree char *text_ = json_to_string (event, FALSE);                                    \
                                                                                                   \
        printf ("%s does not hold for %s\n", #condition, text_);                                   \
        exit (1);                                                                                  \
      }                                                                                            \
  while (0)

/* What was seen so far. */
typedef struct {
  double end;             /* of the run, microseconds */
  int n_ranks;
  gint64 n_tasks;
  GHashTable *serials;    /* of tasks */
  GHashTable *tracks;     /* "pid tid" of thread_name */
  GHashTable *processes;  /* pid of process_name */
  GHashTable *copies;     /* ids that have begun */
  GHashTable *counters;   /* names of counters */
  JsonArray *ranks;       /* of the metadata */
  gint64 n_gpu_tasks, n_to_gpu, n_from_gpu;
} Seen;

static double
number (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  if (!node || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) == G_TYPE_STRING)
    {
      printf ("%s is not a number\n", key);
      exit (1);
    }
  return json_node_get_double (node);
}

/* A thousandth of a microsecond is what is written. */
#define EPSILON 0.002
#define FIRST_STEP_TRACK 10000 /* of what submits, and of steps on the host */

/* The kind of worker that the metadata have for a track: "CPU", "CUDA". */
static const char *
worker_kind (const Seen *seen, JsonNode *node, JsonObject *event)
{
  gint64 pid = json_object_get_int_member (event, "pid");
  gint64 tid = json_object_get_int_member (event, "tid");
  JsonArray *workers;

  REQUIRE (pid >= 0 && pid < json_array_get_length (seen->ranks), node);
  workers = json_object_get_array_member (
    json_array_get_object_element (seen->ranks, (guint) pid), "workers");
  REQUIRE (tid >= 0 && tid < json_array_get_length (workers), node);
  return json_object_get_string_member (json_array_get_object_element (workers, (guint) tid),
                                        "kind");
}

static void
check_kind (Seen *seen, JsonNode *node, JsonObject *event, const char *kind, gboolean host)
{
  if (host)
    {
      REQUIRE (strcmp (kind, "host") == 0, node);
      return;
    }
  REQUIRE (strcmp (kind, "CPU") == 0 || strcmp (kind, "CUDA") == 0, node);
  REQUIRE (strcmp (kind, worker_kind (seen, node, event)) == 0, node);
  seen->n_gpu_tasks += strcmp (kind, "CUDA") == 0;
}

static void
check_task (Seen *seen, JsonNode *node, JsonObject *event)
{
  JsonObject *args = json_object_get_object_member (event, "args");
  gint64 serial = json_object_get_int_member (args, "serial");
  double start = number (event, "ts"), end = start + number (event, "dur");
  gboolean host = strcmp (json_object_get_string_member (event, "cat"), "host") == 0;

  REQUIRE (g_hash_table_add (seen->serials, g_memdup2 (&serial, sizeof serial)), node);
  seen->n_tasks++;
  REQUIRE (number (event, "dur") >= 0, node);
  REQUIRE (start >= 0 && end <= seen->end + EPSILON, node);
  REQUIRE (number (args, "submitted") <= number (args, "ready") + EPSILON, node);
  REQUIRE (number (args, "ready") <= number (args, "taken") + EPSILON, node);
  REQUIRE (number (args, "taken") <= start + EPSILON, node);
  REQUIRE (number (args, "flops") >= 0 && number (args, "bytes") >= 0, node);
  REQUIRE (*json_object_get_string_member (args, "node") != '\0', node);
  REQUIRE (*json_object_get_string_member (args, "stage") != '\0', node);
  check_kind (seen, node, event, json_object_get_string_member (args, "kind"), host);
  if (!json_object_has_member (args, "late"))
    /* the end of what a rank writes has no tile */
    REQUIRE (number (args, "bytes") > (host ? -1 : 0), node);
}

static gboolean
is_gpu (const char *memory)
{
  return g_str_has_prefix (memory, "CUDA");
}

/* A copy begins. Whatever the two memories are, it has a size and takes no negative time. */
static void
check_copy (Seen *seen, JsonNode *node, JsonObject *event)
{
  JsonObject *args = json_object_get_object_member (event, "args");
  const char *from = json_object_get_string_member (args, "from");
  const char *to = json_object_get_string_member (args, "to");

  REQUIRE (g_hash_table_add (seen->copies,
                             GINT_TO_POINTER (json_object_get_int_member (event, "id") + 1)),
           node);
  REQUIRE (number (args, "bytes") > 0 && number (args, "dur") >= 0, node);
  /* Within a node StarPU copies, too: a tile that another rank sent before it was asked for. */
  if (strcmp (json_object_get_string_member (event, "cat"), "transfer") != 0)
    {
      REQUIRE (strcmp (from, to) != 0, node);
      return;
    }
  seen->n_to_gpu += is_gpu (to) && !is_gpu (from);
  seen->n_from_gpu += is_gpu (from) && !is_gpu (to);
}

static void
check_event (Seen *seen, JsonNode *node)
{
  JsonObject *event = json_node_get_object (node);
  const char *phase = json_object_get_string_member (event, "ph");
  const char *name = json_object_get_string_member (event, "name");
  gint64 pid = json_object_get_int_member (event, "pid");
  g_autofree char *track = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, pid,
                                            json_object_get_int_member (event, "tid"));

  REQUIRE (pid >= 0 && pid < seen->n_ranks, node);
  if (strcmp (phase, "M") == 0)
    {
      if (strcmp (name, "thread_name") == 0)
        REQUIRE (g_hash_table_add (seen->tracks, g_strdup (track)), node);
      if (strcmp (name, "process_name") == 0)
        REQUIRE (g_hash_table_add (seen->processes, GINT_TO_POINTER (pid + 1)), node);
      return;
    }
  REQUIRE (number (event, "ts") >= -EPSILON && number (event, "ts") <= seen->end + EPSILON, node);
  if (strcmp (phase, "C") == 0)
    {
      g_hash_table_add (seen->counters, g_strdup (name));
      return;
    }
  REQUIRE (g_hash_table_contains (seen->tracks, track), node);
  if (strcmp (phase, "X") == 0)
    {
      if (strcmp (json_object_get_string_member (event, "cat"), "submit") != 0)
        check_task (seen, node, event);
    }
  else if (strcmp (phase, "b") == 0)
    check_copy (seen, node, event);
  else if (strcmp (phase, "i") == 0)
    REQUIRE (json_object_has_member (event, "s"), node);
  else
    {
      REQUIRE (strcmp (phase, "e") == 0, node);
      REQUIRE (g_hash_table_remove (seen->copies,
                                    GINT_TO_POINTER (json_object_get_int_member (event, "id")
                                                     + 1)),
               node);
    }
}

typedef struct {
  const char *track;
  double start, end;
  gboolean gpu;
} Slice;

static int
compare_slices (gconstpointer a, gconstpointer b)
{
  const Slice *x = a, *y = b;
  int order = strcmp (x->track, y->track);

  return order ? order : (x->start > y->start) - (x->start < y->start);
}

/* Tasks of CPU workers and host steps never overlap on their track. A GPU has the next task handed
 * to it while it computes: there they may, but what began first ends first. */
static void
check_tracks (JsonArray *events)
{
  g_autoptr (GArray) slices = g_array_new (FALSE, FALSE, sizeof (Slice));
  g_autoptr (GStringChunk) names = g_string_chunk_new (1024);

  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      Slice slice;
      char track[64];

      if (strcmp (json_object_get_string_member (event, "ph"), "X") != 0)
        continue;
      g_snprintf (track, sizeof track, "%d %d", (int) json_object_get_int_member (event, "pid"),
                  (int) json_object_get_int_member (event, "tid"));
      slice.track = g_string_chunk_insert_const (names, track);
      slice.start = number (event, "ts");
      slice.end = slice.start + number (event, "dur");
      slice.gpu = strcmp (json_object_get_string_member (event, "cat"), "task") == 0
                  && strcmp (json_object_get_string_member (
                               json_object_get_object_member (event, "args"), "kind"),
                             "CUDA") == 0;
      g_array_append_val (slices, slice);
    }
  g_array_sort (slices, compare_slices);
  for (guint i = 1; i < slices->len; i++)
    {
      const Slice *last = &g_array_index (slices, Slice, i - 1);
      const Slice *next = &g_array_index (slices, Slice, i);

      if (last->track == next->track
          && (next->gpu ? next->end : next->start) < last->end - EPSILON)
        {
          printf ("track %s: %f to %f overlaps %f to %f\n", last->track, last->start, last->end,
                  next->start, next->end);
          exit (1);
        }
    }
}

/* Tasks have the numbers from 0 on, over all ranks: each that was submitted is there once. */
static void
check_serials (Seen *seen, JsonNode *root)
{
  for (gint64 i = 0; i < seen->n_tasks; i++)
    REQUIRE (g_hash_table_contains (seen->serials, &i), json_object_get_member (
                                                         json_node_get_object (root), "metadata"));
}

/* Realisations overlap: the recurrence of one has begun before the last step of the one ahead of
 * it, which writes, has ended. A recurrence may have to wait for a worker that is busy, so of all
 * of them some must, not each. */
static void
check_pipeline (JsonArray *events)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, TRUE, sizeof (Slice));
  int n_overlaps = 0;

  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      gboolean recurrence, step;
      Slice *span;
      gint64 index;
      double start;

      if (strcmp (json_object_get_string_member (event, "ph"), "X") != 0)
        continue;
      recurrence = strcmp (json_object_get_string_member (event, "name"), "delta_synthesis") == 0;
      step = strcmp (json_object_get_string_member (event, "cat"), "host") == 0;
      if (!recurrence && !step)
        continue;
      index = json_object_get_int_member (json_object_get_object_member (event, "args"),
                                          "realisation");
      start = number (event, "ts");
      while (index >= spans->len)
        {
          const Slice none = { .start = G_MAXDOUBLE };

          g_array_append_val (spans, none);
        }
      span = &g_array_index (spans, Slice, index);
      if (recurrence)
        span->start = MIN (span->start, start);
      else
        span->end = MAX (span->end, start + number (event, "dur"));
    }
  for (guint i = 1; i < spans->len; i++)
    n_overlaps += g_array_index (spans, Slice, i).start < g_array_index (spans, Slice, i - 1).end;
  printf ("%d of %u realisations began before the one ahead was written\n", n_overlaps,
          spans->len);
  if (n_overlaps == 0)
    exit (1);
}

int
main (int argc, char *argv[])
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  JsonObject *object, *metadata;
  JsonArray *events;
  Seen seen = { 0 };
  gboolean gpu = argc > 1 && strcmp (argv[1], "--gpu") == 0;
  gboolean pipeline = argc > 1 && strcmp (argv[1], "--pipeline") == 0;

  if (gpu || pipeline)
    {
      argv++;
      argc--;
    }
  if (argc < 3 || !json_parser_load_from_file (parser, argv[1], &error))
    {
      printf ("%s\n", error ? error->message
                            : "usage: check-trace [--gpu|--pipeline] FILE RANKS [NAME]");
      return 1;
    }
  object = json_node_get_object (json_parser_get_root (parser));
  metadata = json_object_get_object_member (object, "metadata");
  events = json_object_get_array_member (object, "traceEvents");
  if (argc > 3)
    {
      g_autofree char *text = json_to_string (json_object_get_member (metadata, argv[3]), FALSE);

      puts (text);
      return 0;
    }
  seen.ranks = json_object_get_array_member (metadata, "ranks");
  seen.n_ranks = atoi (argv[2]);
  seen.end = 1e6 * number (metadata, "seconds");
  seen.serials = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  seen.tracks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  seen.counters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  seen.processes = g_hash_table_new (NULL, NULL);
  seen.copies = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < json_array_get_length (events); i++)
    check_event (&seen, json_array_get_element (events, i));
  check_serials (&seen, json_parser_get_root (parser));
  check_tracks (events);
  if (pipeline)
    check_pipeline (events);
  if (gpu)
    {
      printf ("%" G_GINT64_FORMAT " tasks on a GPU, %" G_GINT64_FORMAT " copies to it, %"
              G_GINT64_FORMAT " from it\n", seen.n_gpu_tasks, seen.n_to_gpu, seen.n_from_gpu);
      REQUIRE (seen.n_gpu_tasks > 0 && seen.n_to_gpu > 0 && seen.n_from_gpu > 0,
               json_object_get_member (object, "metadata"));
    }
  REQUIRE (g_hash_table_size (seen.copies) == 0, json_parser_get_root (parser));
  REQUIRE ((int) g_hash_table_size (seen.processes) == seen.n_ranks,
           json_object_get_member (object, "metadata"));
  REQUIRE (seen.n_tasks == json_object_get_int_member (metadata, "tasks"),
           json_object_get_member (object, "metadata"));
  REQUIRE (g_hash_table_contains (seen.counters, "resident memory")
             && g_hash_table_contains (seen.counters, "ready tasks")
             && g_hash_table_contains (seen.counters, "submitted tasks"),
           json_object_get_member (object, "metadata"));
  g_hash_table_unref (seen.serials);
  g_hash_table_unref (seen.tracks);
  g_hash_table_unref (seen.counters);
  g_hash_table_unref (seen.processes);
  g_hash_table_unref (seen.copies);
  return 0;
}
