/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The armilla program. */
#include "config.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "workflows/commands.h"
#include "workflows/suggest.h"

static const struct {
  const char *name;
  ArmillaExit (*run) (char **words);
  const char *arguments;
  const char *summary;
} commands[] = {
  { "bench", armilla_command_bench, "NAME", "time a transform" },
  { "check", armilla_command_check, "FILE", "say what is wrong with a workflow" },
  { "graph", armilla_command_graph, "FILE", "print a workflow as a graph for Graphviz" },
  { "inspect", armilla_command_inspect, "[STAGE]", "list the stages, or describe one" },
  { "machine", armilla_command_machine, "", "tell what a run would run on" },
  { "plan", armilla_command_plan, "FILE", "forecast a run on nodes that are not at hand" },
  { "precompute", armilla_command_precompute, "FILE",
    "make the tables that a workflow names, for many transforms" },
  { "run", armilla_command_run, "FILE", "run a workflow" },
  { "trace", armilla_command_trace, "FILE", "tell where the time of a run went" },
  { "tune", armilla_command_tune, "", "learn what is fast on this machine" },
};

static void
print_help (FILE *out)
{
  fputs ("usage: armilla COMMAND ...\n\n", out);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (out, "  armilla %-10s %-8s %s\n", commands[i].name, commands[i].arguments,
             commands[i].summary);
  fputs ("\narmilla COMMAND --help tells the options of a command, armilla --version the "
         "version.\n"
         "Exit status: 0 done; 1 the run failed; 2 the command line or the workflow is wrong.\n",
         out);
}

static ArmillaExit
unknown_command (const char *word)
{
  const char *names[G_N_ELEMENTS (commands) + 1] = { NULL };
  g_autofree char *hint = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    names[i] = commands[i].name;
  hint = armilla_suggest_text (word, "commands", names);
  armilla_refuse ("armilla: unknown %s \"%s\"%s", *word == '-' ? "option" : "command", word, hint);
  return ARMILLA_EXIT_USAGE;
}

int
main (int argc, char *argv[])
{
  int status = -1;

  /* Only the characters: numbers are written and read with a point everywhere. */
  setlocale (LC_CTYPE, "");
  /* A file that may grow no more (ulimit -f) is an error like a full disk. */
  signal (SIGXFSZ, SIG_IGN);
  g_set_prgname ("armilla");
  if (argc < 2)
    {
      print_help (stderr);
      return ARMILLA_EXIT_USAGE;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0)
    {
      print_help (stdout);
      status = ARMILLA_EXIT_DONE;
    }
  else if (strcmp (argv[1], "--version") == 0)
    {
      puts (PACKAGE_STRING);
      status = ARMILLA_EXIT_DONE;
    }
  for (gsize i = 0; status < 0 && i < G_N_ELEMENTS (commands); i++)
    if (strcmp (argv[1], commands[i].name) == 0)
      status = commands[i].run (argv + 1);
  if (status < 0)
    status = unknown_command (argv[1]);
  if (fflush (stdout) != 0 || ferror (stdout))
    {
      fputs ("armilla: cannot write to standard output\n", stderr);
      status = status == ARMILLA_EXIT_DONE ? ARMILLA_EXIT_FAILED : status;
    }
  return status;
}
