/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a large JSON text into its members without building a tree, which for a trace of millions
 * of events would be ten times as large as the text. This file finds brackets and quotes only;
 * json-glib parses the members. It is recursive, so the depth of nesting is limited. */
#include "workflows/trace/json-pieces.h"

#include <string.h>

#define DEEPEST 32

static gboolean
damaged (const ArmillaJsonPieces *self, const char *what, GError **error)
{
  return armilla_fail (error, ARMILLA_ERROR_PARSE, "line %" G_GINT64_FORMAT ": %s", self->line,
                       what);
}

static void
skip_blanks (ArmillaJsonPieces *self)
{
  for (; self->at < self->end && strchr (" \t\r\n", *self->at) && *self->at; self->at++)
    self->line += *self->at == '\n';
}

/* Skips the rest of a string, from after the opening quote on. */
static gboolean
skip_string (ArmillaJsonPieces *self, GError **error)
{
  for (; self->at < self->end && *self->at != '"'; self->at++)
    {
      if (*self->at == '\n')
        return damaged (self, "a string does not end", error);
      if (*self->at == '\\')
        self->at++;
    }
  if (self->at >= self->end)
    {
      self->at = self->end;
      return damaged (self, "the file ends within a string", error);
    }
  self->at++;
  return TRUE;
}

/* Skips a value, up to the comma or bracket that follows. */
static gboolean
skip_value (ArmillaJsonPieces *self, GError **error)
{
  const char *start = self->at;
  char closing[DEEPEST];
  int depth = 0;

  while (self->at < self->end)
    {
      char c = *self->at;

      if (depth == 0 && (c == ',' || c == ']' || c == '}'))
        break;
      self->at++;
      self->line += c == '\n';
      if (c == '"' && !skip_string (self, error))
        return FALSE;
      if (c == '[' || c == '{')
        {
          if (depth == DEEPEST)
            return damaged (self, "brackets are nested too deeply", error);
          closing[depth++] = c == '[' ? ']' : '}';
        }
      else if ((c == ']' || c == '}') && closing[--depth] != c)
        return damaged (self, "a bracket is closed by another kind", error);
    }
  if (depth > 0)
    return damaged (self, "the file ends within a value", error);
  return self->at > start || damaged (self, "a value is missing", error);
}

/* Begins to iterate over a value, an object or an array with the bracket @opening; FALSE if the
 * value does not begin with it. */
gboolean
armilla_json_pieces_enter (ArmillaJsonPieces *self, ArmillaJsonPiece value, char opening,
                           gint64 line)
{
  *self = (ArmillaJsonPieces) { .at = value.start,
                                .end = value.start + value.length,
                                .line = line,
                                .closing = opening == '{' ? '}' : ']' };
  skip_blanks (self);
  if (self->at == self->end || *self->at != opening)
    return FALSE;
  self->at++;
  return TRUE;
}

/* Moves to the next member. @key: text of its name without quotes, NULL in arrays. Returns FALSE at
 * the end, and sets an error if the text is damaged. */
gboolean
armilla_json_pieces_next (ArmillaJsonPieces *self, ArmillaJsonPiece *key, ArmillaJsonPiece *value,
                          gint64 *line, GError **error)
{
  skip_blanks (self);
  if (self->at < self->end && *self->at == self->closing)
    return FALSE;
  if (self->begun)
    {
      if (self->at == self->end || *self->at != ',')
        return damaged (self, self->at == self->end ? "the file ends too early"
                                                    : "a comma or a bracket is missing",
                        error);
      self->at++;
      skip_blanks (self);
    }
  self->begun = TRUE;
  if (key)
    {
      if (self->at == self->end || *self->at != '"')
        return damaged (self, "a key is missing", error);
      key->start = ++self->at;
      if (!skip_string (self, error))
        return FALSE;
      key->length = (gsize) (self->at - key->start) - 1;
      skip_blanks (self);
      if (self->at == self->end || *self->at != ':')
        return damaged (self, "a colon is missing", error);
      self->at++;
      skip_blanks (self);
    }
  value->start = self->at;
  *line = self->line;
  if (!skip_value (self, error))
    return FALSE;
  value->length = (gsize) (self->at - value->start);
  return TRUE;
}
