/* SPDX-License-Identifier: GPL-3.0-or-later */
/* muParser's C interface. A handle holds the values and stack of an expression, so one thread at a
 * time may use it. mupError() clears the error state. Bulk evaluation starts threads if muParser
 * was built with OpenMP, as in Debian, so values are evaluated one by one.
 *
 * muParser always rearranges sums and products of one variable with numbers and with itself, which
 * changes the rounding: it turns 2 - a + a into 2. The C interface cannot disable that, so muParser
 * gets a text in which every operand is a separate variable, and evaluates it as written. */
#include <armilla/map-header.h>
#include <math.h>
#include <muParserDLL.h>
#include <string.h>

#include "core/expressions/expression-private.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* An operand of the text. */
typedef struct {
  int variable; /* -1: a number */
  double value; /* value, if it is a number */
} Slot;

/* A muParser handle and the values that it reads. */
typedef struct {
  muParserHandle_t handle;
  double *values; /* [slot] */
} Parser;

struct _ArmillaExpressionProgram {
  GString *text;
  GArray *slots;
  GMutex lock;
  GPtrArray *idle; /* parsers not in use, guarded by the lock */
};

static void
parser_free (gpointer data)
{
  Parser *parser = data;

  mupRelease (parser->handle);
  g_free (parser->values);
  g_free (parser);
}

/* Returns a new parser that knows functions and operators, but no constants. */
muParserHandle_t
armilla_expression_handle (const char *const *except)
{
  muParserHandle_t handle = mupCreate (muBASETYPE_FLOAT);

  mupDefineNameChars (handle, ARMILLA_EXPRESSION_CHARACTERS);
  mupClearFun (handle);
  mupClearConst (handle);
  for (const ArmillaExpressionFunction *f = armilla_expression_functions; f->name != NULL; f++)
    if (g_strv_contains (except, f->name))
      continue;
    else if (f->one != NULL)
      mupDefineFun1 (handle, f->name, f->one, 1);
    else if (f->two != NULL)
      mupDefineFun2 (handle, f->name, f->two, 1);
    else if (f->three != NULL)
      mupDefineFun3 (handle, f->name, f->three, 1);
    else
      mupDefineMultFun (handle, f->name, f->any, 1);
  mupDefineInfixOprt (handle, "!", armilla_expression_not, 1);
  return handle;
}

/* Writes the name of a slot: two characters, which suffice for the operands of the longest text and
 * differ from the names of all functions. */
static void
name_slot (guint slot, char name[3])
{
  static const char letters[] = LETTERS, others[] = LETTERS "0123456789";

  name[0] = letters[slot % (sizeof letters - 1)];
  name[1] = others[slot / (sizeof letters - 1) % (sizeof others - 1)];
  name[2] = '\0';
}

static void
add_slot (ArmillaExpressionProgram *self, Slot slot)
{
  char name[3];

  name_slot (self->slots->len, name);
  g_array_append_val (self->slots, slot);
  g_string_append (self->text, name);
}

/* Returns whether the operand is an exponent: muParser replaces small integer powers by
 * products. */
static gboolean
is_exponent (const char *text, const char *at)
{
  while (at > text && g_ascii_isspace (at[-1]))
    at--;
  return at > text && at[-1] == '^';
}

static void
add_operand (ArmillaExpressionProgram *self, const char *text, const char *at, gsize length,
             ArmillaOperand kind, GHashTable *names)
{
  g_autofree char *word = g_strndup (at, length);
  const int variable = GPOINTER_TO_INT (g_hash_table_lookup (names, word));

  if (kind == ARMILLA_OPERAND_CALL || (kind == ARMILLA_OPERAND_NUMBER && is_exponent (text, at)))
    g_string_append (self->text, word);
  else if (kind == ARMILLA_OPERAND_NUMBER)
    add_slot (self, (Slot) { -1, g_ascii_strtod (word, NULL) });
  else if (variable > 0)
    add_slot (self, (Slot) { variable - 1, 0 });
  else
    add_slot (self, (Slot) { -1, strcmp (word, "pi") == 0 ? G_PI : NAN });
}

static Parser *
parser_new (const ArmillaExpressionProgram *self, GError **error)
{
  Parser *parser = g_new0 (Parser, 1);

  parser->handle = armilla_expression_handle ((const char *const[]) { NULL });
  parser->values = g_new0 (double, MAX (self->slots->len, 1));
  for (guint s = 0; s < self->slots->len; s++)
    {
      char name[3];

      name_slot (s, name);
      parser->values[s] = g_array_index (self->slots, Slot, s).value;
      mupDefineVar (parser->handle, name, &parser->values[s]);
    }
  mupSetExpr (parser->handle, self->text->str);
  if (!mupError (parser->handle))
    return parser;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE,
               "cannot be evaluated (muParser error %d); split the formula into several stages",
               mupGetErrorCode (parser->handle));
  parser_free (parser);
  return NULL;
}

/* Translates a valid text to a program. @names maps a name to the number of its variable plus 1.
 * Returns NULL with ARMILLA_ERROR_PARSE if muParser rejects the text. */
ArmillaExpressionProgram *
armilla_expression_program_new (const char *text, GHashTable *names, GError **error)
{
  ArmillaExpressionProgram *self = g_new0 (ArmillaExpressionProgram, 1);
  const char *from = text, *at;
  ArmillaOperand kind;
  Parser *parser;
  gsize length;

  g_mutex_init (&self->lock);
  self->idle = g_ptr_array_new_with_free_func (parser_free);
  self->text = g_string_new (NULL);
  self->slots = g_array_new (FALSE, FALSE, sizeof (Slot));
  while ((at = armilla_expression_operand (from, &length, &kind)) != NULL)
    {
      g_string_append_len (self->text, from, at - from);
      add_operand (self, text, at, length, kind, names);
      from = at + length;
    }
  g_string_append (self->text, from);
  parser = parser_new (self, error);
  if (parser != NULL)
    g_ptr_array_add (self->idle, parser);
  else
    g_clear_pointer (&self, armilla_expression_program_free);
  return self;
}

void
armilla_expression_program_free (ArmillaExpressionProgram *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->idle);
  g_array_unref (self->slots);
  g_string_free (self->text, TRUE);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static double
value_at (const ArmillaExpressionProgram *self, Parser *parser, const ArmillaExpressionUse *uses,
          const double *const *values, gint64 i)
{
  for (guint s = 0; s < self->slots->len; s++)
    {
      const int variable = g_array_index (self->slots, Slot, s).variable;
      double x;

      if (variable < 0)
        continue;
      x = values[variable][i];
      if (armilla_is_unseen (x))
        x = NAN;
      if (isnan (x) && uses[variable].needed)
        return NAN;
      parser->values[s] = x;
    }
  return mupEval (parser->handle);
}

/* Evaluates the expression for n values of each variable; thread-safe. */
gboolean
armilla_expression_program_run (ArmillaExpressionProgram *self, const ArmillaExpressionUse *uses,
                                const double *const *values, gint64 n, double *out,
                                GError **error)
{
  Parser *parser = NULL;
  gboolean bad;

  g_mutex_lock (&self->lock);
  if (self->idle->len > 0)
    parser = g_ptr_array_steal_index_fast (self->idle, self->idle->len - 1);
  g_mutex_unlock (&self->lock);
  if (parser == NULL && (parser = parser_new (self, error)) == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    out[i] = value_at (self, parser, uses, values, i);
  bad = mupError (parser->handle);
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->idle, parser);
  g_mutex_unlock (&self->lock);
  return !bad || armilla_fail (error, ARMILLA_ERROR_NUMERIC, "evaluation failed");
}
