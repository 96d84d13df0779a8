/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The armilla program. */
#include "config.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "workflows/program/commands.h"
#include "workflows/program/last-words.h"
#include "workflows/run/progress.h"
#include "workflows/text/problems.h"

static const struct {
  const char *name;
  ArmillaExit (*run) (char **words);
  const char *arguments;
  const char *summary;
} commands[] = {
  { "bench", armilla_command_bench, "NAME", "time a transform" },
  { "check", armilla_command_check, "FILE", "check a workflow" },
  { "graph", armilla_command_graph, "FILE", "print a workflow as a graph for Graphviz" },
  { "inspect", armilla_command_inspect, "[STAGE]", "list the stages, or describe one" },
  { "machine", armilla_command_machine, "", "show the workers and memory of this machine" },
  { "plan", armilla_command_plan, "FILE", "forecast a run on nodes that are not available" },
  { "precompute", armilla_command_precompute, "FILE",
    "create the tables that a workflow names, for many transforms" },
  { "run", armilla_command_run, "FILE", "run a workflow" },
  { "trace", armilla_command_trace, "FILE", "show where the time of a run was spent" },
  { "tune", armilla_command_tune, "", "find the fastest settings for this machine" },
};

static void
print_help (FILE *out)
{
  fputs ("usage: armilla COMMAND ...\n\n", out);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (out, "  armilla %-10s %-9s %s\n", commands[i].name, commands[i].arguments,
             commands[i].summary);
  fputs ("  armilla help       [COMMAND] this text, or the options of a command\n"
         "  armilla version              the version\n"
         "\nA workflow FILE named - is standard input.\n"
         "Exit status: 0 done; 1 the run failed; 2 the command line or the workflow is wrong.\n",
         out);
}

static ArmillaExit
unknown_command (const char *word)
{
  const char *names[G_N_ELEMENTS (commands) + 3] = { NULL };
  g_autofree char *hint = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    names[i] = commands[i].name;
  names[G_N_ELEMENTS (commands)] = "help";
  names[G_N_ELEMENTS (commands) + 1] = "version";
  hint = armilla_suggest_text (word, "commands", names);
  armilla_refuse ("armilla: unknown %s \"%s\"%s", *word == '-' ? "option" : "command", word, hint);
  return ARMILLA_EXIT_USAGE;
}

/* Runs the command with whose name (of one or two words) @words begin, and returns its status; -1
 * if there is none. */
static int
run_command (char **words)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (words[0], commands[i].name) == 0)
      return (int) commands[i].run (words);
  return -1;
}

static gboolean
is_one_of (const char *word, const char *a, const char *b, const char *c)
{
  return strcmp (word, a) == 0 || strcmp (word, b) == 0 || (c != NULL && strcmp (word, c) == 0);
}

/* Implements `armilla help [COMMAND]`. @words: those after "help", terminated by NULL. */
static int
help (char **words)
{
  char *asks[] = { words[0], (char *) "--help", NULL };
  int status;

  if (words[0] == NULL || is_one_of (words[0], "help", "--help", "version"))
    {
      print_help (stdout);
      return ARMILLA_EXIT_DONE;
    }
  if (words[1] != NULL)
    {
      armilla_refuse ("usage: armilla help [COMMAND]");
      return ARMILLA_EXIT_USAGE;
    }
  status = run_command (asks);
  return status >= 0 ? status : (int) unknown_command (words[0]);
}

static int
print_version (char **words)
{
  if (words[0] != NULL)
    {
      armilla_refuse ("usage: armilla version");
      return ARMILLA_EXIT_USAGE;
    }
  puts (PACKAGE_STRING);
  return ARMILLA_EXIT_DONE;
}

int
main (int argc, char *argv[])
{
  int status;

  armilla_progress_program_begins ();
  /* Sets the character set only: numbers must have a decimal point in every locale. */
  setlocale (LC_CTYPE, "");
  /* Exceeding the maximum file size (ulimit -f) then is an error of write(), like a full disk. */
  signal (SIGXFSZ, SIG_IGN);
  g_set_prgname ("armilla");
  armilla_last_words_begin ();
  if (argc < 2)
    {
      print_help (stderr);
      return armilla_last_words_end (ARMILLA_EXIT_USAGE);
    }
  if (is_one_of (argv[1], "help", "--help", "-h"))
    status = help (argv + 2);
  else if (is_one_of (argv[1], "version", "--version", NULL))
    status = print_version (argv + 2);
  else
    status = run_command (argv + 1);
  if (status < 0)
    status = unknown_command (argv[1]);
  if (fflush (stdout) != 0 || ferror (stdout))
    {
      fputs ("armilla: cannot write to standard output\n", stderr);
      status = status == ARMILLA_EXIT_DONE ? ARMILLA_EXIT_FAILED : status;
    }
  return armilla_last_words_end (status);
}
